// The methods of ufuncs against NumPy.
#include <cmath>

#include <gparray/ufunc/objects.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
namespace uf = gp::ufuncs;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

TEST_CASE("methods of ufuncs") {
  const auto a = matrix();
  GOLDEN("np.add(a, 1)", uf::add(a, 1));
  GOLDEN("np.add.reduce(a)", uf::add.reduce(a));
  GOLDEN("np.asarray(np.multiply.reduce(a + 1, axis=None))", uf::multiply.reduce(a + 1, none));
  GOLDEN("np.maximum.reduce(a, axis=1, keepdims=True)", uf::maximum.reduce(a, 1, {.keepdims = true}));
  GOLDEN("np.logical_and.reduce(a, axis=0)", uf::logical_and.reduce(a));
  GOLDEN("np.subtract.reduce(a, axis=1)", uf::subtract.reduce(a, 1));
  GOLDEN("np.asarray(np.bitwise_xor.reduce(a, axis=None))", uf::bitwise_xor.reduce(a, none));
  GOLDEN("np.gcd.reduce(A([[12, 18], [8, 27]]), axis=1)", uf::gcd.reduce(gp::array({{12, 18}, {8, 27}}), 1));
  GOLDEN("np.add.accumulate(a, axis=1)", uf::add.accumulate(a, 1));
  GOLDEN("np.maximum.accumulate(A([[3, 1, 4, 1, 5], [9, 2, 10, 5, 3]]), axis=1)",
         uf::maximum.accumulate(gp::array({{3, 1, 4, 1, 5}, {9, 2, 10, 5, 3}}), 1));
  GOLDEN("np.minimum.accumulate(A([3., 1, NAN, 0]))",
         uf::minimum.accumulate(gp::array({3., 1., std::nan(""), 0.})));
  GOLDEN("np.subtract.accumulate(A([10, 1, 2, 3]))", uf::subtract.accumulate(gp::array({10, 1, 2, 3})));
  GOLDEN("np.multiply.outer(A([1, 2]), a)", uf::multiply.outer(gp::array({1, 2}), a));
  GOLDEN("np.greater.outer(A([1, 2]), A([1., 3]))",
         uf::greater.outer(gp::array({1, 2}), gp::array({1., 3.})));
  GOLDEN("np.add.reduceat(np.arange(8), [0, 4, 1, 5, 2, 6, 3, 7])",
         uf::add.reduceat(gp::arange(8), {0, 4, 1, 5, 2, 6, 3, 7}));
  GOLDEN("np.multiply.reduceat(t, [0, 3], axis=2)", uf::multiply.reduceat(cube(), {0, 3}, 2));
  GOLDEN("np.maximum.reduceat(t, [0, 1], axis=1)", uf::maximum.reduceat(cube(), {0, 1}, 1));
  CHECK_THROWS_AS(uf::add.reduceat(gp::arange(3), {3}), gp::index_error);
  GOLDEN_THROWS("np.maximum.reduce(np.ones((0, 2)))", uf::maximum.reduce(gp::ones({0, 2})));
  GOLDEN_THROWS("np.add.reduce(a, axis=2)", uf::add.reduce(a, 2));
}

TEST_CASE("ufuncs at indices that repeat") {
  const auto a = gp::array({1, 2, 3, 4});
  uf::add.at(a, {0, 1, 2, 2}, 1);
  CHECK(a.to_vector() == std::vector<i64>{2, 3, 5, 4});
  uf::subtract.at(a, gp::array({-1, 0, -1}), gp::array({1, 2, 3}));
  CHECK(a.to_vector() == std::vector<i64>{0, 3, 5, 0});
  uf::maximum.at(a, {0, 3, 0}, gp::array({7, 1, 9}));
  CHECK(a.to_vector() == std::vector<i64>{9, 3, 5, 1});
  uf::multiply.at(a, {1, 1}, 2);
  CHECK(a.to_vector() == std::vector<i64>{9, 12, 5, 1});
  const auto m = gp::zeros({3, 2});
  gp::scatter_add(m, gp::array({0, 2, 0}), gp::array({{1., 2.}, {3., 4.}, {5., 6.}}));
  CHECK(m.to_vector() == std::vector<double>{6, 8, 0, 0, 3, 4});
  gp::scatter_min(m.T(), gp::array({1}), -1.);
  CHECK(m.to_vector() == std::vector<double>{6, -1, 0, -1, 3, -1});
  CHECK_THROWS_AS(uf::add.at(a, {4}, 1), gp::index_error);
  CHECK_THROWS_AS(uf::add.at(a, {0, 1}, gp::array({1, 2, 3})), gp::value_error);
  CHECK(a.to_vector() == std::vector<i64>{9, 12, 5, 1});
}

