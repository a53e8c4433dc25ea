// lobpcg, and eigsh of generalised problems, find the eigenvalues that dense routines find, and vectors that
// belong to them.
#include <gparray/sparse/linalg.hpp>

#include "support/solvers.hpp"

using namespace golden_linalg;
namespace sparse = gparray::sparse;

namespace {

using c128 = std::complex<double>;

/// Eigenvalues have errors of eps |A|, and |A| is 4 where the least ones are from 0.004 on: of these, some
/// 1000 eps for each of a few roundings.
constexpr double of_least = 4000;

/// Columns that are far from eigenvectors.
template<gp::element V = double>
gp::ndarray<V> start(std::int64_t n, std::int64_t k) {
  return gp::random::default_rng(3).normal(0., 1., {n, k}).template astype<V>();
}

/// The largest residual |A v - w B v|.
template<gp::element V, gp::element R>
double residual(const gp::ndarray<V>& a, const gp::ndarray<V>& b, const gp::ndarray<R>& w,
                const gp::ndarray<V>& v) {
  const gp::ndarray<V> rest = gp::matmul(a, v) - gp::matmul(b, v) * w;
  return gp::max(linalg::norm(rest, 2, 0)).item();
}

}  // namespace

TEST_CASE("lobpcg: both ends, real and complex") {
  const auto a = L(60);
  const sparse::csr_matrix<double> s(a);
  const auto least = ssl::lobpcg(s, start(60, 3), {.tol = 1e-9, .maxiter = 200, .largest = false});
  NEAR("np.linalg.eigvalsh(L(60))[:3]", least.w, of_least);
  CHECK(residual(a, gp::eye(60), least.w, least.v) <= 1.1e-9);
  CHECK(least.iterations < 200);
  CHECK(least.residual_norms.size() == 3);
  const auto most = ssl::lobpcg(a, start(60, 2), {.tol = 1e-9, .maxiter = 200});
  NEAR("np.linalg.eigvalsh(L(60))[:-3:-1]", most.w);
  CHECK(gp::max(gp::abs(gp::matmul(most.v.T(), most.v) - gp::eye(2))).item() < 1e-13);
  const auto h = P<c128>(10);
  const auto c = ssl::lobpcg(h, start<c128>(10, 2), {.tol = 1e-8, .maxiter = 100});
  NEAR("np.linalg.eigvalsh(P(10, 'D'))[:-3:-1]", c.w);
}

TEST_CASE("lobpcg: preconditioner, mass matrix and constraints") {
  const auto a = L(90);
  const auto factors = ssl::splu(sparse::csc_matrix<double>(a));
  const ssl::LinearOperator<double> inverse(
      gp::dims{90, 90}, [factors](const gp::ndarray<double>& x) { return factors.solve(x); });
  const auto plain = ssl::lobpcg(a, start(90, 2), {.tol = 1e-8, .maxiter = 500, .largest = false});
  const auto fast =
      ssl::lobpcg(a, start(90, 2), {.M = inverse, .tol = 1e-8, .maxiter = 500, .largest = false});
  NEAR("np.linalg.eigvalsh(L(90))[:2]", fast.w, of_least);
  CHECK(fast.iterations < plain.iterations / 2);
  // Finite elements of degree 1 for a string.
  const gp::ndarray<double> mass = (6. * gp::eye(90) - L(90)) / 6.;
  const auto b = ssl::lobpcg(
      a, start(90, 2),
      {.B = ssl::aslinearoperator(mass), .M = inverse, .tol = 1e-8, .maxiter = 200, .largest = false});
  NEAR("sl.eigh(L(90), (6 * np.eye(90) - L(90)) / 6, eigvals_only=True)[:2]", b.w, of_least);
  CHECK(residual(a, mass, b.w, b.v) <= 1.1e-8);
  CHECK(gp::max(gp::abs(gp::matmul(b.v.T(), gp::matmul(mass, b.v)) - gp::eye(2))).item() < 1e-12);
  const auto third = ssl::lobpcg(a, start(90, 1),
                                 {.M = inverse, .Y = fast.v, .tol = 1e-8, .maxiter = 200, .largest = false});
  NEAR("np.linalg.eigvalsh(L(90))[2:3]", third.w, of_least);
}

