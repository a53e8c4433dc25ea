#!/usr/bin/env python3
"""Times NumPy and SciPy, or CuPy, on the cases of bench_sweep, under the same names.

Prints one JSON object a line, like bench_sweep: the least microseconds of a call, and what is compared of results. The tables
of sweep/ and of the library say what is called; what a peer lacks is printed with its error.
"""
import argparse
import json
import os
import pathlib
import re
import tempfile
import time
import types
import warnings

import numpy

from peer_suite import asks_for

HERE = pathlib.Path(__file__).resolve().parent
TABLES = HERE.parent / "include" / "gparray" / "tables"
ROW = re.compile(r'^GPARRAY_(LET|CASE)(\w*)\("?([^",]+)"?, (?:.*?), ?\n? *"([^"\n]*)"\)$', re.M | re.S)


class Digest:
    """What is compared of two results: numbers that differ if the results do, but for rounding. Made where the results are: of 10^7 elements
    the host would take longer for it than a GPU for most functions."""

    def __init__(self, np):
        self.np = np
        self.size = self.finite = 0
        self.sum = self.magnitude = 0.0
        self.single = False

    def add(self, result):
        if isinstance(result, (tuple, list)):
            for each in result:
                self.add(each)
            return
        if hasattr(result, "tocsr"):
            self.size += result.shape[0] * result.shape[1]
            values = self.np.asarray(result.data).ravel()
            self.note(values[values != 0], 1)
            return
        # Texts are NumPy's alone.
        np = numpy if isinstance(result, (str, bytes)) else self.np
        a = np.asarray(result)
        self.size += a.size
        self.single |= a.dtype in (numpy.float32, numpy.complex64)
        weights = 1 + np.arange(a.size) % 7
        a = np.ascontiguousarray(a).ravel()
        if a.dtype.kind == "c":
            self.note(a.real, weights)
            self.note(a.imag, 2 * weights)
        else:
            self.note(a, weights)

    def note(self, values, weights):
        np = numpy if isinstance(values, numpy.ndarray) else self.np
        values = values.astype(float)
        finite = np.isfinite(values)
        self.finite += int(finite.sum())
        values = np.where(finite, values, 0) * weights
        self.sum += float(values.sum())
        self.magnitude += float(np.abs(values).sum())

    def fields(self, compared):
        result = {"size": self.size}
        if compared != "_SIZE":
            result |= {"finite": self.finite, "magnitude": self.magnitude, "tolerance": 6e-3 if self.single else 1e-8}
        if not compared:
            result["sum"] = self.sum
        return result


class Sweep:
    """seconds: about as long a case is repeated; what takes half a second is timed once, behind a call for its result."""

    def __init__(self, peer, only, size, seconds=0.012):
        self.peer, self.only, self.size, self.seconds = peer, only, size, seconds

    def add(self, name, call, compared=""):
        name = f"{name}_{self.size}"
        if not asks_for(self.only, name):
            return
        line = {"peer": self.peer.name, "case": name}
        try:
            digest = Digest(self.peer.np)
            digest.add(call())
            line |= {"us": round(self.microseconds(call), 3)} | digest.fields(compared)
        except Exception as error:
            line["error"] = f"{type(error).__name__}: {error}"[:160]
        print(json.dumps(line), flush=True)

    def microseconds(self, call):
        def timed(calls):
            start = time.perf_counter()
            for _ in range(calls):
                call()
            self.peer.synchronize()
            return (time.perf_counter() - start) / calls

        least = timed(1)
        if least > 0.5:
            return least * 1e6
        least = min(least, timed(1))
        # Short calls are timed in batches that the clock can see.
        batch = max(1, int(1e-4 / max(least, 1e-8)))
        rounds = min(max(int(self.seconds / (least * batch)), 2), 100)
        return min(least, *(timed(batch) for _ in range(rounds))) * 1e6


def numpy_peer():
    import scipy.fft
    import scipy.io
    import scipy.linalg
    import scipy.signal
    import scipy.sparse.csgraph
    import scipy.sparse.linalg
    import scipy.special
    return types.SimpleNamespace(name="numpy", np=numpy, scipy=scipy, synchronize=lambda: None)


def cupy_peer():
    import cupy
    import cupyx.scipy.fft
    import cupyx.scipy.linalg
    import cupyx.scipy.signal
    import cupyx.scipy.sparse.csgraph
    import cupyx.scipy.sparse.linalg
    import cupyx.scipy.special
    return types.SimpleNamespace(name="cupy", np=cupy, scipy=cupyx.scipy, synchronize=cupy.cuda.Device().synchronize)


PEERS = {"numpy": numpy_peer, "cupy": cupy_peer}


