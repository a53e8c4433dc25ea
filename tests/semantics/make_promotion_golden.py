#!/usr/bin/env python3
"""Writes promotion.txt: NumPy's promotion, casting rules and ufunc result dtypes, one fact a line.

  promote A B C          np.promote_types(A, B) is C
  weak A K C             the dtype of an array of A plus a Python number of kind K (i, f, c)
  cast A B RULE 0|1      np.can_cast(A, B, RULE)
  ufunc NAME A... C      the result dtype of a ufunc on arrays of A...; C is "error" for a TypeError
  binary NAME A C,...    the result dtypes of a ufunc of two on an array of A and, one by one, arrays of all dtypes and
                         Python's int, float and complex numbers
  reduce NAME A C        the result dtype of a reduction
"""
import itertools
import pathlib
import numpy as np

NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128").split()
lines = []
for a, b in itertools.product(NAMES, NAMES):
    lines.append(f"promote {a} {b} {np.promote_types(a, b)}")
for a in NAMES:
    for k, number in (("i", 1), ("f", 1.0), ("c", 1j)):
        lines.append(f"weak {a} {k} {(np.ones(1, a) + number).dtype}")
for a, b in itertools.product(NAMES, NAMES):
    for rule in ("no", "equiv", "safe", "same_kind", "unsafe"):
        lines.append(f"cast {a} {b} {rule} {int(np.can_cast(a, b, rule))}")
skipped = {"matmul", "vecdot", "matvec", "vecmat", "isnat", "divmod", "modf", "frexp", "ldexp"}
for name in sorted(dir(np)):
    f = getattr(np, name)
    if not isinstance(f, np.ufunc) or f.__name__ != name or name in skipped or f.nout != 1:
        continue
    for a in NAMES:
        try:
            with np.errstate(all="ignore"):
                lines.append(f"ufunc {name} {a} {f(*[np.ones(1, a)] * f.nin).dtype}")
        except TypeError:
            lines.append(f"ufunc {name} {a} error")


def result_of(f, x, y):
    try:
        with np.errstate(all="ignore"):
            return str(f(x, y).dtype)
    except TypeError:
        return "error"


for name in sorted(dir(np)):
    f = getattr(np, name)
    if not isinstance(f, np.ufunc) or f.__name__ != name or name in skipped - {"ldexp"} or (f.nin, f.nout) != (2, 1):
        continue
    for a in NAMES:
        seconds = [np.ones(1, b) for b in NAMES] + [1, 1.0, 1j]
        lines.append(f"binary {name} {a} " + ",".join(result_of(f, np.ones(1, a), y) for y in seconds))
reductions = ("sum prod min max any all argmin argmax mean var std ptp nansum nanprod nanmin nanmax nanmean nanvar "
              "nanstd nanargmin nanargmax count_nonzero").split()
for name in reductions:
    for a in NAMES:
        try:
            with np.errstate(all="ignore"):
                result = np.asarray(getattr(np, name)(np.ones(3, a)))
            lines.append(f"reduce {name} {a} {result.dtype}")
        except TypeError:
            lines.append(f"reduce {name} {a} error")
pathlib.Path(__file__).with_name("promotion.txt").write_text("\n".join(lines) + "\n")
