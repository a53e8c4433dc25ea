#!/usr/bin/env python3
"""Writes matrices.txt: every function of linalg on small matrices of every dtype, in batches too, by NumPy and SciPy.

One case a line, fields separated by tabs:
  function  dtype  kind  shape  error  outcome
kind     g: F, the pattern of tests/support/linalg.hpp; p: F F^H + 10; h: F + F^H - 2; o: ones; n: F and a NaN in the last matrix
error    what rounding may change, in units of eps: rows * condition number ** power * the largest element of the result,
         as the algorithms are backward stable. The power is 2 for least squares, and n for inverses multiplied n times.
outcome  dtype, shape and values in C order, separated by "|"; or "error", the exception and its text
Where a result depends on signs that an algorithm may choose, what does not depend on them is compared.
"""
import pathlib
import warnings

import numpy as np
import scipy.linalg as sl

la = np.linalg
INF = np.inf
warnings.simplefilter("ignore")


def F(shape, dtype="d"):
    i = np.arange(int(np.prod(shape, dtype=int)))
    real = (i * i * 5 + i * 7 + 3) % 17 - 8
    imaginary = (i * i * 3 + i * 5 + 1) % 13 - 6
    return (real + 1j * imaginary if dtype in "FD" else real).astype(dtype).reshape(shape)


def H(a):
    return a.conj().swapaxes(-1, -2)


def make(kind, shape, dtype):
    a = F(shape, dtype)
    if kind == "p":
        return (a @ H(a) + 10 * np.eye(shape[-1])).astype(dtype)
    if kind == "h":
        return a + H(a) - 2 * np.eye(shape[-1]).astype(dtype)
    if kind == "o":
        return np.ones(shape, dtype)
    if kind == "n":
        a.reshape(-1)[-1] = np.nan
    return a


def right(a):
    return F(a.shape[:-1] + (2,), a.dtype.char)


def triangle(a):
    """A triangle that is far from singular, the rest as it was."""
    return a + 20 * np.eye(a.shape[-1]).astype(a.dtype)


def ord_of(name):
    return None if name == "none" else name if name in ("fro", "nuc") else float(name)


SQUARE, ANY, POSITIVE, HERMITIAN = "square", "any", "positive", "hermitian"

