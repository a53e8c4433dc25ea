// cross, kron, matrix powers, chains, tensor equations and the exponential agree with NumPy and SciPy.
#include "support/linalg.hpp"

using namespace golden_linalg;

namespace {
using c128 = std::complex<double>;
}

TEST_CASE("cross") {
  NEAR("np.cross(F((3,)), F((2, 3)))", gp::cross(F({3}), F({2, 3})));
  NEAR("np.cross(F((3, 2)), F((3, 2)) + 1, axis=0)", gp::cross(F({3, 2}), F({3, 2}) + 1, {.axis = 0}));
  NEAR("np.cross(F((3, 2)), F((2, 3)), axisa=0, axisc=0)",
       gp::cross(F({3, 2}), F({2, 3}), {.axisa = 0, .axisc = 0}));
  NEAR("np.cross(F((4, 1, 3), 'D'), F((5, 3), 'f'))", gp::cross(F<c128>({4, 1, 3}), F<float>({5, 3})));
  NEAR("np.cross(F((4, 2)), F((3,)))", gp::cross(F({4, 2}), F({3})));
  NEAR("np.cross(F((4, 2)), F((4, 2)) * 2 + 1)", gp::cross(F({4, 2}), F({4, 2}) * 2 + 1));
  NEAR("la.cross(A([1, 2, 3]), A([4, 5, 6]))",
       linalg::cross(gp::ndarray<std::int64_t>{1, 2, 3}, gp::ndarray<std::int64_t>{4, 5, 6}));
  NEAR_THROWS("np.cross(F((4,)), F((3,)))", gp::cross(F({4}), F({3})));
  NEAR_THROWS("la.cross(F((4,)), F((3,)))", linalg::cross(F({4}), F({3})));
  NEAR_THROWS("la.cross(F((2, 3)), F((3, 2)), axis=0)", linalg::cross(F({2, 3}), F({3, 2}), 0));
}

TEST_CASE("kron, outer, trace, diagonal") {
  NEAR("np.kron(F((2, 3)), F((4, 5)))", gp::kron(F({2, 3}), F({4, 5})));
  NEAR("np.kron(F((3,)), F((2, 2), 'D'))", gp::kron(F({3}), F<c128>({2, 2})));
  NEAR("np.kron(F((2, 1, 2), 'i'), F((3,), 'i'))", gp::kron(F<int>({2, 1, 2}), F<int>({3})));
  NEAR("np.kron(F((2, 0)), F((2, 2)))", gp::kron(F({2, 0}), F({2, 2})));
  NEAR("la.outer(F((2,)), F((3,)))", linalg::outer(F({2}), F({3})));
  NEAR("la.trace(F((2, 3, 4)), offset=1)", linalg::trace(F({2, 3, 4}), 1));
  NEAR("la.trace(F((2, 3, 4), 'i'))", linalg::trace(F<int>({2, 3, 4})));
  NEAR("la.diagonal(F((2, 3, 4)), offset=-1)", linalg::diagonal(F({2, 3, 4}), -1));
  NEAR("la.vecdot(F((2, 3), 'D'), F((3,)))", linalg::vecdot(F<c128>({2, 3}), F({3})));
  NEAR_THROWS("la.outer(F((2, 2)), F((3,)))", linalg::outer(F({2, 2}), F({3})));
  NEAR_THROWS("la.trace(F((3,)))", linalg::trace(F({3})));
}

