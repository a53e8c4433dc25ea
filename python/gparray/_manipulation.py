"""Arranging elements."""
from . import _core

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip", "moveaxis", "permute_dims", "repeat",
           "reshape", "roll", "squeeze", "stack", "tile", "unstack"]


def broadcast_shapes(*shapes):
    return _core.broadcast_shapes(list(shapes))


def broadcast_arrays(*arrays):
    shape = _core.broadcast_shapes([x.shape for x in arrays])
    return [_core.broadcast_to(x, shape) for x in arrays]


def broadcast_to(x, /, shape):
    return _core.broadcast_to(x, shape)


def concat(arrays, /, *, axis=0):
    return _core.concat(list(arrays), axis)


def expand_dims(x, /, axis=0):
    return _core.expand_dims(x, axis)


def flip(x, /, *, axis=None):
    return _core.flip(x, tuple(range(x.ndim)) if axis is None else axis)


def moveaxis(x, source, destination, /):
    return _core.moveaxis(x, source, destination)


def permute_dims(x, /, axes):
    return _core.permute_dims(x, axes)


def repeat(x, repeats, /, *, axis=None):
    return _core.repeat(x, repeats, axis)


def reshape(x, /, shape, *, copy=None):
    result = _core.reshape(x, shape)
    if copy is None or x.size == 0:
        return result
    shares = _core.shares_memory(x, result)
    if copy is False and not shares:
        raise ValueError("the shape cannot be had without a copy, and copy is False")
    return _core.copy(result) if copy and shares else result


def roll(x, /, shift, *, axis=None):
    return _core.roll(x, shift, axis)


def squeeze(x, /, axis):
    return _core.squeeze(x, axis)


def stack(arrays, /, *, axis=0):
    return _core.stack(list(arrays), axis)


def tile(x, repetitions, /):
    return _core.tile(x, repetitions)


def unstack(x, /, *, axis=0):
    return tuple(_core.unstack(x, axis))
