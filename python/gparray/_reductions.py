"""Reductions and scans."""
from . import _core

__all__ = ["all", "any", "argmax", "argmin", "count_nonzero", "cumulative_prod", "cumulative_sum", "max", "mean", "min", "prod", "std",
           "sum", "var"]


def _plain(name):
    def function(x, /, *, axis=None, keepdims=False):
        return _core.reduce(name, x, axis, keepdims)
    function.__name__ = name
    return function


def _in_dtype(name):
    def function(x, /, *, axis=None, dtype=None, keepdims=False):
        return _core.reduce(name, x, axis, keepdims, dtype)
    function.__name__ = name
    return function


def _spread(name):
    def function(x, /, *, axis=None, correction=0.0, keepdims=False):
        return _core.reduce(name, x, axis, keepdims, None, correction)
    function.__name__ = name
    return function


def _scan(name, function_name):
    def function(x, /, *, axis=None, dtype=None, include_initial=False):
        if axis is None and x.ndim > 1:
            raise ValueError(f"{function_name}: an axis is needed for an array of {x.ndim} dimensions")
        return _core.accumulate(name, x, axis, dtype, include_initial)
    function.__name__ = function_name
    return function


all, any, argmax, argmin, count_nonzero, max, mean, min = (
    _plain(name) for name in ("all", "any", "argmax", "argmin", "count_nonzero", "max", "mean", "min"))
prod, sum = _in_dtype("prod"), _in_dtype("sum")
std, var = _spread("std"), _spread("var")
cumulative_prod, cumulative_sum = _scan("multiply", "cumulative_prod"), _scan("add", "cumulative_sum")