TEST_CASE("matrix_power") {
  NEAR("la.matrix_power(F((3, 3)), 0)", linalg::matrix_power(F({3, 3}), 0));
  NEAR("la.matrix_power(F((2, 3, 3), 'i'), 0)", linalg::matrix_power(F<int>({2, 3, 3}), 0));
  NEAR("la.matrix_power(F((3, 3)), 1)", linalg::matrix_power(F({3, 3}), 1));
  NEAR("la.matrix_power(F((3, 3), 'i'), 2)", linalg::matrix_power(F<int>({3, 3}), 2));
  NEAR("la.matrix_power(F((3, 3), 'i'), 3)", linalg::matrix_power(F<int>({3, 3}), 3));
  NEAR("la.matrix_power(F((2, 3, 3), 'D'), 7)", linalg::matrix_power(F<c128>({2, 3, 3}), 7));
  NEAR("la.matrix_power(A([[1, 1], [0, 1]]), -2)",
       linalg::matrix_power(gp::ndarray<double>{{1., 1.}, {0., 1.}}, -2));
  NEAR("la.matrix_power(F((3, 3)), -3)", linalg::matrix_power(F({3, 3}), -3));
  CHECK_THROWS_AS(linalg::matrix_power(F<int>({3, 3}), -1), gp::type_error);
  NEAR_THROWS("la.matrix_power(F((2, 3)), 2)", linalg::matrix_power(F({2, 3}), 2));
  NEAR_THROWS("la.matrix_power(np.ones((2, 2)), -1)", linalg::matrix_power(gp::ones({2, 2}), -1));
}

TEST_CASE("multi_dot") {
  NEAR("la.multi_dot([F((2, 3)), F((3, 4))])", linalg::multi_dot(F({2, 3}), F({3, 4})));
  NEAR("la.multi_dot([F((2, 5)), F((5, 3)), F((3, 6)), F((6, 1))])",
       linalg::multi_dot(F({2, 5}), F({5, 3}), F({3, 6}), F({6, 1})));
  NEAR("la.multi_dot([F((3,)), F((3, 4), 'f'), F((4,))])",
       linalg::multi_dot(F({3}), F<float>({3, 4}), F({4})));
  NEAR("la.multi_dot([F((3,)), F((3, 4))])", linalg::multi_dot(F({3}), F({3, 4})));
  // An order that costs nothing is the cheapest, and of several as cheap as another the first: a (b c) for
  // three.
  const auto infinite = gp::full({3, 2}, std::numeric_limits<double>::infinity());
  CHECK(gp::all(linalg::multi_dot(gp::ones({2, 0}), gp::ones({0, 3}), infinite) == 0.).item());
  CHECK(gp::all(linalg::multi_dot(infinite.T(), gp::ones({3, 0}), gp::ones({0, 3})) == 0.).item());
  CHECK(
      linalg::multi_dot(gp::full({1, 1}, 1e200), gp::full({1, 1}, 1e200), gp::full({1, 1}, 1e-200)).item() ==
      1e200);
  CHECK_THROWS_WITH_AS(linalg::multi_dot(std::vector{F({2, 3})}), "Expecting at least two arrays.",
                       gp::value_error);
  NEAR_THROWS("la.multi_dot([F((2, 3)), F((2, 3)), F((2, 3))])",
              linalg::multi_dot(F({2, 3}), F({2, 3}), F({2, 3})));
  NEAR_THROWS("la.multi_dot([F((2, 3)), F((3, 3, 3)), F((3, 3))])",
              linalg::multi_dot(F({2, 3}), F({3, 3, 3}), F({3, 3})));
}

TEST_CASE("tensorsolve and tensorinv") {
  NEAR("la.tensorsolve(F((2, 3, 6)), F((2, 3)))", linalg::tensorsolve(F({2, 3, 6}), F({2, 3})));
  NEAR("la.tensorsolve(F((6, 2, 3)), F((6,)))", linalg::tensorsolve(F({6, 2, 3}), F({6})));
  NEAR("la.tensorsolve(F((3, 6, 2)), F((6,)), axes=(0, 2))",
       linalg::tensorsolve(F({3, 6, 2}), F({6}), {.axes = gp::dims{0, 2}}));
  NEAR("la.tensorinv(F((2, 3, 6)))", linalg::tensorinv(F({2, 3, 6})));
  NEAR("la.tensorinv(F((5, 5)), ind=1)", linalg::tensorinv(F({5, 5}), {.ind = 1}));
  NEAR_THROWS("la.tensorsolve(F((2, 3)), F((2,)))", linalg::tensorsolve(F({2, 3}), F({2})));
  NEAR_THROWS("la.tensorinv(F((2, 3)), ind=0)", linalg::tensorinv(F({2, 3}), {.ind = 0}));
  NEAR_THROWS("la.tensorinv(F((2, 3)), ind=1)", linalg::tensorinv(F({2, 3}), {.ind = 1}));
}

