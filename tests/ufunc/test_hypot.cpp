// hypot and the modulus of complex numbers: the length of (x, 0) is |x|, and others are within 1.2 ulp.
#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

/// Numbers of every size that the type has.
template<class R>
std::vector<R> numbers(int seed) {
  std::mt19937_64 random(static_cast<std::uint64_t>(seed));
  std::uniform_real_distribution<double> mantissa(-2, 2);
  std::uniform_int_distribution<int> exponent(std::numeric_limits<R>::min_exponent - 20,
                                              std::numeric_limits<R>::max_exponent - 2);
  std::vector<R> values;
  for (int i = 0; i < 3000; ++i)
    values.push_back(static_cast<R>(std::ldexp(mantissa(random), i % 3 == 0 ? exponent(random) : i % 7)));
  for (const R x : {R(0), std::numeric_limits<R>::denorm_min(), std::numeric_limits<R>::min(),
                    std::numeric_limits<R>::max(), std::numeric_limits<R>::infinity()})
    for (const R sign : {R(1), R(-1)}) values.push_back(sign * x);
  return values;
}

template<class R>
void check_zero() {
  const std::vector<R> x = numbers<R>(1);
  const gp::ndarray<R> a(x);
  const std::vector<R> sizes = gp::abs(a).to_vector();
  const gp::ndarray<R> zero = gp::zeros_like(a);
  CHECK(gp::hypot(a, zero).to_vector() == sizes);
  CHECK(gp::hypot(zero, a).to_vector() == sizes);
  CHECK(gp::hypot(a, R(0)).to_vector() == sizes);
  gp::ndarray<std::complex<R>> z = gp::zeros<std::complex<R>>(a.shape());
  z.real() = a;
  CHECK(gp::abs(z).to_vector() == sizes);
  CHECK(gp::abs(z("::-1")).to_vector() == gp::ndarray<R>(gp::abs(a("::-1"))).to_vector());
}

template<class R>
void check_accuracy() {
  std::vector<R> x = numbers<R>(2), y = numbers<R>(3);
  for (std::size_t i = 0; i < x.size(); i += 2) y[i] = static_cast<R>(x[i] * R(0.75));  // of like size
  gp::ndarray<std::complex<R>> z = gp::zeros<std::complex<R>>({static_cast<std::int64_t>(x.size())});
  z.real() = gp::ndarray<R>(x);
  z.imag() = gp::ndarray<R>(y);
  const std::vector<R> got = gp::hypot(gp::ndarray<R>(x), gp::ndarray<R>(y)).to_vector();
  CHECK(gp::abs(z).to_vector() == got);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double exact = std::hypot(static_cast<long double>(x[i]), static_cast<long double>(y[i]));
    const R nearest = static_cast<R>(exact);
    if (std::isinf(nearest)) {
      CHECK(got[i] >= std::numeric_limits<R>::max());
      continue;
    }
    const R above = std::nextafter(nearest, std::numeric_limits<R>::infinity());
    const double ulp =
        static_cast<double>(static_cast<long double>(above) - static_cast<long double>(nearest));
    if (!std::isinf(above))
      worst =
          std::max(worst, std::abs(static_cast<double>((static_cast<long double>(got[i]) - exact) / ulp)));
  }
  // Two squares, a sum and a root, each rounded: 1/2 (1 + 1) of half an ulp beside the root's own half, where
  // an ulp is up to twice the unit of the last place.
  CHECK(worst <= 1.2);
}

}  // namespace

TEST_CASE("the length of a number beside zero is its size") {
  check_zero<double>();
  check_zero<float>();
  for (const double x : {0.1, 0.3, 1e-320, 1.7e308, 3.0}) {
    CHECK(gp::abs(gp::array(std::complex<double>(x, 0))).item() == x);
    CHECK(gp::hypot(gp::array(x), 0.0).item() == x);
  }
}

TEST_CASE("lengths are within 1.2 ulp, alike for pairs and complex numbers") {
  check_accuracy<double>();
  check_accuracy<float>();
}

TEST_CASE("lengths of what is not finite") {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const gp::ndarray<double> a{inf, -inf, nan, nan, 1, 3 * 0x1p1000, 0},
      b{nan, 0, inf, 1, nan, 4 * 0x1p1000, -0.0};
  const std::vector<double> h = gp::hypot(a, b).to_vector();
  CHECK(h[0] == inf);
  CHECK(h[1] == inf);
  CHECK(h[2] == inf);
  CHECK(std::isnan(h[3]));
  CHECK(std::isnan(h[4]));
  CHECK(h[5] == 5 * 0x1p1000);
  CHECK((h[6] == 0 && !std::signbit(h[6])));
}

TEST_CASE("floating loops are those that each operand converts to safely") {
  using i8 = gp::ndarray<std::int8_t>;
  using u8 = gp::ndarray<std::uint8_t>;
  const i8 a{3};
  const u8 b{4};
  static_assert(std::is_same_v<decltype(gp::hypot(a, b)), gp::expr<gp::float16>>);
  static_assert(
      std::is_same_v<decltype(gp::arctan2(gp::ndarray<std::int16_t>{1}, gp::ndarray<std::uint16_t>{1})),
                     gp::expr<float>>);
  static_assert(
      std::is_same_v<decltype(gp::copysign(gp::ndarray<gp::bfloat16>{1}, b)), gp::expr<gp::bfloat16>>);
  static_assert(std::is_same_v<decltype(gp::add(a, b)), gp::expr<std::int16_t>>);
  CHECK(static_cast<float>(gp::hypot(a, b).item()) == 5);
  CHECK(static_cast<float>(gp::hypot(i8{-128}, u8{255}).item()) == 285.25f);
}
