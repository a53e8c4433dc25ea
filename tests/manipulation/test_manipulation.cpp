// Shapes, axes and views against NumPy: values, and whether memory is shared.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

/// Whether writing to `result` writes to `source`.
template<class R, class A>
bool is_view(const R& result, const A& source) {
  return gp::may_share_memory(result, source);
}

}  // namespace

TEST_CASE("reshape, ravel, flatten") {
  const auto a = matrix();
  GOLDEN("a.reshape(3, 2)", a.reshape({3, 2}));
  GOLDEN("a.reshape(3, 2)", a.reshape(3, 2));
  GOLDEN("a.reshape(-1)", a.reshape(-1));
  GOLDEN("a.reshape(3, -1, order='F')", a.reshape({3, -1}, gp::order::F));
  GOLDEN("a.T.reshape(2, 3, order='A')", gp::reshape(a.T(), {2, 3}, gp::order::A));
  GOLDEN("a.T.reshape(6)", a.T().reshape(6));
  GOLDEN("A(5).reshape(-1)", gp::array(5).reshape(-1));
  GOLDEN("np.zeros((0, 3)).reshape(3, -1)", gp::zeros({0, 3}).reshape({3, -1}));
  CHECK(is_view(a.reshape({3, 2}), a));
  CHECK(is_view(a.T().reshape({2, 3}, gp::order::F), a));
  CHECK(is_view(cube()("::2").reshape({1, 12}), cube()) == false);
  CHECK_FALSE(is_view(a.T().reshape(6), a));
  GOLDEN_THROWS("np.arange(6).reshape(4, 2)", gp::arange(6).reshape({4, 2}));
  GOLDEN_THROWS("np.arange(6).reshape(4, -1)", gp::arange(6).reshape({4, -1}));
  GOLDEN_THROWS("np.arange(6).reshape(-1, 4)", gp::arange(6).reshape({-1, 4}));
  GOLDEN_THROWS("np.arange(6).reshape((4,))", gp::arange(6).reshape(4));
  GOLDEN_THROWS("np.ones(3).reshape(2, -1, -1)", gp::ones(3).reshape({2, -1, -1}));
  GOLDEN_THROWS("a.reshape(3, 2, order='K')", a.reshape({3, 2}, gp::order::K));
  CHECK_THROWS_AS(gp::zeros({0, 3}).reshape({0, -1}), gp::value_error);

  GOLDEN("np.ravel(A(5))", gp::ravel(gp::array(5)));
  GOLDEN("a.ravel('F')", a.ravel(gp::order::F));
  GOLDEN("a.T.ravel('K')", a.T().ravel(gp::order::K));
  GOLDEN("t.transpose(1, 0, 2).ravel('K')", gp::ravel(cube().transpose({1, 0, 2}), gp::order::K));
  GOLDEN("a.T.flatten()", a.T().flatten());
  GOLDEN("a.flatten('F')", a.flatten(gp::order::F));
  CHECK(is_view(a.ravel(), a));
  CHECK(is_view(a.T().ravel(gp::order::K), a));
  CHECK_FALSE(is_view(a.flatten(), a));
}

