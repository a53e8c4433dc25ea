// NumPy's keyword arguments by their names, of functions that take them by position, too.
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<double> counted() { return gp::arange(12.).reshape({3, 4}); }
template<class A, class B>
bool same(const A& a, const B& b) {
  return a.dtype() == b.dtype() && gp::array_equal(a, b);
}

}  // namespace

TEST_CASE("options of reductions in the order of their declaration") {
  const auto a = counted();
  CHECK(same(gp::std(a, {.axis = 0, .keepdims = true, .ddof = 1}), gp::full({1, 4}, 4.)));
  CHECK(gp::sum(a, {.axis = 1, .where = a > 4, .keepdims = true, .initial = 5}).item(1, 0) == 5 + 18);
  CHECK(gp::moments(a, {.axis = 0, .keepdims = true, .ddof = 1}).var.item(0, 0) == 16);
}

TEST_CASE("diagonals by k and offset") {
  const auto a = counted();
  CHECK(same(gp::tril(a, {.k = -1}), gp::tril(a, -1)));
  CHECK(same(gp::triu(a, {.k = 1}), gp::triu(a, 1)));
  CHECK(same(gp::diag(a, {.k = 1}), gp::diag(a, 1)));
  CHECK(same(gp::diagflat(gp::array({1, 2}), {.k = 1}), gp::diagflat(gp::array({1, 2}), 1)));
  CHECK(same(gp::eye(3, {.k = 1}), gp::eye(3, 3, 1)));
  CHECK(same(gp::eye<float>(3, {.M = 5, .k = -1}), gp::eye<float>(3, 5, -1)));
  CHECK(same(gp::eye(3, 4, {.k = 2}), gp::eye(3, 4, 2)));
  CHECK(same(gp::tri(3, {.k = 1}), gp::tri(3, 3, 1)));
  CHECK(same(gp::tri<int>(3, 4, {.k = -1}), gp::tri<int>(3, 4, -1)));
  CHECK(same(gp::tril_indices(4, {.k = -1}).second, gp::tril_indices(4, -1).second));
  CHECK(same(gp::triu_indices(4, {.k = 1}).first, gp::triu_indices(4, 1).first));
  const auto t = gp::arange(24.).reshape({2, 3, 4});
  CHECK(same(gp::diagonal(t, {.offset = 1, .axis1 = 1, .axis2 = 2}), gp::diagonal(t, 1, 1, 2)));
  CHECK(gp::trace(a, {.offset = 1}) == 1 + 6 + 11);
}

TEST_CASE("counting and searching by name") {
  const auto v = gp::array({1, 3, 3, 0});
  const auto s = gp::array({0., 1., 3.});
  CHECK(same(gp::bincount(v, {.minlength = 6}), gp::array({1, 1, 0, 2, 0, 0})));
  CHECK(same(gp::bincount(v, v * 0.5, {.minlength = 5}), gp::array({0., 0.5, 0., 3., 0.})));
  CHECK(same(gp::digitize(v, s, {.right = true}), gp::array({1, 2, 2, 0})));
  CHECK(same(gp::searchsorted(s, 1., {.side = "right"}), gp::array(2)));
  CHECK(same(gp::searchsorted(gp::array({3., 0., 1.}), s, {.side = "right", .sorter = gp::array({1, 2, 0})}),
             gp::array({1, 2, 3})));
  CHECK(same(gp::vander(gp::array({2., 3.}), {.N = 3, .increasing = true}),
             gp::array({{1., 2., 4.}, {1., 3., 9.}})));
  CHECK(same(gp::vander(gp::array({2, 3}), 2, {.increasing = true}), gp::array({{1, 2}, {1, 3}})));
  CHECK(gp::array_equal(gp::array({1., gp::nan}), gp::array({1., gp::nan}), {.equal_nan = true}));
}

TEST_CASE("numerical functions by name") {
  const auto a = counted();
  const auto v = gp::array({1., 4., 9., 16.});
  CHECK(same(gp::gradient(a, {.axis = 0}), gp::full_like(a, 4.)));
  CHECK(same(gp::gradient(v, {.edge_order = 2}), gp::array({2., 4., 6., 8.})));
  CHECK(same(gp::diff(a, 1, 0), gp::full({2, 4}, 4.)));
  CHECK(same(gp::round(v / 7, {.decimals = 2}), gp::round(v / 7, 2)));
  CHECK(same(gp::around(v / 7, {.decimals = 1}), gp::round(v / 7, 1)));
  CHECK(same(gp::convolve(v, v, {.mode = "same"}), gp::convolve(v, v, "same")));
  CHECK(same(gp::correlate(v, v, {.mode = "full"}), gp::correlate(v, v, "full")));
  CHECK(same(gp::pad(v, 1, {.constant_values = 5}), gp::array({5., 1., 4., 9., 16., 5.})));
  CHECK(same(gp::pad(v, {1, 0}, {.mode = "linear_ramp", .end_values = 7}), gp::array({7., 1., 4., 9., 16.})));
  CHECK(same(gp::fft::fftshift(a, {.axes = 1}), gp::fft::fftshift(a, 1)));
  CHECK(same(gp::fft::ifftshift(a, {.axes = {0, 1}}), gp::fft::ifftshift(a)));
  CHECK(same(gp::linalg::multi_dot({a, a.T(), a}), gp::linalg::multi_dot(a, a.T(), a)));
}

TEST_CASE("results are written where out says") {
  auto v = gp::array({-3., 0.5, 7.});
  const auto view = v;
  CHECK(same(gp::clip(v, 0, 1, {.out = v}), gp::array({0., 0.5, 1.})));
  CHECK(same(view, gp::array({0., 0.5, 1.})));
  gp::clip(v, 0.75, gp::none, {.out = v, .where = v < 0.6});
  CHECK(same(view, gp::array({0.75, 0.75, 1.})));
  auto places = gp::zeros(3);
  gp::put(places, gp::array({4}), 1., {.mode = "wrap"});
  CHECK(same(places, gp::array({0., 1., 0.})));
}
