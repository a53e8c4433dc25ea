// Ranges between arrays, grids, functions of indices and blocks, against NumPy.
#include <cmath>

#include "support/golden.hpp"
#include "support/traps.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

TEST_CASE("linspace with its step") {
  const auto [one, no_step] = gp::linspace(0, 1, 1, gp::retstep);
  TRAP("range-005/0", one);
  CHECK(std::isnan(no_step.item()));
  const auto [samples, step] = gp::linspace(2., 3., 4, gp::retstep, {.endpoint = false});
  GOLDEN("np.linspace(2., 3., 4, endpoint=False)", samples);
  CHECK(step.item() == 0.25);
  const auto [rows, steps] = gp::linspace(gp::array({0, 1}), gp::array({1, 3}), 3, gp::retstep, {.axis = 1});
  GOLDEN("np.linspace(A([0, 1]), A([1, 3]), 3, axis=1)", rows);
  GOLDEN("np.linspace(A([0, 1]), A([1, 3]), 3, retstep=True)[1]", steps);
}

TEST_CASE("logspace and geomspace between arrays") {
  // Powers and logarithms: two correctly rounded to within an ulp may differ by two.
  const auto close = [](const auto& a, const std::vector<double>& b, const gp::dims& shape) {
    CHECK(a.shape() == shape);
    CHECK(gp::allclose(a, gp::array(b).reshape(shape), {.rtol = 1e-15, .atol = 0}));
  };
  close(gp::logspace(gp::array({0, 1}), gp::array({2., 3.}), 3), {1, 10, 10, 100, 100, 1000}, {3, 2});
  close(gp::logspace(gp::array({0, 1}), 2, 2, {.base = 2, .axis = -1}), {1, 4, 2, 4}, {2, 2});
  close(gp::geomspace(gp::array({1., -1000.}), gp::array({100., -10.}), 3), {1, -1000, 10, -100, 100, -10},
        {3, 2});
  close(gp::geomspace(1, gp::array({4., 16.}), 3, {.axis = 1}), {1, 2, 4, 1, 4, 16}, {2, 3});
  CHECK(gp::geomspace(3, gp::array({7., 11.}), 4)(-1).to_vector() == std::vector<double>{7, 11});
  CHECK_THROWS_WITH_AS(gp::geomspace(gp::array({1., 0.}), 2), "Geometric sequence cannot include zero",
                       gp::value_error);
}

TEST_CASE("grids and functions of indices") {
  const auto open = gp::sparse_indices({2, 3});
  GOLDEN("np.indices((2, 3), sparse=True)[0]", open[0]);
  GOLDEN("np.indices((2, 3), sparse=True)[1]", open[1]);
  GOLDEN("np.ogrid[0:3, 0:10:5][1]", gp::ogrid(gp::slice(0, 3), gp::slice(0, 10, 5))[1]);
  GOLDEN("np.mgrid[0:3, 4:0:-2]", gp::mgrid(gp::slice(3), gp::slice(4, 0, -2)));
  GOLDEN("np.mgrid[2:5]", gp::mgrid(gp::slice(2, 5)));
  const gp::ndarray<float> wide = gp::indices<float>({3, 5, 70});
  CHECK(gp::array_equal(wide(0), gp::broadcast_to(gp::arange<float>(3).reshape({3, 1, 1}), {3, 5, 70})));
  CHECK(gp::array_equal(wide(1), gp::broadcast_to(gp::arange<float>(5).reshape({5, 1}), {3, 5, 70})));
  CHECK(gp::array_equal(wide(2), gp::broadcast_to(gp::arange<float>(70), {3, 5, 70})));
  CHECK_THROWS_AS(gp::mgrid(gp::slice(0, none)), gp::value_error);
  TRAP("range-033", gp::fromfunction([](auto i, auto j) { return i * 2 + j; }, {2, 2}));
  GOLDEN("np.fromfunction(lambda i, j: i == j, (3, 3), dtype=int)",
         gp::fromfunction<i64>([](auto i, auto j) { return i == j; }, {3, 3}));
}

TEST_CASE("blocks") {
  const gp::ndarray<double> a = gp::eye(2), b = gp::full({2, 3}, 2.), c = gp::full({1, 2}, 3.),
                            d = gp::full({1, 3}, 4.);
  GOLDEN("np.block([[np.eye(2), np.full((2, 3), 2.)], [np.full((1, 2), 3.), np.full((1, 3), 4.)]])",
         gp::block({{a, b}, {c, d}}));
  GOLDEN("np.block([np.full((1, 2), 3.), np.full((1, 3), 4.)])", gp::block({c, d}));
  GOLDEN("np.block([[v], [v]])", gp::block({{gp::arange(5)}, {gp::arange(5)}}));
  GOLDEN("np.block([[v, v[:1]]])", gp::block({{gp::arange(5), gp::arange(1)}}));
  GOLDEN_THROWS("np.block([[np.eye(2), np.full((1, 3), 4.)]])", gp::block({{a, d}}));
}

TEST_CASE("bmat") {
  const auto a = gp::ones({2, 2});
  GOLDEN("np.block([[np.ones((2, 2)), 2 * np.ones((2, 1))]])", gp::bmat({{a, gp::full({2, 1}, 2.)}}));
}

TEST_CASE("meshgrid and indices") {
  const auto x = gp::arange(2);
  const auto y = gp::arange<float>(3);
  const auto [gx, gy] = gp::meshgrid(x, y);
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'))[0]", gx);
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'))[1]", gy);
  const auto [ix, iy] = gp::meshgrid(x, y, {.indexing = "ij"});
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'), indexing='ij')[0]", ix);
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'), indexing='ij')[1]", iy);
  const auto [sx, sy, sz] = gp::meshgrid(x, y, gp::arange(4), {.sparse = true});
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'), np.arange(4), sparse=True)[0]", sx);
  GOLDEN("np.meshgrid(np.arange(2), np.arange(3, dtype='f4'), np.arange(4), sparse=True)[2]", sz);
  CHECK(sy.shape() == gp::dims{3, 1, 1});
  CHECK_FALSE(gp::may_share_memory(gx, x));
  CHECK(gp::may_share_memory(std::get<0>(gp::meshgrid(x, y, {.copy = false})), x));
  CHECK(gp::meshgrid(std::vector{x, x, x, x})[2].shape() == gp::dims{2, 2, 2, 2});
  GOLDEN("np.meshgrid(np.ones((2, 2)), np.arange(3), indexing='ij')[0]",
         std::get<0>(gp::meshgrid(gp::ones({2, 2}), gp::arange(3), {.indexing = "ij"})));
  GOLDEN("np.meshgrid(np.arange(0), np.arange(3))[1]",
         std::get<1>(gp::meshgrid(gp::arange(0), gp::arange(3))));
  GOLDEN_THROWS("np.meshgrid(v, v, indexing='aa')", gp::meshgrid(x, x, {.indexing = "aa"}));
  GOLDEN("np.indices((2, 3))", gp::indices({2, 3}));
  GOLDEN("np.indices((2, 1, 2), 'f4')", gp::indices<float>({2, 1, 2}));
  GOLDEN("np.indices(())", gp::indices(gp::dims{}));
}
