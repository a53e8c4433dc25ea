"""dtypes, and what is asked of them."""
import math
from typing import NamedTuple

from . import _core
from ._core import array, dtype

__all__ = ["dtype", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
           "float64", "complex64", "complex128", "astype", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

python_bool = bool
bool = getattr(dtype, "bool")
int8, int16, int32, int64 = dtype.int8, dtype.int16, dtype.int32, dtype.int64
uint8, uint16, uint32, uint64 = dtype.uint8, dtype.uint16, dtype.uint32, dtype.uint64
float16, bfloat16, float32, float64 = dtype.float16, dtype.bfloat16, dtype.float32, dtype.float64
complex64, complex128 = dtype.complex64, dtype.complex128


class finfo_object(NamedTuple):
    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype


class iinfo_object(NamedTuple):
    bits: int
    max: int
    min: int
    dtype: dtype


# Bits of the mantissa without the leading one, and the powers of two of the smallest normal number and of what overflows.
_FORMATS = {float16: (10, -14, 16), bfloat16: (7, -126, 128), float32: (23, -126, 128), float64: (52, -1022, 1024)}
_PARTS = {complex64: float32, complex128: float64}


def dtype_of(x):
    return x.dtype if isinstance(x, array) else x


def finfo(type, /):
    type = dtype_of(type)
    real = _PARTS.get(type, type)
    if real not in _FORMATS:
        raise TypeError(f"{type.name} is no floating-point dtype")
    mantissa, least, overflow = _FORMATS[real]
    largest = math.ldexp(2 - 2.0**-mantissa, overflow - 1)
    return finfo_object(8 * _core.itemsize(real), 2.0**-mantissa, largest, -largest, 2.0**least, real)


def iinfo(type, /):
    type = dtype_of(type)
    if _core.kind(type) not in "iu":
        raise TypeError(f"{type.name} is no integer dtype")
    bits = 8 * _core.itemsize(type)
    signed = _core.kind(type) == "i"
    return iinfo_object(bits, 2 ** (bits - signed) - 1, -(2 ** (bits - 1)) if signed else 0, type)


def isdtype(dtype, kind):
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    return _core.isdtype(dtype, kind) if isinstance(kind, str) else dtype == kind


def can_cast(from_, to, /):
    return _core.can_cast(dtype_of(from_), to)


def result_type(*arrays_and_dtypes):
    """The dtype that arrays, dtypes and numbers promote to."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: at least one array or dtype is needed")
    return _core.result_type([_core.empty((0,), x, None) if isinstance(x, dtype) else x for x in arrays_and_dtypes])


def astype(x, dtype, /, *, copy=True, device=None):
    result = _core.astype(x, dtype, copy)
    return result if device is None else result.to_device(device)


def of_number(value):
    """The default dtype of a Python number."""
    for kind, type in ((python_bool, bool), (int, int64), (float, float64), (complex, complex128)):
        if isinstance(value, kind):
            return type
    raise TypeError(f"an array or a number is needed, not {value.__class__.__name__}")
