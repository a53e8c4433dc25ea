#!/usr/bin/env python3
"""Times NumPy and SciPy on the cases of bench_modules.cpp, under the same names.

Prints one JSON object a line, like bench_modules:
  us      least microseconds of a call
  cpu_us  least microseconds of processor time that a call took, of all threads together
"""
import os
import tempfile

import numpy as np
import scipy.io
import scipy.linalg
import scipy.signal
import scipy.sparse as sp
import scipy.sparse.linalg

from peer_suite import Suite, numbers, wanted


def matrices(s, n):
    a = numbers(n * n).reshape(n, n) + np.eye(n)
    spd = a @ a.T + np.eye(n)
    b = a[:, :2].copy()
    s.add("inv", lambda: np.linalg.inv(a))
    s.add("det", lambda: np.linalg.det(a))
    s.add("slogdet", lambda: np.linalg.slogdet(a))
    s.add("cholesky", lambda: np.linalg.cholesky(spd))
    s.add("lstsq", lambda: np.linalg.lstsq(a, b))
    s.add("eig", lambda: np.linalg.eig(a))
    s.add("eigvals", lambda: np.linalg.eigvals(a))
    s.add("eigvalsh", lambda: np.linalg.eigvalsh(spd))
    s.add("pinv", lambda: np.linalg.pinv(a))
    s.add("matrix_rank", lambda: np.linalg.matrix_rank(a))
    s.add("cond", lambda: np.linalg.cond(a))
    s.add("matrix_power", lambda: np.linalg.matrix_power(a, 5))
    s.add("solve", lambda: np.linalg.solve(a, b))
    s.add("qr", lambda: np.linalg.qr(a))
    s.add("svd", lambda: np.linalg.svd(a))
    s.add("svdvals", lambda: np.linalg.svdvals(a))
    s.add("eigh", lambda: np.linalg.eigh(spd))
    s.add("lu_factor", lambda: scipy.linalg.lu_factor(a))
    s.add("expm", lambda: scipy.linalg.expm(a))
    for order in ("fro", "nuc", 1, 2, np.inf):
        s.add(f"norm_{order}", lambda: np.linalg.norm(a, order))
    s.add("norm_rows", lambda: np.linalg.norm(a, axis=1))
    s.add("norm_rows_3", lambda: np.linalg.norm(a, 3, axis=1))
    s.add("kron", lambda: np.kron(b, b))
    s.add("tensordot", lambda: np.tensordot(a, a, 1))
    s.add("multi_dot", lambda: np.linalg.multi_dot((a, a, b)))
    s.add("trace", lambda: np.trace(a))
    s.add("einsum_ii", lambda: np.einsum("ii", a))
    s.add("einsum_ij_ji", lambda: np.einsum("ij->ji", a).copy())
    s.add("einsum_sum_rows", lambda: np.einsum("ij->i", a))
    s.add("einsum_three", lambda: np.einsum("ij,jk,kl->il", a, a, b, optimize=True))
    some = min(n, 100)
    times = n // some * 4
    batch = numbers(times * some * some).reshape(times, some, some)
    s.add("einsum_batch", lambda: np.einsum("bij,bjk->bik", batch, batch, optimize=True))
    s.add("einsum_batch_ij_j", lambda: np.einsum("bij,bj->bi", batch, batch[:, 0]))


def small_matrices(s, n):
    a = numbers(n * 9).reshape(n, 3, 3) + np.eye(3)
    spd = a @ np.swapaxes(a, 1, 2) + np.eye(3)
    b = a[:, :, :1].copy()
    s.add("small_inv", lambda: np.linalg.inv(a))
    s.add("small_solve", lambda: np.linalg.solve(a, b))
    s.add("small_det", lambda: np.linalg.det(a))
    s.add("small_slogdet", lambda: np.linalg.slogdet(a))
    s.add("small_eigh", lambda: np.linalg.eigh(spd))
    s.add("small_cholesky", lambda: np.linalg.cholesky(spd))
    s.add("small_qr", lambda: np.linalg.qr(a))
    s.add("small_svd", lambda: np.linalg.svd(a))
    s.add("small_matmul", lambda: a @ a)
    s.add("small_matvec", lambda: a @ b)
    s.add("small_einsum", lambda: np.einsum("nij,njk->nik", a, a))
    s.add("small_norm", lambda: np.linalg.norm(a, axis=(1, 2)))


