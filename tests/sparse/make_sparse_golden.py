#!/usr/bin/env python3
"""Runs the expressions of SciPy quoted in the tests of sparse matrices; writes sparse.tsv.

Columns: expression, kind (array, error, or a sparse format), dtype or error name, shape, number of entries,
elements in C order or text. Complex elements are two numbers. S(shape, dtype) is a dense array of a fixed pattern,
about half of it zeros; tests/support/sparse.hpp has the same.
"""
import pathlib
import re

import numpy as np
import scipy
import scipy.io
import scipy.sparse as sp
import scipy.sparse.linalg as sl


def S(shape, dtype="d"):
    i = np.arange(int(np.prod(shape, dtype=int)))
    real = (i * i * 5 + i * 7 + 3) % 17 - 8
    imaginary = (i * i * 3 + i * 5 + 1) % 13 - 6
    values = real + 1j * imaginary if dtype in "FD" else abs(real) if dtype in "BHIL" else real
    return np.where((i * i + 3 * i) % 8 == 4, values, 0).astype(dtype).reshape(shape)


def D(shape, dtype="d"):
    """Without zeros in the pattern."""
    i = np.arange(int(np.prod(shape, dtype=int)))
    return ((i * 7 + 3) % 11 - 4).astype(dtype).reshape(shape)


def STEP(matrix, method):
    """The matrix after a method that changes it in place."""
    getattr(matrix, method)()
    return matrix


H = S((4, 4), "D") + S((4, 4), "D").conj().T

names = {"np": np, "sp": sp, "sl": sl, "A": np.array, "S": S, "D": D, "STEP": STEP, "H": H,
         "csr": sp.csr_matrix, "csc": sp.csc_matrix, "coo": sp.coo_matrix, "dia": sp.dia_matrix}


def row(expression):
    try:
        value = eval(expression, names)
    except Exception as error:
        return ["error", type(error).__name__, "", "", str(error).replace("\n", " ")]
    if isinstance(value, str):
        return ["text", "", "", "", value.replace("\n", "\\n").replace("\t", "\\t")]
    kind, count = "array", ""
    if sp.issparse(value):
        kind, count, value = value.format, str(value.nnz), value.toarray()
    value = np.asarray(value)
    flat = value.reshape(-1)
    if flat.dtype.kind == "c":
        flat = flat.view(flat.real.dtype)
    shape = ",".join(map(str, value.shape))
    return [kind, value.dtype.name, shape, count, ",".join(repr(float(x)) for x in flat)]


tests = pathlib.Path(__file__).resolve().parent.parent
expressions = set()
for file in tests.rglob("test_sparse*.cpp"):
    for text in re.findall(r'(?:SPARSE|SPARSE_THROWS|SPARSE_TEXT)\(\s*"((?:[^"\\]|\\.)*)"', file.read_text()):
        expressions.add(text.replace('\\"', '"'))
# test_sparse_golden.cpp makes these in loops.
MAPS = ("sqrt", "sign", "sin", "tan", "arcsin", "arctan", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p", "rint", "floor", "ceil",
        "trunc", "deg2rad", "rad2deg")
FORMATS = ("csr", "csc", "coo", "dia")
for f in FORMATS:
    for t in "fd":
        expressions |= {f"({f}(S((4, 5), '{t}')) * .125).{name}()" for name in MAPS} | {f"abs({f}(S((4, 5), '{t}')))"}
    expressions |= {f"{f}(S((4, 5), 'i')).{name}()" for name in ("sin", "sqrt", "sign", "floor")}
    expressions |= {f"{f}(S((4, 5), 'D')).{part}.toarray()" for part in ("real", "imag", "conj()", "T")}
    for t in "fiD":
        expressions |= {f"np.asarray({f}(S((4, 5), '{t}')).{name}({axis})).ravel()" for name in ("sum", "mean") for axis in ("", 0, 1)}
        expressions |= {f"{f}(S((4, 5), '{t}')).diagonal({k})" for k in (-2, 0, 1)}
        expressions |= {f"np.asarray({f}(S((4, 5), '{t}')).trace({k}))" for k in (0, 1)}
    if f != "dia":
        expressions |= {f"{f}(S((4, 5), '{t}')).{name}({axis}).toarray().ravel()" for t in "fi" for name in ("max", "min") for axis in (0, 1)}
        expressions |= {f"np.asarray({f}(S((4, 5), '{t}')).{name}())" for t in "fi" for name in ("max", "min")}
        expressions |= {f"np.asarray({f}(S((4, 5))).{name}({axis})).astype('l')" for name in ("getnnz", "count_nonzero") for axis in ("", 0, 1)}
    for g in FORMATS:
        expressions |= {f"({f}(S((4, 5))) {op} {g}(D((4, 5)))).toarray()" for op in "+-"}
        expressions |= {f"{f}(S((4, 5))).tocsr().{name}({g}(D((4, 5)))).toarray()" for name in ("multiply", "maximum", "minimum")}
        expressions |= {f"({f}(S((4, 5))) @ {g}(D((5, 3)))).toarray()", f"{f}(S((4, 5))).to{g}()"}
        expressions |= {f"sp.tri{side}({f}(S((4, 5))), k={k}).toarray()" for side in "lu" for k in (-1, 0, 2)}
        expressions |= {f"sp.{join}([{f}(S((4, 5))), {g}(S((4, 5)))]).toarray()" for join in ("hstack", "vstack", "block_diag")}
        expressions.add(f"sp.kron({f}(S((4, 5))), {g}(D((2, 3)))).toarray()")

lines = sorted("\t".join([e, *row(e)]) for e in expressions)
(tests / "sparse" / "sparse.tsv").write_text("\n".join(lines) + "\n")

# Files that SciPy writes.
golden = tests / "sparse"
sp.save_npz(golden / "sparse_csc.npz", sp.csc_matrix(S((4, 5))))
sp.save_npz(golden / "sparse_dia.npz", sp.dia_matrix(S((4, 5), "F")), compressed=False)
sp.save_npz(golden / "sparse_coo.npz", sp.coo_matrix(S((4, 5), "?")))
scipy.io.mmwrite(golden / "sparse_real.mtx", sp.csr_matrix(S((4, 5)) / 3), comment=" a comment")
scipy.io.mmwrite(golden / "sparse_hermitian.mtx", sp.csr_matrix(H), symmetry="hermitian")
scipy.io.mmwrite(golden / "sparse_array.mtx", S((4, 5), "l"))
print(f"{len(lines)} expressions, NumPy {np.__version__}, SciPy {scipy.__version__}")