TEST_CASE("axes") {
  const auto t = cube();
  GOLDEN("t.T", t.T());
  GOLDEN("t.transpose(1, 2, 0)", t.transpose({1, 2, 0}));
  GOLDEN("t.transpose(1, 2, 0)", t.transpose(1, 2, -3));
  GOLDEN("t.transpose(1, 2, 0)", gp::permute_dims(t, {-2, -1, 0}));
  GOLDEN("np.matrix_transpose(t)", t.mT());
  GOLDEN("np.swapaxes(t, 0, -1)", t.swapaxes(0, -1));
  GOLDEN("np.moveaxis(t, 0, -1)", gp::moveaxis(t, 0, -1));
  GOLDEN("np.moveaxis(t, [0, 1], [-1, -2])", gp::moveaxis(t, {0, 1}, {-1, -2}));
  GOLDEN("np.moveaxis(t, [2, 0], [0, 1])", gp::moveaxis(t, {2, 0}, {0, 1}));
  GOLDEN("np.rollaxis(t, 2)", gp::rollaxis(t, 2));
  GOLDEN("np.rollaxis(t, 0, 3)", gp::rollaxis(t, 0, 3));
  GOLDEN("np.rollaxis(t, 1, -1)", gp::rollaxis(t, 1, -1));
  GOLDEN("np.transpose(A(5))", gp::transpose(gp::array(5)));
  CHECK(is_view(gp::moveaxis(t, 0, 2), t));
  GOLDEN_THROWS("np.transpose(np.ones((1, 2)), (0,))", gp::transpose(gp::ones({1, 2}), {0}));
  GOLDEN_THROWS("np.transpose(np.ones((1, 2)), (0, 0))", gp::transpose(gp::ones({1, 2}), {0, 0}));
  GOLDEN_THROWS("np.transpose(np.ones((1, 2)), (0, 2))", gp::transpose(gp::ones({1, 2}), {0, 2}));
  GOLDEN_THROWS("np.matrix_transpose(np.ones(2))", gp::matrix_transpose(gp::ones(2)));
  GOLDEN_THROWS("np.swapaxes(t, 0, 3)", t.swapaxes(0, 3));
  GOLDEN_THROWS("np.moveaxis(t, [0, 1], [0])", gp::moveaxis(t, {0, 1}, 0));
  GOLDEN_THROWS("np.moveaxis(t, [0, 0], [0, 1])", gp::moveaxis(t, {0, 0}, {0, 1}));
  GOLDEN_THROWS("np.moveaxis(t, 5, 0)", gp::moveaxis(t, 5, 0));
  GOLDEN_THROWS("np.rollaxis(t, 0, 5)", gp::rollaxis(t, 0, 5));
  GOLDEN_THROWS("np.rollaxis(t, 4, 0)", gp::rollaxis(t, 4, 0));
}

TEST_CASE("dimensions of size one") {
  GOLDEN("np.squeeze(np.zeros((1, 1)))", gp::zeros({1, 1}).squeeze());
  GOLDEN("np.squeeze(np.zeros((1, 2, 1)), axis=0)", gp::squeeze(gp::zeros({1, 2, 1}), 0));
  GOLDEN("np.squeeze(np.zeros((1, 2, 1)), axis=(0, -1))", gp::squeeze(gp::zeros({1, 2, 1}), {0, -1}));
  GOLDEN("np.expand_dims(np.zeros((2, 3)), (0, -1))", gp::expand_dims(gp::zeros({2, 3}), {0, -1}));
  GOLDEN("np.atleast_1d(A(5))", gp::atleast_1d(gp::array(5)));
  GOLDEN("np.atleast_2d(A(5))", gp::atleast_2d(gp::array(5)));
  GOLDEN("np.atleast_2d(v)", gp::atleast_2d(gp::arange(5)));
  GOLDEN("np.atleast_3d(A(5))", gp::atleast_3d(gp::array(5)));
  GOLDEN("np.atleast_3d(v)", gp::atleast_3d(gp::arange(5)));
  GOLDEN("np.atleast_3d(a)", gp::atleast_3d(matrix()));
  const auto t = cube();
  CHECK(is_view(gp::expand_dims(t, 1), t));
  GOLDEN_THROWS("np.squeeze(np.zeros((1, 2)), axis=1)", gp::squeeze(gp::zeros({1, 2}), 1));
  GOLDEN_THROWS("np.squeeze(np.ones((1, 2)), (0, 0))", gp::squeeze(gp::ones({1, 2}), {0, 0}));
  GOLDEN_THROWS("np.expand_dims(np.ones(2), 3)", gp::expand_dims(gp::ones(2), 3));
  GOLDEN_THROWS("np.expand_dims(np.ones(2), (0, 0))", gp::expand_dims(gp::ones(2), {0, 0}));
}

