#!/usr/bin/env python3
"""Writes fft.txt: transforms of small arrays by NumPy 2.

One case a line, fields separated by tabs:
  function  lengths  axes  norm  dtype  layout  shape  magnitude  outcome
lengths    n, or s as "4,-1"; empty for none
axes       likewise
layout     c: C order; t: transposed; s: every other element of the last axis; r: the last axis reversed;
           m: every axis reversed, elements two apart along the first
magnitude  how large an element of the result could be: the 2-norm of the numbers that are summed, times
           sqrt(points) and the factor of norm. Rounding errors are relative to it.
outcome    dtype, shape and values in C order, separated by "|"; or "error", the exception and its text
Element i in C order, before the layout is applied, is fill(i): small integers, exact in every dtype.
"""
import pathlib
import numpy as np

ONE_AXIS = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]
TWO_AXES = ["fft2", "ifft2", "rfft2", "irfft2"]
ANY_AXES = ["fftn", "ifftn", "rfftn", "irfftn"]
NORMS = ["backward", "ortho", "forward"]
TO_REAL = ["irfft", "hfft", "irfft2", "irfftn"]


def fill(n, dtype):
    i = np.arange(n)
    if dtype == "?":
        return i % 3 == 1
    real = (i * i * 7 + i * 3 + 3) % 13 - (0 if dtype in "BHIL" else 6)
    return (real + 1j * ((i * i * 5 + i) % 11 - 5) if dtype in "FD" else real).astype(dtype)


def make(dtype, layout, shape):
    """An array of this shape, seen through a layout."""
    size = int(np.prod(shape, dtype=int))
    if layout == "t":
        return fill(size, dtype).reshape(shape[::-1]).T
    if layout == "s":
        return fill(2 * size, dtype).reshape(shape[:-1] + (2 * shape[-1],))[..., ::2]
    if layout == "m":
        a = fill(2 * size, dtype).reshape((2 * shape[0],) + shape[1:])[::2]
        return a[tuple(slice(None, None, -1) for _ in shape)]
    a = fill(size, dtype).reshape(shape)
    return a[..., ::-1] if layout == "r" else a


def numbers(values):
    return "" if values is None else ",".join(map(str, np.atleast_1d(np.asarray(values, dtype=int))))


def texts(a):
    a = np.ascontiguousarray(a).ravel()
    parts = a.view(a.real.dtype) if a.dtype.kind == "c" else a
    return ",".join(repr(float(v)) if parts.dtype == "d" else f"{float(v):.9g}" for v in parts)


def call(function, lengths, axes, norm, a):
    f = getattr(np.fft, function)
    if function in ONE_AXIS:
        return f(a, n=lengths, axis=-1 if axes is None else axes, norm=norm)
    keywords = {} if axes is None else {"axes": axes}
    return f(a, s=lengths, norm=norm, **keywords)


def magnitude(function, norm, a, c):
    """The 2-norm of the spectrum is that of the samples times sqrt(n), whichever way round."""
    if a.size == 0 or c.size == 0:
        return 0.0
    n = max(a.size, c.size, 2)
    factor = {"backward": 1.0, "ortho": n**-0.5, "forward": 1.0 / n}[norm]
    if function in ("ifft", "irfft", "ihfft", "ifft2", "irfft2", "ifftn", "irfftn"):
        factor = 1.0 / n / factor
    # Twice the norm where half of a spectrum stands for the whole.
    return float((2 if function in TO_REAL else 1) * np.linalg.norm(a.astype("D")) * n**0.5 * factor)


def line(function, lengths, axes, norm, dtype, layout, shape):
    a = make(dtype, layout, shape)
    size = 0.0
    try:
        c = call(function, lengths, axes, norm, a)
        size = magnitude(function, norm, a, c)
        outcome = f"{c.dtype.char}|{numbers(c.shape) if c.ndim else ''}|{texts(c)}"
    except (ValueError, IndexError) as e:
        outcome = f"error|{type(e).__name__}|{e}"
    return "\t".join([function, numbers(lengths), numbers(axes), norm, dtype, layout, numbers(shape) if shape else "",
                      repr(size), outcome])


