#!/usr/bin/env python3
"""Times NumPy, CuPy, PyTorch and JAX on the workloads of bench_gparray.cpp, under the same names.

Prints one JSON object a line, like bench_gparray:
  us       median microseconds of a call, calls queued back to back and one synchronisation at the end
  us_sync  median microseconds of a call that is followed by a synchronisation
A case that a peer cannot run is printed with its error.
"""
import argparse
import json
import statistics
import time

import numpy as np

import peer_products
from peer_suite import asks_for

SIZES = ((10**3, "1e3"), (10**6, "1e6"), (10**7, "1e7"), (10**8, "1e8"))
LARGE = ("1e8", "8192", "10000", "1GiB")


def clock(call, synchronize, budget_seconds=0.25):
    call()
    call()
    synchronize()

    def timed(calls):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        synchronize()
        return (time.perf_counter() - start) / calls * 1e6

    calls = max(1, min(1000, int(budget_seconds / 5 / max(timed(1) * 1e-6, 1e-7))))
    batches = [timed(calls) for _ in range(5)]
    singles = [timed(1) for _ in range(min(calls, 30))]
    return statistics.median_high(batches), statistics.median_high(singles)


class Peer:
    """A library with NumPy's names (xp), and what differs between libraries."""

    def __init__(self, name, xp, asarray=np.asarray, synchronize=lambda: None, on_cpu=False, contiguous=None):
        self.name, self.xp, self.asarray, self.synchronize, self.on_cpu = name, xp, asarray, synchronize, on_cpu
        self.contiguous = contiguous or (lambda a: xp.ascontiguousarray(a))
        self.compile = lambda function: function
        self.on_torch = False
        self.sparse = None  # imports SciPy's sparse matrices, or what has their names

    def numbers(self, shape, dtype):
        size = int(np.prod(shape))
        return self.asarray((np.arange(size) * 0.6180339887498949 % 1.0).astype(dtype).reshape(shape))

    def call(self, function, *arrays):
        """A call without arguments, compiled where the library compiles."""
        compiled = self.compile(function)
        return lambda: compiled(*arrays)


def cases(peer):
    """Pairs of a name and a function that makes the arrays and returns the call to time."""
    xp, call, numbers = peer.xp, peer.call, peer.numbers
    for dtype, tag in (("float32", "f32"), ("float64", "f64")):
        for n, size in SIZES:
            yield f"sin_{tag}_{size}", lambda: call(lambda x: xp.sin(x), numbers(n, dtype))
            yield f"add_{tag}_{size}", lambda: call(lambda x, y: x + y, numbers(n, dtype), numbers(n, dtype))
    for n in (100, 1000, 5000, 10000):
        square = lambda: numbers((n, n), "float32")
        yield f"fused3_f32_{n}", lambda: call(lambda a, b: a * b + xp.sin(a) + xp.cos(b), square(), square())
        yield f"sum_f32_{n}", lambda: call(lambda a: xp.sum(a), square())
        yield f"sum0_f32_{n}", lambda: call(lambda a: xp.sum(a, axis=0), square())
        yield f"sum1_f32_{n}", lambda: call(lambda a: xp.sum(a, axis=1), square())
        yield f"sum_mean_std_f32_{n}", lambda: call(lambda a: (xp.sum(a), xp.mean(a), xp.std(a)), square())
        yield f"bcast_add_f32_{n}", lambda: call(lambda a, b: a + b, numbers((n, 1), "float32"), numbers((1, n), "float32"))
        yield f"transpose_copy_f32_{n}", lambda: call(lambda a: peer.contiguous(a.T), square())
    products = [(f"matmul_f32_{n}", n, n, n, "float32") for n in (512, 1024, 2048, 4096, 8192)]
    products += [("matmul_f64_4096", 4096, 4096, 4096, "float64"), ("matmul_f32_1024x2048x512", 1024, 2048, 512, "float32")]
    products += [case for n in (1024, 2048, 4096, 8192)
                 for case in ((f"matvec_f32_{n}", n, n, 1, "float32"), (f"vecmat_f32_{n}", 1, n, n, "float32"))]
    for name, m, k, n, dtype in products:
        if not (peer.on_cpu and n > 2048):
            yield name, lambda: call(lambda a, b: a @ b, numbers((m, k), dtype), numbers((k, n), dtype))
    if not peer.on_cpu:
        yield from peer_products.cases(peer)
    for n, size in (SIZES[1], SIZES[3]):
        yield f"sort_f32_{size}", lambda: call(lambda a: xp.sort(a), numbers(n, "float32"))
        yield f"argsort_f32_{size}", lambda: call(lambda a: xp.argsort(a), numbers(n, "float32"))
        yield f"cumsum_f32_{size}", lambda: call(lambda a: xp.cumsum(a, axis=0), numbers(n, "float32"))
        yield f"argmax_f32_{size}", lambda: call(lambda a: xp.argmax(a), numbers(n, "float32"))
        yield f"take_f32_{size}", lambda: call(lambda a, i: a[i], numbers(n, "float32"),
                                               peer.asarray(np.random.default_rng(1).integers(0, n, n)))
    yield from scans(peer)
    yield from selections(peer)
    if hasattr(xp, "random") and hasattr(xp.random, "default_rng"):
        rng = xp.random.default_rng(1)
        for dtype, tag in (("float32", "f32"), ("float64", "f64")):
            for n, size in SIZES[2:]:
                yield f"rand_{tag}_{size}", lambda: lambda: rng.random(n, dtype=dtype)
                yield f"normal_{tag}_{size}", lambda: lambda: rng.standard_normal(n, dtype=dtype)
    if peer.name == "torch":
        for n, size in SIZES[2:]:
            yield f"rand_f32_{size}", lambda: lambda: xp.rand(n, device=xp.device)
            yield f"normal_f32_{size}", lambda: lambda: xp.randn(n, device=xp.device)
    for n in (100, 512, 1024, 2048):
        for dtype, tag in (("float32", "f32"), ("float64", "f64")):
            yield from routines(peer, n, dtype, tag)
    if peer.sparse:
        yield from sparse_products(peer)
    if peer.name != "jax":  # whose arrays are immutable
        yield "empty_1MiB", lambda: call(lambda: xp.empty(262144, dtype=xp.float32))

        def copy():
            source, target = numbers(2**28, "float32"), numbers(2**28, "float32")

            def assign():
                target[...] = source

            return assign

        yield "copy_d2d_1GiB", copy


