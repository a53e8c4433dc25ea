// Functions of lines and parts, bits, interpolation, windows and polynomials against NumPy.
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/manipulation/bits.hpp>
#include <gparray/manipulation/functional.hpp>
#include <gparray/signal/windows.hpp>
#include <gparray/statistics/interpolation.hpp>
#include <gparray/statistics/polynomials.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;
using c128 = std::complex<double>;

namespace {

const double NaN = std::nan(""), INF = std::numeric_limits<double>::infinity();
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }

/// Whether every element is within `ulps` roundings of the largest of what NumPy answers.
template<class V>
void near(const gp::ndarray<V>& have, const std::vector<V>& want, double ulps) {
  const auto values = have.to_vector();
  REQUIRE(values.size() == want.size());
  double largest = 0;
  for (const V& w : want) largest = std::max(largest, static_cast<double>(std::abs(w)));
  for (std::size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CAPTURE(std::abs(values[i]));
    CHECK(std::abs(values[i] - want[i]) <= ulps * gp::finfo<V>::eps * largest);
  }
}

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

TEST_CASE("bits") {
  const auto flags = gp::array({1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3});
  GOLDEN("np.packbits(A([1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3]))", gp::packbits(flags));
  GOLDEN("np.packbits(A([1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 3]), bitorder='little')",
         gp::packbits(flags, {.bitorder = "little"}));
  GOLDEN("np.packbits(a > 2, axis=0)", gp::packbits(matrix() > 2, {.axis = 0}));
  GOLDEN("np.unpackbits(A([2, 131], 'u1'))", gp::unpackbits(gp::array<std::uint8_t>({2, 131})));
  GOLDEN("np.unpackbits(A([[2], [131]], 'u1'), axis=1, count=3)",
         gp::unpackbits(gp::array<std::uint8_t>({{2}, {131}}), {.axis = 1, .count = 3}));
  GOLDEN("np.unpackbits(A([2, 131], 'u1'), count=-3, bitorder='little')",
         gp::unpackbits(gp::array<std::uint8_t>({2, 131}), {.count = -3, .bitorder = "little"}));
  GOLDEN("np.unpackbits(A([2], 'u1'), count=12)",
         gp::unpackbits(gp::array<std::uint8_t>({2}), {.count = 12}));
  GOLDEN("np.unpackbits(np.packbits(A([], '?')))", gp::unpackbits(gp::packbits(gp::zeros<bool>(0))));
  GOLDEN_THROWS("np.packbits(A([1]), bitorder='middle')",
                gp::packbits(gp::array({1}), {.bitorder = "middle"}));
  GOLDEN_THROWS("np.unpackbits(A([1], 'u1'), count=-9)",
                gp::unpackbits(gp::array<std::uint8_t>({1}), {.count = -9}));
  CHECK(gp::binary_repr(5) == "101");
  CHECK(gp::binary_repr(-5) == "-101");
  CHECK(gp::binary_repr(5, 6) == "000101");
  CHECK(gp::binary_repr(-5, 6) == "111011");
  CHECK(gp::binary_repr(-8, 4) == "1000");
  CHECK(gp::binary_repr(0, 3) == "000");
  CHECK(gp::binary_repr(INT64_MIN, 64) == "1" + std::string(63, '0'));
  CHECK_THROWS_WITH_AS(gp::binary_repr(5, 2), "Insufficient bit width=2 provided for binwidth=3",
                       gp::value_error);
  CHECK(gp::base_repr(255, 16) == "FF");
  CHECK(gp::base_repr(-5, 3, 2) == "-0012");
  CHECK(gp::base_repr(0, 7) == "0");
  CHECK_THROWS_AS(gp::base_repr(1, 37), gp::value_error);
}

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
  GOLDEN_THROWS("np.interp(A([1]), A([1, 2]), A([1]))",
                gp::interp(gp::array({1}), gp::array({1, 2}), gp::array({1})));
  GOLDEN_THROWS("np.interp(A([1]), A([]), A([]))", gp::interp(gp::array({1}), gp::zeros(0), gp::zeros(0)));
  GOLDEN_THROWS("np.interp(A([1]), A([1]), A([1]), period=0)",
                gp::interp(gp::array({1}), gp::array({1}), gp::array({1}), {.period = 0}));
}

