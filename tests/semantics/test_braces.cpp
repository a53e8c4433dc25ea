// Braced lists of numbers where NumPy takes lists: as indices, as the second array of a function, as choices
// and bins.
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

template<class V>
bool same(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  return gp::array_equal(a, b);
}
gp::ndarray<i64> counted() { return gp::arange(12).reshape({3, 4}); }

}  // namespace

TEST_CASE("lists of lists index in rows") {
  const auto a = counted();
  CHECK(gp::ndarray<i64>(a({{0, 1}, {2, 0}})).shape() == gp::dims{2, 2, 4});
  CHECK(same(gp::ndarray<i64>(a({{0, 1}, {2, 0}})(":, :, 1")), gp::array({{1, 5}, {9, 1}})));
  CHECK(same(gp::ndarray<i64>(a(gp::all, {{0, 1, 2}}))(1), gp::array({{4, 5, 6}})));
  CHECK(same(gp::ndarray<i64>(a({{0}, {2}}, {1, 3})), gp::array({{1, 3}, {9, 11}})));
  CHECK(same(gp::take(a, {{0, 11}, {5, 6}}), gp::array({{0, 11}, {5, 6}})));
  CHECK(same(gp::ndarray<i64>(a({{0}, {2}})("..., 1")), gp::array({{1}, {9}})));
  CHECK(same(gp::ndarray<i64>(a({0, 1})("..., 1")), gp::array({1, 5})));
  const auto b = a.copy();
  b({{0, 1}, {1, 0}}) = 7;
  CHECK(same(b("1:"), gp::array({{7, 7, 7, 7}, {8, 9, 10, 11}})));
  CHECK_THROWS_AS((void)a({{0, 1}, {2}}), gp::value_error);
  CHECK_THROWS_AS((void)a({{0, 1}, {2, 3}}), gp::index_error);
  CHECK_THROWS_AS((void)gp::insert(a.ravel(), {{0, 1}}, 5), gp::value_error);
}

TEST_CASE("ix_ takes lists, and lists beside arrays") {
  const auto a = counted();
  const auto block = gp::array({{1, 3}, {9, 11}});
  CHECK(same(gp::ndarray<i64>(a(gp::ix_({0, 2}, {1, 3}))), block));
  CHECK(same(gp::ndarray<i64>(a(gp::ix_(gp::array({true, false, true}), {1, 3}))), block));
  CHECK(gp::ix_({0, 2}, {1}, {2, 3, 4})[2].shape() == gp::dims{1, 1, 3});
  CHECK(gp::ix_({0, 2}).front().shape() == gp::dims{2});
  CHECK_THROWS_AS((void)gp::ix_({{0, 2}}, {1, 3}), gp::value_error);
  CHECK_THROWS_AS((void)gp::ix_(0, 1), gp::value_error);
}

TEST_CASE("the second of two arrays may be a list") {
  const auto v = gp::array({3, 1, 2, 0});
  CHECK(same(gp::isin(v, {1, 2}), gp::array({false, true, true, false})));
  CHECK(same(gp::isin(v, {1, 2}, {.invert = true}), gp::array({true, false, false, true})));
  CHECK(same(gp::searchsorted(gp::arange(4), {0, 3, 9}), gp::array({0, 3, 4})));
  CHECK(same(gp::searchsorted(gp::arange(4), {0, 3, 9}, "right"), gp::array({1, 4, 4})));
  CHECK(same(gp::arange(4).searchsorted({0, 3, 9}), gp::array({0, 3, 4})));
  CHECK(same(gp::digitize(v, {1, 3}), gp::array({2, 1, 1, 0})));
  CHECK(same(gp::setdiff1d(v, {1, 2}), gp::array({0, 3})));
  CHECK(same(gp::union1d(v, {7}), gp::array({0, 1, 2, 3, 7})));
  CHECK(gp::array_equal(v, {3, 1, 2, 0}));
  CHECK(gp::array_equal(counted()(":2, :2"), {{0, 1}, {4, 5}}));
  CHECK(gp::allclose(v, {3., 1., 2., 1e-9}));
  CHECK(gp::allclose(v, {3., 1., 2., 0.1}, {.atol = 0.2}));
  CHECK_FALSE(gp::allclose(v, {3., 1., 2., 0.1}, 1e-3));
  CHECK(same(gp::convolve({1, 1}, v), gp::array({3, 4, 3, 2, 0})));
  CHECK(same(gp::polyval({1, 0, 2}, v), gp::array({11, 3, 6, 2})));
}

TEST_CASE("products take lists") {
  const auto m = gp::array({{4., 1.}, {1., 3.}});
  const auto product = gp::array({6., 7.});
  CHECK(same(gp::matmul(m, {1., 2.}), product));
  CHECK(same(gp::matmul({1, 2}, m), product));
  CHECK(same(gp::matmul(m, {{1}, {2}}), product.reshape({2, 1})));
  CHECK(same(gp::einsum("ij,j->i", m, {1., 2.}).eval(), product));
  CHECK(same(gp::einsum("i,ij->j", {1., 2.}, m).eval(), product));
  CHECK(gp::dot(gp::array({1, 2}), {3, 4}).item() == 11);
  CHECK(gp::array({1, 2}).dot({3, 4}).item() == 11);
  CHECK(gp::allclose(gp::linalg::solve(m, {6, 7}), {1, 2}));
}

TEST_CASE("choices and conditions are lists of arrays, whose dtype is found") {
  const auto v = gp::array({3, 1, 2, 0});
  CHECK(same(gp::select({v < 1, v < 3}, {v, v * 10}, -1), gp::array({-1, 10, 20, 0})));
  CHECK(same(gp::choose(gp::array({0, 1, 0, 1}), {v, -v}), gp::array({3, -1, 2, 0})));
  CHECK(same(gp::array({0, 1, 0, 1}).choose({v, -v}), gp::array({3, -1, 2, 0})));
  CHECK(same(gp::choose({0, 1, 0, 1}, {v, -v}), gp::array({3, -1, 2, 0})));
}

TEST_CASE("bins of a plane are numbers, edges for both axes, or edges for each") {
  const auto x = gp::array({0., 1., 1., 2.}), y = gp::array({0., 3., 1., 2.});
  CHECK(gp::histogram2d(x, y, {2, 3}).H.shape() == gp::dims{2, 3});
  const auto shared = gp::histogram2d(x, y, {0., 1., 3.});
  CHECK(same(shared.H, gp::array({{1., 0.}, {0., 3.}})));
  CHECK(same(gp::histogram2d(x, y, {0, 1, 3}).H, shared.H));
  CHECK(same(gp::histogram2d(x, y, {{0., 1., 3.}, {0., 4.}}).H, gp::array({{1.}, {3.}})));
  CHECK(same(gp::histogram2d(x, y, {gp::array({0., 1., 3.}), y(":1")}).xedges, gp::array({0., 1., 3.})));
  CHECK(gp::histogramdd(gp::column_stack(x, y, x), {2, 3, 4}).H.shape() == gp::dims{2, 3, 4});
}
