// Linear interpolation against NumPy.
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/statistics/interpolation.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using c128 = std::complex<double>;

namespace {

const double NaN = std::nan("");
const double INF = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("interp") {
  const auto xp = gp::array({1., 2., 4.}), fp = gp::array({3., 5., 0.});
  GOLDEN("np.interp(A([0., 1, 1.5, 2, 3.1, 4, 9, NAN]), A([1., 2, 4]), A([3., 5, 0]))",
         gp::interp(gp::array({0., 1., 1.5, 2., 3.1, 4., 9., NaN}), xp, fp));
  GOLDEN("np.asarray(np.interp(2.5, A([1., 2, 4]), A([3., 5, 0])))", gp::interp(2.5, xp, fp));
  GOLDEN("np.interp(A([0., 9]), A([1., 2, 4]), A([3., 5, 0]), left=-1, right=7)",
         gp::interp(gp::array({0., 9.}), xp, fp, {.left = -1, .right = 7}));
  GOLDEN("np.interp(A([-180., -170, 190, 355]), A([190., -190, 350, -350]), A([5., 10, 3, 4]), period=360)",
         gp::interp(gp::array({-180., -170., 190., 355.}), gp::array({190., -190., 350., -350.}),
                    gp::array({5., 10., 3., 4.}), {.period = 360}));
  GOLDEN("np.interp(A([1.5]), A([1, 2]), A([1 + 2j, 3]))",
         gp::interp(gp::array({1.5}), gp::array({1, 2}), gp::array<c128>({c128(1, 2), c128(3)})));
  GOLDEN("np.interp(A([1., 2, 3]), A([2]), A([7]))",
         gp::interp(gp::array({1., 2., 3.}), gp::array({2}), gp::array({7})));
  GOLDEN("np.interp(A([1.5, 2]), A([1., 2, 3]), A([INF, INF, 0]))",
         gp::interp(gp::array({1.5, 2.}), gp::array({1., 2., 3.}), gp::array({INF, INF, 0.})));
  // Where infinities cancel seen from the left, the right end decides.
  CHECK(gp::interp(gp::array({1.5, 2.5}), gp::array({1., 2., 3.}), gp::array({-INF, 0., 1.})).to_vector() ==
        std::vector<double>{-INF, 0.5});
  CHECK(gp::interp(-1.5, gp::array({-2., -1.}), gp::array({INF, 0.})).item() == INF);
  CHECK(std::isnan(gp::interp(1.5, gp::array({1., 2.}), gp::array({-INF, INF})).item()));
  GOLDEN_THROWS("np.interp(A([1]), A([1, 2]), A([1]))",
                gp::interp(gp::array({1}), gp::array({1, 2}), gp::array({1})));
  GOLDEN_THROWS("np.interp(A([1]), A([]), A([]))", gp::interp(gp::array({1}), gp::zeros(0), gp::zeros(0)));
  GOLDEN_THROWS("np.interp(A([1]), A([1]), A([1]), period=0)",
                gp::interp(gp::array({1}), gp::array({1}), gp::array({1}), {.period = 0}));
}
