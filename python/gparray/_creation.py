"""Making arrays."""
from array import array as _packed
from itertools import chain

from . import _core
from ._core import array
from ._dtypes import complex128, float64, int64, of_number, uint64
from ._dtypes import bool as bool_

__all__ = ["arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace", "meshgrid", "ones",
           "ones_like", "tril", "triu", "zeros", "zeros_like"]


def from_dlpack(x, /, *, device=None, copy=None):
    """The array of another library's, sharing its memory unless it has to be copied."""
    return _core.from_dlpack(x, _device(device), copy)


def _device(device):
    return _core.Device(device) if isinstance(device, str) else device


def _diagonal(k, rows, columns):
    """The diagonal, or the first beyond a matrix: k may be any number."""
    return max(-rows, min(k, columns))


def _shape(sequence):
    shape = ()
    while isinstance(sequence, (list, tuple)):
        shape += (len(sequence),)
        if not sequence:
            break
        sequence = sequence[0]
    return shape


def _flat(sequence, shape):
    if not shape:
        if isinstance(sequence, (list, tuple)):
            raise ValueError("the rows of a nested list must be of one length")
        return [sequence]
    if not isinstance(sequence, (list, tuple)) or len(sequence) != shape[0]:
        raise ValueError("the rows of a nested list must be of one length")
    if len(shape) == 1:
        if any(isinstance(x, (list, tuple)) for x in sequence):
            raise ValueError("the rows of a nested list must be of one length")
        return list(sequence)
    return list(chain.from_iterable(_flat(row, shape[1:]) for row in sequence))


def _from_sequence(sequence, device):
    shape = _shape(sequence)
    values = [x.__complex__() if isinstance(x, array) and _core.kind(x.dtype) == "c" else
              float(x) if isinstance(x, array) and _core.kind(x.dtype) == "f" else
              bool(x) if isinstance(x, array) and x.dtype == bool_ else
              int(x) if isinstance(x, array) else x for x in _flat(sequence, shape)]
    types = {of_number(x) for x in values} or {float64}
    if complex128 in types:
        parts = chain.from_iterable((complex(x).real, complex(x).imag) for x in values)
        return _core.from_bytes(_packed("d", parts).tobytes(), shape, complex128, device)
    if float64 in types:
        return _core.from_bytes(_packed("d", values).tobytes(), shape, float64, device)
    if int64 in types:
        large = max(values) > 2**63 - 1
        return _core.from_bytes(_packed("Q" if large else "q", values).tobytes(), shape, uint64 if large else int64, device)
    return _core.from_bytes(bytes(values), shape, bool_, device)


def asarray(obj, /, *, dtype=None, device=None, copy=None):
    device = _device(device)
    if isinstance(obj, (bool, int, float, complex)):
        if copy is False:
            raise ValueError("a number becomes an array by a copy, and copy is False")
        return _core.full((), obj, dtype or of_number(obj), device)
    if isinstance(obj, (list, tuple)):
        if copy is False:
            raise ValueError("a list becomes an array by a copy, and copy is False")
        result = _from_sequence(obj, device)
        return result if dtype is None else _core.astype(result, dtype, False)
    result = obj if isinstance(obj, array) else from_dlpack(obj)
    changed = dtype is not None and dtype != result.dtype or device is not None and device != result.device
    if changed and copy is False:
        raise ValueError("another dtype or device gets the elements by a copy, and copy is False")
    if device is not None:
        result = _core.to_device(result, device)
    if dtype is not None:
        result = _core.astype(result, dtype, False)
    return _core.copy(result) if copy and not changed else result


def arange(start, /, stop=None, step=1, *, dtype=None, device=None):
    if stop is None:
        start, stop = 0, start
    if dtype is None:
        dtype = float64 if any(isinstance(x, float) for x in (start, stop, step)) else int64
    return _core.arange(start, stop, step, dtype, _device(device))


def empty(shape, *, dtype=None, device=None):
    return _core.empty(shape, dtype or float64, _device(device))


def empty_like(x, /, *, dtype=None, device=None):
    return _core.empty(x.shape, dtype or x.dtype, _device(device) or x.device)


def eye(n_rows, n_cols=None, /, *, k=0, dtype=None, device=None):
    n_cols = n_rows if n_cols is None else n_cols
    return _core.eye(n_rows, n_cols, _diagonal(k, n_rows, n_cols), dtype or float64, _device(device))


def full(shape, fill_value, *, dtype=None, device=None):
    return _core.full(shape, fill_value, dtype or of_number(fill_value), _device(device))


def full_like(x, /, fill_value, *, dtype=None, device=None):
    return _core.full(x.shape, fill_value, dtype or x.dtype, _device(device) or x.device)


def linspace(start, stop, /, num, *, dtype=None, device=None, endpoint=True):
    if dtype is None:
        dtype = complex128 if isinstance(start, complex) or isinstance(stop, complex) else float64
    return _core.linspace(start, stop, num, dtype, _device(device), endpoint)


def meshgrid(*arrays, indexing="xy"):
    return _core.meshgrid(list(arrays), indexing)


def ones(shape, *, dtype=None, device=None):
    return full(shape, 1, dtype=dtype or float64, device=device)


def ones_like(x, /, *, dtype=None, device=None):
    return full_like(x, 1, dtype=dtype, device=device)


def tril(x, /, *, k=0):
    return _core.tril(x, _diagonal(k, *x.shape[-2:]))


def triu(x, /, *, k=0):
    return _core.triu(x, _diagonal(k, *x.shape[-2:]))


def zeros(shape, *, dtype=None, device=None):
    return full(shape, 0, dtype=dtype or float64, device=device)


def zeros_like(x, /, *, dtype=None, device=None):
    return full_like(x, 0, dtype=dtype, device=device)
