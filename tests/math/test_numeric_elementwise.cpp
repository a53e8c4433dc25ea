// Rounding, comparison with a tolerance, replacement of NaN, functions of two results, angles: against NumPy.
#include <cmath>
#include <limits>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;
using complex = std::complex<double>;

namespace {
const double NaN = std::nan(""), INF = std::numeric_limits<double>::infinity();
}

TEST_CASE("round to decimals") {
  GOLDEN("np.round(A([2.675, 1.005, .285]), 2)", gp::round(gp::array({2.675, 1.005, .285}), 2));
  GOLDEN("np.round(A([2.5, -3.5, NAN, -.4]), 0)", gp::round(gp::array({2.5, -3.5, NaN, -.4}), 0));
  GOLDEN("np.round(A([1250., 1350, -1250]), -2)", gp::round(gp::array({1250., 1350., -1250.}), -2));
  GOLDEN("np.round(A([1250, 1350, -1250]), -2)", gp::round(gp::array({1250, 1350, -1250}), -2));
  GOLDEN("np.round(A([15, 25], 'u1'), -1)", gp::round(gp::array<std::uint8_t>({15, 25}), -1));
  GOLDEN("np.round(A([15, 25]), 3)", gp::round(gp::array({15, 25}), 3));
  GOLDEN("np.round(A([.125, 2.345], 'f4'), 2)", gp::round(gp::array<float>({.125f, 2.345f}), 2));
  GOLDEN("np.round(A([.125, 2.345], 'f2'), 2)", gp::round(gp::array<gp::float16>({.125f, 2.345f}), 2));
  GOLDEN("np.round(A([1.25 + 2.35j, complex(INF, -.04)]), 1)",
         gp::round(gp::array<complex>({complex(1.25, 2.35), complex(INF, -.04)}), 1));
  GOLDEN("np.round(A([1.5 + 2.5j]))", gp::around(gp::array<complex>({complex(1.5, 2.5)})));
  GOLDEN("np.round(A([1e300, 5e-324]), 12)", gp::round(gp::array({1e300, 5e-324}), 12));
}

TEST_CASE("clip with open sides") {
  GOLDEN("np.clip(A([1, 9]), None, 5)", gp::clip(gp::array({1, 9}), none, 5));
  GOLDEN("np.clip(A([1, 9]), 5, None)", gp::clip(gp::array({1, 9}), 5, none));
  GOLDEN("np.clip(A([0, 7, 255], 'u1'), None, 300)",
         gp::clip(gp::array<std::uint8_t>({0, 7, 255}), none, 300));
  GOLDEN("np.clip(A([0, 7, 255], 'u1'), -1, None)", gp::clip(gp::array<std::uint8_t>({0, 7, 255}), -1, none));
  GOLDEN("np.clip(A([1., NAN, 3.]), None, 2)", gp::clip(gp::array({1., NaN, 3.}), none, 2));
  GOLDEN("np.clip(a, A([2, 3, 1]), None)",
         gp::clip(gp::arange(6).reshape({2, 3}), gp::array({2, 3, 1}), none));
}

TEST_CASE("results into arrays that are given, operands among them") {
  auto a = gp::array({1.26, 9., -3.});
  const auto out = gp::zeros({3});
  CHECK(gp::clip(a, 0, 5, out).raw_data() == out.raw_data());
  CHECK(out.to_vector() == std::vector<double>{1.26, 5, 0});
  gp::clip(a, none, gp::array({1., 10., 0.}), out);
  CHECK(out.to_vector() == std::vector<double>{1, 9, -3});
  gp::clip(a, 2, none, out, {.where = gp::array({true, true, false})});
  CHECK(out.to_vector() == std::vector<double>{2, 9, -3});
  gp::clip(a, 0, 5, a("::-1"));
  CHECK(a.to_vector() == std::vector<double>{0, 5, 1.26});
  gp::round(a, 1, out);
  CHECK(out.to_vector() == std::vector<double>{0, 5, 1.3});
  CHECK(gp::around(a, 0, a).to_vector() == std::vector<double>{0, 5, 1});
  CHECK_THROWS_AS(gp::clip(a, 0, 5, gp::zeros({2})), gp::value_error);
  CHECK_THROWS_AS(gp::round(a, 1, gp::zeros({2})), gp::value_error);

  auto x = gp::array({-7, 7, 5}), y = gp::array({2, -2, 3});
  const auto [q, r] = gp::divmod(x, y, x, y);
  CHECK(q.to_vector() == std::vector<std::int64_t>{-4, -4, 1});
  CHECK(y.to_vector() == std::vector<std::int64_t>{1, -1, 2});
  CHECK(q.raw_data() == x.raw_data());
  CHECK(r.raw_data() == y.raw_data());
  auto z = gp::array({-2.5, 8.});
  const auto whole = gp::zeros({2}), part = gp::zeros({2});
  gp::modf(z, part, whole);
  CHECK(part.to_vector() == std::vector<double>{-.5, 0});
  CHECK(whole.to_vector() == std::vector<double>{-2, 8});
  const auto power = gp::zeros<std::int32_t>({2});
  gp::frexp(z, z, power);
  CHECK(z.to_vector() == std::vector<double>{-.625, .5});
  CHECK(power.to_vector() == std::vector<std::int32_t>{2, 4});
}