def scans(peer):
    """Scans along either axis, sums at indices that repeat, counts, and sums of narrow columns."""
    xp, call, numbers = peer.xp, peer.call, peer.numbers

    def running_maximum(a):
        if peer.name.startswith("torch"):
            return xp.cummax(a, dim=0)[0]
        if peer.name == "jax":
            import jax
            return jax.lax.cummax(a)
        return xp.maximum.accumulate(a)

    def running_product(a):
        return xp.cumprod(a, dim=1) if peer.name.startswith("torch") else xp.cumprod(a, axis=1)

    def add_at(to, i, values):
        if peer.name.startswith("torch"):
            return to.index_add_(0, i, values)
        if peer.name == "jax":
            return to.at[i].add(values)
        if peer.name == "cupy":
            import cupyx
            return cupyx.scatter_add(to, i, values)
        return xp.add.at(to, i, values)

    indices = lambda: peer.asarray(np.random.default_rng(1).integers(0, 10**5, 10**7))
    yield "cumsum0_f32_8192", lambda: call(lambda a: xp.cumsum(a, axis=0), numbers((8192, 8192), "float32"))
    yield "cumprod1_f64_1e5x64", lambda: call(running_product, numbers((10**5, 64), "float64"))
    yield "cummax_f32_1e7", lambda: call(running_maximum, numbers(10**7, "float32"))
    yield "sum0_f32_1e6x8", lambda: call(lambda a: xp.sum(a, axis=0), numbers((10**6, 8), "float32"))
    yield "add_at_f32_1e7_into_1e5", lambda: call(add_at, numbers(10**5, "float32"), indices(), numbers(10**7, "float32"))
    yield "add_at_i64_1e7_into_1e5", lambda: call(add_at, peer.asarray(np.zeros(10**5, "int64")), indices(),
                                                  peer.asarray(np.arange(10**7)))
    if peer.name != "jax":  # which must know the length
        yield "bincount_1e7_into_1e5", lambda: call(lambda i: xp.bincount(i), indices())
        yield "bincount_f64_1e7_into_1e5", lambda: call(lambda i, w: xp.bincount(i, weights=w), indices(),
                                                        numbers(10**7, "float64"))
    if not peer.name.startswith("torch"):  # whose histogram is for the CPU
        yield "histogram_100_f32_1e7", lambda: call(lambda a: xp.histogram(a, bins=100), numbers(10**7, "float32"))


