#!/usr/bin/env python3
"""Times NumPy and SciPy on the cases of bench_functions.cpp, under the same names.

Prints one JSON object a line, like bench_functions:
  us      least microseconds of a call
  cpu_us  least microseconds of processor time that a call took, of all threads together
"""
import numpy as np

from peer_suite import Suite, numbers, wanted


def elementwise(s, n, dtype, tag):
    add = lambda what, call: s.add(f"{what}_{tag}", call)
    x = numbers(n, dtype)
    y = x + x.dtype.type(0.5)
    for what in ("sqrt", "exp", "log", "sin", "tanh", "floor"):
        add(what, lambda f=getattr(np, what): f(x))
    add("add", lambda: x + y)
    add("divide", lambda: x / y)
    add("pow", lambda: np.power(x, y))
    add("arctan2", lambda: np.arctan2(x, y))
    add("maximum", lambda: np.maximum(x, y))
    add("greater", lambda: x > y)
    add("clip", lambda: np.clip(x, 0.25, 0.75))
    add("sum", lambda: x.sum())
    add("max", lambda: x.max())
    add("argmax", lambda: x.argmax())
    add("std", lambda: x.std())
    side = int(n**0.5)
    m = x[:side * side].copy().reshape(side, side)
    add("sum_columns", lambda: m.sum(0))
    add("sum_rows", lambda: m.sum(1))
    add("max_columns", lambda: m.max(0))
    add("std_columns", lambda: m.std(0))
    add("bcast_add", lambda: m[:, :1] + m[:1])
    add("cumsum", lambda: np.cumsum(x))
    add("cumsum_columns", lambda: np.cumsum(m, 0))
    rising = np.sort(x)
    add("maximum_accumulate", lambda: np.maximum.accumulate(x))
    add("maximum_accumulate_columns", lambda: np.maximum.accumulate(m, 0))
    add("maximum_accumulate_rising", lambda: np.maximum.accumulate(rising))
    add("diff", lambda: np.diff(x))
    add("sort", lambda: np.sort(x))
    add("sort_rows", lambda: np.sort(m))
    add("argsort", lambda: np.argsort(x))
    add("partition", lambda: np.partition(x, n // 2))
    add("argpartition", lambda: np.argpartition(x, n // 2))
    add("median", lambda: np.median(x))
    add("quantile", lambda: np.quantile(x, 0.3))
    add("unique", lambda: np.unique(x))
    add("histogram", lambda: np.histogram(x, 100))
    ordered = np.sort(x)
    add("searchsorted", lambda: np.searchsorted(ordered, x))
    add("digitize", lambda: np.digitize(x, np.linspace(0, 1, 33, dtype=dtype)))
    add("interp", lambda: np.interp(x, ordered, x))
    few = x[::n // 100].copy()
    add("isin", lambda: np.isin(x, few))


def moving(s, n):
    x = numbers(n)
    y = x + 0.5
    indices = (x * n).astype(np.int64)
    mask = x > 0.5
    side = int(n**0.5)
    m = x[:side * side].copy().reshape(side, side)
    s.add("where", lambda: np.where(mask, x, y))
    s.add("take", lambda: np.take(x, indices))
    s.add("index", lambda: x[indices])
    s.add("take_rows", lambda: np.take(m, indices[:side] % side, 0))
    s.add("mask", lambda: x[mask])
    s.add("nonzero", lambda: np.nonzero(mask))
    s.add("count_nonzero", lambda: np.count_nonzero(mask))

    def put_mask():
        y[mask] = 1.5

    s.add("put_mask", put_mask)
    s.add("concatenate", lambda: np.concatenate((x, y)))
    s.add("concatenate_columns", lambda: np.concatenate((m, m), 1))
    s.add("stack", lambda: np.stack((x, y), 1))
    s.add("repeat", lambda: np.repeat(x, 3))
    s.add("repeat_rows", lambda: np.repeat(m, 2, 0))
    s.add("tile", lambda: np.tile(x, 3))
    s.add("roll", lambda: np.roll(x, 17))
    s.add("roll_columns", lambda: np.roll(m, 17, 1))
    s.add("flip", lambda: np.flip(x).copy())
    s.add("pad", lambda: np.pad(m, 3))
    s.add("pad_reflect", lambda: np.pad(m, 3, "reflect"))
    s.add("transpose_copy", lambda: m.T.copy())
    s.add("triu", lambda: np.triu(m))
    s.add("tril", lambda: np.tril(m))
    s.add("astype", lambda: x.astype(np.float32))
    s.add("arange", lambda: np.arange(n, dtype=np.float64))
    s.add("linspace", lambda: np.linspace(0, 1, n))
    s.add("zeros", lambda: np.zeros(n))
    s.add("full", lambda: np.full(n, 2.5))
    s.add("convolve", lambda: np.convolve(x, x[:9]))
    s.add("einsum_ij_ij", lambda: np.einsum("ij,ij->", m, m))
    s.add("einsum_ij_j", lambda: np.einsum("ij,j->i", m, m[0]))
    s.add("einsum_ij_jk", lambda: np.einsum("ij,jk->ik", m, m, optimize=True))
    s.add("dot", lambda: np.dot(x, y))
    s.add("matvec", lambda: m @ m[0])
    s.add("outer", lambda: np.outer(m[0], m[1]))
    s.add("norm", lambda: np.linalg.norm(x))
    s.add("gradient", lambda: np.gradient(x))
    ordered = np.sort(indices)
    s.add("sort_i64", lambda: np.sort(indices))
    s.add("unique_i64", lambda: np.unique(indices))
    s.add("bincount_i64", lambda: np.bincount(indices))
    floats, integers = np.zeros(n), np.zeros(n, np.int64)
    s.add("bincount_weights_f64", lambda: np.bincount(indices, x))
    s.add("add_at_f64", lambda: np.add.at(floats, indices, x))
    s.add("add_at_i64", lambda: np.add.at(integers, indices, indices))
    s.add("searchsorted_i64", lambda: np.searchsorted(ordered, indices))
    few = indices[::n // 100].copy()
    s.add("isin_i64", lambda: np.isin(indices, few))
    s.add("isin_wide_i64", lambda: np.isin(indices, few * 1000003))
    shorts, bytes_ = indices.astype(np.int16), indices.astype(np.uint8)
    s.add("sort_i16", lambda: np.sort(shorts))
    s.add("sort_u8", lambda: np.sort(bytes_))
    s.add("floor_divide_i64", lambda: indices // 7)
    s.add("sum_i64", lambda: indices.sum())


def main():
    only = wanted(__doc__)
    for n, size in ((10**3, "1e3"), (10**6, "1e6"), (10**7, "1e7")):
        elementwise(Suite(only, size), n, "float32", "f32")
        elementwise(Suite(only, size), n, "float64", "f64")
        if n <= 10**6:
            moving(Suite(only, size), n)


if __name__ == "__main__":
    main()
