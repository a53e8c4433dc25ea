// r_ and c_, and grids of samples, against NumPy.
#include <gparray/creation/concatenators.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }

}  // namespace

TEST_CASE("r_, c_ and grids of samples") {
  const auto a = gp::array({1, 2, 3});
  GOLDEN("np.r_[A([1, 2, 3]), 0, 0, A([4, 5])]", gp::r_(a, 0, 0, gp::array({4, 5})));
  GOLDEN("np.r_[0:3, 5:0:-2, 1.5]", gp::r_(gp::slice(0, 3), gp::slice(5, 0, -2), 1.5));
  GOLDEN("np.r_[-1:1:6j, 3]", gp::r_(gp::samples{-1, 1, 6}, 3));
  GOLDEN("np.r_[a, a]", gp::r_(matrix(), matrix()));
  GOLDEN("np.c_[A([1, 2, 3]), A([4, 5, 6])]", gp::c_(a, gp::array({4, 5, 6})));
  GOLDEN("np.c_[a, A([7, 8]), a]", gp::c_(matrix(), gp::array({7, 8}), matrix()));
  GOLDEN("np.mgrid[0:1:5j]", gp::mgrid(gp::samples{0, 1, 5}));
  GOLDEN("np.mgrid[0:1:3j, 0:2:2j]", gp::mgrid(gp::samples{0, 1, 3}, gp::samples{0, 2, 2}));
  GOLDEN("np.ogrid[0:1:3j, 0:2:2j][1]", gp::ogrid(gp::samples{0, 1, 3}, gp::samples{0, 2, 2})[1]);
  CHECK_THROWS_AS(gp::r_(matrix(), a), gp::value_error);
}