TEST_CASE("cov and corrcoef") {
  // Products of small integers and divisions by 1, 2 and 4 are exact.
  const auto m = gp::array({{0., 2., 4.}, {6., 2., 1.}});
  GOLDEN("np.cov(A([[0., 2, 4], [6, 2, 1]]))", gp::cov(m));
  GOLDEN("np.cov(A([1., 3, 5, 3]), bias=True)", gp::cov(gp::array({1., 3., 5., 3.}), {.bias = true}));
  GOLDEN("np.cov(A([0., 2, 4]), A([6., 2, 1]))", gp::cov(gp::array({0., 2., 4.}), gp::array({6., 2., 1.})));
  GOLDEN("np.cov(A([[0., 6], [2, 2], [4, 1]]), rowvar=False, ddof=0)",
         gp::cov(m.T(), {.rowvar = false, .ddof = 0}));
  GOLDEN("np.cov(A([1., 3, 5]), fweights=A([1, 2, 1]), aweights=A([1., .5, 1]))",
         gp::cov(gp::array({1., 3., 5.}),
                 {.fweights = gp::array({1, 2, 1}), .aweights = gp::array({1., .5, 1.})}));
  near(gp::corrcoef(m), {1., -0.9449111825230683, -0.9449111825230683, 1.}, 4);
  GOLDEN("np.corrcoef(A([0., 2, 4]), A([4., 2, 0]))",
         gp::corrcoef(gp::array({0., 2., 4.}), gp::array({4., 2., 0.})));
  GOLDEN_THROWS("np.cov(t)", gp::cov(cube()));
  CHECK_THROWS_WITH_AS(gp::cov(gp::array({1., 3., 5.}), {.fweights = gp::array({1, 2})}),
                       "incompatible numbers of samples and fweights",
                       gp::value_error);  // NumPy: RuntimeError
  GOLDEN_THROWS("np.cov(A([1., 3, 5]), aweights=A([1., -2, 1]))",
                gp::cov(gp::array({1., 3., 5.}), {.aweights = gp::array({1., -2., 1.})}));
}

TEST_CASE("windows") {
  GOLDEN("np.bartlett(7)", gp::bartlett(7));
  GOLDEN("np.bartlett(1)", gp::bartlett(1));
  GOLDEN("np.hanning(0)", gp::hanning(0));
  // Sums of up to three terms below 1, of cosines within two roundings.
  near(gp::blackman(5), {-1.38777878e-17, 0.34, 1., 0.34, -1.38777878e-17}, 4);
  near(gp::hamming(5), {0.08, 0.54, 1., 0.54, 0.08}, 4);
  near(gp::hanning(5), {0., 0.5, 1., 0.5, 0.}, 4);
  near(gp::kaiser(5, 14), {7.72686684e-06, 0.164932188, 1., 0.164932188, 7.72686684e-06},
       1e7);  // 9 digits are given
}

