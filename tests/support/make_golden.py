#!/usr/bin/env python3
"""Runs the NumPy and SciPy expressions that tests quote in GOLDEN(...); writes golden.tsv.

Columns: expression, kind (array, shape, bool, text, error), dtype or error name, shape, bytes in hexadecimal, text.
"""
import pathlib
import re
import warnings

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.sparse.csgraph
from numpy.lib.stride_tricks import as_strided, sliding_window_view

warnings.simplefilter("ignore")
names = {"np": np, "A": np.array, "NAN": np.nan, "INF": np.inf, "as_strided": as_strided, "sfft": scipy.fft, "sla": scipy.linalg, "csg": scipy.sparse.csgraph,
         "sliding_window_view": sliding_window_view,
         "a": np.arange(6).reshape(2, 3), "t": np.arange(24.0).reshape(2, 3, 4), "v": np.arange(5),
         "w": np.array([7., 1., 3.5, 2., 9., 4.]), "q": [0., .05, .25, .3, .5, .75, .95, 1.]}
names["G7"] = np.zeros((7, 7))
names["G7"][[0, 1, 2, 2, 3, 6, 5], [1, 2, 0, 3, 4, 4, 5]] = 1


def said(assertion, *arguments, **options):
    """The message of an assertion that does not hold; empty if it holds."""
    try:
        assertion(*arguments, **options)
    except AssertionError as error:
        return str(error)
    return ""


names["said"], names["nt"] = said, np.testing


def hexadecimal(array):
    parts = np.ascontiguousarray(array).reshape(-1)
    if parts.dtype.kind == "c":
        parts = parts.view(parts.real.dtype)
    if parts.dtype.kind != "f":
        return parts.tobytes().hex()
    return "".join("n" * 2 * parts.itemsize if np.isnan(x) else x.tobytes().hex() for x in parts)


def row(expression):
    try:
        value = eval(expression, names)
    except Exception as error:
        return ["error", type(error).__name__, "", "", str(error)]
    if isinstance(value, bool):
        return ["bool", "", "", "", str(value)]
    if isinstance(value, str):
        return ["text", "", "", "", value.replace("\n", "\\n")]
    if isinstance(value, tuple) and all(isinstance(n, int) for n in value):
        return ["shape", "", ",".join(map(str, value)), "", str(value)]
    array = np.asarray(value)
    text = np.array2string(array, threshold=50).replace("\n", "")
    return ["array", array.dtype.name, ",".join(map(str, array.shape)), hexadecimal(array), text]


tests = pathlib.Path(__file__).resolve().parent.parent
expressions = []
for file in sorted(tests.rglob("test_*.cpp")):
    # A text that is too long for a line is written as several, one behind the other.
    for texts in re.findall(r'(?:GOLDEN(?:_THROWS|_NEAR)?|SAYS)\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', file.read_text()):
        text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', texts))
        expressions.append(text.replace('\\"', '"'))
# test_cosine_transforms.cpp makes these in a loop.
expressions += [f"sfft.{name}({x}, {type}, norm='{norm}')" for name in ("dct", "idct", "dst", "idst") for x in ("w", "w[:5]")
                for type in (1, 2, 3, 4) for norm in ("backward", "ortho", "forward")]
lines = sorted({"\t".join([e, *row(e)]) for e in expressions})
(tests / "support" / "golden.tsv").write_text("\n".join(lines) + "\n")
print(f"{len(lines)} expressions, NumPy {np.__version__}")
