// Functions that are given functions, against NumPy.
#include <gparray/manipulation/functional.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }

}  // namespace

TEST_CASE("functions of lines") {
  const auto a = matrix();
  GOLDEN("np.apply_along_axis(lambda x: x[::-1], 1, a)",
         gp::apply_along_axis([](const auto& x) { return x("::-1"); }, 1, a));
  GOLDEN("np.apply_along_axis(lambda x: x.sum(), 0, a)",
         gp::apply_along_axis([](const auto& x) { return x.sum(); }, 0, a));
  GOLDEN("np.apply_along_axis(lambda x: 7, 0, a)", gp::apply_along_axis([](const auto&) { return 7; }, 0, a));
  GOLDEN("np.apply_along_axis(lambda x: np.outer(x, x), 1, t)",
         gp::apply_along_axis([](const auto& x) { return gp::outer(x, x); }, 1, cube()));
  GOLDEN_THROWS("np.apply_along_axis(lambda x: x, 1, np.ones((0, 2)))",
                gp::apply_along_axis([](const auto& x) { return x; }, 1, gp::ones({0, 2})));
  GOLDEN("np.apply_over_axes(np.sum, t, [0, 2])",
         gp::apply_over_axes([](const auto& x, int axis) { return gp::sum(x, axis); }, cube(), {0, 2}));
  GOLDEN("np.apply_over_axes(np.cumsum, a, [0, -1])",
         gp::apply_over_axes([](const auto& x, int axis) { return gp::cumsum(x, axis); }, a, {0, -1}));
  const auto difference = gp::vectorize([](i64 x, double y) { return x > y ? x - y : x + y; });
  GOLDEN("np.vectorize(lambda x, y: x - y if x > y else x + y)(a, A([1., 2., 3.]))",
         difference(a, gp::array({1., 2., 3.})));
  GOLDEN("np.vectorize(lambda x: x > 2)(a)", gp::vectorize([](i64 x) { return x > 2; })(a));
}

TEST_CASE("piecewise") {
  const auto x = gp::array({-2.5, -1., 0., 1.5, 2.5});
  GOLDEN("np.piecewise(A([-2.5, -1, 0, 1.5, 2.5]), [A([-2.5, -1, 0, 1.5, 2.5]) < 0], [-1, 1])",
         gp::piecewise(x, {x < 0}, -1, 1));
  GOLDEN("np.piecewise(w, [w > 3, w > 6], [lambda x: -x, 7])",
         gp::piecewise(
             gp::array({7., 1., 3.5, 2., 9., 4.}),
             {gp::array({true, false, true, false, true, true}),
              gp::array({true, false, false, false, true, false})},
             [](const auto& v) { return -v; }, 7));
  GOLDEN("np.piecewise(w, [w > 6], [1, lambda x: x * 2])",
         gp::piecewise(gp::array({7., 1., 3.5, 2., 9., 4.}),
                       {gp::array({true, false, false, false, true, false})}, 1,
                       [](const auto& v) { return v * 2.; }));
  GOLDEN_THROWS("np.piecewise(A([1.]), [A([True])], [1, 2, 3])",
                gp::piecewise(gp::array({1.}), {gp::array({true})}, 1, 2, 3));
}