TEST_CASE("expm") {
  // The condition number of exp at a is at least |a|_1; squaring adds an error for each of s squarings, so
  // the bound is 2^s eps, with s = log2(|a| / 5.4) < 3 here.
  NEAR("sl.expm(F((3, 3)) / 4)", linalg::expm(F({3, 3}) / 4), 1000);
  NEAR("sl.expm(F((3, 3), 'D') / 3)", linalg::expm(F<c128>({3, 3}) / 3.), 1000);
  NEAR("sl.expm(F((2, 3, 3)) * A([[[.01]], [[1.]]]))",
       linalg::expm(F({2, 3, 3}) * gp::ndarray<double>{{{.01}}, {{1.}}}), 1000);
  NEAR("sl.expm(F((3, 3), 'f') / 4)", linalg::expm(F<float>({3, 3}) / 4.f), 1000);
  // Nearly a third of a turn, so that the denominator, half a turn of that back, has its rows exchanged
  // twice.
  const gp::ndarray<double> turn = gp::ndarray<double>{{0., -1., 1.}, {1., 0., -1.}, {-1., 1., 0.}} * 2.4;
  NEAR("sl.expm(A([[0., -1, 1], [1, 0, -1], [-1, 1, 0]]) * 2.4)", linalg::expm(turn), 1000);
  NEAR("sl.expm(A([[0., -1, 1], [1, 0, -1], [-1, 1, 0]]).T * 2.4)", linalg::expm(turn.T()), 1000);
  NEAR("sl.expm(np.zeros((2, 2)))", linalg::expm(gp::zeros({2, 2})));
  CHECK(linalg::expm(gp::zeros({0, 0})).shape() == gp::dims{0, 0});
  CHECK(linalg::expm(gp::zeros({3, 0, 0})).shape() == gp::dims{3, 0, 0});
  NEAR_THROWS("la.inv(F((2, 3)))", linalg::expm(F({2, 3})));
}

TEST_CASE_TEMPLATE("expm of every size: block by block, and many at a time", V, double, float, c128) {
  // Neither depends on what else is in the matrix or the batch, on the CPU to the bit (cuBLAS has other
  // routines for batches); errors as above, with |a| < 7.
  for (const std::int64_t n : {1, 2, 8, 9, 33, 64, 65}) {
    CAPTURE(n);
    const gp::ndarray<V> a = F<V>({n, n}) * V(static_cast<float>(3) / static_cast<float>(n));
    gp::ndarray<V> both = gp::zeros<V>({100, 100});
    both(gp::slice(0, n), gp::slice(0, n)) = a;
    const gp::ndarray<V> small = linalg::expm(a), large = linalg::expm(both);
    const auto is_near = [](const gp::ndarray<V>& x, const gp::ndarray<V>& y) {
      const auto error = static_cast<double>(gp::max(gp::abs(x - y)).item());
      return error <= 1000 * gp::finfo<V>::eps * static_cast<double>(gp::max(gp::abs(y)).item());
    };
    const auto is_same = [&](const gp::ndarray<V>& x, const gp::ndarray<V>& y) {
      return x.device().is_cpu() ? gp::array_equal(x, y) : is_near(x, y);
    };
    CHECK(is_near(large(gp::slice(0, n), gp::slice(0, n)), small));
    const gp::ndarray<V> batch = linalg::expm(gp::stack({a, a.T(), a}));
    CHECK(is_same(batch(0), small));
    CHECK(is_same(batch(2), small));
    CHECK(is_same(batch(1), linalg::expm(a.T().copy(gp::order::C))));
  }
  const V nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(gp::all(gp::isnan(linalg::expm(gp::full<V>({2, 2}, nan)))).item());
}