def selections(peer):
    """What is found among elements without sorting them all, and sums of exponentials."""
    xp, numbers = peer.xp, peer.numbers

    def case(call, shape, dtype="float32"):
        return lambda: peer.call(call, numbers(shape, dtype))

    q = [.05, .25, .5, .75, .95]
    several = peer.asarray(np.array(q))
    if peer.on_torch:
        topk = lambda a, k: xp.topk(a, k)
        quantiles = lambda a: xp.quantile(a, several.to(a.dtype), dim=-1)
        quantile = lambda a: xp.quantile(a, .3)
        median = lambda a: xp.quantile(a, .5, dim=-1)
        softmax, log_softmax, logsumexp = (lambda a, f=f: f(a, dim=-1) for f in (xp.softmax, xp.log_softmax, xp.logsumexp))
    else:
        if peer.name == "jax":
            import jax
            softmax, log_softmax, logsumexp = (lambda a, f=f: f(a, axis=-1) for f in (jax.nn.softmax, jax.nn.log_softmax, jax.nn.logsumexp))
            topk = lambda a, k: jax.lax.top_k(a, k)
        else:
            if peer.name == "cupy":
                import cupyx.scipy.special as special
            else:
                import scipy.special as special
            softmax, log_softmax, logsumexp = (lambda a, f=f: f(a, axis=-1) for f in (special.softmax, special.log_softmax, special.logsumexp))

            def topk(a, k):
                found = xp.argpartition(a, -k, axis=-1)[..., -k:]
                values = xp.take_along_axis(a, found, -1)
                order = xp.argsort(-values, axis=-1)
                return xp.take_along_axis(values, order, -1), xp.take_along_axis(found, order, -1)

        quantiles = lambda a: xp.quantile(a, several, axis=-1)
        quantile = lambda a: xp.quantile(a, .3)
        median = lambda a: xp.median(a, axis=-1)
    yield "topk_f32_1e7", case(lambda a: topk(a, 100), 10**7)
    yield "quantile_f32_1e7", case(quantile, 10**7)
    yield "quantiles_f32_1e7", case(quantiles, 10**7)
    yield "quantiles_f64_1e7", case(quantiles, 10**7, "float64")
    for shape in ((1000, 10000), (16384, 1000)):
        tag = f"f32_{shape[0]}x{shape[1]}"
        yield f"topk_{tag}", case(lambda a: topk(a, 10), shape)
        yield f"median_{tag}", case(median, shape)
        yield f"quantiles_{tag}", case(quantiles, shape)
        yield f"softmax_{tag}", case(softmax, shape)
        yield f"log_softmax_{tag}", case(log_softmax, shape)
        yield f"logsumexp_{tag}", case(logsumexp, shape)
    if hasattr(xp, "polyval"):
        yield "polyval_f64_1e6", lambda: peer.call(lambda p, x: xp.polyval(p, x), numbers(32, "float64"), numbers(10**6, "float64"))


def routines(peer, n, dtype, tag):
    """Library routines; what is made carries the residual of its result."""
    xp, norm = peer.xp, lambda a: float(peer.xp.linalg.norm(a))

    def checked(function, residual, change=lambda x: (x,)):
        def make():
            arrays = [peer.asarray(a) for a in change(np.random.default_rng(1).random((n, n), dtype=dtype))]
            compiled = peer.compile(function)
            call = lambda: compiled(*arrays)
            call.residual = lambda: residual(function(*arrays), *arrays)
            return call

        return make

    ratio = lambda difference, a: norm(difference) / norm(a)
    symmetric = lambda x: (x + x.T,)
    system = lambda x: (x.T @ x + np.eye(n, dtype=dtype), x[0].copy())
    yield f"fft2_{tag}_{n}", checked(lambda a: xp.fft.fft2(a), lambda f, a: ratio(xp.fft.ifft2(f).real - a, a))
    yield f"solve_{tag}_{n}", checked(lambda a, b: xp.linalg.solve(a, b),
                                      lambda x, a, b: norm(a @ x - b) / (norm(a) * norm(x)), system)
    yield f"qr_{tag}_{n}", checked(lambda a: xp.linalg.qr(a), lambda f, a: ratio(f[0] @ f[1] - a, a))
    yield f"svd_{tag}_{n}", checked(lambda a: xp.linalg.svd(a, full_matrices=False),
                                    lambda f, a: ratio((f[0] * f[1]) @ f[2] - a, a))
    yield f"eigh_{tag}_{n}", checked(lambda a: xp.linalg.eigh(a),
                                     lambda f, a: ratio((f[1] * f[0]) @ f[1].T - a, a), symmetric)


def sparse_products(peer):
    """The 5-point Laplacian of 3162 x 3162 points times a vector, and products of random matrices."""
    sparse = peer.sparse()

    def laplacian():
        side = 3162
        t = sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(side, side), dtype="float32")
        one = sparse.eye(side, dtype="float32")
        a = (sparse.kron(one, t) + sparse.kron(t, one)).tocsr()
        x = peer.numbers(side * side, "float32")
        return lambda: a @ x

    yield "spmv_f32_1e7", laplacian
    for n in (100, 500, 512, 1024, 2048):

        def product(n=n):
            a, b = (sparse.random(n, n, density=0.01, format="csr", dtype=np.float32) for _ in range(2))
            return lambda: a @ b

        yield f"spgemm_f32_{n}", product


