#!/usr/bin/env python3
"""Writes products.txt: products of small arrays by NumPy 2, in numbers that every dtype holds exactly.

One case a line, fields separated by tabs:
  function  argument  dtype_a  layout_a  shape_a  dtype_b  layout_b  shape_b  outcome
argument  the axes of tensordot ("1", or "0,1;1,0") and the axis of vecdot
layout    c: C order; t: transposed; s: every other element of the last axis; r: the last axis reversed
outcome   dtype, shape and values in C order, separated by "|"; or "error" and NumPy's text
Element i in C order, before the layout is applied, is fill(i).
"""
import pathlib
import numpy as np


def fill(n, dtype):
    i = np.arange(n)
    if dtype == "?":
        return i % 3 == 1
    real = (i * 7 + 3) % 11 - (0 if dtype == "B" else 5)
    return (real + 1j * ((i * 5) % 7 - 3) if dtype in "FD" else real).astype(dtype)


def make(dtype, layout, shape):
    """An array of this shape, seen through a layout."""
    size = int(np.prod(shape, dtype=int))
    if layout == "t":
        return fill(size, dtype).reshape(shape[::-1]).T
    if layout == "s":
        return fill(2 * size, dtype).reshape(shape[:-1] + (2 * shape[-1],))[..., ::2]
    a = fill(size, dtype).reshape(shape)
    return a[..., ::-1] if layout == "r" else a


def texts(a):
    if a.dtype.kind == "c":
        return ",".join(f"{int(v.real)},{int(v.imag)}" for v in a.ravel())
    return ",".join(str(int(v)) for v in a.ravel())


def numbers(values):
    return ",".join(map(str, values))


def argument_of(text):
    if ";" in text:
        return tuple([int(i) for i in part.split(",") if i] for part in text.split(";"))
    return int(text)


def outcome(function, argument, a, b):
    call = getattr(np, function)
    try:
        if function == "tensordot":
            c = call(a, b, axes=argument_of(argument))
        elif function == "vecdot" and argument:
            c = call(a, b, axis=int(argument))
        else:
            c = call(a, b)
    except (ValueError, IndexError) as e:
        return None if "tuple index" in str(e) else f"error|{e}"
    c = np.asarray(c)
    return f"{c.dtype.char.replace('q', 'l')}|{numbers(c.shape)}|{texts(c)}"


PAIRS = ["dd", "ff", "ee", "FF", "DD", "bb", "BB", "ii", "ll", "??", "if", "fF", "dF", "?b"]
SHAPES = {
    "matmul": [((2, 3), (3, 4)), ((3,), (3,)), ((3,), (3, 2)), ((2, 3), (3,)), ((2, 2, 3), (3, 2)), ((2, 3), (4, 3, 2)),
               ((2, 1, 2, 3), (3, 3, 2)), ((1, 2, 3), (4, 3, 2)), ((5, 1, 3), (3, 2)), ((3,), (2, 3, 2)), ((2, 2, 3), (3,)),
               ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((0,), (0,)), ((0, 2, 3), (3, 2)), ((2, 3, 2, 3), (2, 1, 3, 2)),
               ((1, 1), (1, 1)), ((4, 1), (1, 5)), ((2, 3), (2, 3)), ((2,), (3,)), ((), (3,)), ((3,), ()),
               ((2, 2, 3), (3, 3, 2)), ((2, 2, 3), (2, 2, 3))],
    "matvec": [((2, 3), (3,)), ((4, 2, 3), (3,)), ((2, 3), (4, 3)), ((2, 0), (0,)), ((3,), (3,)), ((2, 3), (2,)),
               ((2, 2, 3), (3, 3))],
    "vecmat": [((2,), (2, 3)), ((4, 2), (2, 3)), ((2,), (4, 2, 3)), ((0,), (0, 3)), ((2,), (2,)), ((3,), (2, 3)),
               ((2, 2), (3, 2, 2))],
    "vecdot": [((3,), (3,)), ((2, 3), (3,)), ((2, 1, 3), (4, 3)), ((2, 0), (2, 0)), ((), (3,)), ((2,), (3,)), ((2, 3), (3, 3))],
    "dot": [((), (3,)), ((2, 3), ()), ((3,), (3,)), ((2, 3), (3, 2)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 2, 3), (2, 3, 2)),
            ((3,), (2, 3, 2)), ((2, 0), (0, 2)), ((0,), (0,)), ((2, 3), (2, 3)), ((2,), (3,)), ((2, 2, 3), (3,))],
    "inner": [((), (3,)), ((3,), (3,)), ((2, 3), (4, 3)), ((2, 2, 3), (3,)), ((2, 2, 3), (2, 3)), ((2, 0), (3, 0))],
    "vdot": [((3,), (3,)), ((2, 3), (3, 2)), ((), ()), ((0,), (0,)), ((2,), (3,))],
    "outer": [((2,), (3,)), ((2, 2), (3,)), ((), (2,)), ((0,), (2,))],
    "tensordot": [((2, 3, 4), (3, 4, 2), "2"), ((2, 3), (3, 2), "1"), ((2,), (3,), "0"), ((2, 3), (2, 4), "0;0"),
                  ((2, 3, 4), (4, 3, 2), "1,2;1,0"), ((2, 3, 4), (3, 2, 2), "1,0;0,2"), ((2, 3), (2, 3), "0,1;0,1"),
                  ((3, 2, 2), (2, 3), "-1;0"), ((2, 0), (0, 2), "1;0"), ((2, 3), (2, 3), "1;0")],
}


def cases():
    for function, shapes in SHAPES.items():
        for entry in shapes:
            shape_a, shape_b, *rest = entry
            argument = rest[0] if rest else ""
            for pair in PAIRS:
                if pair not in ("dd", "FF", "bb") and (len(shape_a) < 1 or 0 in shape_a + shape_b):
                    continue
                yield function, argument, pair[0], "c", shape_a, pair[1], "c", shape_b
            if len(shape_a) and len(shape_b):
                for layouts in ("tc", "ct", "tt", "sc", "cs", "rs", "rt"):
                    for dtype in "dD":
                        yield function, argument, dtype, layouts[0], shape_a, dtype, layouts[1], shape_b
    for axis in (0, 1, -2):
        yield "vecdot", str(axis), "D", "c", (3, 3), "D", "t", (3, 3)


with open(pathlib.Path(__file__).with_name("products.txt"), "w") as out:
    for function, argument, da, la, sa, db, lb, sb in cases():
        result = outcome(function, argument, make(da, la, sa), make(db, lb, sb))
        if result is not None:
            print(function, argument, da, la, numbers(sa), db, lb, numbers(sb), result, sep="\t", file=out)