def real_only(function):
    return function in ("rfft", "ihfft", "rfft2", "rfftn")


def cases():
    for function in ONE_AXIS:
        own = "d" if real_only(function) else "D"
        for n in list(range(1, 18)) + [31, 64, 97, 100]:
            yield function, None, None, "backward", own, "c", (n,)
        for n in (4, 5, 12):
            for norm in NORMS:
                yield function, None, None, norm, own, "c", (n,)
                yield function, None, None, norm, own.lower(), "c", (n,)
        for dtype in "?bBhHiIlLefdFD":
            if not (real_only(function) and dtype in "FD"):
                for n in (4, 7):
                    yield function, None, None, "ortho", dtype, "c", (n,)
                    yield function, n + 2, 0, "backward", dtype, "c", (n, 2)
        for n in (1, 2, 3, 6, 7, 8, 15):  # crops and pads
            for axis in (0, 1, -1):
                yield function, n, axis, "backward", own, "c", (5, 6)
        for layout in "tsrm":
            for dtype in sorted({own, own.lower(), own.lower().replace("d", "f")}):
                for shape, axis in (((3, 4), 0), ((3, 4), 1), ((2, 3, 5), 1)):
                    yield function, None, axis, "backward", dtype, layout, shape
        if function not in TO_REAL:  # NumPy's result is memory that nobody wrote
            yield function, 3, 0, "backward", own, "c", (0, 2)
        yield function, None, 0, "backward", own, "c", (2, 0)
        yield function, None, None, "backward", own, "c", (0,)
        yield function, 0, None, "backward", own, "c", (3,)
        yield function, -2, None, "backward", own, "c", (3,)
        yield function, None, None, "both", own, "c", (3,)
        yield function, 3, 2, "backward", own, "c", (3, 3)
    for function in TWO_AXES + ANY_AXES:
        own = "d" if real_only(function) else "D"
        for shape in ((1, 1), (2, 3), (4, 4), (5, 7), (3, 4, 5), (2, 3, 2, 3)):
            for norm in NORMS:
                yield function, None, None, norm, own, "c", shape
            for dtype in sorted({own, own.lower(), "f", "e", "h"}):
                yield function, None, None, "backward", dtype, "c", shape
        for layout in "tsrm":
            for dtype in sorted({own, own.lower()}):
                yield function, None, None, "backward", dtype, layout, (3, 4)
                yield function, None, (0, 2), "backward", dtype, layout, (3, 2, 4)
                yield function, None, (1, 0), "ortho", dtype, layout, (3, 2, 4)
        for s, axes in (((4, 4), (0, 1)), ((2, 5), (0, 1)), ((5, 2), (1, 0)), ((-1, 3), (0, 1)), ((6, -1), (-1, 0)),
                        ((3,), (1,)), ((7,), (0,)), ((3, 3), (0, 0)), ((4, 3, 2), (1, 0, 1)), ((2,), (0, 1)), ((0, 2), (0, 1)),
                        ((3, -5), (0, 1)), ((2, 2), (0, 3))):
            yield function, s, axes, "forward", own, "c", (3, 4)
        yield function, None, (1, 1), "backward", own, "c", (3, 4)
        yield function, None, (2, 0, 1), "backward", own, "c", (3, 4, 2)
        yield function, None, None, "backward", own, "c", (0, 3)
        yield function, (2, 3), (0, 1), "backward", own, "c", (0, 3)
        yield function, None, None, "none", own, "c", (2, 3)
    for function in ANY_AXES:
        own = "d" if real_only(function) else "D"
        yield function, None, None, "backward", own, "c", (6,)
        yield function, None, None, "backward", own, "c", (2, 3, 2, 2, 3)


with open(pathlib.Path(__file__).with_name("fft.txt"), "w") as out:
    for text in dict.fromkeys(line(*case) for case in cases()):
        print(text, file=out)
