"""The standard's Fourier transforms."""
from . import _core
from ._creation import _device

__all__ = ["fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft", "rfftfreq",
           "rfftn"]


def _along_axis(name):
    def function(x, /, *, n=None, axis=-1, norm="backward"):
        return _core.transform(name, x, n, axis, norm)
    function.__name__ = name
    return function


def _along_axes(name):
    def function(x, /, *, s=None, axes=None, norm="backward"):
        return _core.transform_nd(name, x, s, axes, norm)
    function.__name__ = name + "n"
    return function


fft, ifft, rfft, irfft, hfft, ihfft = (_along_axis(name) for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"))
fftn, ifftn, rfftn, irfftn = (_along_axes(name) for name in ("fft", "ifft", "rfft", "irfft"))


def _in(x, dtype):
    return x if dtype is None else _core.astype(x, dtype, False)


def fftfreq(n, /, *, d=1.0, dtype=None, device=None):
    return _in(_core.frequencies(n, d, False, _device(device)), dtype)


def rfftfreq(n, /, *, d=1.0, dtype=None, device=None):
    return _in(_core.frequencies(n, d, True, _device(device)), dtype)


def fftshift(x, /, *, axes=None):
    return _core.shift(x, axes, False)


def ifftshift(x, /, *, axes=None):
    return _core.shift(x, axes, True)