TEST_CASE("other names of ufuncs take outputs and masks too") {
  const auto a = gp::array({-1., 2., -3.}), out = gp::zeros({3});
  const auto mask = gp::array({true, true, false});
  CHECK(gp::abs(a, out, {.where = mask}).raw_data() == out.raw_data());
  CHECK(out.to_vector() == std::vector<double>{1, 2, 0});
  gp::pow(a, 2., out, {.where = ~mask});
  CHECK(out.to_vector() == std::vector<double>{1, 2, 9});
  CHECK(gp::true_divide(a, 2., out).to_vector() == std::vector<double>{-.5, 1, -1.5});
}

TEST_CASE("isclose, allclose, array_equal") {
  GOLDEN("np.isclose(1.0, 1.1, rtol=.1, atol=0)", gp::isclose(1.0, 1.1, {.rtol = .1, .atol = 0}));
  GOLDEN("np.isclose(1.1, 1.0, rtol=.1, atol=0)", gp::isclose(1.1, 1.0, {.rtol = .1, .atol = 0}));
  GOLDEN("np.isclose(1e-10, 0)", gp::isclose(1e-10, 0));
  const auto x = gp::array({1., NaN, INF, -INF, INF, 1.}), y = gp::array({1 + 1e-9, NaN, INF, INF, 1., INF});
  GOLDEN("np.isclose(A([1., NAN, INF, -INF, INF, 1.]), A([1 + 1e-9, NAN, INF, INF, 1., INF]))",
         gp::isclose(x, y));
  GOLDEN(
      "np.isclose(A([1., NAN, INF, -INF, INF, 1.]), A([1 + 1e-9, NAN, INF, INF, 1., INF]), equal_nan=True)",
      gp::isclose(x, y, {.equal_nan = true}));
  GOLDEN("np.isclose(A([1., NAN, INF]), INF)", gp::isclose(gp::array({1., NaN, INF}), INF));
  GOLDEN("np.isclose(A([1., NAN, INF]), NAN, equal_nan=True)",
         gp::isclose(gp::array({1., NaN, INF}), NaN, {.equal_nan = true}));
  GOLDEN("np.isclose(1, A([1, 2], 'u1'))", gp::isclose(1, gp::array<std::uint8_t>({1, 2})));
  GOLDEN("np.isclose(A([.1], 'f4'), .1, rtol=1e-9, atol=0)",
         gp::isclose(gp::array<float>({.1f}), .1, {.rtol = 1e-9, .atol = 0}));
  GOLDEN("np.isclose(A([.1], 'f4'), A([.1]), rtol=1e-9, atol=0)",
         gp::isclose(gp::array<float>({.1f}), gp::array({.1}), {.rtol = 1e-9, .atol = 0}));
  GOLDEN("np.isclose(A([200], 'u1'), A([201], 'u1'))",
         gp::isclose(gp::array<std::uint8_t>({200}), gp::array<std::uint8_t>({201})));
  GOLDEN("np.isclose(A([1 + 1j]), A([1 + 1j + 1e-9]))",
         gp::isclose(gp::array<complex>({complex(1, 1)}), gp::array<complex>({complex(1 + 1e-9, 1)})));
  GOLDEN("np.isclose(np.ones((2, 1)), A([1., 2.]))", gp::isclose(gp::ones({2, 1}), gp::array({1., 2.})));
  GOLDEN("np.allclose(v, v + 1e-9)", gp::allclose(gp::arange(5), gp::arange(5) + 1e-9));
  GOLDEN("np.allclose(v, v + .1)", gp::allclose(gp::arange(5), gp::arange(5) + .1));
  GOLDEN("np.array_equal(v, v.astype('f4'))", gp::array_equal(gp::arange(5), gp::arange<float>(5)));
  GOLDEN("np.array_equal(A([1]), A([1, 1]))", gp::array_equal(gp::array({1}), gp::array({1, 1})));
  GOLDEN("np.array_equal(A([NAN]), A([NAN]))", gp::array_equal(gp::array({NaN}), gp::array({NaN})));
  GOLDEN("np.array_equal(A([NAN]), A([NAN]), equal_nan=True)",
         gp::array_equal(gp::array({NaN}), gp::array({NaN}), true));
  GOLDEN("np.array_equiv(A([1]), A([1, 1]))", gp::array_equiv(gp::array({1}), gp::array({1, 1})));
  GOLDEN("np.array_equiv(A([1, 1, 1]), A([1, 1]))", gp::array_equiv(gp::array({1, 1, 1}), gp::array({1, 1})));
  CHECK_THROWS_AS(gp::isclose(gp::ones(2), gp::ones(3)), gp::value_error);
}

