"""Sorting, searching, sets and differences."""
from typing import NamedTuple

from . import _core
from ._core import array

__all__ = ["argsort", "diff", "nonzero", "searchsorted", "sort", "take", "take_along_axis", "unique_all", "unique_counts",
           "unique_inverse", "unique_values"]


class unique_all_result(NamedTuple):
    values: array
    indices: array
    inverse_indices: array
    counts: array


class unique_counts_result(NamedTuple):
    values: array
    counts: array


class unique_inverse_result(NamedTuple):
    values: array
    inverse_indices: array


def argsort(x, /, *, axis=-1, descending=False, stable=True):
    return _core.argsort(x, axis, descending)


def sort(x, /, *, axis=-1, descending=False, stable=True):
    return _core.sort(x, axis, descending)


def searchsorted(x1, x2, /, *, side="left", sorter=None):
    return _core.searchsorted(x1, x2, side, sorter)


def nonzero(x, /):
    return tuple(_core.nonzero(x))


def take(x, indices, /, *, axis=None):
    if axis is None and x.ndim != 1:
        raise ValueError(f"take: an axis is needed for an array of {x.ndim} dimensions")
    return _core.take(x, indices, axis)


def take_along_axis(x, indices, /, *, axis=-1):
    return _core.take_along_axis(x, indices, axis)


def unique_all(x, /):
    return unique_all_result(*_core.unique(x))


def unique_counts(x, /):
    values, _, _, counts = _core.unique(x)
    return unique_counts_result(values, counts)


def unique_inverse(x, /):
    values, _, inverse_indices, _ = _core.unique(x)
    return unique_inverse_result(values, inverse_indices)


def unique_values(x, /):
    return _core.unique(x)[0]


def diff(x, /, *, axis=-1, n=1, prepend=None, append=None):
    return _core.diff(x, n, axis, prepend, append)