TEST_CASE("polynomials") {
  const auto p = gp::array({3., 5., 2.}), q = gp::array({2., 1.});
  GOLDEN("np.polyval(A([3., 5, 2]), A([0., 1, -2]))", gp::polyval(p, gp::array({0., 1., -2.})));
  GOLDEN("np.asarray(np.polyval(A([3, 0, 1]), 5))", gp::polyval(gp::array({3, 0, 1}), 5));
  GOLDEN("np.polyadd(A([3., 5, 2]), A([2, 1]))", gp::polyadd(p, gp::array({2, 1})));
  GOLDEN("np.polysub(A([2, 1]), A([3, 5, 2]))", gp::polysub(gp::array({2, 1}), gp::array({3, 5, 2})));
  GOLDEN("np.polymul(A([0, 1, 2]), A([3, 4]))", gp::polymul(gp::array({0, 1, 2}), gp::array({3, 4})));
  const auto [quotient, remainder] = gp::polydiv(p, q);
  GOLDEN("np.polydiv(A([3., 5, 2]), A([2., 1]))[0]", quotient);
  GOLDEN("np.polydiv(A([3., 5, 2]), A([2., 1]))[1]", remainder);
  GOLDEN("np.polyder(A([1., 1, 1, 1]))", gp::polyder(gp::array({1., 1., 1., 1.})));
  GOLDEN("np.polyder(A([4, 3, 2, 1]), 2)", gp::polyder(gp::array({4, 3, 2, 1}), 2));
  GOLDEN("np.polyder(A([5]))", gp::polyder(gp::array({5})));
  GOLDEN("np.polyint(A([1, 2]), 2, 3)", gp::polyint(gp::array({1, 2}), 2, 3));
  GOLDEN("np.poly(A([1., 2, -3]))", gp::poly(gp::array({1., 2., -3.})));
  GOLDEN("np.poly(A([1j, -1j])).astype('D')", gp::poly(gp::array<c128>({c128(0, 1), c128(0, -1)})));
  near(gp::poly(gp::array({{2., 1.}, {1., 2.}})), {1., -4., 3.}, 8);
  near(gp::sort(gp::roots(gp::array({0., 2., -6., 4., 0.}))), {c128(0), c128(1), c128(2)}, 16);
  GOLDEN("np.roots(A([0., 0.])).astype('D')", gp::roots(gp::array({0., 0.})));
  const auto x = gp::array({0., 1., 2., 3.});
  // A least-squares solution of a well conditioned problem with exact data.
  near(gp::polyfit(x, gp::array({1., 3., 7., 13.}), 2), {1., 1., 1.}, 64);
  near(gp::polyfit(x, gp::array({{1., 2.}, {3., 2.}, {5., 2.}, {7., 2.}}), 1), {2., 0., 1., 2.}, 64);
  near(gp::polyfit(x, gp::array({1., 3., 5., 70.}), 1, {.w = gp::array({1., 1., 1., 0.})}), {2., 1.}, 64);
  GOLDEN_THROWS("np.polyfit(A([]), A([]), 1)", gp::polyfit(gp::zeros(0), gp::zeros(0), 1));
  GOLDEN_THROWS("np.polyfit(A([1.]), A([1.]), -1)", gp::polyfit(gp::array({1.}), gp::array({1.}), -1));
  GOLDEN_THROWS("np.polyfit(A([1., 2]), A([1.]), 1)", gp::polyfit(gp::array({1., 2.}), gp::array({1.}), 1));
  GOLDEN_THROWS("np.polyder(A([1, 2]), -1)", gp::polyder(gp::array({1, 2}), -1));
  GOLDEN_THROWS("np.polymul(A([[1]]), A([1]))", gp::polymul(gp::array({{1}}), gp::array({1})));
  GOLDEN_THROWS("np.roots(A([[1]]))", gp::roots(gp::array({{1}})));
  const gp::poly1d f(gp::array({0., 1., -3., 2.}));
  CHECK(f.order() == 2);
  CHECK(f(3).item() == 2);
  CHECK((f * f).order() == 4);
  CHECK(f.deriv().coeffs().to_vector() == std::vector<double>{2, -3});
  near(gp::sort(f.r()), {c128(1), c128(2)}, 16);
}

TEST_CASE("polynomials with the constant term first") {
  using namespace gp::polynomial;
  GOLDEN("np.polynomial.polynomial.polyvander(A([1., 2]), 2)", polyvander(gp::array({1., 2.}), 2));
  GOLDEN("np.polynomial.polynomial.polycompanion(A([1., 2, 4]))", polycompanion(gp::array({1., 2., 4.})));
  GOLDEN("np.polynomial.polynomial.polyval(A([1., 2]), A([1., 2, 4]))",
         gp::polynomial::polyval(gp::array({1., 2.}), gp::array({1., 2., 4.})));
  GOLDEN("np.polynomial.polynomial.polyvalfromroots(A([1., 3]), A([1., 2]))",
         polyvalfromroots(gp::array({1., 3.}), gp::array({1., 2.})));
  GOLDEN("np.polynomial.polyutils.trimseq(A([1., 2, 0, 0]))", trimseq(gp::array({1., 2., 0., 0.})));
  const auto [series, other] = as_series(true, gp::array({1., 0., 2., 0.}), gp::array(5));
  GOLDEN("np.polynomial.polyutils.as_series([A([1., 0, 2, 0])])[0]", series);
  GOLDEN("A([5])", other);
  GOLDEN_THROWS("np.polynomial.polyutils.as_series([A([])])", as_series(true, gp::zeros(0)));
  GOLDEN("np.polynomial.polyutils.trimcoef(A([1., 2, .1]), .5)", trimcoef(gp::array({1., 2., .1}), .5));
  GOLDEN("np.polynomial.polyutils.trimcoef(A([.1, .1]), .5)", trimcoef(gp::array({.1, .1}), .5));
}