TEST_CASE("nan_to_num") {
  const auto x = gp::array({NaN, INF, -INF, 2.});
  GOLDEN("np.nan_to_num(A([NAN, INF, -INF, 2.]))", gp::nan_to_num(x));
  GOLDEN("np.nan_to_num(A([NAN, INF, -INF, 2.]), nan=1)", gp::nan_to_num(x, {.nan = 1}));
  GOLDEN("np.nan_to_num(A([NAN, INF, -INF, 2.]), posinf=2, neginf=3)",
         gp::nan_to_num(x, {.posinf = 2, .neginf = 3}));
  GOLDEN("np.nan_to_num(A([NAN, INF, -INF, 2.], 'f4'), nan=1)",
         gp::nan_to_num(x.astype<float>(), {.nan = 1}));
  GOLDEN("np.nan_to_num(A([complex(NAN, INF)]), nan=1, posinf=2)",
         gp::nan_to_num(gp::array<complex>({complex(NaN, INF)}), {.nan = 1, .posinf = 2}));
  GOLDEN("np.nan_to_num(v, nan=1)", gp::nan_to_num(gp::arange(5), {.nan = 1}));
}

TEST_CASE("functions of two results") {
  const auto [q, r] = gp::divmod(gp::array({-7, 7, 5}), gp::array({2, -2, 0}));
  GOLDEN("np.divmod(A([-7, 7, 5]), A([2, -2, 0]))[0]", q);
  GOLDEN("np.divmod(A([-7, 7, 5]), A([2, -2, 0]))[1]", r);
  const auto [fq, fr] = gp::divmod(gp::array<float>({-7.5, 7}), 2);
  GOLDEN("np.divmod(A([-7.5, 7], 'f4'), 2)[0]", fq);
  GOLDEN("np.divmod(A([-7.5, 7], 'f4'), 2)[1]", fr);
  const auto [fractional, integral] = gp::modf(gp::array({-2.5, INF, -0.}));
  GOLDEN("np.modf(A([-2.5, INF, -0.]))[0]", fractional);
  GOLDEN("np.modf(A([-2.5, INF, -0.]))[1]", integral);
  const auto [mantissa, exponent] = gp::frexp(gp::array({8., 0., -3.}));
  GOLDEN("np.frexp(A([8., 0., -3.]))[0]", mantissa);
  GOLDEN("np.frexp(A([8., 0., -3.]))[1]", exponent);
}

TEST_CASE_TEMPLATE("the angle of a real number is that of the point on the axis", V, float, double) {
  constexpr V inf = std::numeric_limits<V>::infinity(), nan = std::numeric_limits<V>::quiet_NaN();
  const std::vector<V> numbers{0, V(-0.0), 1, -1, inf, -inf, nan, std::numeric_limits<V>::denorm_min(), -3};
  std::vector<V> expected;
  for (const V x : numbers) expected.push_back(std::atan2(V(0), x));
  const gp::ndarray<V> found = gp::angle(gp::ndarray<V>(numbers));
  CHECK(gp::array_equal(found, gp::ndarray<V>(expected), true));
  CHECK_FALSE(gp::any(gp::signbit(gp::nan_to_num(found))).item());
}

TEST_CASE("unwrap and angle") {
  GOLDEN("np.unwrap(A([0, .78, 5.49, 6.28]))", gp::unwrap(gp::array<double>({0, .78, 5.49, 6.28})));
  GOLDEN("np.unwrap(A([0., 10, 20]), discont=20)", gp::unwrap(gp::array({0., 10., 20.}), {.discont = 20.}));
  GOLDEN("np.unwrap(A([0., 2, 4, 1]), period=4)", gp::unwrap(gp::array({0., 2., 4., 1.}), {.period = 4}));
  GOLDEN("np.unwrap(t[:, ::-1] * 2, axis=1)",
         gp::unwrap(gp::arange<double>(24).reshape({2, 3, 4})(":, ::-1") * 2., {.axis = 1}));
  GOLDEN("np.unwrap(A([0, 7, 1]))", gp::unwrap(gp::array({0, 7, 1})));
  GOLDEN("np.angle(A([1j, -1]), deg=True)",
         gp::angle(gp::array<complex>({complex(0, 1), complex(-1)}), true));
  GOLDEN("np.angle(A([1., -1.]), deg=True)", gp::angle(gp::array({1., -1.}), true));
  GOLDEN("np.angle(A([1., -1.]), deg=False)", gp::angle(gp::array({1., -1.}), false));
}

