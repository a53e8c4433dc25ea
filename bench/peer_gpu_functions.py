#!/usr/bin/env python3
"""Times CuPy and PyTorch on the cases of bench_gpu_functions.cpp, under the same names.

  bench/peer_gpu_functions.py --peers cupy,torch

Prints one JSON object a line, as peers.py does. A case that a peer cannot run is printed with its error.
"""
import argparse

import numpy as np

from peers import PEERS, run

MILLION = 10**6


def rng_of(peer):
    return peer.xp.random.default_rng(1)


def orders(peer):
    xp = peer.xp
    if peer.name == "torch":
        yield "permutation_1e6", lambda: lambda: xp.randperm(MILLION, device=xp.device)
        yield "shuffle_f32_1e6", lambda: lambda x=peer.numbers(MILLION, "float32"): x[xp.randperm(MILLION, device=xp.device)]
    else:
        yield "permutation_1e6", lambda: lambda: xp.random.permutation(MILLION)
        yield "shuffle_f32_1e6", lambda: lambda x=peer.numbers(MILLION, "float32"): xp.random.shuffle(x)
    integers = lambda n, size: peer.asarray(np.random.default_rng(1).integers(0, n, size))
    yield "unique_i64_1e7", lambda: peer.call(lambda x: xp.unique(x), integers(MILLION, 10 * MILLION))
    yield "unique_counts_i64_1e6", lambda: peer.call(lambda x: xp.unique(x, return_counts=True), integers(1000, MILLION))


def kalman(peer):
    xp = peer.xp
    made = lambda a: peer.asarray(np.ascontiguousarray(a))
    f, q = made(np.eye(4) + 0.1 * np.eye(4, k=2)), made(0.01 * np.eye(4))
    h, r, z, one = made(np.eye(2, 4)), made(0.1 * np.eye(2)), made(np.ones(2)), made(np.eye(4))
    state = [made(np.zeros(4)), made(np.eye(4))]

    def step():
        x, p = state
        x = f @ x
        p = f @ p @ f.T + q
        gain = p @ h.T @ xp.linalg.inv(h @ p @ h.T + r)
        x = x + gain @ (z - h @ x)
        p = (one - gain @ h) @ p
        state[:] = x, p

    return step


def small_matrices(peer):
    xp, call = peer.xp, peer.call
    yield "kalman_step_4", lambda: kalman(peer)

    def matrices(count, n):
        a = (np.arange(count * n * n) * 0.6180339887498949 % 1.0).reshape(count, n, n) + n * np.eye(n)
        return peer.asarray(a)

    for n in (4, 16, 32):
        ones = lambda *shape: peer.asarray(np.ones(shape))
        yield f"solve_f64_{n}", lambda: call(lambda a, b: xp.linalg.solve(a, b), matrices(1, n)[0], ones(n))
        yield f"inv_f64_{n}", lambda: call(lambda a: xp.linalg.inv(a), matrices(1, n)[0])
        yield f"inv_f64_1000x{n}", lambda: call(lambda a: xp.linalg.inv(a), matrices(1000, n))
        yield f"solve_f64_1000x{n}", lambda: call(lambda a, b: xp.linalg.solve(a, b), matrices(1000, n), ones(1000, n, 1))
        yield f"det_f64_1000x{n}", lambda: call(lambda a: xp.linalg.det(a), matrices(1000, n))
        yield f"cholesky_f64_1000x{n}", lambda: call(lambda a: xp.linalg.cholesky(a),
                                                     (lambda a: a @ xp.swapaxes(a, 1, 2))(matrices(1000, n)))
        yield f"eigh_f64_1000x{n}", lambda: call(lambda a: xp.linalg.eigh(a),
                                                 (lambda a: a + xp.swapaxes(a, 1, 2))(peer.numbers((1000, n, n), "float64")))
        yield f"matmul_f32_{n}", lambda: call(lambda a: a @ a, peer.numbers((n, n), "float32"))
    for dtype, tag, count, n in (("float32", "f32", 100000, 4), ("float64", "f64", 100000, 4), ("float32", "f32", 10000, 8)):
        yield f"matmul_{tag}_{count}x{n}", lambda: call(lambda a, b: a @ b, peer.numbers((count, n, n), dtype),
                                                        peer.numbers((count, n, n), dtype))
    yield "matvec_f32_8192", lambda: call(lambda a, x: a @ x, peer.numbers((8192, 8192), "float32"),
                                          peer.numbers((8192,), "float32"))


