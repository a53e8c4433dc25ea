"""Element-wise functions, by the standard's names; `ufunc` finds the others of the library by theirs."""
from . import _core
from ._core import ufunc
from ._dtypes import finfo, iinfo

# What the library has under the same name.
_NAMES = """abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift bitwise_or bitwise_right_shift
bitwise_xor ceil conj copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan
less less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative nextafter
not_equal positive pow real reciprocal remainder round sign signbit sin sinh sqrt square subtract tan tanh trunc""".split()
for _name in _NAMES:
    globals()[_name] = ufunc(_name)

__all__ = [*_NAMES, "clip", "ufunc", "where"]

where = ufunc("where")
_clip = ufunc("clip")


def clip(x, /, min=None, max=None):
    kind = _core.kind(x.dtype)
    if min is None and max is None:
        return positive(x) if kind != "b" else _core.copy(x)  # noqa: F821
    limits = iinfo(x.dtype) if kind in "iu" else finfo(x.dtype)
    low, high = (limits.min, limits.max) if kind in "iu" else (-float("inf"), float("inf"))
    result = _clip(x, low if min is None else min, high if max is None else max)
    return _core.astype(result, x.dtype, False)
