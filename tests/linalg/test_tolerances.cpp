// Tolerances of pinv and matrix_rank: numbers, and arrays of one for each matrix of a batch; the results are
// NumPy's.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
namespace linalg = gp::linalg;
using numbers = std::vector<std::int64_t>;

namespace {

/// Two diagonal matrices: 4, 2, 1 and 8, 1, 1/2.
gp::ndarray<double> batch() {
  const gp::ndarray<double> a = gp::zeros({2, 3, 3});
  gp::einsum("ijj->ij", a)(gp::all) = gp::ndarray<double>{{4, 2, 1}, {8, 1, 0.5}};
  return a;
}

std::vector<double> inverses(const gp::ndarray<double>& pinv) {
  return gp::round(gp::diagonal(pinv, 0, 1, 2), 12).to_vector();
}

}  // namespace

TEST_CASE("ranks by tolerances of each matrix") {
  const auto a = batch();
  CHECK(linalg::matrix_rank(a, {.tol = gp::array({1.5, 0.75})}).to_vector() == numbers{2, 2});
  CHECK(linalg::matrix_rank(a, {.tol = 1}).to_vector() == numbers{2, 1});
  CHECK(linalg::matrix_rank(a, {.rtol = gp::array({.3, .1})}).to_vector() == numbers{2, 2});
  CHECK(linalg::matrix_rank(a, {.rtol = gp::array(.3)}).to_vector() == numbers{2, 1});
  CHECK(linalg::matrix_rank(a, {.rtol = .3}).to_vector() == numbers{2, 1});
  CHECK(linalg::matrix_rank(a, {.tol = gp::array({1.5, 0.75}), .hermitian = true}).to_vector() ==
        numbers{2, 2});
  CHECK(linalg::matrix_rank(a).to_vector() == numbers{3, 3});
  // Tolerances and matrices broadcast.
  CHECK(linalg::matrix_rank(a("0"), {.tol = gp::array({.5, 1., 3.})}).to_vector() == numbers{3, 2, 1});
  CHECK(linalg::matrix_rank(a, {.tol = gp::array({{.5}, {3.}})}).to_vector() == numbers{3, 2, 1, 1});
  CHECK(linalg::matrix_rank(a, {.tol = gp::array({1, 2})}).to_vector() == numbers{2, 1});  // integers
  // Compared in float64, where float(0.1) is above 0.1.
  CHECK(linalg::matrix_rank(gp::diag(gp::ndarray<float>{1.f, .1f}), {.tol = .1}).item() == 2);
  CHECK_THROWS_AS((void)linalg::matrix_rank(a, {.tol = 1, .rtol = 1}), gp::value_error);
  CHECK_THROWS_AS((void)linalg::matrix_rank(a, {.tol = gp::ones({3})}), gp::value_error);
}

TEST_CASE("pseudo-inverses by tolerances of each matrix") {
  const auto a = batch();
  CHECK(inverses(linalg::pinv(a, {.rcond = gp::array({.3, .1})})) ==
        std::vector<double>{.25, .5, 0, .125, 1, 0});
  CHECK(inverses(linalg::pinv(a, {.rtol = gp::array({.3, .1})})) ==
        std::vector<double>{.25, .5, 0, .125, 1, 0});
  CHECK(inverses(linalg::pinv(a, {.rtol = .3})) == std::vector<double>{.25, .5, 0, .125, 0, 0});
  CHECK(inverses(linalg::pinv(a, {.rcond = gp::array({.3, .1}), .hermitian = true})) ==
        std::vector<double>{.25, .5, 0, .125, 1, 0});
  // 1e-15 by default; none is max(M, N) * eps.
  const gp::ndarray<double> thin = gp::diag(gp::ndarray<double>{1, 4.2e-16});
  CHECK(linalg::pinv(thin)(1, 1).item() == 0);
  CHECK(linalg::pinv(gp::diag(gp::ndarray<double>{1, 3e-15}))(1, 1).item() > 3e14);
  CHECK(linalg::pinv(thin, {.rtol = gp::none})(1, 1).item() == 0);
  CHECK(linalg::pinv(gp::diag(gp::ndarray<double>{1, 5e-16}), {.rtol = gp::none})(1, 1).item() > 1e15);
  CHECK_THROWS_AS((void)linalg::pinv(a, {.rcond = 1, .rtol = 1}), gp::value_error);
  CHECK_THROWS_AS((void)linalg::pinv(a, {.rcond = gp::ones({3})}), gp::value_error);
  CHECK_THROWS_AS((void)linalg::pinv(a("0"), {.rcond = gp::full({2}, .3)}), gp::value_error);
}