def table(s, name, n):
    """The rows of sweep/NAME.def, whose calls see what the rows before them have made."""
    names = {"np": s.peer.np, "scipy": s.peer.scipy, "sp": s.peer.scipy.sparse, "os": os,
             "tempfile": tempfile, "n": n}
    rows = [row for file in ("operands", name) for row in ROW.findall((HERE / "sweep" / f"{file}.def").read_text())]
    for kind, compared, what, text in rows:
        if kind == "CASE":
            s.add(what, eval("lambda: " + text, names), compared)
            continue
        try:
            names[what] = eval(text, names)
        except Exception as error:
            print(json.dumps({"peer": s.peer.name, "case": f"{name}: {what}", "error": str(error)[:160]}), flush=True)


def spread(np, n):
    return 0.6180339887498949 * np.arange(n) % 1.0


def ufunc(peer, name):
    """NumPy's or SciPy's function of a row; None where neither has one."""
    np, special = peer.np, peer.scipy.special
    others = {"modf_fraction": lambda a: np.modf(a)[0], "modf_integer": lambda a: np.modf(a)[1],
              "frexp_mantissa": lambda a: np.frexp(a)[0], "frexp_exponent": lambda a: np.frexp(a)[1]}
    return others.get(name) or getattr(np, name, None) or getattr(special, name, None)


def ufuncs(s, n):
    for dtype, tag in (("float32", "f32"), ("float64", "f64"), ("int64", "i64"), ("complex64", "c64"), ("bool", "bool")):
        ufunc_rows(s, n, numpy.dtype(dtype), tag)


def ufunc_rows(s, n, dtype, tag):
    np = s.peer.np
    values, others = spread(np, n), 0.7548776662466927 * np.arange(n) % 1.0
    if dtype.kind == "c":
        x, y = 0.001 + 0.998 * values + 1j * (0.25 + 2 * others), 0.25 + 2 * others - 1j * values
    elif dtype.kind == "b":
        x, y = values > 0.5, others > 0.5
    elif dtype.kind == "f":
        x, y = 0.001 + 0.998 * values, 0.25 + 2 * others
    else:
        x, y = np.floor(2e6 * values - 1e6), np.floor(1 + 1000 * others)
    x, y = x.astype(dtype), y.astype(dtype)
    above, few = (1 + 4 * values).astype(dtype), np.floor(8 * others).astype(dtype)
    exponents, condition = np.floor(16 * others - 8).astype(np.int32), others < 0.5

    def operands(name, letters):
        first = above if name == "arccosh" else x
        second = few if name.endswith("_shift") or (dtype.kind == "i" and name == "power") else y
        return {"T": (first,), "TT": (first, second), "Ti": (x, exponents), "TTT": (x, few, y), "bTT": (condition, x, y)}[letters]

    rows = re.findall(r'^GPARRAY_UFUNC_ROW\((\w+), (\w+)_\w, "(.*?)"', (TABLES / "ufuncs.def").read_text(), re.M)
    for name, letters, domain in rows:
        call = ufunc(s.peer, name)
        if call and dtype.kind in domain:
            s.add(f"{name}/{tag}", lambda call=call, a=operands(name, letters): call(*a))


def reductions(s, n):
    np = s.peer.np
    for dtype, tag in (("float32", "f32"), ("float64", "f64"), ("int64", "i64"), ("bool", "bool")):
        values = spread(np, n)
        kind = numpy.dtype(dtype).kind
        x = values > 0.5 if kind == "b" else (0.001 + 0.998 * values if kind == "f" else np.floor(1000 * values)).astype(dtype)
        m, seconds = x[:n // 16 * 16].copy().reshape(-1, 16), x[::2]
        rows = re.findall(r"^GPARRAY_REDUCTION(?:_OBJECT)?\((\w+),", (TABLES / "reductions.def").read_text(), re.M)
        for name in rows:
            call = np.linalg.norm if name == "norm" else getattr(np, name)
            s.add(f"{name}/{tag}", lambda: call(x))
            s.add(f"{name}/{tag}_every_second", lambda: call(seconds))
            s.add(f"{name}/{tag}_rows", lambda: call(m, axis=1))
            s.add(f"{name}/{tag}_columns", lambda: call(m, axis=0))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="numpy", help=f"one of {', '.join(PEERS)} (default: numpy)")
    parser.add_argument("--only", default="", help="run the cases whose name contains one of these, separated by commas")
    parser.add_argument("--sizes", help="elements (default: 1e2,1e4,1e6; of CuPy 1e4,1e7)")
    parser.add_argument("--quick", action="store_true", help="leave out the largest size")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    numpy.seterr(all="ignore")
    peer = PEERS[options.peers]()
    sizes = (options.sizes or ("1e2,1e4,1e6" if peer.name == "numpy" else "1e4,1e7")).split(",")
    for size in sizes[:-1] if options.quick else sizes:
        s, n = Sweep(peer, options.only, size), int(float(size))
        ufuncs(s, n)
        reductions(s, n)
        for name in ("creation", "moving", "math", "orders", "matrices", "signals", "random", "sparse", "files"):
            table(s, name, n)


if __name__ == "__main__":
    main()
