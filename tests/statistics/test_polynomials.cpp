// Polynomials against NumPy, with the highest power first and with the constant term first.
#include <cmath>
#include <complex>

#include <gparray/statistics/polynomials.hpp>

#include "support/golden.hpp"
#include "support/same_bits.hpp"

namespace gp = gparray;
using c128 = std::complex<double>;

namespace {

gp::ndarray<double> numbers() { return gp::array({7., 1., 3.5, 2., 9., 4.}); }

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

TEST_CASE("polynomials") {
  const auto p = gp::array({3., 5., 2.}), q = gp::array({2., 1.});
  GOLDEN("np.polyval(A([3., 5, 2]), A([0., 1, -2]))", gp::polyval(p, gp::array({0., 1., -2.})));
  GOLDEN("np.asarray(np.polyval(A([3, 0, 1]), 5))", gp::polyval(gp::array({3, 0, 1}), 5));
  GOLDEN("np.polyadd(A([3., 5, 2]), A([2, 1]))", gp::polyadd(p, gp::array({2, 1})));
  GOLDEN("np.polysub(A([2, 1]), A([3, 5, 2]))", gp::polysub(gp::array({2, 1}), gp::array({3, 5, 2})));
  GOLDEN("np.polymul(A([0, 1, 2]), A([3, 4]))", gp::polymul(gp::array({0, 1, 2}), gp::array({3, 4})));
  CHECK(gp::polymul(gp::zeros(3), gp::array({3., 4.})).to_vector() == std::vector<double>{0, 0});
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

namespace {

/// Horner's rule step by step, each computed.
template<class V>
gp::ndarray<V> by_steps(const gp::ndarray<V>& p, const gp::ndarray<V>& x) {
  gp::ndarray<V> y = gp::zeros_like(x);
  for (std::int64_t i = 0; i < p.size(); ++i) {
    y = (y * x).eval();
    y = (y + p(i)).eval();
  }
  return y;
}

template<class V>
void check_bits(const gp::ndarray<V>& p, const gp::ndarray<V>& x) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(p.size());
  CAPTURE(x.size());
  const gp::ndarray<V> have = gp::polyval(p, x), want = by_steps(p, x);
  REQUIRE(have.shape() == want.shape());
  CHECK(have.strides() == want.strides());
  CHECK(same_bits(have, want));
}

template<class V>
void check_bits_of() {
  auto rng = gp::random::default_rng(9);
  for (const std::int64_t degree : {0, 1, 2, 30})
    for (const std::int64_t n : {0, 1, 63, 64, 65, 1000, 40001}) {
      const auto draw = [&](std::int64_t count) {
        const gp::ndarray<double> u = rng.standard_normal(count) * 2;
        if constexpr (gp::is_complex(gp::dtype_of<V>))
          return gp::ndarray<V>((u + u * c128(0, .7)).template astype<V>());
        else if constexpr (std::is_same_v<V, bool>) return gp::ndarray<V>(u > 0);
        else if constexpr (std::is_unsigned_v<V>) return gp::ndarray<V>(gp::abs(u * 50).template astype<V>());
        else if constexpr (std::is_integral_v<V>) return gp::ndarray<V>((u * 50).template astype<V>());
        else return gp::ndarray<V>(u.template astype<V>());
      };
      check_bits<V>(draw(degree + 1), draw(n));
    }
}

}  // namespace

TEST_CASE("polyval in one pass has the bits of its steps") {
  check_bits_of<double>();
  check_bits_of<float>();
  check_bits_of<gp::float16>();
  check_bits_of<gp::bfloat16>();
  check_bits_of<std::int64_t>();
  check_bits_of<std::int8_t>();
  check_bits_of<std::uint16_t>();
  check_bits_of<bool>();
  check_bits_of<c128>();
  check_bits_of<std::complex<float>>();
  // Coefficients from behind; elements in Fortran's order, with gaps, and of views.
  const gp::ndarray<double> p = gp::array({3., -1., 0.5, 2.}), x = gp::linspace(-2., 2., 24).reshape({4, 6});
  check_bits<double>(gp::flip(p), x);
  check_bits<double>(p, x.T());
  check_bits<double>(p, x(gp::all, gp::slice(1, gp::none, 2)));
  check_bits<double>(p(gp::slice(gp::none, gp::none, 2)), x(gp::slice(gp::none, gp::none, -1)));
  check_bits<double>(p, gp::array<double>({INFINITY, -INFINITY, NAN, -0.0}));
  CHECK(gp::array_equal(gp::polyval(gp::zeros<double>(0), x), gp::zeros_like(x)));
  CHECK(gp::array_equal(gp::polyval(p, x.astype<float>()), by_steps(p, x.astype<float>().astype<double>())));
  CHECK(gp::polyval(p, 2.f).item() == 24 - 4 + 1 + 2);
  CHECK(gp::polyval(gp::array({1, 2}), x * 2.)(0, 0).item() == -2);
}

TEST_CASE("what polyfit found out") {
  const auto x = gp::array({0., 1., 2., 3., 4., 6.}), y = numbers();
  const auto [c, residuals, rank, s, rcond] = gp::polyfit(x, y, 2, gp::return_full);
  // Least squares of 6 points with a condition below 20 by two algorithms.
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[0]", 400, c);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[1]", 400, residuals);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[3]", 16, s);
  CHECK(rank == 3);
  CHECK(rcond == 6 * 0x1p-52);
  const auto fit = gp::polyfit(x, y, 2, gp::return_cov);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, cov=True)[1]", 400, fit.cov);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 1, cov='unscaled', w=w)[1]", 400,
              gp::polyfit(x, y, 1, gp::return_cov_t{.unscaled = true}, {.w = y}).cov);
  const auto columns = gp::stack(y, gp::ndarray<double>(y * 2 + x), 1);
  GOLDEN_NEAR(
      "np.polyfit(A([0., 1, 2, 3, 4, 6]), np.stack([w, w * 2 + A([0., 1, 2, 3, 4, 6])], 1), 1, cov=True)[1]",
      400, gp::polyfit(x, columns, 1, gp::return_cov).cov);
  GOLDEN_THROWS("np.polyfit(A([0., 1]), A([0., 1]), 1, cov=True)",
                gp::polyfit(gp::array({0., 1.}), gp::array({0., 1.}), 1, gp::return_cov));
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