functions = {
    "inv": (SQUARE, 1, la.inv),
    "det": (SQUARE, 1, la.det),
    "slogdet sign": (SQUARE, 1, lambda a: la.slogdet(a)[0]),
    "slogdet logabsdet": (SQUARE, 1, lambda a: la.slogdet(a)[1]),
    "solve vector": (SQUARE, 1, lambda a: la.solve(a, F((a.shape[-1],), a.dtype.char))),
    "solve": (SQUARE, 1, lambda a: la.solve(a, right(a))),
    "solve pos": (POSITIVE, 1, lambda a: sl.solve(a, right(a), assume_a="pos")),
    "solve pos lower": (POSITIVE, 1, lambda a: sl.solve(a, right(a), assume_a="pos", lower=True)),
    "solve sym": (HERMITIAN, 1, lambda a: sl.solve(a.real + 0 * a, right(a), assume_a="sym")),
    "solve her": (HERMITIAN, 1, lambda a: sl.solve(a, right(a), assume_a="her", lower=True)),
    "solve upper triangular": (SQUARE, 1, lambda a: sl.solve(triangle(a), right(a), assume_a="upper triangular")),
    "solve lower triangular": (SQUARE, 1, lambda a: sl.solve(triangle(a), right(a), assume_a="lower triangular")),
    "lu p": (ANY, 1, lambda a: sl.lu(a)[0]),
    "lu l": (ANY, 1, lambda a: sl.lu(a)[1]),
    "lu u": (ANY, 1, lambda a: sl.lu(a)[2]),
    "lu permute_l": (ANY, 1, lambda a: sl.lu(a, permute_l=True)[0]),
    "lu p_indices": (ANY, 1, lambda a: sl.lu(a, p_indices=True)[0]),
    "lu_factor lu": (SQUARE, 1, lambda a: sl.lu_factor(a)[0]),
    "lu_factor piv": (SQUARE, 1, lambda a: sl.lu_factor(a)[1]),
    "cholesky": (POSITIVE, 1, la.cholesky),
    "cholesky upper": (POSITIVE, 1, lambda a: la.cholesky(a, upper=True)),
    "qr Q": (ANY, 1, lambda a: la.qr(a)[0]),
    "qr R": (ANY, 1, lambda a: la.qr(a)[1]),
    "qr complete R": (ANY, 1, lambda a: la.qr(a, mode="complete")[1]),
    "qr r": (ANY, 1, lambda a: la.qr(a, mode="r")),
    "qr raw h": (ANY, 1, lambda a: la.qr(a, mode="raw")[0]),
    "qr raw tau": (ANY, 1, lambda a: la.qr(a, mode="raw")[1]),
    "eigh values": (HERMITIAN, 1, lambda a: la.eigh(a)[0]),
    "eigvalsh": (HERMITIAN, 1, la.eigvalsh),
    "eigvalsh U": (HERMITIAN, 1, lambda a: la.eigvalsh(np.triu(a), UPLO="U")),
    "eig values": (POSITIVE, 1, lambda a: np.sort(la.eig(a)[0].real, axis=-1)),
    "eigvals": (POSITIVE, 1, lambda a: np.sort(la.eigvals(a).real, axis=-1)),
    "svd values": (ANY, 1, lambda a: la.svd(a)[1]),
    "svdvals": (ANY, 1, la.svdvals),
    "svdvals hermitian": (HERMITIAN, 1, lambda a: la.svd(a, compute_uv=False, hermitian=True)),
    "pinv": (ANY, 2, la.pinv),
    "pinv hermitian": (HERMITIAN, 2, lambda a: la.pinv(a, hermitian=True)),
    "matrix_rank": (ANY, 1, la.matrix_rank),
    "matrix_rank hermitian": (HERMITIAN, 1, lambda a: la.matrix_rank(a, hermitian=True)),
    "lstsq x": (ANY, 2, lambda a: la.lstsq(a, right(a))[0]),
    "lstsq residuals": (ANY, 2, lambda a: la.lstsq(a, right(a))[1]),
    "lstsq s": (ANY, 1, lambda a: la.lstsq(a, right(a))[3]),
    "matrix_power -2": (SQUARE, 2, lambda a: la.matrix_power(a, -2)),
    "matrix_power 0": (SQUARE, 1, lambda a: la.matrix_power(a, 0)),
    "matrix_power 5": (SQUARE, 1, lambda a: la.matrix_power(a, 5)),
    "expm": (HERMITIAN, 1, lambda a: sl.expm(a / 16)),
    **{f"solve_triangular {trans} {'lower' if lower else 'upper'}{' unit' if unit else ''}":
       (SQUARE, 1, lambda a, t=trans, lo=lower, u=unit:
        sl.solve_triangular(triangle(a) / 20, right(a), trans=t, lower=lo, unit_diagonal=u))
       for trans in (0, 1, 2) for lower in (False, True) for unit in (False, True)},
    **{f"lu_solve {trans}": (SQUARE, 1, lambda a, t=trans: sl.lu_solve(sl.lu_factor(a), right(a), trans=t)) for trans in (0, 1, 2)},
    **{f"matrix_norm {o}": (ANY, 1, lambda a, o=o: la.matrix_norm(a, ord=ord_of(o), keepdims=True))
       for o in ("fro", "nuc", "1", "-1", "2", "-2", "inf", "-inf")},
    **{f"norm {o}": (ANY, 1, lambda a, o=o: la.norm(a, ord_of(o), axis=(-1, -2)))
       for o in ("none", "fro", "nuc", "1", "-1", "2", "-2", "inf", "-inf")},
    **{f"vector_norm {o}": (ANY, 1, lambda a, o=o: la.vector_norm(a, ord=ord_of(o), axis=0, keepdims=True))
       for o in ("0", "0.5", "1", "2", "3", "-1", "-2", "inf", "-inf")},
    **{f"norm of vectors {o}": (ANY, 1, lambda a, o=o: la.norm(a, ord_of(o), axis=-1))
       for o in ("none", "0", "1", "2", "2.5", "-1", "inf", "-inf")},
    **{f"cond {o}": (SQUARE, 2, lambda a, o=o: la.cond(a, ord_of(o)))
       for o in ("none", "fro", "nuc", "1", "-1", "2", "-2", "inf", "-inf")},
}

