// Cumulative functions, differences, gradients, averages and integrals against NumPy.
#include <cmath>
#include <limits>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {
const double NaN = std::nan(""), INF = std::numeric_limits<double>::infinity();
gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
}  // namespace

TEST_CASE("cumulative functions") {
  const auto a = matrix();
  GOLDEN("np.cumsum(A([[1, 2], [3, 4]]))", gp::cumsum(gp::array({{1, 2}, {3, 4}})));
  GOLDEN("np.cumsum(a, axis=0)", gp::cumsum(a, 0));
  GOLDEN("np.cumsum(a.T, axis=0)", gp::cumsum(a.T(), 0));
  GOLDEN("np.cumsum(t, axis=1)", gp::cumsum(cube(), 1));
  GOLDEN("np.cumsum(t[:, ::-1, ::2], axis=-1)", gp::cumsum(cube()(":, ::-1, ::2"), -1));
  GOLDEN("np.cumsum(A([1, 2], 'i1'))", gp::cumsum(gp::array<std::int8_t>({1, 2})));
  GOLDEN("np.cumsum(A([100, 100], 'i1'), dtype='i1')",
         gp::cumsum<std::int8_t>(gp::array<std::int8_t>({100, 100})));
  GOLDEN("np.cumsum(A([True, True]))", gp::cumsum(gp::array({true, true})));
  // A GPU adds in another order than one by one, which is NumPy's.
  if (gp::default_device().is_cpu()) {
    GOLDEN("np.cumsum(A([.1] * 10))", gp::cumsum(gp::full(10, .1)));
    GOLDEN("np.cumsum(A([.1] * 10, 'f4'))", gp::cumsum(gp::full<float>(10, .1)));
    GOLDEN("np.cumsum(A([.1] * 10, 'f2'))", gp::cumsum(gp::full<gp::float16>(10, .1)));
  }
  const auto sums = gp::cumsum(gp::full(1000, .1)).to_vector();
  for (int i = 0; i < 1000;
       ++i) {  // i additions, each off by at most half an epsilon of a sum of at most the last
    CAPTURE(i);
    CHECK(std::abs(sums[static_cast<std::size_t>(i)] - (i + 1) * .1) <=
          (i + 1) * gp::finfo<double>::eps / 2 * (i + 1) * .1 + gp::finfo<double>::eps * (i + 1) * .1);
  }
  GOLDEN("np.cumsum(A([.1] * 10, 'f4'), dtype='f8')", gp::cumsum<double>(gp::full<float>(10, .1)));
  GOLDEN("np.cumsum(A([1, 2j]))",
         gp::cumsum(gp::array<std::complex<double>>({1., std::complex<double>(0, 2)})));
  GOLDEN("np.cumsum(A(5))", gp::cumsum(gp::array(5)));
  GOLDEN("np.cumsum(A(5), axis=0)", gp::cumsum(gp::array(5), 0));
  GOLDEN("np.cumsum(np.ones((0, 2)), axis=1)", gp::cumsum(gp::ones({0, 2}), 1));
  GOLDEN("np.cumsum(a * 2 + 1)", gp::cumsum(a * 2 + 1));
  GOLDEN("np.cumprod(A([1, 2, 3], 'u1'))", gp::cumprod(gp::array<std::uint8_t>({1, 2, 3})));
  GOLDEN("np.cumprod(a + 1, axis=1)", gp::cumprod(a + 1, 1));
  GOLDEN("np.cumsum(A([1., NAN, 3.]))", gp::cumsum(gp::array({1., NaN, 3.})));
  GOLDEN("np.nancumsum(A([1., NAN, 3.]))", gp::nancumsum(gp::array({1., NaN, 3.})));
  GOLDEN("np.nancumprod(A([2., NAN, 3.]))", gp::nancumprod(gp::array({2., NaN, 3.})));
  GOLDEN("np.nancumsum(a, axis=1)", gp::nancumsum(a, 1));
  GOLDEN("np.cumulative_sum(A([1, 2, 3]), include_initial=True)",
         gp::cumulative_sum(gp::array({1, 2, 3}), {.include_initial = true}));
  GOLDEN("np.cumulative_prod(a, axis=0, include_initial=True)",
         gp::cumulative_prod(a, {.axis = 0, .include_initial = true}));
  GOLDEN("np.cumulative_sum(A([1, 2], 'i2'))", gp::cumulative_sum(gp::array<std::int16_t>({1, 2})));
  GOLDEN_THROWS("np.cumulative_sum(a)", gp::cumulative_sum(a));
  GOLDEN_THROWS("np.cumsum(A(5), axis=1)", gp::cumsum(gp::array(5), 1));
  GOLDEN_THROWS("np.cumsum(a, axis=2)", gp::cumsum(a, 2));
  const auto b = gp::arange(5);
  b(gp::ellipsis) = gp::cumsum(b);
  CHECK(b.to_vector() == std::vector<i64>{0, 1, 3, 6, 10});
}