def sums_of_products(peer):
    xp, call = peer.xp, peer.call
    pair = lambda m, n: (peer.numbers((m, n), "float32"), peer.numbers((m, n), "float32") + 0.5)
    yield "einsum_ij_ij_i_1e6x32", lambda: call(lambda a, b: xp.einsum("ij,ij->i", a, b), *pair(MILLION, 32))
    yield "einsum_ij_ij_1e6x32", lambda: call(lambda a, b: xp.einsum("ij,ij->", a, b), *pair(MILLION, 32))
    yield "einsum_i_j_ij_4000", lambda: call(lambda x: xp.einsum("i,j->ij", x, x), peer.numbers((4000,), "float32"))
    cross = xp.linalg.cross if peer.name == "torch" else xp.cross
    yield "vecdot_1e6x32", lambda: call(lambda a, b: (a * b).sum(-1), *pair(MILLION, 32))
    yield "cross_f32_1e6", lambda: call(lambda a, b: cross(a, b), *pair(MILLION, 3))
    for dtype, tag in (("float64", "f64"), ("float32", "f32")):
        x, w = lambda: peer.numbers((MILLION,), dtype), lambda: peer.numbers((64,), dtype)
        if peer.name == "torch":
            convolve = lambda a, b: xp.nn.functional.conv1d(a[None, None], b.flip(0)[None, None], padding=63)
        else:
            convolve = lambda a, b: xp.convolve(a, b)
        yield f"convolve_{tag}_1e6x64", lambda: call(convolve, x(), w())
    yield "interp_1e6_in_1e4", lambda: call(lambda x, xp_, fp: xp.interp(x, xp_, fp), peer.numbers((MILLION,), "float64"),
                                            peer.asarray(np.linspace(0, 1, 10000)), peer.numbers((10000,), "float64"))


def moves(peer):
    xp, call = peer.xp, peer.call
    parts = lambda: [peer.numbers((100000,), "float32") for _ in range(10)]
    along = {"dim": 1} if peer.name == "torch" else {"axis": 1}
    yield "concatenate_10_f32_1e5", lambda: call(lambda *a: xp.concatenate(a), *parts())
    yield "stack_10_f32_1e5", lambda: call(lambda *a: xp.stack(a, **along), *parts())
    repeat = xp.repeat_interleave if peer.name == "torch" else xp.repeat
    yield "repeat_f32_1e6x8", lambda: call(lambda x: repeat(x, 8), peer.numbers((MILLION,), "float32"))
    yield "nonzero_bool_1e7", lambda: call(lambda x: xp.nonzero(x), peer.numbers((10 * MILLION,), "float32") > 0.5)
    yield "argwhere_bool_3000", lambda: call(lambda x: xp.argwhere(x), peer.numbers((3000, 3000), "float32") > 0.5)
    indices = lambda n, seed: peer.asarray(np.random.default_rng(seed).integers(0, n, MILLION))

    def put():
        x, i, y = peer.numbers((MILLION,), "float32"), indices(MILLION, 1), peer.numbers((MILLION,), "float32")

        def assign():
            x[i] = y

        return assign

    yield "put_1e6", put
    yield "gather_2_indices_1e6", lambda: call(lambda x, i, j: x[i, j], peer.numbers((1000, 1000), "float32"),
                                               indices(1000, 1), indices(1000, 2))


def cases(peer):
    for group in (orders, small_matrices, sums_of_products, moves):
        yield from group(peer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="cupy", help=f"comma-separated, of {', '.join(PEERS)} (default: cupy)")
    parser.add_argument("--only", default="", help="run the cases whose name contains one of these, separated by commas")
    parser.add_argument("--quick", action="store_true", help="leave out the largest cases")
    arguments = parser.parse_args()
    for name in arguments.peers.split(","):
        run(PEERS[name](), arguments.only, arguments.quick, cases)


if __name__ == "__main__":
    main()
