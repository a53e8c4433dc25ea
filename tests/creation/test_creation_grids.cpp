// Ranges between arrays, grids, functions of indices, blocks, gradients and questions about arrays, against
// NumPy.
#include <cmath>

#include "support/golden.hpp"
#include "support/traps.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

gp::ndarray<double> cube() { return gp::arange(24.).reshape({2, 3, 4}); }

}  // namespace

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

TEST_CASE("gradients along several axes and at uneven places") {
  const auto t = gp::square(cube());
  const auto all = gp::gradients(t);
  REQUIRE(all.size() == 3);
  GOLDEN("np.gradient(t**2)[0]", all[0]);
  GOLDEN("np.gradient(t**2)[2]", all[2]);
  const auto two = gp::gradients(t, {0.5, 2.}, {.axis = gp::dims{-1, 0}});
  GOLDEN("np.gradient(t**2, .5, 2., axis=(-1, 0))[0]", two[0]);
  GOLDEN("np.gradient(t**2, .5, 2., axis=(-1, 0))[1]", two[1]);
  const auto x = gp::array({0., 1., 3., 7.});
  GOLDEN("np.gradient(t**2, A([0., 1., 3., 7.]), axis=2)", gp::gradient(t, x, {.axis = 2}));
  GOLDEN("np.gradient(A([1., 4., 9., 16.]), A([0., 1., 3., 7.]), edge_order=2)",
         gp::gradient(gp::array({1., 4., 9., 16.}), x, {.edge_order = 2}));
  GOLDEN("np.gradient(t[1]**2, A([0., 2., 3.]), A([0., 1., 3., 7.]), edge_order=2)[0]",
         gp::gradients(gp::square(cube()(1)), std::vector<gp::ndarray<double>>{gp::array({0., 2., 3.}), x},
                       {.edge_order = 2})[0]);
  GOLDEN_THROWS("np.gradient(t, A([0., 1.]), axis=2)",
                gp::gradient(cube(), gp::array({0., 1.}), {.axis = 2}));
  GOLDEN_THROWS("np.gradient(t, 1., 2.)", gp::gradients(cube(), std::vector<double>{1., 2.}));
}

TEST_CASE("questions about arrays") {
  using z = std::complex<double>;
  const gp::ndarray<z> c{z(1, 0), z(0, 1)};
  GOLDEN("np.isreal(A([1, 1j]))", gp::ndarray<bool>(gp::isreal(c)));
  GOLDEN("np.iscomplex(A([1, 1j]))", gp::ndarray<bool>(gp::iscomplex(c)));
  GOLDEN("np.isreal(v)", gp::ndarray<bool>(gp::isreal(gp::arange(5))));
  CHECK(gp::iscomplexobj(c));
  CHECK(gp::isrealobj(1.5));
  CHECK(gp::isscalar(3));
  CHECK_FALSE(gp::isscalar(c));
  CHECK(gp::isfortran(cube().T()));
  CHECK_FALSE(gp::isfortran(gp::arange(3)));
  CHECK(gp::asarray_chkfinite(c).size() == 2);
  CHECK_THROWS_WITH_AS(gp::asarray_chkfinite(gp::array({1., std::nan("")})),
                       "array must not contain infs or NaNs", gp::value_error);
}
