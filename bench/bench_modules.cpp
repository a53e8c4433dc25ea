// linalg, fft, random and sparse of the CPU backend beside NumPy and SciPy: the cases of peer_modules.py in
// gparray, under the same names.
#include <complex>
#include <filesystem>

#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/linalg.hpp>

#include "../examples/options.hpp"
#include "function_suite.hpp"

namespace gp = gparray;

namespace {

using bench::numbers;
using suite = bench::function_suite;

/// One matrix of n x n.
void matrices(const suite& s, int n) {
  const gp::ndarray<double> a = numbers<double>(n * n).reshape({n, n}) + gp::eye<double>(n);
  const gp::ndarray<double> spd = gp::matmul(a, a.T()) + gp::eye<double>(n),
                            b = a(gp::all, gp::slice(0, 2)).copy();
  s.add("inv", [&] { gp::linalg::inv(a).eval(); });
  s.add("det", [&] { gp::linalg::det(a).eval(); });
  s.add("slogdet", [&] { gp::linalg::slogdet(a); });
  s.add("cholesky", [&] { gp::linalg::cholesky(spd).eval(); });
  s.add("lstsq", [&] { gp::linalg::lstsq(a, b); });
  s.add("eig", [&] { gp::linalg::eig(a); });
  s.add("eigvals", [&] { gp::linalg::eigvals(a).eval(); });
  s.add("eigvalsh", [&] { gp::linalg::eigvalsh(spd).eval(); });
  s.add("pinv", [&] { gp::linalg::pinv(a).eval(); });
  s.add("matrix_rank", [&] { gp::linalg::matrix_rank(a); });
  s.add("cond", [&] { gp::linalg::cond(a).eval(); });
  s.add("matrix_power", [&] { gp::linalg::matrix_power(a, 5).eval(); });
  s.add("solve", [&] { gp::linalg::solve(a, b).eval(); });
  s.add("qr", [&] { gp::linalg::qr(a); });
  s.add("svd", [&] { gp::linalg::svd(a); });
  s.add("svdvals", [&] { gp::linalg::svdvals(a).eval(); });
  s.add("eigh", [&] { gp::linalg::eigh(spd); });
  s.add("lu_factor", [&] { gp::linalg::lu_factor(a); });
  s.add("expm", [&] { gp::linalg::expm(a).eval(); });
  for (const char* order : {"fro", "nuc"})
    s.add(std::string("norm_") + order, [&] { gp::linalg::norm(a, order).eval(); });
  s.add("norm_1", [&] { gp::linalg::norm(a, 1).eval(); });
  s.add("norm_2", [&] { gp::linalg::norm(a, 2).eval(); });
  s.add("norm_inf", [&] { gp::linalg::norm(a, gp::inf).eval(); });
  s.add("norm_rows", [&] { gp::linalg::norm(a, gp::none, 1).eval(); });
  s.add("norm_rows_3", [&] { gp::linalg::norm(a, 3, 1).eval(); });
  s.add("kron", [&] { gp::kron(b, b).eval(); });
  s.add("tensordot", [&] { gp::tensordot(a, a, 1).eval(); });
  s.add("multi_dot", [&] { gp::linalg::multi_dot(a, a, b).eval(); });
  s.add("trace", [&] { gp::trace(a).eval(); });
  s.add("einsum_ii", [&] { gp::einsum("ii", a).eval(); });
  s.add("einsum_ij_ji", [&] { gp::einsum("ij->ji", a).copy(); });
  s.add("einsum_sum_rows", [&] { gp::einsum("ij->i", a).eval(); });
  s.add("einsum_three", [&] { gp::einsum("ij,jk,kl->il", a, a, b).eval(); });
  const std::int64_t some = std::min(n, 100), times = n / some * 4;
  const gp::ndarray<double> batch = numbers<double>(times * some * some).reshape({times, some, some});
  s.add("einsum_batch", [&] { gp::einsum("bij,bjk->bik", batch, batch).eval(); });
  s.add("einsum_batch_ij_j", [&] { gp::einsum("bij,bj->bi", batch, batch(gp::all, 0)).eval(); });
}

/// n matrices of 3 x 3.
void small_matrices(const suite& s, std::int64_t n) {
  const gp::ndarray<double> a = numbers<double>(n * 9).reshape({n, 3, 3}) + gp::eye<double>(3);
  const gp::ndarray<double> spd = gp::matmul(a, gp::swapaxes(a, 1, 2)) + gp::eye<double>(3),
                            b = a(gp::all, gp::all, gp::slice(0, 1)).copy();
  s.add("small_inv", [&] { gp::linalg::inv(a).eval(); });
  s.add("small_solve", [&] { gp::linalg::solve(a, b).eval(); });
  s.add("small_det", [&] { gp::linalg::det(a).eval(); });
  s.add("small_slogdet", [&] { gp::linalg::slogdet(a); });
  s.add("small_eigh", [&] { gp::linalg::eigh(spd); });
  s.add("small_cholesky", [&] { gp::linalg::cholesky(spd).eval(); });
  s.add("small_qr", [&] { gp::linalg::qr(a); });
  s.add("small_svd", [&] { gp::linalg::svd(a); });
  s.add("small_matmul", [&] { gp::matmul(a, a).eval(); });
  s.add("small_matvec", [&] { gp::matmul(a, b).eval(); });
  s.add("small_einsum", [&] { gp::einsum("nij,njk->nik", a, a).eval(); });
  s.add("small_norm", [&] { gp::linalg::norm(a, gp::none, {1, 2}).eval(); });
}

/// Transforms of length n, one or as many as make 10^5 numbers.
void transforms(const suite& s, std::int64_t n) {
  const gp::ndarray<double> x = numbers<double>(n);
  const gp::ndarray<std::complex<double>> z = gp::fft::fft(x);
  const gp::ndarray<float> x32 = x.astype<float>();
  const gp::ndarray<std::complex<double>> spectrum = gp::fft::rfft(x);
  s.add("fft", [&] { gp::fft::fft(z).eval(); });
  s.add("ifft", [&] { gp::fft::ifft(z).eval(); });
  s.add("fft_of_real", [&] { gp::fft::fft(x).eval(); });
  s.add("rfft", [&] { gp::fft::rfft(x).eval(); });
  s.add("rfft_f32", [&] { gp::fft::rfft(x32).eval(); });
  s.add("irfft", [&] { gp::fft::irfft(spectrum, n).eval(); });
  if (n > 10'000) return;
  const std::int64_t rows = 100'000 / n;
  const gp::ndarray<std::complex<double>> many = gp::fft::fft(numbers<double>(rows * n).reshape({rows, n}));
  s.add("fft_rows", [&] { gp::fft::fft(many).eval(); });
  s.add("fft_columns", [&, many = many.T().copy()] { gp::fft::fft(many, gp::none, 0).eval(); });
}

/// Transforms of n x n, and of n^2 numbers as a cube.
void transforms_of_axes(const suite& s, std::int64_t n) {
  const gp::ndarray<double> m = numbers<double>(n * n).reshape({n, n});
  const auto side = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n * n)) + 0.5);
  const gp::ndarray<double> cube = numbers<double>(side * side * side).reshape({side, side, side});
  const gp::ndarray<std::complex<double>> spectrum = gp::fft::rfft2(m);
  s.add("fft2", [&] { gp::fft::fft2(m).eval(); });
  s.add("rfft2", [&] { gp::fft::rfft2(m).eval(); });
  s.add("irfft2", [&] { gp::fft::irfft2(spectrum).eval(); });
  s.add("fftn", [&] { gp::fft::fftn(cube).eval(); });
  s.add("rfftn", [&] { gp::fft::rfftn(cube).eval(); });
  s.add("fftshift", [&] { gp::fft::fftshift(m).eval(); });
  s.add("fftconvolve_2d", [&] { gp::signal::fftconvolve(m, m(gp::slice(0, 9), gp::slice(0, 9)), "same"); });
}

