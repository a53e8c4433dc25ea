"""The standard's linear algebra."""
from typing import NamedTuple as _NamedTuple

from . import _core
from ._core import array as _array
from ._products import matmul, matrix_transpose, tensordot, vecdot

__all__ = ["cholesky", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
           "matrix_transpose", "outer", "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm"]


class eigh_result(_NamedTuple):
    eigenvalues: _array
    eigenvectors: _array


class qr_result(_NamedTuple):
    Q: _array
    R: _array


class slogdet_result(_NamedTuple):
    sign: _array
    logabsdet: _array


class svd_result(_NamedTuple):
    U: _array
    S: _array
    Vh: _array


def cholesky(x, /, *, upper=False):
    return _core.cholesky(x, upper)


def cross(x1, x2, /, *, axis=-1):
    return _core.cross(x1, x2, axis)


def det(x, /):
    return _core.det(x)


def diagonal(x, /, *, offset=0):
    return _core.diagonal(x, offset)


def eigh(x, /):
    return eigh_result(*_core.eigh(x))


def eigvalsh(x, /):
    return _core.eigvalsh(x)


def inv(x, /):
    return _core.inv(x)


def matrix_norm(x, /, *, keepdims=False, ord="fro"):
    return _core.matrix_norm(x, ord if isinstance(ord, str) else "", 0.0 if isinstance(ord, str) else float(ord), keepdims)


def matrix_power(x, n, /):
    return _core.matrix_power(x, n)


def matrix_rank(x, /, *, rtol=None):
    return _core.matrix_rank(x, rtol)


def outer(x1, x2, /):
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError("outer: vectors are needed")
    return _core.outer(x1, x2)


def pinv(x, /, *, rtol=None):
    return _core.pinv(x, rtol)


def qr(x, /, *, mode="reduced"):
    return qr_result(*_core.qr(x, mode))


def slogdet(x, /):
    return slogdet_result(*_core.slogdet(x))


def solve(x1, x2, /):
    return _core.solve(x1, x2)


def svd(x, /, *, full_matrices=True):
    return svd_result(*_core.svd(x, full_matrices))


def svdvals(x, /):
    return _core.svdvals(x)


def trace(x, /, *, offset=0, dtype=None):
    return _core.reduce("sum", _core.diagonal(x, offset), -1, False, dtype)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2):
    return _core.vector_norm(x, float(ord), axis, keepdims)