def heat(peer, steps):
    """Microseconds of a step of Jacobi's method on 256 x 256 points, with the norm read in every step."""
    n = 256
    dx = 1.0 / n
    p = peer.asarray(np.zeros((n, n)))
    source = np.zeros((n, n))
    source[n // 2, n // 2] = 10000
    f = peer.asarray(source)
    start = time.perf_counter()
    for _ in range(steps):
        p_new = p.clone() if peer.name == "torch" else p.copy()
        p_new[1:-1, 1:-1] = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + dx * dx * f[1:-1, 1:-1])
        change = float(peer.xp.linalg.norm(p_new - p))
        p = p_new
        if change < 1e-4:
            break
    return (time.perf_counter() - start) / steps * 1e6


def run(peer, only, quick, own_cases=None):
    def report(name, measure):
        if not asks_for(only, name) or (quick and any(large in name for large in LARGE)):
            return
        try:
            us, us_sync, *residual = measure()
            line = {"peer": peer.name, "case": name, "us": round(us, 3), "us_sync": round(us_sync, 3)}
            if residual:
                line["residual"] = residual[0]
        except Exception as error:
            line = {"peer": peer.name, "case": name, "error": str(error)[:200]}
        print(json.dumps(line), flush=True)

    def measure_heat():
        heat(peer, 50)
        return (statistics.median(heat(peer, 500) for _ in range(9)),) * 2

    def measure_case(make):
        call = make()
        times = clock(call, peer.synchronize)
        return (*times, float(f"{call.residual():.2e}")) if hasattr(call, "residual") else times

    for name, make in (own_cases or cases)(peer):
        report(name, lambda: measure_case(make))
    if not own_cases and peer.name != "jax":
        report("heat_jacobi_256", measure_heat)


def make_numpy():
    peer = Peer("numpy", np, on_cpu=True)

    def scipy_sparse():
        import scipy.sparse
        return scipy.sparse

    peer.sparse = scipy_sparse
    return peer


def make_cupy():
    import cupy
    peer = Peer("cupy", cupy, cupy.asarray, cupy.cuda.Device().synchronize)

    def cupy_sparse():
        import cupyx.scipy.sparse
        return cupyx.scipy.sparse

    peer.sparse = cupy_sparse
    return peer


def make_torch():
    import torch
    torch.backends.cuda.matmul.allow_tf32 = False

    class Names:
        """NumPy's names for what PyTorch calls otherwise."""
        std = staticmethod(lambda a: torch.std(a, correction=0))
        cumsum = staticmethod(lambda a, axis: torch.cumsum(a, dim=axis))
        empty = staticmethod(lambda n, dtype: torch.empty(n, dtype=dtype, device=device))
        device = "cuda" if torch.cuda.is_available() else "cpu"

        def __getattr__(self, name):
            return getattr(torch, name)

    device = Names.device
    peer = Peer("torch", Names(), lambda a: torch.from_numpy(np.ascontiguousarray(a)).to(device),
                torch.cuda.synchronize if device == "cuda" else lambda: None, on_cpu=device == "cpu",
                contiguous=lambda a: a.contiguous())
    peer.on_torch = True
    return peer


def make_torch_compile():
    """Takes seconds a case, so it is for a few: --only=fused3."""
    import torch
    peer = make_torch()

    def compile(function):
        torch._dynamo.reset()  # what was made of the same line for other arrays would be made anew for arrays of any shape
        return torch.compile(function)

    peer.name, peer.compile = "torch.compile", compile
    return peer


def make_jax():
    import os
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")
    peer = Peer("jax", jax.numpy, jax.numpy.asarray, on_cpu=jax.default_backend() == "cpu", contiguous=lambda a: a.copy())
    last = []

    def compile(function):
        compiled = jax.jit(function)

        def call(*arrays):
            last[:] = [compiled(*arrays)]
            return last[0]

        return call

    peer.compile = compile
    peer.synchronize = lambda: jax.block_until_ready(last)
    return peer


PEERS = {"numpy": make_numpy, "cupy": make_cupy, "torch": make_torch, "torch.compile": make_torch_compile, "jax": make_jax}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="numpy", help=f"comma-separated, of {', '.join(PEERS)} (default: numpy)")
    parser.add_argument("--only", default="", help="run the cases whose name contains one of these, separated by commas")
    parser.add_argument("--quick", action="store_true", help="leave out the largest cases")
    arguments = parser.parse_args()
    for name in arguments.peers.split(","):
        run(PEERS[name](), arguments.only, arguments.quick)


if __name__ == "__main__":
    main()