TEST_CASE("ufuncs at the indices of several axes") {
  const gp::ndarray<i64> table = gp::zeros<i64>({3, 4});
  const auto rows = gp::array({0, 2, -1, 0}), columns = gp::array({1, 3, -1, 1});
  uf::add.at(table, {rows, columns}, 1);
  CHECK(table.to_vector() == std::vector<i64>{0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2});
  uf::subtract.at(table, {rows, columns + 0}, gp::array({1, 2, 3, 4}));
  CHECK(table.to_vector() == std::vector<i64>{0, -3, 0, 0, 0, 0, 0, 0, 0, 0, 0, -3});
  uf::maximum.at(table, gp::nonzero(table < 0), 7);
  CHECK(table.to_vector() == std::vector<i64>{0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
  const auto counts = gp::zeros({3, 4});
  gp::scatter_add(counts, {rows, columns}, 1.);
  gp::scatter_max(counts, {rows(":1"), columns(":1")}, 5.);
  gp::scatter_min(counts, {rows("1:2"), columns("1:2")}, -5.);
  CHECK(counts.to_vector() == std::vector<double>{0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, -5});
  // They broadcast, and leave the axes behind them.
  const auto cube = gp::zeros({2, 3, 2});
  uf::add.at(cube, {gp::array({{0}, {1}}), gp::array<std::int32_t>({0, 0, 2})}, gp::array({1., 2.}));
  CHECK(gp::array_equal(cube(":, :, 1"), gp::array({{4., 0., 2.}, {4., 0., 2.}})));
  CHECK(cube.sum() == 18);
  // Of a view that is not contiguous, and with the target as its own index.
  const auto base = gp::zeros<i64>({4, 3});
  uf::add.at(base.T(), gp::triu_indices(3), 2);
  CHECK(base.sum() == 12);
  CHECK(base(2, 0) == 2);
  CHECK(base(0, 2) == 0);
  const auto own = gp::array({{0, 1}, {1, 0}});
  uf::add.at(own, {own, own}, 5);
  CHECK(own.to_vector() == std::vector<i64>{10, 1, 1, 10});
  // Numbers in braces are indices of one axis.
  const auto line = gp::zeros(4);
  uf::add.at(line, {rows(0), rows(1)}, 1.);
  CHECK(line.to_vector() == std::vector<double>{1, 0, 1, 0});
  CHECK_THROWS_WITH_AS(uf::add.at(table, {rows, columns, rows}, 1),
                       "too many indices for array: array is 2-dimensional, but 3 were indexed",
                       gp::index_error);
  CHECK_THROWS_WITH_AS(uf::add.at(table, {rows, gp::array({1, 4, 0, 0})}, 1),
                       "index 4 is out of bounds for axis 1 with size 4", gp::index_error);
  CHECK_THROWS_AS(uf::add.at(table, {rows, gp::array({1, 2})}, 1), gp::index_error);
  CHECK_THROWS_AS(uf::add.at(table, {rows, columns}, gp::ones<i64>(3)), gp::value_error);
  CHECK(table.to_vector() == std::vector<i64>{0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7});
}

TEST_CASE("lists of arrays are reduced element by element") {
  const auto a = gp::array({1, 5, 3}), b = gp::array({4, 2, 3});
  CHECK(uf::maximum.reduce({a, b, a}).to_vector() == std::vector<i64>{4, 5, 3});
  CHECK(uf::add.reduce(std::vector{a, b}).to_vector() == std::vector<i64>{5, 7, 6});
  CHECK(uf::logical_and.reduce({a > 2, b > 2}).to_vector() == std::vector<bool>{false, false, true});
  CHECK(uf::add.reduce(gp::stack({a, b}), {.axis = 1, .keepdims = true}).shape() == gp::dims{2, 1});
  CHECK_THROWS_AS((void)uf::add.reduce({a, gp::array({1})}), gp::value_error);
}