SCIPY = ("solve ", "lu", "expm", "solve_triangular")
NO_BATCHES = ("lstsq",)


def by_scipy(name):
    return name != "solve vector" and name.startswith(SCIPY)


def texts(a):
    a = np.ascontiguousarray(a).ravel()
    parts = a.view(a.real.dtype) if a.dtype.kind == "c" else a
    return ",".join(repr(float(v)) if parts.dtype == "d" else f"{float(v):.9g}" for v in parts)


def condition(a):
    if a.size == 0 or a.ndim < 2 or not np.isfinite(a).all():
        return 1.0
    s = la.svdvals(a.astype("D"))
    return float((s[..., 0] / np.maximum(s[..., -1], 1e-300)).max())


def clear_pivots(a):
    """Whether no two rows are about equally good, by the sum of real and imaginary part, LAPACK's measure, or by magnitude."""
    for matrix in a.reshape((-1,) + a.shape[-2:]).astype("D"):
        for k in range(min(matrix.shape)):
            column = matrix[k:, k]
            choices = set()
            for sizes in (abs(column.real) + abs(column.imag), abs(column)):
                choices.update(np.flatnonzero(sizes > sizes.max() * 0.999))
            if len(choices) > 1:
                return False
            pivot = k + choices.pop()
            matrix[[k, pivot]] = matrix[[pivot, k]]
            matrix[k + 1:, k:] -= np.outer(matrix[k + 1:, k] / matrix[k, k], matrix[k, k:])
    return True


def line(name, dtype, kind, shape):
    _, power, function = functions[name]
    a = make(kind, shape, dtype)
    error = 0.0
    try:
        c = np.asarray(function(a))
        used = triangle(a) / 20 if "triang" in name else a
        if kind in "gph" and a.ndim > 1:
            # One triangle alone may be worse than both.
            parts = [np.tril(used), np.triu(used)] if "triang" in name else [used]
            worst = max(condition(part) for part in parts)
            assert worst < 120, (name, dtype, kind, shape, worst)
            largest = float(np.abs(c).max(initial=0.0)) if c.dtype.kind in "fc" else 0.0
            error = max(shape) * worst**power * max(largest, 1.0 if "residuals" in name else 0.0)
        numbers = ",".join(map(str, c.shape))
        outcome = f"{c.dtype.name}|{numbers}|{texts(c)}"
    except (la.LinAlgError, ValueError) as e:
        outcome = f"error|{type(e).__name__}|" + str(e).replace("\n", " ")
    return "\t".join([name, dtype, kind, ",".join(map(str, shape)), repr(error), outcome])


def cases():
    for name, (domain, _, _) in functions.items():
        kind = {POSITIVE: "p", HERMITIAN: "h"}.get(domain, "g")
        batches = not name.startswith(NO_BATCHES)
        shapes = [(1, 1), (2, 2), (3, 3), (5, 5)]
        if batches:
            shapes += [(2, 3, 3), (2, 1, 2, 2)]
        if domain == ANY:
            shapes += [(4, 3), (3, 5), (1, 4)] + ([(2, 4, 3), (2, 3, 4)] if batches else [])
        for shape in shapes:
            for dtype in "ifdFD":
                if name.startswith("lu") and "solve" not in name and not clear_pivots(make(kind, shape, dtype)):
                    continue
                if name.startswith("lu p") and shape == (1, 1):
                    continue  # SciPy takes a way of its own, with other dtypes
                yield name, dtype, kind, shape
        if by_scipy(name):
            continue
        for shape in [(3,), (0, 0), (2, 3)] + ([(2, 0, 0), (0, 3, 3)] if batches else []):
            if domain in (POSITIVE, HERMITIAN) and shape[-2:] not in ((0, 0), (3, 3)):
                continue
            if "vector" in name and len(shape) < 2:
                continue
            yield name, "d", kind, shape
        # The least singular value of a singular matrix is a rounding error, or none.
        if domain == SQUARE and name not in ("cond none", "cond 2", "cond -2"):
            yield name, "d", "o", (2, 2)


with open(pathlib.Path(__file__).with_name("matrices.txt"), "w") as out:
    for text in dict.fromkeys(line(*case) for case in cases()):
        print(text, file=out)
