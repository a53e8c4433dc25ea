// GPARRAY_UFUNC on the default device, against plain loops over the same expression.
#include <cmath>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace functions {

// Their names must not get in the way: the text means the functions of ufunc_math.hpp.
[[maybe_unused]] double sin(double) { return 1e300; }

GPARRAY_UFUNC(blend, (x, y), T(3) * x - y);
GPARRAY_UFUNC(larger_root, (x, y), x > y ? sqrt(fabs(x)) : pow(fabs(y), T(0.5)));
GPARRAY_UFUNC(turn, (x), sin(x) * T(M_PI));
GPARRAY_UFUNC(positive, (x), x > T(0));
GPARRAY_UFUNC(widened, (x), 2.0 * x);
GPARRAY_UFUNC(counted, (x), x > T(0) ? 1LL : 0LL);
GPARRAY_UFUNC(wrapping, (x, y), static_cast<T>(x* y + T(1)));
GPARRAY_UFUNC(five, (a, b, c, d, e), a + T(10) * b + T(100) * c + T(1000) * d + T(10000) * e);
GPARRAY_UFUNC(with_commas, (x, y), min(x, y) + max(x, T(2)));
// Parameters named like functions.
GPARRAY_UFUNC(clamped, (x, min, max), x<min ? min : x> max ? max : abs(x));

// Black and Scholes, J. Political Economy 81 (1973) 637: the price of a call option.
GPARRAY_UFUNC(d1, (spot, strike, years, rate, sigma),
              (log(spot / strike) + (rate + sigma * sigma / 2) * years) / (sigma * sqrt(years)));

// What the text says, for numbers that a loop in this file takes.
template<class V>
V blend_of(V x, V y) {
  return V(3) * x - y;
}

}  // namespace functions

namespace {

using namespace functions;

template<class V>
gp::ndarray<V> numbers(const gp::dims& shape, int first = -20) {
  std::int64_t n = 1;
  for (const std::int64_t s : shape) n *= s;
  return gp::remainder(gp::arange<double>(first, first + static_cast<int>(n)) * 7.25, 97.0)
      .template astype<V>()
      .eval()
      .reshape(shape);
}

template<class V, class W>
void check_equal(const gp::ndarray<V>& actual, const std::vector<W>& expected) {
  const auto values = actual.to_vector();
  REQUIRE(values.size() == expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(values[i]) == static_cast<double>(expected[i]));
  }
}

}  // namespace

// Counts around the block and around what threads share.
TEST_CASE_TEMPLATE("user ufunc: products and sums are exact for every dtype and count", V, float, double,
                   std::int32_t, std::int64_t) {
  for (const int n : {1, 2, 63, 64, 65, 127, 1000, 40000, 300001}) {
    const gp::ndarray<V> x = numbers<V>({n}), y = numbers<V>({n}, 5);
    const auto a = x.to_vector(), b = y.to_vector();
    std::vector<V> expected;
    for (std::size_t i = 0; i < a.size(); ++i) expected.push_back(blend_of(a[i], b[i]));
    const auto z = blend(x, y);
    static_assert(std::is_same_v<typename decltype(z)::value_type, V>);
    CAPTURE(n);
    CHECK(gp::all(z == gp::ndarray<V>(expected)).item());
    check_equal(gp::ndarray<V>(z(gp::slice(-1, gp::none))), std::vector<V>{expected.back()});
  }
}

TEST_CASE("user ufunc: the dtype of the result is that of the expression") {
  const auto f = numbers<float>({100});
  static_assert(std::is_same_v<decltype(positive(f))::value_type, bool>);
  static_assert(std::is_same_v<decltype(widened(f))::value_type, double>);
  static_assert(std::is_same_v<decltype(counted(f))::value_type, std::int64_t>);
  CHECK(gp::all(positive(f) == (f > 0.f)).item());
  CHECK(gp::all(widened(f) == f.astype<double>() * 2.0).item());
  CHECK(gp::sum(counted(f)).item() == gp::count_nonzero(f > 0.f).item());

  const auto small = numbers<std::int8_t>({100});
  static_assert(std::is_same_v<decltype(blend(small, small))::value_type, std::int32_t>);
  static_assert(std::is_same_v<decltype(wrapping(small, small))::value_type, std::int8_t>);
  CHECK(gp::all(wrapping(small, small) == small * small + 1).item());

  // Halves compute in float and are rounded once.
  const auto half = numbers<gp::float16>({100});
  static_assert(std::is_same_v<decltype(blend(half, half))::value_type, gp::float16>);
  const auto brain = numbers<gp::bfloat16>({100});
  static_assert(std::is_same_v<decltype(blend(brain, brain))::value_type, gp::bfloat16>);
  const auto a = half.to_vector();
  std::vector<gp::float16> expected;
  for (const gp::float16 v : a)
    expected.push_back(gp::float16(3.f * static_cast<float>(v) - static_cast<float>(v)));
  check_equal(gp::ndarray<gp::float16>(blend(half, half)), expected);
}