TEST_CASE_TEMPLATE("elementwise: powers that a function computes are that function, to the bit", T, float,
                   double) {
  const gp::ndarray<T> x = gp::array<T>({0.1, 0.7, 3., 1e-30, 1e30, 0., 12345.678});
  CHECK(gp::array_equal(gp::power(x, T(2)), gp::square(x)));
  CHECK(gp::array_equal(gp::power(x, T(0.5)), gp::sqrt(x)));
  CHECK(gp::array_equal(gp::power(x, T(-1)), gp::reciprocal(x)));
  CHECK(gp::power(gp::array<std::int32_t>({-3, 65536}), 2).to_vector() == std::vector<std::int32_t>{9, 0});
  CHECK(gp::array_equal(gp::power(x, T(3)), x * x * x));
  CHECK(gp::array_equal(gp::power(x + T(1), 3), (x + T(1)) * (x + T(1)) * (x + T(1))));
  const std::vector<T> numbers{T(-0.), T(-INF), T(INF), T(-101), T(1e-30), T(NaN)};
  const gp::ndarray<T> cubes = gp::power(gp::array<T>(numbers), 3);
  for (int i = 0; i < 5; ++i) {
    const T n = numbers[static_cast<std::size_t>(i)];
    CAPTURE(n);
    CHECK(cubes(i).item() == n * n * n);
  }
  CHECK(std::signbit(cubes(0).item()));
  CHECK(std::isnan(cubes(5).item()));
  // Its neighbours are not.
  CHECK(gp::allclose(gp::power(x, T(4)), x * x * x * x));
  CHECK(gp::power(gp::array<T>({2.}), T(1.5))(0).item() == doctest::Approx(2.8284271));
  CHECK(gp::power(gp::array<T>({2.}), gp::array<T>({2.}))(0).item() == T(4));
}

TEST_CASE("elementwise: functions of bools, each pair of them") {
  const gp::ndarray<bool> a = gp::arange<int>(400) % 2 == 1,
                          b = gp::floor_divide(gp::arange<int>(400), 2) % 2 == 1;
  const auto check = [&](const gp::ndarray<bool>& r, bool none, bool of_a, bool of_b, bool both) {
    for (int i = 0; i < 400; ++i)
      REQUIRE(r(i).item() == (i % 4 == 0 ? none : i % 4 == 1 ? of_a : i % 4 == 2 ? of_b : both));
  };
  check(~a, true, false, true, false);
  check(gp::logical_not(b), true, true, false, false);
  check(gp::logical_and(a, b), false, false, false, true);
  check(gp::logical_or(a, b), false, true, true, true);
  check(gp::logical_xor(a, b), false, true, true, false);
  check(a < b, false, false, true, false);
  check(a >= b, true, true, false, true);
  check(a == b, true, false, false, true);
  check(gp::maximum(a, b), false, true, true, true);
}

TEST_CASE_TEMPLATE("elementwise: masks choose and convert, wherever they begin", T, float, double,
                   std::int8_t, std::uint16_t, std::int32_t, std::int64_t) {
  const gp::ndarray<T> a = gp::arange<int>(300).astype<T>(), b = (gp::arange<int>(300) % 7).astype<T>();
  const gp::ndarray<bool> mask = gp::arange<int>(300) % 3 == 1;
  for (const int begin : {0, 1, 5, 31}) {
    const gp::slice part(begin, 300 - begin % 3);
    const auto chosen = gp::where(mask(part), a(part), b(part)).to_vector();
    const auto converted = mask(part).template astype<T>().to_vector();
    const auto sums = (mask(part) + a(part)).to_vector();
    for (int i = begin, at = 0; i < 300 - begin % 3; ++i, ++at) {
      const bool set = i % 3 == 1;
      REQUIRE(chosen[at] == (set ? static_cast<T>(i) : static_cast<T>(i % 7)));
      REQUIRE(converted[at] == static_cast<T>(set));
      REQUIRE(sums[at] == static_cast<T>(static_cast<T>(i) + static_cast<T>(set)));
    }
  }
}
