// Matrices of a known form against NumPy and SciPy.
#include <gparray/creation/special_matrices.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace la = gp::linalg;
using complex = std::complex<double>;

namespace {
gp::ndarray<double> polynomial() { return gp::array({2., -3., 5., 7., 1., 4.}); }
}  // namespace

TEST_CASE("matrices of a known form") {
  const auto c = gp::array({1, 2, 3}), r = gp::array({9, 4, 5, 6});
  GOLDEN("sla.toeplitz(A([1, 2, 3]))", la::toeplitz(c));
  GOLDEN("sla.toeplitz(A([1, 2, 3]), A([9, 4, 5, 6]))", la::toeplitz(c, r));
  GOLDEN("sla.toeplitz(A([1, 2j, 3 + 1j]))",
         la::toeplitz(gp::array<complex>({1., complex(0, 2), complex(3, 1)})));
  GOLDEN("sla.toeplitz(A([1]), A([1., 2.5]))", la::toeplitz(gp::array({1}), gp::array({1., 2.5})));
  GOLDEN("sla.circulant(A([1, 2, 3]))", la::circulant(c));
  GOLDEN("sla.hankel(A([1, 2, 3]))", la::hankel(c));
  GOLDEN("sla.hankel(A([1, 2, 3]), A([9, 4, 5, 6]))", la::hankel(c, r));
  GOLDEN("sla.hadamard(8)", la::hadamard(8));
  GOLDEN("sla.hadamard(1, dtype='f4')", la::hadamard<float>(1));
  GOLDEN_THROWS("sla.hadamard(6)", la::hadamard(6));
  GOLDEN("sla.helmert(4)", la::helmert(4));
  GOLDEN("sla.helmert(3, full=True)", la::helmert(3, true));
  GOLDEN("sla.hilbert(4)", la::hilbert(4));
  CHECK(gp::array_equal(la::hilbert(70), 1.0 / (gp::arange(70).reshape({70, 1}) + gp::arange(70) + 1)));
  CHECK(la::hilbert(0).shape() == gp::dims{0, 0});
  GOLDEN("sla.fiedler(A([1, 4, 12, 45]))", la::fiedler(gp::array({1, 4, 12, 45})));
  GOLDEN("sla.leslie(A([.1, 2., 1., .1]), A([.2, .8, .7]))",
         la::leslie(gp::array({.1, 2., 1., .1}), gp::array({.2, .8, .7})));
  GOLDEN_THROWS("sla.leslie(A([.1, 2.]), A([.2, .8, .7]))",
                la::leslie(gp::array({.1, 2.}), gp::array({.2, .8, .7})));
  GOLDEN("sla.companion(A([2., -3, 5, 7, 1, 4]))", la::companion(polynomial()));
  GOLDEN("sla.companion(A([2, -3]))", la::companion(gp::array({2, -3})));
  GOLDEN_THROWS("sla.companion(A([0., 1]))", la::companion(gp::array({0., 1.})));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5, 7, 1, 4]))", la::fiedler_companion(polynomial()));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5, 7, 1]))",
         la::fiedler_companion(polynomial()(gp::slice(gp::none, 5))));
  GOLDEN("sla.fiedler_companion(A([2., -3, 5]))",
         la::fiedler_companion(polynomial()(gp::slice(gp::none, 3))));
  GOLDEN("sla.fiedler_companion(A([2., -3]))", la::fiedler_companion(gp::array({2., -3.})));
  GOLDEN("sla.fiedler_companion(A([2.]))", la::fiedler_companion(gp::array({2.})));
  GOLDEN_THROWS("sla.fiedler_companion(A([0., 1, 2]))", la::fiedler_companion(gp::array({0., 1., 2.})));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4)", la::convolution_matrix(c, 4));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4, 'same')", la::convolution_matrix(c, 4, "same"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 4, 'valid')", la::convolution_matrix(c, 4, "valid"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 2, 'valid')", la::convolution_matrix(c, 2, "valid"));
  GOLDEN("sla.convolution_matrix(A([1, 2, 3]), 1, 'same')", la::convolution_matrix(c, 1, "same"));
  GOLDEN_THROWS("sla.convolution_matrix(A([1, 2, 3]), 0)", la::convolution_matrix(c, 0));
  // SciPy multiplies powers of one root, n - 1 times at most.
  GOLDEN_NEAR("sla.dft(5)", 16, la::dft(5));
  GOLDEN_NEAR("sla.dft(4, scale='sqrtn')", 16, la::dft(4, "sqrtn"));
  GOLDEN_NEAR("sla.dft(3, scale='n')", 16, la::dft(3, "n"));
  CHECK_THROWS_AS(la::dft(3, "m"), gp::value_error);
  GOLDEN("sla.khatri_rao(a, np.arange(12).reshape(4, 3))",
         la::khatri_rao(gp::arange(6).reshape({2, 3}), gp::arange(12).reshape({4, 3})));
  GOLDEN_THROWS("sla.khatri_rao(a, a.T)",
                la::khatri_rao(gp::arange(6).reshape({2, 3}), gp::arange(6).reshape({3, 2})));
  GOLDEN("sla.block_diag(a, A([1, 2.5]), A([[7]]))",
         la::block_diag(gp::arange(6).reshape({2, 3}), gp::array({1., 2.5}), gp::array({{7}})));
  const auto band = gp::triu(gp::tril(gp::ones({5, 6}), 1), -2);
  const auto [lower, upper] = la::bandwidth(band);
  CHECK(lower == 2);
  CHECK(upper == 1);
  CHECK(la::bandwidth(gp::zeros({3, 3})).lower == 0);
  CHECK(la::bandwidth(gp::eye(3, gp::none, 2)).upper == 2);
  CHECK_THROWS_AS(la::bandwidth(gp::zeros(3)), gp::value_error);
}