TEST_CASE("lobpcg: what it refuses") {
  CHECK_THROWS_AS(ssl::lobpcg(L(5), start(5, 2)), gp::value_error);
  CHECK_THROWS_AS(ssl::lobpcg(F({5, 4}), start(5, 1)), gp::value_error);
  CHECK_THROWS_AS(ssl::lobpcg(L(6), start(5, 1)), gp::value_error);
  CHECK_THROWS_AS(ssl::lobpcg(L(9), gp::ones({9, 2})), gp::linalg_error);
  CHECK(ssl::lobpcg(L(30), start(30, 1), {.maxiter = 1}).iterations == 1);
}

TEST_CASE("eigsh of a generalised problem") {
  const sparse::csr_matrix<double> a(L(40));
  const gp::ndarray<double> mass = (6. * gp::eye(40) - L(40)) / 6.;
  const sparse::csc_matrix<double> m(mass);
  // The condition of M is 3, that of its factor 2.
  const auto large = ssl::eigsh(a, 3, {.M = m});
  NEAR("ssl.eigsh(L(40), 3, M=(6 * np.eye(40) - L(40)) / 6)[0]", large.w);
  CHECK(residual(L(40), mass, large.w, large.v) < 400 * 0x1p-52 * 12);
  CHECK(gp::max(gp::abs(gp::matmul(large.v.T(), gp::matmul(mass, large.v)) - gp::eye(3))).item() < 1e-13);
  NEAR("ssl.eigsh(L(40), 3, M=(6 * np.eye(40) - L(40)) / 6, sigma=1.)[0]",
       ssl::eigsh(L(40), 3, {.M = m, .sigma = 1.}).w);
  NEAR("ssl.eigsh(L(40), 3, M=(6 * np.eye(40) - L(40)) / 6, sigma=1.)[0]",
       ssl::eigsh(a, 3, {.M = m, .sigma = 1.}).w);
  // Errors of n eps |M^-1 A|, which is 12, where the larger of these two is 0.0235: 40 * 12 / 0.0235.
  NEAR("ssl.eigsh(L(40), 2, M=(6 * np.eye(40) - L(40)) / 6, which='SA')[0]",
       ssl::eigsh(a, 2, {.M = m, .which = "SA", .return_eigenvectors = false}).w, 20400);
  // A mass matrix in no order: its factors are of another one.
  const auto arrow = gp::eye(30) * 40.;
  arrow(0) = 1.;
  arrow(gp::all, 0) = 1.;
  arrow(0, 0) = 40.;
  const sparse::csc_matrix<c128> complex_mass(arrow.astype<c128>());
  const auto w = ssl::eigsh(H<c128>(30), 3, {.M = complex_mass});
  CHECK(residual(H<c128>(30), gp::ndarray<c128>(arrow.astype<c128>()), w.w, w.v) < 1e-12);
  CHECK_THROWS_WITH_AS(ssl::eigsh(a, 3, {.M = sparse::csc_matrix<double>(-mass)}),
                       "Matrix is not positive definite", gp::linalg_error);
  CHECK_THROWS_AS(ssl::eigsh(a, 3, {.M = sparse::csc_matrix<double>(gp::dims{39, 39})}), gp::value_error);
}

TEST_CASE("lobpcg: a vector that is exact from the beginning, beside one that is not") {
  const gp::ndarray<double> values = gp::arange<double>(12, 0, -1);
  gp::ndarray<double> x = gp::zeros<double>({12, 2});
  x(0, 0) = 1;
  x(gp::slice(1, gp::none), 1) = gp::linspace(1., 2., 11);
  const auto most =
      ssl::lobpcg(sparse::csr_matrix<double>(gp::diag(values)), x, {.tol = 1e-9, .maxiter = 100});
  CHECK(most.w.item(0) == doctest::Approx(12));
  CHECK(most.w.item(1) == doctest::Approx(11));
  CHECK(std::abs(most.v.item(0, 0)) == doctest::Approx(1));
  CHECK(std::abs(most.v.item(1, 1)) == doctest::Approx(1));
}