TEST_CASE("differences") {
  const auto a = matrix();
  GOLDEN("np.diff(A([1, 2, 4, 7]))", gp::diff(gp::array({1, 2, 4, 7})));
  GOLDEN("np.diff(A([1, 2, 4, 7]), 2)", gp::diff(gp::array({1, 2, 4, 7}), 2));
  GOLDEN("np.diff(A([1, 2, 4, 7]), 0)", gp::diff(gp::array({1, 2, 4, 7}), 0));
  GOLDEN("np.diff(A([1, 2, 4, 7]), 9)", gp::diff(gp::array({1, 2, 4, 7}), 9));
  GOLDEN("np.diff(a, axis=0)", gp::diff(a, 1, {.axis = 0}));
  GOLDEN("np.diff(A([1, 0], 'u1'))", gp::diff(gp::array<std::uint8_t>({1, 0})));
  GOLDEN("np.diff(A([True, False, False]))", gp::diff(gp::array({true, false, false})));
  GOLDEN("np.diff(A([5]))", gp::diff(gp::array({5})));
  GOLDEN("np.diff(A([1, 2, 4]), prepend=0)", gp::diff(gp::array({1, 2, 4}), 1, {.prepend = gp::array(0)}));
  GOLDEN("np.diff(a, axis=0, prepend=0, append=A([[9, 9, 9]]))",
         gp::diff(a, 1, {.axis = 0, .prepend = gp::array(0), .append = gp::array({{9, 9, 9}})}));
  CHECK_THROWS_AS(gp::diff(gp::array({1, 2}), 1, {.prepend = gp::array(0.5)}), gp::type_error);
  GOLDEN_THROWS("np.diff(A(5))", gp::diff(gp::array(5)));
  GOLDEN_THROWS("np.diff(A([5]), -1)", gp::diff(gp::array({5}), -1));
  GOLDEN_THROWS("np.diff(A([5]), axis=1)", gp::diff(gp::array({5}), 1, {.axis = 1}));
  GOLDEN("np.ediff1d(A([1, 3, 6]))", gp::ediff1d(gp::array({1, 3, 6})));
  GOLDEN("np.ediff1d(A([1, 3, 6]), to_begin=-9)",
         gp::ediff1d(gp::array({1, 3, 6}), {.to_begin = gp::array(-9)}));
  GOLDEN("np.ediff1d(a, to_begin=A([-1, -2]), to_end=99)",
         gp::ediff1d(a, {.to_end = gp::array(99), .to_begin = gp::array({-1, -2})}));
  GOLDEN("np.ediff1d(A([1, 2, 4], 'i1'), to_end=A([300]))",
         gp::ediff1d(gp::array<std::int8_t>({1, 2, 4}), {.to_end = gp::array({300})}));
  GOLDEN_THROWS("np.ediff1d(A([1, 2, 4]), to_end=2.5)",
                gp::ediff1d(gp::array({1, 2, 4}), {.to_end = gp::array(2.5)}));
}