void convolutions(const suite& s, std::int64_t n) {
  const gp::ndarray<double> x = numbers<double>(n);
  const gp::ndarray<float> x32 = x.astype<float>();
  const gp::ndarray<std::int64_t> whole = (x * 1000.0).astype<std::int64_t>();
  for (const std::int64_t taps : {3, 9, 50}) {
    const gp::slice first(0, taps);
    const std::string suffix = "_" + std::to_string(taps);
    s.add("convolve" + suffix, [&] { gp::convolve(x, x(first)).eval(); });
    s.add("convolve_f32" + suffix, [&] { gp::convolve(x32, x32(first)).eval(); });
    s.add("convolve_i64" + suffix, [&] { gp::convolve(whole, whole(first)).eval(); });
    s.add("correlate" + suffix, [&] { gp::correlate(x, x(first)).eval(); });
  }
  s.add("convolve_same_1000", [&] { gp::convolve(x, x(gp::slice(0, 1000)), "same").eval(); });
  s.add("fftconvolve", [&] { gp::signal::fftconvolve(x, x(gp::slice(0, n / 2))).eval(); });
}

void random_numbers(const suite& s, std::int64_t n) {
  gp::random::Generator g = gp::random::default_rng(7);
  s.add("random", [&] { g.random(n); });
  s.add("random_f32", [&] { g.random<float>(n); });
  s.add("standard_normal", [&] { g.standard_normal(n); });
  s.add("standard_normal_f32", [&] { g.standard_normal<float>(n); });
  s.add("uniform", [&] { g.uniform(-1, 1, n); });
  s.add("normal", [&] { g.normal(1, 2, n); });
  s.add("integers", [&] { g.integers(0, 1000, n); });
  s.add("integers_i32", [&] { g.integers<std::int32_t>(0, 1000, n); });
  s.add("integers_u8", [&] { g.integers<std::uint8_t>(0, 100, n); });
  s.add("exponential", [&] { g.exponential(2, n); });
  s.add("gamma", [&] { g.gamma(2.5, 1, n); });
  s.add("gamma_below_1", [&] { g.gamma(0.5, 1, n); });
  s.add("beta", [&] { g.beta(2, 3, n); });
  s.add("chisquare", [&] { g.chisquare(3, n); });
  s.add("standard_t", [&] { g.standard_t(5, n); });
  s.add("lognormal", [&] { g.lognormal(0, 1, n); });
  s.add("laplace", [&] { g.laplace(0, 1, n); });
  s.add("standard_cauchy", [&] { g.standard_cauchy(n); });
  s.add("poisson_4", [&] { g.poisson(4, n); });
  s.add("poisson_100", [&] { g.poisson(100, n); });
  s.add("binomial_10", [&] { g.binomial(10, 0.3, n); });
  s.add("binomial_1000", [&] { g.binomial(1000, 0.3, n); });
  s.add("geometric", [&] { g.geometric(0.2, n); });
  s.add("multinomial", [&] { g.multinomial(20, {0.2, 0.3, 0.5}, n / 10); });
  s.add("dirichlet", [&] { g.dirichlet({1, 2, 3}, n / 10); });
  s.add("choice", [&] { g.choice(n, n); });
  s.add("choice_few", [&] { g.choice(n, n / 100, {.replace = false}); });
  const gp::ndarray<double> x = numbers<double>(n), p = x / gp::sum(x);
  s.add("choice_p", [&] { g.choice(n, n, {.p = p}); });
  s.add("permutation", [&] { g.permutation(n); });
  s.add("permutation_of", [&] { g.permutation(x); });
  s.add("shuffle", [&] { g.shuffle(x); });
}

