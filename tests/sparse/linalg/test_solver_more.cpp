// expm_multiply, spsolve with sparse right-hand sides and spilu agree with SciPy.
#include <gparray/sparse/linalg.hpp>

#include "support/solvers.hpp"

using namespace golden_linalg;
namespace sparse = gparray::sparse;

namespace {
using c128 = std::complex<double>;
}

TEST_CASE("expm_multiply: dense and sparse, vectors and matrices") {
  NEAR("ssl.expm_multiply(L(8), F((8,)))", ssl::expm_multiply(L(8), F({8})));
  NEAR("ssl.expm_multiply(sp.csr_array(N(12)), F((12,)))",
       ssl::expm_multiply(sparse::csr_matrix<double>(N(12)), F({12})));
  NEAR("ssl.expm_multiply(sp.csr_array(N(12)), F((12,)))",
       ssl::expm_multiply(sparse::dia_matrix<double>(N(12)), F({12})));
  NEAR("ssl.expm_multiply(-3 * sp.csr_array(N(12)), F((12, 3)))",
       ssl::expm_multiply(sparse::csc_matrix<double>(-3. * N(12)), F({12, 3})));
  NEAR("ssl.expm_multiply(sp.csr_array(N(5, 'D')), F((5,), 'D'))",
       ssl::expm_multiply(sparse::csr_matrix<c128>(N<c128>(5)), F<c128>({5})));
  // 30 steps, each of which may add rounding of the largest numbers.
  NEAR("ssl.expm_multiply(20 * N(6), F((6,)))", ssl::expm_multiply(gp::ndarray<double>(20. * N(6)), F({6})));
  NEAR("ssl.expm_multiply(np.zeros((3, 3)), F((3,)))", ssl::expm_multiply(gp::zeros({3, 3}), F({3})));
  const auto x = ssl::expm_multiply(sparse::csr_matrix<float>(N<float>(12)), F<float>({12}));
  CHECK(x.dtype() == gp::dtype::float32);
  const auto exact = ssl::expm_multiply(N(12), F({12}));
  // Some 50 products with a norm of 8, of which rounding adds up.
  CHECK(gp::max(gp::abs(x - exact)).item() <= 400 * 0x1p-23 * gp::max(gp::abs(exact)).item());
}

TEST_CASE("expm_multiply at several times") {
  NEAR("ssl.expm_multiply(-L(6), F((6,)), start=0, stop=2, num=5)",
       ssl::expm_multiply(gp::ndarray<double>(-L(6)), F({6}), 0, 2, 5));
  NEAR("ssl.expm_multiply(sp.csr_array(-L(6)), F((6, 2)), start=.5, stop=1, num=3, endpoint=False)",
       ssl::expm_multiply(sparse::csr_matrix<double>(-L(6)), F({6, 2}), .5, 1, 3, false));
  CHECK(ssl::expm_multiply(L(3), F({3}), 1, 2, 1).shape() == gp::dims{1, 3});
  CHECK_THROWS_AS(ssl::expm_multiply(L(3), F({4})), gp::value_error);
  CHECK_THROWS_AS(ssl::expm_multiply(F({3, 4}), F({4})), gp::value_error);
  CHECK_THROWS_AS(ssl::expm_multiply(L(3), F({3}), 0, 1, 0), gp::value_error);
  CHECK_THROWS_AS(ssl::expm_multiply(gp::full({2, 2}, gp::inf), F({2})), gp::value_error);
}

TEST_CASE("spsolve with sparse right-hand sides") {
  const sparse::csc_matrix<double> a(N(12));
  const sparse::csr_matrix<double> b(gp::ndarray<double>(gp::eye(12, 5) + 2. * gp::eye(12, 5, -3)));
  const auto x = ssl::spsolve(a, b);
  static_assert(std::is_same_v<decltype(x), const sparse::csc_matrix<double>>);
  NEAR("ssl.spsolve(sp.csc_array(N(12)), sp.csc_array(np.eye(12, 5) + 2 * np.eye(12, 5, -3))).toarray()",
       x.toarray());
  // More columns than are solved at once.
  const auto inverse = ssl::spsolve(sparse::csr_matrix<double>(N(150)), sparse::eye(150));
  CHECK(inverse.format_of == sparse::format::csr);
  const auto rest = gp::abs(gp::matmul(N(150), inverse.toarray()) - gp::eye(150));
  CHECK(gp::max(rest).item() < 400 * 0x1p-52);
  CHECK(ssl::spsolve(a, sparse::csr_matrix<double>(gp::dims{12, 0})).shape() == gp::dims{12, 0});
  CHECK_THROWS_AS(ssl::spsolve(a, sparse::csr_matrix<double>(gp::dims{11, 2})), gp::value_error);
}

TEST_CASE("spilu: incomplete factors") {
  const sparse::csc_matrix<double> a(N(12));
  // Nothing is dropped: the factors are those of splu, but for another threshold of pivots.
  const auto all = ssl::spilu(a, {.drop_tol = 0, .fill_factor = 100});
  NEAR("ssl.spilu(sp.csc_array(N(12)), drop_tol=0, fill_factor=100).solve(F((12,)))", all.solve(F({12})));
  NEAR("ssl.splu(sp.csc_array(N(12))).solve(F((12,)))", all.solve(F({12})));
  const auto rough = ssl::spilu(a, {.drop_tol = .2, .fill_factor = 2, .drop_rule = "basic"});
  NEAR("ssl.spilu(sp.csc_array(N(12)), drop_tol=.2, fill_factor=2, drop_rule='basic').solve(F((12,)))",
       rough.solve(F({12})));
  NEAR("ssl.spilu(sp.csc_array(N(12)), drop_tol=.2, fill_factor=2, drop_rule='basic').solve(F((12, 2)), 'T')",
       rough.solve(F({12, 2}), 'T'));
  CHECK(rough.nnz() < all.nnz());
  const auto side = sparse::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{30, 30});
  const sparse::csr_matrix<double> grid = sparse::kronsum(side, side);
  const auto factors = ssl::spilu(grid, {.drop_tol = .01});
  const ssl::LinearOperator<double> near_inverse(
      grid.shape(), [factors](const gp::ndarray<double>& x) { return factors.solve(x); });
  const auto count = [&](const std::optional<ssl::LinearOperator<double>>& m) {
    std::int64_t steps = 0;
    ssl::iterative_options<double> o{.rtol = 1e-8, .M = m};
    o.callback = [&](const auto&) { ++steps; };
    CHECK(ssl::bicgstab(grid, gp::ones(900), o).info == 0);
    return steps;
  };
  CHECK(count(near_inverse) < count({}) / 3);
  CHECK_THROWS_AS(ssl::spilu(a, {.drop_tol = -1}), gp::value_error);
  CHECK_THROWS_AS(ssl::spilu(a, {.fill_factor = .5}), gp::value_error);
  CHECK_THROWS_AS(ssl::spilu(a, {.drop_rule = "basic,best"}), gp::value_error);
  CHECK_THROWS_AS(ssl::spilu(sparse::csc_matrix<double>(gp::dims{2, 3})), gp::value_error);
}
