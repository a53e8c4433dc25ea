// Linear interpolation against NumPy.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

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

namespace {

/// One number after the other, as the page of numpy.interp says.
double on_line(double x, const std::vector<double>& xp, const std::vector<double>& fp) {
  if (std::isnan(x)) return x;
  if (x < xp.front()) return fp.front();
  if (x >= xp.back()) return fp.back();
  const auto next = static_cast<std::size_t>(std::upper_bound(xp.begin(), xp.end(), x) - xp.begin());
  const double slope = (fp[next] - fp[next - 1]) / (xp[next] - xp[next - 1]);
  return x == xp[next - 1] ? fp[next - 1] : slope * (x - xp[next - 1]) + fp[next - 1];
}

}  // namespace

TEST_CASE("interp of any number of numbers between any number of points") {
  for (const std::int64_t n_points : {1, 2, 3, 16, 33, 1000})
    for (const std::int64_t n : {0, 1, 15, 16, 17, 255, 256, 257, 300, 70'001}) {
      CAPTURE(n_points);
      CAPTURE(n);
      const gp::ndarray<double> xp = gp::cumsum(gp::remainder(gp::arange<double>(n_points) * 0.618, 1.0)),
                                fp = gp::remainder(gp::arange<double>(n_points) * 0.7548, 1.0) - 0.3;
      gp::ndarray<double> x =
          (gp::remainder(gp::arange<double>(n) * 0.5698, 1.0) * 1.2 - 0.1) * xp(-1).item();
      if (n > 20) {
        x(3) = NaN;
        x(17) = INF;
        x(18) = -INF;
        x(19) = xp(n_points / 2);
      }
      const std::vector<double> points = xp.to_vector(), values = fp.to_vector();
      std::vector<double> wanted;
      for (const double one : x.to_vector()) wanted.push_back(on_line(one, points, values));
      const gp::ndarray<double> want = gp::array(wanted).reshape({n});
      CHECK(gp::array_equal(gp::interp(x, xp, fp), want, {.equal_nan = true}));
      CHECK(gp::array_equal(gp::interp(x("::-1"), xp, fp), want("::-1"), {.equal_nan = true}));
      const auto complex = gp::interp(x, xp, fp * c128(1, -2));
      CHECK(gp::allclose(gp::real(complex), want, {.rtol = 1e-13, .atol = 1e-13, .equal_nan = true}));
      // Of NaN it is NaN without an imaginary part.
      const gp::ndarray<double> imaginary = gp::where(gp::isnan(x), 0.0, -2 * want);
      CHECK(gp::allclose(gp::imag(complex), imaginary, {.rtol = 1e-13, .atol = 1e-13}));
      if (n > 20) CHECK(gp::interp(x, xp, fp, {.left = 7, .right = -7})(17).item() == -7);
    }
  CHECK(gp::interp(gp::zeros({2, 0, 3}), gp::array({1.}), gp::array({2.})).shape() == gp::dims{2, 0, 3});
  CHECK(gp::interp(gp::zeros({2, 3}), gp::array({1.}), gp::array({2.})).shape() == gp::dims{2, 3});
}