def transforms(s, n):
    x = numbers(n)
    z = np.fft.fft(x)
    x32 = x.astype(np.float32)
    spectrum = np.fft.rfft(x)
    s.add("fft", lambda: np.fft.fft(z))
    s.add("ifft", lambda: np.fft.ifft(z))
    s.add("fft_of_real", lambda: np.fft.fft(x))
    s.add("rfft", lambda: np.fft.rfft(x))
    s.add("rfft_f32", lambda: np.fft.rfft(x32))
    s.add("irfft", lambda: np.fft.irfft(spectrum, n))
    if n > 10_000:
        return
    rows = 100_000 // n
    many = np.fft.fft(numbers(rows * n).reshape(rows, n))
    columns = many.T.copy()
    s.add("fft_rows", lambda: np.fft.fft(many))
    s.add("fft_columns", lambda: np.fft.fft(columns, axis=0))


def transforms_of_axes(s, n):
    m = numbers(n * n).reshape(n, n)
    side = int(np.cbrt(n * n) + 0.5)
    cube = numbers(side**3).reshape(side, side, side)
    spectrum = np.fft.rfft2(m)
    s.add("fft2", lambda: np.fft.fft2(m))
    s.add("rfft2", lambda: np.fft.rfft2(m))
    s.add("irfft2", lambda: np.fft.irfft2(spectrum))
    s.add("fftn", lambda: np.fft.fftn(cube))
    s.add("rfftn", lambda: np.fft.rfftn(cube))
    s.add("fftshift", lambda: np.fft.fftshift(m))
    s.add("fftconvolve_2d", lambda: scipy.signal.fftconvolve(m, m[:9, :9], "same"))


