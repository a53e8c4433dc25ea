// Differences at the places of samples, against NumPy.
#include <gparray/math/gradient.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

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
  const auto [dy, dx] = gp::gradient(t(1), 0.5, 2);
  GOLDEN("np.gradient(t[1]**2, .5, 2.)[0]", dy);
  GOLDEN("np.gradient(t[1]**2, .5, 2.)[1]", dx);
  GOLDEN_THROWS("np.gradient(t, 1., 2.)", gp::gradient(cube(), 1, 2));
  GOLDEN_THROWS("np.gradient(t, A([0., 1.]), axis=2)",
                gp::gradient(cube(), gp::array({0., 1.}), {.axis = 2}));
  GOLDEN_THROWS("np.gradient(t, 1., 2.)", gp::gradients(cube(), std::vector<double>{1., 2.}));
}