TEST_CASE("user ufunc: arguments promote as those of NumPy's functions do") {
  const auto f = numbers<float>({4});
  const auto d = numbers<double>({4});
  const auto i = numbers<std::int32_t>({4});
  static_assert(std::is_same_v<decltype(blend(f, 2))::value_type, float>);
  static_assert(std::is_same_v<decltype(blend(f, 2.5))::value_type, float>);
  static_assert(std::is_same_v<decltype(blend(f, d))::value_type, double>);
  static_assert(std::is_same_v<decltype(blend(f, i))::value_type, double>);
  static_assert(std::is_same_v<decltype(blend(i, 2.5))::value_type, double>);
  CHECK(gp::all(blend(f, d) == 3.0 * f.astype<double>() - d).item());
  CHECK(gp::all(blend(i, 2.5) == 3.0 * i - 2.5).item());
  CHECK(gp::all(blend(2, f) == 6.f - f).item());
  CHECK_THROWS_AS(blend(numbers<std::int8_t>({4}), 1000), gp::overflow_error);
  static_assert(!std::is_invocable_v<decltype(blend), gp::ndarray<float>>);
  static_assert(!std::is_invocable_v<decltype(blend), float, float>);
  static_assert(!std::is_invocable_v<decltype(blend), gp::ndarray<std::complex<float>>, float>);
}

TEST_CASE("user ufunc: views, broadcasts, no elements, several functions in one expression") {
  const gp::ndarray<double> m = numbers<double>({30, 40});
  const gp::ndarray<double> row = numbers<double>({40}, 3), column = numbers<double>({30, 1}, 9);
  CHECK(gp::all(blend(m.T(), column.T()) == 3.0 * m.T() - column.T()).item());
  CHECK(gp::all(blend(m("::-1, 3::2"), row("3::2")) == 3.0 * m("::-1, 3::2") - row("3::2")).item());
  CHECK(gp::all(blend(row, column) == 3.0 * row - column).item());
  CHECK(blend(gp::zeros<float>({0, 3}), 1.f).shape() == gp::dims{0, 3});
  CHECK(blend(gp::ndarray<float>{2}(0), 1.f).item() == 5.f);
  CHECK_THROWS_AS(blend(gp::zeros<float>({3}), gp::zeros<float>({4})), gp::value_error);

  const auto fused = gp::sqrt(gp::abs(blend(m + 1.0, wrapping(m, 2.0)))) * row;
  CHECK(gp::all(fused == gp::sqrt(gp::abs(3.0 * (m + 1.0) - (m * 2.0 + 1.0))) * row).item());
  CHECK(gp::sum(blend(m, 1.0)).item() == gp::sum(3.0 * m - 1.0).item());
  CHECK(gp::all(gp::max(blend(m, 1.0), 0) == gp::max(3.0 * m - 1.0, 0)).item());
  CHECK(gp::all(gp::sum(positive(m), 1) == gp::count_nonzero(m > 0.0, 1)).item());
}

TEST_CASE("user ufunc: bits do not depend on where an element is") {
  const gp::ndarray<float> x = gp::linspace<float>(-3, 3, 1001);
  const gp::ndarray<float> whole = turn(x);
  for (const int first : {1, 2, 17, 999}) {
    const gp::ndarray<float> part = turn(x(gp::slice(first, gp::none)));
    CHECK(gp::all(part == whole(gp::slice(first, gp::none))).item());
  }
}