TEST_CASE("broadcasting") {
  const auto v = gp::arange(3);
  GOLDEN("np.broadcast_to(np.arange(3), (2, 3))", gp::broadcast_to(v, {2, 3}));
  GOLDEN("np.broadcast_to(A(5), (0, 2))", gp::broadcast_to(gp::array(5), {0, 2}));
  const auto wide = gp::broadcast_to(v, {2, 3});
  CHECK(is_view(wide, v));
  CHECK(wide.strides() == gp::dims{0, 8});
  CHECK_THROWS_AS(gp::broadcast_to(v, {2, 3})(gp::ellipsis) = 1, gp::value_error);
  CHECK(v.item(0) == 0);
  GOLDEN_THROWS("np.broadcast_to(np.zeros(3), (2, 2))", gp::broadcast_to(gp::zeros(3), {2, 2}));
  GOLDEN_THROWS("np.broadcast_to(np.ones((2, 3)), (3,))", gp::broadcast_to(gp::ones({2, 3}), 3));
  GOLDEN_THROWS("np.broadcast_to(np.ones(3), (-1, 3))", gp::broadcast_to(gp::ones(3), {-1, 3}));
  GOLDEN("np.broadcast_shapes((2, 1), (3,), ())", gp::broadcast_shapes(gp::dims{2, 1}, 3, gp::dims{}));
  GOLDEN_THROWS("np.broadcast_shapes((2,), (3,))", gp::broadcast_shapes(2, 3));
  GOLDEN_THROWS("np.broadcast_shapes((2, 3), (2, 1), (4, 1))",
                gp::broadcast_shapes(gp::dims{2, 3}, gp::dims{2, 1}, gp::dims{4, 1}));
  // The first that is not 1 there is to blame, and not one that is shorter.
  GOLDEN_THROWS("np.broadcast_shapes((1,), (2,), (3,))", gp::broadcast_shapes(1, 2, 3));
  GOLDEN_THROWS("np.broadcast_shapes((3,), (1, 3), (2, 3), (4, 3))",
                gp::broadcast_shapes(3, gp::dims{1, 3}, gp::dims{2, 3}, gp::dims{4, 3}));
  const auto [x, y] = gp::broadcast_arrays(v, gp::ones<float>({2, 1}));
  GOLDEN("np.broadcast_arrays(np.arange(3), np.ones((2, 1), 'f4'))[0]", x);
  GOLDEN("np.broadcast_arrays(np.arange(3), np.ones((2, 1), 'f4'))[1]", y);
  GOLDEN_THROWS("np.broadcast_arrays(np.ones(2), np.ones(3))",
                gp::broadcast_arrays(gp::ones(2), gp::ones(3)));
}

TEST_CASE("strided views") {
  const auto v = gp::arange(5);
  GOLDEN("as_strided(np.arange(4), (3, 2), (8, 8))", gp::as_strided(gp::arange(4), {3, 2}, {8, 8}));
  CHECK(is_view(gp::as_strided(v, {2, 2}, {16, 8}), v));
  CHECK_THROWS_AS(gp::as_strided(v, 6, 8), gp::value_error);
  CHECK_THROWS_AS(gp::as_strided(v, 2, -8), gp::value_error);
  CHECK_THROWS_AS(gp::as_strided(v, {2, 2}, 8), gp::value_error);
  GOLDEN("sliding_window_view(v, 3)", gp::sliding_window_view(v, 3));
  GOLDEN("sliding_window_view(t, (2, 2), axis=(0, 2))", gp::sliding_window_view(cube(), {2, 2}, {0, 2}));
  GOLDEN("sliding_window_view(t, (2, 2), axis=(1, 1))", gp::sliding_window_view(cube(), {2, 2}, {1, 1}));
  GOLDEN_THROWS("sliding_window_view(v, 6)", gp::sliding_window_view(v, 6));
  GOLDEN_THROWS("sliding_window_view(v, -1)", gp::sliding_window_view(v, -1));
  GOLDEN_THROWS("sliding_window_view(t, 2)", gp::sliding_window_view(cube(), 2));
  GOLDEN_THROWS("sliding_window_view(t, (2, 1), axis=1)", gp::sliding_window_view(cube(), {2, 1}, 1));
}

