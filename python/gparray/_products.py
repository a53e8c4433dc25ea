"""Products that are in the namespace and in its linalg."""
from . import _core


def matmul(x1, x2, /):
    return _core.matmul(x1, x2)


def matrix_transpose(x, /):
    return _core.matrix_transpose(x)


def tensordot(x1, x2, /, *, axes=2):
    return _core.tensordot(x1, x2, axes) if isinstance(axes, int) else _core.tensordot(x1, x2, *axes)


def vecdot(x1, x2, /, *, axis=-1):
    return _core.vecdot(x1, x2, axis)