TEST_CASE("user ufunc: the mathematical functions") {
  const gp::ndarray<double> x = gp::linspace<double>(-3, 3, 1000), y = gp::linspace<double>(2, -2, 1000);
  // Both sides are within 4 ulp of the exact value; the products add one rounding.
  const double bound = 10 * gp::finfo<double>::eps;
  CHECK(gp::max(gp::abs(turn(x) - gp::sin(x) * M_PI)).item() <= bound * M_PI);
  const auto roots = gp::where(x > y, gp::sqrt(gp::abs(x)), gp::sqrt(gp::abs(y)));
  CHECK(gp::max(gp::abs(larger_root(x, y) - roots)).item() <= bound * 2);
  CHECK(gp::all(with_commas(x, y) == gp::minimum(x, y) + gp::maximum(x, 2.0)).item());
  const auto prices = gp::linspace<double>(50, 150, 11);
  const auto expected = (gp::log(prices / 100.0) + (0.05 + 0.02) * 2.0) / (0.2 * std::sqrt(2.0));
  CHECK(gp::max(gp::abs(d1(prices, 100., 2., 0.05, 0.2) - expected)).item() <= 100 * bound);
}

TEST_CASE("user ufunc: five arguments, each in its place, also fused as far as a plan goes") {
  const gp::ndarray<std::int64_t> a{1, 2}, b{3, 4}, c{5, 6};
  check_equal(gp::ndarray<std::int64_t>(five(a, b, c, 7, 8)), std::vector<int>{87531, 87642});
  check_equal(gp::ndarray<std::int64_t>(five(1, 2, 3, 4, a)), std::vector<int>{14321, 24321});
  gp::ndarray<std::int64_t> deep = a;
  std::int64_t x = 1, y = 2;
  for (int i = 0; i < 6; ++i) {
    deep = five(deep + a, deep * 2, i, b + 1, five(a, b, c, a - b, 1)) % 1000003;
    x = (x + 1 + 10 * x * 2 + 100 * i + 1000 * 4 + 10000 * (1 + 30 + 500 - 2000 + 10000)) % 1000003;
    y = (y + 2 + 10 * y * 2 + 100 * i + 1000 * 5 + 10000 * (2 + 40 + 600 - 2000 + 10000)) % 1000003;
  }
  check_equal(deep, std::vector<std::int64_t>{x, y});
  // Every operand an expression of its own, more than one plan holds.
  const auto term = [&](int i) { return (a + i) * (b + i) + (c + i) * (a - i); };
  const gp::ndarray<std::int64_t> many =
      five(term(1), term(2), term(3), term(4), five(term(5), term(6), 0, 0, 0));
  const auto value = [](std::int64_t p, std::int64_t q, std::int64_t r, int i) {
    return (p + i) * (q + i) + (r + i) * (p - i);
  };
  std::vector<std::int64_t> expected;
  for (int e = 0; e < 2; ++e) {
    const auto v = [&](int i) { return value(1 + e, 3 + e, 5 + e, i); };
    expected.push_back(v(1) + 10 * v(2) + 100 * v(3) + 1000 * v(4) + 10000 * (v(5) + 10 * v(6)));
  }
  check_equal(many, expected);
}

TEST_CASE("user ufunc: out=, where= and in place") {
  gp::ndarray<float> x = numbers<float>({50}), y = numbers<float>({50}, 3);
  const gp::ndarray<float> expected = 3.f * x - y;
  gp::ndarray<float> out = gp::zeros<float>({50});
  CHECK(blend(x, y, out).data() == out.data());
  CHECK(gp::all(out == expected).item());
  out.fill(-1);
  blend(x, y, out, {.where = x > y});
  CHECK(gp::all(out == gp::where(x > y, expected, -1.f)).item());
  blend(x, y, x);
  CHECK(gp::all(x == expected).item());
  const gp::ndarray<float> shifted = 3.f * y(gp::slice(1, gp::none)) - y(gp::slice(0, -1));
  y(gp::slice(1, gp::none)) = blend(y(gp::slice(1, gp::none)), y(gp::slice(0, -1)));
  CHECK(gp::all(y(gp::slice(1, gp::none)) == shifted).item());
}

TEST_CASE("user ufunc: the text for the GPU has its macros expanded, and says where it stands") {
  constexpr const gp::detail::user_function& f = gparray_ufunc_turn::definition::function;
  CHECK(std::string(f.expression).find("3.14159") != std::string::npos);
  CHECK(std::string(f.parameters) == "(x)");
  CHECK(f.arity == 1);
  CHECK(std::string(f.file) == __FILE__);
  CHECK(f.line > 15);
}
