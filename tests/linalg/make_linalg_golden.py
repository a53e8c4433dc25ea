#!/usr/bin/env python3
"""Runs the expressions of NumPy and SciPy quoted in the tests of linalg, einsum, solvers, shifts and convolutions; writes linalg.tsv.

Columns: expression, kind (array, error), dtype or error name, shape, elements in C order or error text.
Complex elements are two numbers. F(shape, dtype) is integers of a fixed pattern, and H(n, dtype), P(n, dtype) are a
Hermitian and a positive definite matrix made of it, L(n, dtype) the second difference and N(n, dtype) a nonsymmetric
matrix, W(n) a diagonal one; tests/support/linalg.hpp has the same. STEPS(solver, ...) is info and the number of calls of the callback.
"""
import pathlib
import re

import numpy as np
import scipy
import scipy.linalg as sl
import scipy.signal as signal
import scipy.sparse as sp
import scipy.sparse.linalg as ssl


def F(shape, dtype="d"):
    i = np.arange(int(np.prod(shape, dtype=int)))
    real = (i * i * 5 + i * 7 + 3) % 17 - 8
    imaginary = (i * i * 3 + i * 5 + 1) % 13 - 6
    return (real + 1j * imaginary if dtype in "FD" else real).astype(dtype).reshape(shape)


def H(n, dtype="d"):
    a = F((n, n), dtype)
    return a + a.conj().T


def P(n, dtype="d"):
    a = F((n, n), dtype)
    return a @ a.conj().T + 10 * np.eye(n, dtype=dtype)


def L(n, dtype="d"):
    return (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)).astype(dtype)


def N(n, dtype="d"):
    a = 4 * np.eye(n) - np.eye(n, k=1) + 2 * np.eye(n, k=-1) + 0.5 * np.eye(n, k=3)
    return (a + 0.25j * np.eye(n, k=2) if dtype in "FD" else a).astype(dtype)


def W(n):
    return np.diag(10.0 ** -(np.arange(n) % 4))


def STEPS(solver, *arguments, **keywords):
    calls = []
    _, info = solver(*arguments, callback=lambda *_: calls.append(1), **keywords)
    return [info, len(calls)]


names = {"np": np, "sp": sp, "ssl": ssl, "L": L, "N": N, "W": W, "STEPS": STEPS, "la": np.linalg, "sl": sl, "signal": signal, "A": np.array, "F": F, "H": H, "P": P, "INF": np.inf, "NAN": np.nan}


def row(expression):
    try:
        value = np.asarray(eval(expression, names))
    except Exception as error:
        return ["error", type(error).__name__, "", str(error).replace("\n", " ")]
    flat = value.reshape(-1)
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    shape = ",".join(map(str, value.shape))
    return ["array", value.dtype.name, shape, ",".join(repr(float(x)) for x in flat)]


tests = pathlib.Path(__file__).resolve().parent.parent
expressions = set()
for pattern in ("test_linalg*.cpp", "test_einsum*.cpp", "test_solver*.cpp", "test_fft_shift.cpp"):
    for file in tests.rglob(pattern):
        for text in re.findall(r'NEAR(?:_THROWS)?\(\s*"((?:[^"\\]|\\.)*)"', file.read_text()):
            expressions.add(text.replace('\\"', '"'))
lines = sorted("\t".join([e, *row(e)]) for e in expressions)
(tests / "linalg" / "linalg.tsv").write_text("\n".join(lines) + "\n")
print(f"{len(lines)} expressions, NumPy {np.__version__}, SciPy {scipy.__version__}")