/// The 5-point Laplacian of side x side points.
void sparse_matrices(const suite& s, int side) {
  using namespace gp::sparse;
  const std::int64_t points = std::int64_t{side} * side;
  gp::ndarray<double> beside = gp::full<double>({points}, -1.0);
  beside(gp::slice(side - 1, gp::none, side)) = 0.0;
  const gp::ndarray<double> next = beside(gp::slice(0, points - 1)).copy();
  const auto banded = diags<double, format::dia>(
      {-1.0, next, 4.0, next, -1.0}, {-points / side, -1, 0, 1, points / side}, {{points, points}});
  auto a = banded.tocsr();
  a.eliminate_zeros();
  const gp::ndarray<double> x = numbers<double>(points),
                            wide = numbers<double>(points * 8).reshape({points, 8});
  s.add("sparse_matvec", [&] { gp::matmul(a, x).eval(); });
  s.add("sparse_csc_matvec", [&, c = a.tocsc()] { gp::matmul(c, x).eval(); });
  s.add("sparse_dia_matvec", [&] { gp::matmul(banded, x).eval(); });
  s.add("sparse_matmat", [&] { gp::matmul(a, wide).eval(); });
  s.add("sparse_product", [&] { gp::matmul(a, a); });
  s.add("sparse_add", [&] { a + a; });
  s.add("sparse_subtract_other", [&, b = a(gp::slice(), gp::slice()) * 2.0] { a - b; });
  s.add("sparse_multiply", [&] { a.multiply(a); });
  s.add("sparse_scale", [&] { a * 2.0; });
  s.add("sparse_diagonal", [&] { a.diagonal().eval(); });
  s.add("sparse_transpose", [&] { a.T().tocsr(); });
  s.add("sparse_tocsc", [&] { a.tocsc(); });
  s.add("sparse_tocoo", [&] { a.tocoo(); });
  s.add("sparse_todia", [&] { a.todia(); });
  s.add("sparse_sum", [&] { a.sum().eval(); });
  s.add("sparse_sum_rows", [&] { a.sum(1).eval(); });
  s.add("sparse_sum_columns", [&] { a.sum(0).eval(); });
  s.add("sparse_max_rows", [&] { a.max(1).eval(); });
  s.add("sparse_dia_tocsr", [&] { banded.tocsr(); });
  s.add("sparse_rows", [&] { a(gp::slice(points / 4, points / 2), gp::slice()); });
  s.add("sparse_row", [&] { a.getrow(points / 2); });
  s.add("sparse_columns", [&] { a(gp::slice(), gp::slice(points / 4, points / 2)); });
  const gp::ndarray<std::int64_t> order = gp::argsort(x);
  s.add("sparse_take_rows", [&] { a.take(order, 0); });
  s.add("sparse_eliminate_zeros", [&] {
    auto b = a.copy();
    b.eliminate_zeros();
  });
  s.add("sparse_vstack", [&] { vstack<format::csr>({a, a}); });
  s.add("sparse_kron", [&] { kron(a, eye<double, format::csr>(2)); });
  s.add("sparse_coo_tocsr", [&, c = a.tocoo()] { c.tocsr(); });
  // Entries in no order, some of them twice.
  const gp::ndarray<std::int32_t> row = (x * static_cast<double>(points)).astype<std::int32_t>(),
                                  column = gp::flip(row).copy();
  s.add("sparse_coo_unordered", [&] { const csr_matrix<double> m(x, {row, column}, {{points, points}}); });
  s.add("sparse_cg", [&] { gp::sparse::linalg::cg(a, x, {.rtol = 0, .maxiter = 30}); });
  s.add("sparse_gmres", [&] { gp::sparse::linalg::gmres(a, x, {.rtol = 0, .restart = 20, .maxiter = 1}); });
  const auto columns = a.tocsc();
  if (side <= 100) {
    s.add("sparse_toarray", [&] { a.toarray(); });
    s.add("sparse_from_array", [&, full = a.toarray()] { const csr_matrix<double> m(full); });
    s.add("sparse_spsolve", [&] { gp::sparse::linalg::spsolve(columns, x); });
    s.add("sparse_splu", [&] { gp::sparse::linalg::splu(columns); });
    s.add("sparse_eigsh", [&] { gp::sparse::linalg::eigsh(a, 4); });
  }
  const std::string path = (std::filesystem::temp_directory_path() / "bench_modules.mtx").string();
  mmwrite(path, a);
  s.add("sparse_mmread", [&] { mmread<double, format::coo>(path); });
  s.add("sparse_mmwrite", [&] { mmwrite(path, a); });
  std::filesystem::remove(path);
}