TEST_CASE("order of elements") {
  const auto a = matrix();
  GOLDEN("np.flip(a)", gp::flip(a));
  GOLDEN("np.flip(a, 1)", gp::flip(a, 1));
  GOLDEN("np.flip(t, (0, -1))", gp::flip(cube(), {0, -1}));
  GOLDEN("np.fliplr(a)", gp::fliplr(a));
  GOLDEN("np.flipud(a)", gp::flipud(a));
  GOLDEN("np.flip(np.ones((0, 2)))", gp::flip(gp::ones({0, 2})));
  CHECK(is_view(gp::flip(a), a));
  GOLDEN_THROWS("np.fliplr(np.ones(2))", gp::fliplr(gp::ones(2)));
  GOLDEN_THROWS("np.flipud(np.ones(()))", gp::flipud(gp::ones(gp::dims{})));
  GOLDEN_THROWS("np.flip(a, (0, 0))", gp::flip(a, {0, 0}));
  GOLDEN_THROWS("np.flip(np.ones(2), 1)", gp::flip(gp::ones(2), 1));
  GOLDEN("np.rot90(a)", gp::rot90(a));
  GOLDEN("np.rot90(a, 2)", gp::rot90(a, 2));
  GOLDEN("np.rot90(a, -1)", gp::rot90(a, -1));
  GOLDEN("np.rot90(a, 4)", gp::rot90(a, 4));
  GOLDEN("np.rot90(t, 1, (2, 0))", gp::rot90(cube(), 1, {2, 0}));
  CHECK(is_view(gp::rot90(a), a));
  GOLDEN_THROWS("np.rot90(v)", gp::rot90(gp::arange(5)));
  GOLDEN_THROWS("np.rot90(a, 1, (0, 3))", gp::rot90(a, 1, {0, 3}));
  GOLDEN_THROWS("np.rot90(a, 1, (0,))", gp::rot90(a, 1, 0));
  // Each of the axes at both ends of their range, and one farther, even where nothing is turned.
  for (const std::int64_t k : {0, 1, 2}) {
    CAPTURE(k);
    for (const gp::dims& axes : {gp::dims{-2, 1}, gp::dims{1, -2}})
      CHECK(gp::rot90(a, k, axes).size() == a.size());
    for (const gp::dims& axes : {gp::dims{-3, 0}, gp::dims{2, 1}, gp::dims{0, -3}, gp::dims{1, 2}})
      CHECK_THROWS_WITH_AS(
          gp::rot90(a, k, axes),
          fmt::format("Axes=({}, {}) out of range for array of ndim=2.", axes[0], axes[1]).c_str(),
          gp::value_error);
  }

  GOLDEN("np.roll(v, -2)", gp::roll(gp::arange(5), -2));
  GOLDEN("np.roll(v, 12)", gp::roll(gp::arange(5), 12));
  GOLDEN("np.roll(a, 1)", gp::roll(a, 1));
  GOLDEN("np.roll(a, 1, axis=0)", gp::roll(a, 1, 0));
  GOLDEN("np.roll(a, (1, 2), axis=(0, 1))", gp::roll(a, {1, 2}, {0, 1}));
  GOLDEN("np.roll(a, 1, axis=(0, 1))", gp::roll(a, 1, {0, 1}));
  GOLDEN("np.roll(a, (1, 2), axis=(0,))", gp::roll(a, {1, 2}, 0));
  GOLDEN("np.roll(a, (1, 1), axis=(1, 1))", gp::roll(a, {1, 1}, {1, 1}));
  GOLDEN("np.roll(a, (1, 1))", gp::roll(a, {1, 1}));
  GOLDEN("np.roll(t.T, (-1, 5), axis=(0, 2))", gp::roll(cube().T(), {-1, 5}, {0, 2}));
  GOLDEN("np.roll(np.ones((0, 2)), 1)", gp::roll(gp::ones({0, 2}), 1));
  GOLDEN("np.roll(A(5), 1)", gp::roll(gp::array(5), 1));
  CHECK(gp::roll(a.T(), 1, 0).is_f_contiguous());
  GOLDEN_THROWS("np.roll(a, 1, axis=2)", gp::roll(a, 1, 2));
  GOLDEN_THROWS("np.roll(a, (1, 2, 3), axis=(0, 1))", gp::roll(a, {1, 2, 3}, {0, 1}));
}

TEST_CASE("an array is no shape: reading its elements may wait for a device") {
  static_assert(!std::is_convertible_v<gp::ndarray<i64>, gp::dims>);
  static_assert(!std::is_constructible_v<gp::dims, const gp::ndarray<i64>&>);
  static_assert(std::is_convertible_v<std::vector<int>, gp::dims>);
  CHECK(gp::zeros(gp::array({2, 3}).to_vector()).shape() == gp::dims{2, 3});
}