TEST_CASE("gradient and trapezoid") {
  const auto f = gp::array({1., 4., 9., 16.});
  GOLDEN("np.gradient(A([1., 4., 9., 16.]))", gp::gradient(f));
  GOLDEN("np.gradient(A([1., 4., 9., 16.]), .1)", gp::gradient(f, .1));
  GOLDEN("np.gradient(A([1., 4., 9., 16.]), .1, edge_order=2)", gp::gradient(f, .1, {.edge_order = 2}));
  GOLDEN("np.gradient(A([1, 4, 9], 'i4'))", gp::gradient(gp::array<std::int32_t>({1, 4, 9})));
  GOLDEN("np.gradient(A([1, 4, 9], 'u1'))", gp::gradient(gp::array<std::uint8_t>({1, 4, 9})));
  GOLDEN("np.gradient(A([1, 4, 9.5], 'f4'), .3)", gp::gradient(gp::array<float>({1, 4, 9.5}), .3));
  GOLDEN("np.gradient(A([1., 4.]))", gp::gradient(gp::array({1., 4.})));
  GOLDEN("np.gradient(t**2, axis=1)", gp::gradient(gp::square(cube()), 1, {.axis = 1}));
  GOLDEN_THROWS("np.gradient(A([1.]))", gp::gradient(gp::array({1.})));
  GOLDEN_THROWS("np.gradient(A([1., 2.]), edge_order=2)",
                gp::gradient(gp::array({1., 2.}), 1, {.edge_order = 2}));
  GOLDEN_THROWS("np.gradient(A([1., 2.]), edge_order=3)",
                gp::gradient(gp::array({1., 2.}), 1, {.edge_order = 3}));
  const auto y = gp::array({1, 2, 3});
  GOLDEN("np.trapezoid(A([1, 2, 3]))", gp::trapezoid(y));
  GOLDEN("np.trapezoid(A([1, 2, 3]), dx=.1)", gp::trapezoid(y, {.dx = .1}));
  GOLDEN("np.trapezoid(A([1, 2, 3]), x=A([0, 1, 3]))", gp::trapezoid(y, gp::array({0, 1, 3})));
  GOLDEN("np.trapezoid(a, axis=0)", gp::trapezoid(matrix(), {.axis = 0}));
  GOLDEN("np.trapezoid(a, x=a, axis=0)", gp::trapezoid(matrix(), matrix(), 0));
  GOLDEN("np.trapezoid(t, x=A([0, 1, 3.5]), axis=1)", gp::trapezoid(cube(), gp::array({0., 1., 3.5}), 1));
}

TEST_CASE("average") {
  const auto a = matrix();
  GOLDEN("np.average(A([1, 2], 'f4'))", gp::average(gp::array<float>({1, 2})));
  GOLDEN("np.average(a, axis=1)", gp::average(a, 1));
  GOLDEN("np.average(a, weights=a)", gp::average(a, none, a));
  GOLDEN("np.average(a, axis=1, weights=A([1, 2, 3]))", gp::average(a, 1, gp::array({1, 2, 3})));
  GOLDEN("np.average(a, axis=1, weights=A([1, 2, 3]))", gp::average(a, {1}, gp::array({1, 2, 3})));
  GOLDEN("np.average(a, axis=0, weights=A([.25, 1.]), keepdims=True)",
         gp::average(a, 0, gp::array({.25, 1.}), {.keepdims = true}));
  GOLDEN("np.average(t, axis=(2, 0), weights=A([[1, 2], [3, 4], [5, 6], [7, 8]]))",
         gp::average(cube(), {2, 0}, gp::array({{1, 2}, {3, 4}, {5, 6}, {7, 8}})));
  GOLDEN("np.average(A([1, 2], 'i1'), weights=A([1, 2], 'f4'))",
         gp::average(gp::array<std::int8_t>({1, 2}), none, gp::array<float>({1, 2})));
  GOLDEN("np.average(A([1, 2], 'f4'), weights=A([1, 2], 'f4'))",
         gp::average(gp::array<float>({1, 2}), none, gp::array<float>({1, 2})));
  CHECK_THROWS_WITH_AS(gp::average(gp::array({1, 2}), none, gp::array({1, -1})),
                       "Weights sum to zero, can't be normalized", gp::value_error);
  GOLDEN_THROWS("np.average(np.ones((2, 3)), weights=np.ones(3))",
                gp::average(gp::ones({2, 3}), none, gp::ones(3)));
  GOLDEN_THROWS("np.average(np.ones((2, 3)), axis=0, weights=np.ones(3))",
                gp::average(gp::ones({2, 3}), 0, gp::ones(3)));
}