/// Products of matrices whose entries are anywhere, `each` in a row on average.
void unordered_products(const suite& s, std::int64_t n, std::int64_t each) {
  gp::random::Generator g = gp::random::default_rng(7);
  const gp::ndarray<std::int64_t> row = g.integers(0, n, n * each), column = g.integers(0, n, n * each);
  const gp::sparse::csr_matrix<float> a(numbers<float>(n * each), {row, column}, {{n, n}});
  const std::string name = "sparse_product_of_" + std::to_string(each);
  s.add(name, [&] { gp::matmul(a, a); });
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Times modules of the CPU backend, as peer_modules.py those of NumPy and SciPy.");
  const std::string only =
      options.value("--only", "", "run the cases whose name contains one of these, separated by commas");
  options.finish();
  gp::set_default_device(gp::device("cpu"));
  const auto sized = [&](const std::string& size) { return suite{only, size}; };
  for (const int n : {8, 32, 100, 300}) matrices(sized(std::to_string(n)), n);
  for (const std::int64_t n : {100, 10'000}) small_matrices(sized(std::to_string(n)), n);
  for (const std::int64_t n : {64, 100, 127, 1024, 1009, 8192, 65'536, 99'991, 1'048'576})
    transforms(sized(std::to_string(n)), n);
  for (const std::int64_t n : {32, 500}) transforms_of_axes(sized(std::to_string(n)), n);
  for (const std::int64_t n : {1'000, 1'000'000}) convolutions(sized(std::to_string(n)), n);
  for (const std::int64_t n : {1'000, 1'000'000}) random_numbers(sized(std::to_string(n)), n);
  for (const int side : {32, 100, 500}) sparse_matrices(sized(std::to_string(side)), side);
  for (const std::int64_t n : {1'000, 100'000})
    for (const std::int64_t each : {2, 5, 40})
      if (n * each <= 500'000) unordered_products(sized(std::to_string(n)), n, each);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
