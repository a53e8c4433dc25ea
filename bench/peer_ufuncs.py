#!/usr/bin/env python3
"""Times NumPy and SciPy on the cases of bench_ufuncs.cpp, under the same names.

Prints one JSON object a line, like bench_ufuncs:
  us      least microseconds of a call
  cpu_us  least microseconds of processor time that a call took, of all threads together
"""
import pathlib
import re

import numpy as np
from scipy import special

from peer_suite import Suite, numbers, wanted

TABLE = pathlib.Path(__file__).resolve().parent.parent / "include" / "gparray" / "tables" / "ufuncs.def"


def function(name):
    """NumPy's or SciPy's function of a row; None where neither has one."""
    others = {"modf_fraction": np.modf, "frexp_mantissa": np.frexp}
    return others.get(name) or getattr(np, name, None) or getattr(special, name, None)


def rows(s, n, dtype, tag):
    kind = np.dtype(dtype).kind
    values, others = numbers(n), 0.7548776662466927 * np.arange(n) % 1.0
    if kind == "f":
        x, y = 0.001 + 0.998 * values, 0.25 + 2 * others
    else:
        x, y = np.floor(2e6 * values - 1e6), np.floor(1 + 1000 * others)
    x, y = x.astype(dtype), y.astype(dtype)
    above, few = (1 + 4 * values).astype(dtype), np.floor(8 * others).astype(dtype)
    exponents, condition = np.floor(16 * others - 8).astype(np.int32), others < 0.5

    def operands(name, letters):
        first = above if name == "arccosh" else x
        second = few if name.endswith("_shift") or (kind == "i" and name == "power") else y
        return {"T": (first,), "TT": (first, second), "Ti": (x, exponents), "TTT": (x, few, y), "bTT": (condition, x, y)}[letters]

    for name, letters, domain in re.findall(r'^GPARRAY_UFUNC_ROW\((\w+), (\w+)_\w, "(.*?)"', TABLE.read_text(), re.M):
        call = function(name)
        if call and kind in domain:
            s.add(f"{name}_{tag}", lambda call=call, a=operands(name, letters): call(*a))


def main():
    only, n = wanted(__doc__, size=10**6)
    for dtype, tag in (("float32", "f32"), ("float64", "f64"), ("int32", "i32"), ("int64", "i64")):
        rows(Suite(only, n), n, dtype, tag)


if __name__ == "__main__":
    main()