def convolutions(s, n):
    x = numbers(n)
    x32 = x.astype(np.float32)
    whole = (x * 1000).astype(np.int64)
    for taps in (3, 9, 50):
        s.add(f"convolve_{taps}", lambda: np.convolve(x, x[:taps]))
        s.add(f"convolve_f32_{taps}", lambda: np.convolve(x32, x32[:taps]))
        s.add(f"convolve_i64_{taps}", lambda: np.convolve(whole, whole[:taps]))
        s.add(f"correlate_{taps}", lambda: np.correlate(x, x[:taps]))
    s.add("convolve_same_1000", lambda: np.convolve(x, x[:1000], "same"))
    s.add("fftconvolve", lambda: scipy.signal.fftconvolve(x, x[:n // 2]))


def random_numbers(s, n):
    g = np.random.default_rng(7)
    s.add("random", lambda: g.random(n))
    s.add("random_f32", lambda: g.random(n, dtype=np.float32))
    s.add("standard_normal", lambda: g.standard_normal(n))
    s.add("standard_normal_f32", lambda: g.standard_normal(n, dtype=np.float32))
    s.add("uniform", lambda: g.uniform(-1, 1, n))
    s.add("normal", lambda: g.normal(1, 2, n))
    s.add("integers", lambda: g.integers(0, 1000, n))
    s.add("integers_i32", lambda: g.integers(0, 1000, n, dtype=np.int32))
    s.add("integers_u8", lambda: g.integers(0, 100, n, dtype=np.uint8))
    s.add("exponential", lambda: g.exponential(2, n))
    s.add("gamma", lambda: g.gamma(2.5, 1, n))
    s.add("gamma_below_1", lambda: g.gamma(0.5, 1, n))
    s.add("beta", lambda: g.beta(2, 3, n))
    s.add("chisquare", lambda: g.chisquare(3, n))
    s.add("standard_t", lambda: g.standard_t(5, n))
    s.add("lognormal", lambda: g.lognormal(0, 1, n))
    s.add("laplace", lambda: g.laplace(0, 1, n))
    s.add("standard_cauchy", lambda: g.standard_cauchy(n))
    s.add("poisson_4", lambda: g.poisson(4, n))
    s.add("poisson_100", lambda: g.poisson(100, n))
    s.add("binomial_10", lambda: g.binomial(10, 0.3, n))
    s.add("binomial_1000", lambda: g.binomial(1000, 0.3, n))
    s.add("geometric", lambda: g.geometric(0.2, n))
    s.add("multinomial", lambda: g.multinomial(20, [0.2, 0.3, 0.5], n // 10))
    s.add("dirichlet", lambda: g.dirichlet([1, 2, 3], n // 10))
    s.add("choice", lambda: g.choice(n, n))
    s.add("choice_few", lambda: g.choice(n, n // 100, replace=False))
    x = numbers(n)
    p = x / x.sum()
    s.add("choice_p", lambda: g.choice(n, n, p=p))
    s.add("permutation", lambda: g.permutation(n))
    s.add("permutation_of", lambda: g.permutation(x))
    s.add("shuffle", lambda: g.shuffle(x))


def sparse_matrices(s, side):
    points = side * side
    beside = np.full(points, -1.0)
    beside[side - 1::side] = 0
    banded = sp.diags([-1.0, beside[:-1], 4.0, beside[:-1], -1.0], [-side, -1, 0, 1, side], shape=(points, points))
    a = banded.tocsr()
    a.eliminate_zeros()
    columns = a.tocsc()
    twice = a * 2.0
    x = numbers(points)
    wide = numbers(points * 8).reshape(points, 8)
    s.add("sparse_matvec", lambda: a @ x)
    s.add("sparse_csc_matvec", lambda: columns @ x)
    s.add("sparse_dia_matvec", lambda: banded @ x)
    s.add("sparse_matmat", lambda: a @ wide)
    s.add("sparse_product", lambda: a @ a)
    s.add("sparse_add", lambda: a + a)
    s.add("sparse_subtract_other", lambda: a - twice)
    s.add("sparse_multiply", lambda: a.multiply(a))
    s.add("sparse_scale", lambda: a * 2.0)
    s.add("sparse_diagonal", lambda: a.diagonal())
    s.add("sparse_transpose", lambda: a.T.tocsr())
    s.add("sparse_tocsc", lambda: a.tocsc())
    s.add("sparse_tocoo", lambda: a.tocoo())
    s.add("sparse_todia", lambda: a.todia())
    s.add("sparse_sum", lambda: a.sum())
    s.add("sparse_sum_rows", lambda: a.sum(1))
    s.add("sparse_sum_columns", lambda: a.sum(0))
    s.add("sparse_max_rows", lambda: a.max(1))
    s.add("sparse_dia_tocsr", lambda: banded.tocsr())
    s.add("sparse_rows", lambda: a[points // 4:points // 2])
    s.add("sparse_row", lambda: a[points // 2:points // 2 + 1])
    s.add("sparse_columns", lambda: a[:, points // 4:points // 2])
    order = np.argsort(x)
    s.add("sparse_take_rows", lambda: a[order])

    def eliminate_zeros():
        a.copy().eliminate_zeros()

    s.add("sparse_eliminate_zeros", eliminate_zeros)
    s.add("sparse_vstack", lambda: sp.vstack([a, a]))
    s.add("sparse_kron", lambda: sp.kron(a, sp.eye(2, format="csr"), format="csr"))
    coordinates = a.tocoo()
    s.add("sparse_coo_tocsr", lambda: coordinates.tocsr())
    row = (x * points).astype(np.int32)
    column = row[::-1].copy()
    s.add("sparse_coo_unordered", lambda: sp.csr_matrix((x, (row, column)), (points, points)))
    s.add("sparse_cg", lambda: sp.linalg.cg(a, x, rtol=0, maxiter=30))
    s.add("sparse_gmres", lambda: sp.linalg.gmres(a, x, rtol=0, restart=20, maxiter=1))
    if side <= 100:
        full = a.toarray()
        s.add("sparse_toarray", lambda: a.toarray())
        s.add("sparse_from_array", lambda: sp.csr_matrix(full))
        s.add("sparse_spsolve", lambda: sp.linalg.spsolve(columns, x, use_umfpack=False))
        s.add("sparse_splu", lambda: sp.linalg.splu(columns))
        s.add("sparse_eigsh", lambda: sp.linalg.eigsh(a, 4))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "peer_modules.mtx")
        scipy.io.mmwrite(path, a)
        s.add("sparse_mmread", lambda: scipy.io.mmread(path))
        s.add("sparse_mmwrite", lambda: scipy.io.mmwrite(path, a))


def unordered_products(s, n, each):
    g = np.random.default_rng(7)
    row, column = g.integers(0, n, n * each), g.integers(0, n, n * each)
    a = sp.csr_matrix((numbers(n * each, "float32"), (row, column)), (n, n))
    s.add(f"sparse_product_of_{each}", lambda: a @ a)


def main():
    only = wanted(__doc__)
    sized = lambda size: Suite(only, str(size))
    for n in (8, 32, 100, 300):
        matrices(sized(n), n)
    for n in (100, 10_000):
        small_matrices(sized(n), n)
    for n in (64, 100, 127, 1024, 1009, 8192, 65_536, 99_991, 1_048_576):
        transforms(sized(n), n)
    for n in (32, 500):
        transforms_of_axes(sized(n), n)
    for n in (1_000, 1_000_000):
        convolutions(sized(n), n)
    for n in (1_000, 1_000_000):
        random_numbers(sized(n), n)
    for side in (32, 100, 500):
        sparse_matrices(sized(side), side)
    for n in (1_000, 100_000):
        for each in (2, 5, 40):
            if n * each <= 500_000:
                unordered_products(sized(n), n, each)


if __name__ == "__main__":
    main()
