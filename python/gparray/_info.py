"""What the namespace says of itself, and the rest of the class of arrays."""
import sys

from . import _core, _dtypes
from ._creation import _device

_KINDS = {"bool": "bool", "signed integer": "int8 int16 int32 int64", "unsigned integer": "uint8 uint16 uint32 uint64",
          "real floating": "float32 float64", "complex floating": "complex64 complex128"}
_KINDS["integral"] = _KINDS["signed integer"] + " " + _KINDS["unsigned integer"]
_KINDS["numeric"] = " ".join(_KINDS[kind] for kind in ("integral", "real floating", "complex floating"))


class __array_namespace_info__:
    """The standard's questions about a library; it has float16 and bfloat16 besides."""

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 32}

    def default_device(self):
        return _core.default_device()

    def default_dtypes(self, *, device=None):
        return {"real floating": _dtypes.float64, "complex floating": _dtypes.complex128, "integral": _dtypes.int64,
                "indexing": _dtypes.int64}

    def devices(self):
        return [_core.Device("cpu"), *(_core.Device(f"cuda:{i}") for i in range(_core.device_count()))]

    def dtypes(self, *, device=None, kind=None):
        if kind is None:
            kind = ("bool", "numeric")
        if isinstance(kind, tuple):
            return {name: type for k in kind for name, type in self.dtypes(kind=k).items()}
        if kind not in _KINDS:
            raise ValueError(f"unknown kind of dtypes: {kind}")
        return {name: getattr(_dtypes, name) for name in _KINDS[kind].split()}


def _array_namespace(self, /, *, api_version=None):
    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12"):
        raise ValueError(f"version {api_version} of the array API is not here")
    return sys.modules[__package__]


def _transposed(self):
    if self.ndim != 2:
        raise ValueError("T is for matrices; use permute_dims or mT")
    return _core.matrix_transpose(self)


def _numpys(self, dtype=None, copy=None):
    import numpy
    there = _core.to_device(self, _core.Device("cpu"))
    return numpy.array(numpy.from_dlpack(there), dtype=dtype, copy=copy)


_array = _core.array
_array.__array_namespace__ = _array_namespace
_array.T = property(_transposed)
_array.mT = property(_core.matrix_transpose)
_array.to_device = lambda self, device, /, *, stream=None: _core.to_device(self, _device(device))
_array.__array__ = _numpys
_array.__hash__ = None
_array.__len__ = lambda self: self.shape[0]