TEST_CASE("averages with their weights") {
  const auto a = cube();
  const auto [mean, sums] = gp::average(a, gp::dims{1}, gp::array({1., 2., 5.}), gp::returned);
  GOLDEN("np.average(t, axis=1, weights=A([1., 2, 5]), returned=True)[0]", mean);
  GOLDEN("np.average(t, axis=1, weights=A([1., 2, 5]), returned=True)[1]", sums);
  GOLDEN("np.average(t, weights=t, returned=True)[1]", gp::average(a, none, a, gp::returned).sum_of_weights);
  GOLDEN("np.average(t, axis=2, returned=True)[1]", gp::average(a, gp::dims{2}, gp::returned).sum_of_weights);
  GOLDEN("np.average(t, returned=True)[1]", gp::average(a, gp::returned).sum_of_weights);
}

TEST_CASE("tolerances by position") {
  const auto a = gp::array({1., 2.});
  CHECK(gp::allclose(a, a + 1e-4, 1e-3));
  CHECK_FALSE(gp::allclose(a, a + 1e-4, 1e-5));
  CHECK(gp::allclose(a, a + 1e-4, 0, 1e-3));
  CHECK(gp::allclose(a * gp::nan, a * gp::nan, 1e-5, 1e-8, true));
  CHECK(gp::isclose(a, 1.05, 0.1).to_vector() == std::vector<bool>{true, false});
  // Braces are options, not a tolerance of 0.
  CHECK(gp::allclose(a, a + 1e-9, {}));
}

TEST_CASE("diff takes its options without a count, and numbers at its ends") {
  const auto a = gp::array({{1, 4}, {9, 16}});
  CHECK(gp::array_equal(gp::diff(a, {.axis = 0}), gp::array({{8, 12}})));
  CHECK(gp::array_equal(gp::diff(a, {.prepend = 0}), gp::array({{1, 3}, {9, 7}})));
  CHECK(gp::array_equal(gp::diff(a, {.append = gp::array({{20}, {30}})}), gp::array({{3, 16}, {7, 14}})));
  // A number is weak: it does not make float64 of float32.
  const gp::ndarray<float> narrow = gp::diff(gp::array({1.f, 3.f}), {.prepend = 0.5, .append = 7});
  CHECK(narrow.to_vector() == std::vector<float>{0.5f, 2.f, 4.f});
  CHECK_THROWS_AS((void)gp::diff(a, {.prepend = 0.5}), gp::type_error);
  CHECK_THROWS_AS((void)gp::diff(gp::array<std::int8_t>({1, 2}), {.prepend = 300}), gp::overflow_error);
  CHECK_THROWS_AS((void)gp::diff(gp::array<std::uint64_t>({1, 2}), {.append = -1}), gp::overflow_error);
  CHECK(gp::ediff1d(gp::array({1, 4, 9}), {.to_end = -99, .to_begin = 7}).to_vector() ==
        std::vector<std::int64_t>{7, 3, 5, -99});
  CHECK_THROWS_AS((void)gp::ediff1d(a, {.to_end = 0.5}), gp::type_error);
}
