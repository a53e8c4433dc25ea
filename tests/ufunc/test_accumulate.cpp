// Scans of maxima, minima, logic and bits against a loop over elements: to the bit, whatever the layout.
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/sampler.hpp"

namespace gp = gparray;
namespace uf = gp::ufuncs;
using i64 = std::int64_t;

namespace {

template<class V>
V sample(std::mt19937& random) {
  const int n = std::uniform_int_distribution<int>(-60, 60)(random);
  return static_cast<V>(std::is_integral_v<V> ? n : n / 8.f);
}

/// Values that seldom exceed what came before, that often do, and that have NaN and zeros of both signs.
enum class kind { random, rising, special };

template<class V>
std::vector<V> samples(i64 n, kind which) {
  std::mt19937 random(7);
  std::vector<V> values(static_cast<std::size_t>(n));
  for (i64 i = 0; i < n; ++i) {
    V value = sample<V>(random);
    if constexpr (std::is_floating_point_v<V>) {
      if (which == kind::rising) value = static_cast<V>(i) + value;
      if (which == kind::special && i % 5 == 1) value = i % 2 ? V(0) : -V(0);
      if (which == kind::special && (i % 1000 == 700 || (i < 3 && n > 9))) value = std::nan("");
    }
    values[static_cast<std::size_t>(i)] = value;
  }
  return values;
}

/// The function of two arrays of one element: what the scan is made of.
template<gp::ufunc F, class V>
V combined(V a, V b) {
  if constexpr (F == gp::ufunc::maximum) return b <= a || a != a ? a : b;
  else if constexpr (F == gp::ufunc::minimum) return a <= b || a != a ? a : b;
  else if constexpr (F == gp::ufunc::fmax) return b <= a || b != b ? a : b;
  else if constexpr (F == gp::ufunc::fmin) return a <= b || b != b ? a : b;
  else if constexpr (F == gp::ufunc::bitwise_and || F == gp::ufunc::logical_and) return static_cast<V>(a & b);
  else if constexpr (F == gp::ufunc::bitwise_or || F == gp::ufunc::logical_or) return static_cast<V>(a | b);
  else return static_cast<V>(a ^ b);
}

/// Lines of n elements, `apart` of each other, whose elements are `stride` apart.
template<gp::ufunc F, class V>
std::vector<V> expected(const std::vector<V>& in, i64 outer, i64 n, i64 inner) {
  std::vector<V> out(in);
  for (i64 o = 0; o < outer; ++o)
    for (i64 j = 0; j < inner; ++j)
      for (i64 i = 1; i < n; ++i) {
        const auto at = static_cast<std::size_t>((o * n + i) * inner + j);
        out[at] = combined<F, V>(out[at - static_cast<std::size_t>(inner)], in[at]);
      }
  return out;
}

template<class V>
long differing(const std::vector<V>& a, const std::vector<V>& b) {
  long wrong = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const V x = a[i], y = b[i];
    if constexpr (std::is_floating_point_v<V>) {
      if (x != x && y != y) continue;
      wrong += x != y || std::signbit(x) != std::signbit(y);
    } else wrong += x != y;
  }
  return wrong;
}

struct shape_case {
  i64 outer, n, inner;
};
// Short lines, lines of a warp, of a block, of several tiles in one group and in several; the same side by
// side.
constexpr shape_case shapes[] = {{1, 1, 1},      {1, 2, 1},      {1, 97, 1},   {1, 1000, 1}, {1, 9000, 1},
                                 {1, 300001, 1}, {300, 5, 1},    {70, 64, 1},  {33, 500, 1}, {9, 2049, 1},
                                 {1, 5, 300},    {1, 40, 40},    {1, 700, 33}, {1, 3000, 7}, {1, 20000, 65},
                                 {3, 150, 9},    {2, 1025, 100}, {1, 100, 4},  {5, 33, 2}};

template<class Function, class V>
void check(const Function& function, kind which) {
  CAPTURE(gp::name(Function::function));
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(static_cast<int>(which));
  for (const shape_case& s : shapes) {
    if (!taken()) continue;
    CAPTURE(s.outer);
    CAPTURE(s.n);
    CAPTURE(s.inner);
    const std::vector<V> values = samples<V>(s.outer * s.n * s.inner, which);
    const std::vector<V> wanted = expected<Function::function, V>(values, s.outer, s.n, s.inner);
    const gp::ndarray<V> a = gp::array(values).reshape({s.outer, s.n, s.inner});
    const gp::ndarray<V> found = function.accumulate(a, 1);
    CHECK(found.dtype() == gp::dtype_of<V>);
    CHECK(differing(found.ravel().to_vector(), wanted) == 0);
    // As a view with gaps, and as one whose axes are in another order.
    const gp::ndarray<V> wide = gp::zeros<V>({s.outer, s.n, 2 * s.inner});
    wide(gp::all, gp::all, gp::slice(gp::none, gp::none, 2)) = a;
    CHECK(differing(function.accumulate(wide(gp::all, gp::all, gp::slice(gp::none, gp::none, 2)), 1)
                        .ravel()
                        .to_vector(),
                    wanted) == 0);
    CHECK(differing(gp::ndarray<V>(function.accumulate(a.transpose({1, 2, 0}), 0).transpose({2, 0, 1}))
                        .ravel()
                        .to_vector(),
                    wanted) == 0);
  }
}

}  // namespace

TEST_CASE("cumulative extremes of every kind of number") {
  for (const kind which : {kind::random, kind::rising, kind::special}) {
    check<decltype(uf::maximum), double>(uf::maximum, which);
    check<decltype(uf::minimum), double>(uf::minimum, which);
    check<decltype(uf::maximum), float>(uf::maximum, which);
    check<decltype(uf::fmax), float>(uf::fmax, which);
    check<decltype(uf::fmin), double>(uf::fmin, which);
  }
  check<decltype(uf::maximum), i64>(uf::maximum, kind::random);
  check<decltype(uf::minimum), std::int32_t>(uf::minimum, kind::random);
  check<decltype(uf::maximum), std::uint8_t>(uf::maximum, kind::random);
  check<decltype(uf::minimum), std::int8_t>(uf::minimum, kind::random);
  check<decltype(uf::maximum), std::uint16_t>(uf::maximum, kind::random);
}

TEST_CASE("cumulative operations on bits") {
  check<decltype(uf::bitwise_xor), std::uint8_t>(uf::bitwise_xor, kind::random);
  check<decltype(uf::bitwise_xor), std::int32_t>(uf::bitwise_xor, kind::random);
  check<decltype(uf::bitwise_and), std::int16_t>(uf::bitwise_and, kind::random);
  check<decltype(uf::bitwise_or), i64>(uf::bitwise_or, kind::random);
}

TEST_CASE("cumulative logic gives truth values") {
  const auto a = gp::array({0, 3, 0, -1, 2});
  CHECK(uf::logical_or.accumulate(a).to_vector() == std::vector<bool>{false, true, true, true, true});
  CHECK(uf::logical_and.accumulate(a + 1).to_vector() == std::vector<bool>{true, true, true, false, false});
  CHECK(uf::logical_xor.accumulate(a).to_vector() == std::vector<bool>{false, true, true, false, true});
  CHECK(uf::logical_or.accumulate(gp::array({0., std::nan(""), 0.})).to_vector() ==
        std::vector<bool>{false, true, true});
  const auto b = gp::array({true, true, false, true});
  CHECK(uf::maximum.accumulate(b).to_vector() == std::vector<bool>{true, true, true, true});
  CHECK(uf::minimum.accumulate(b).to_vector() == std::vector<bool>{true, true, false, false});
  CHECK(uf::bitwise_and.accumulate(b).to_vector() == std::vector<bool>{true, true, false, false});
  CHECK(uf::bitwise_xor.accumulate(b).to_vector() == std::vector<bool>{true, false, false, true});
}

TEST_CASE("cumulative extremes of halves and complex numbers") {
  using half = gp::float16;
  const auto h = gp::array({1., -2., 3., std::nan(""), 5.}).astype<half>().eval();
  CHECK(gp::array_equal(uf::maximum.accumulate(h)(gp::slice(0, 3)), gp::array({1., 1., 3.}).astype<half>()));
  CHECK(gp::isnan(uf::maximum.accumulate(h)(gp::slice(3, gp::none))).all().item());
  CHECK(gp::array_equal(uf::fmax.accumulate(h), gp::array({1., 1., 3., 3., 5.}).astype<half>()));
  CHECK(gp::array_equal(uf::minimum.accumulate(h.astype<gp::bfloat16>())(gp::slice(0, 3)),
                        gp::array({1., -2., -2.}).astype<gp::bfloat16>()));
  using number = std::complex<double>;
  const auto c = gp::array<number>({number(1, 2), number(1, 3), number(0, 9), number(2, -1)});
  CHECK(uf::maximum.accumulate(c).to_vector() ==
        std::vector<number>{number(1, 2), number(1, 3), number(1, 3), number(2, -1)});
  CHECK(uf::minimum.accumulate(c).to_vector() ==
        std::vector<number>{number(1, 2), number(1, 2), number(0, 9), number(0, 9)});
}

TEST_CASE("cumulative_max and cumulative_min") {
  const auto a = gp::array({{3, 1, 4}, {1, 5, 9}});
  CHECK(gp::cumulative_max(a, {.axis = 1}).to_vector() == std::vector<i64>{3, 3, 4, 1, 5, 9});
  CHECK(gp::cumulative_max(a, {.axis = 0}).to_vector() == std::vector<i64>{3, 1, 4, 3, 5, 9});
  CHECK(gp::cumulative_min(a, {.axis = -1}).to_vector() == std::vector<i64>{3, 1, 1, 1, 1, 1});
  CHECK(gp::cumulative_min(gp::array({2.5, 3., 1.})).to_vector() == std::vector<double>{2.5, 2.5, 1});
  CHECK(gp::cumulative_max(gp::array({1, 2}) * 2 - 1).to_vector() == std::vector<i64>{1, 3});
  CHECK(gp::cumulative_max(gp::ones({0, 2}), {.axis = 1}).shape() == gp::dims{0, 2});
  CHECK(gp::isnan(gp::cumulative_max(gp::array({1., std::nan(""), 2.}))).to_vector() ==
        std::vector<bool>{false, true, true});
  CHECK_THROWS_AS((void)gp::cumulative_max(a), gp::value_error);
  CHECK_THROWS_AS((void)gp::cumulative_min(a, {.axis = 2}), gp::axis_error);
  CHECK_THROWS_AS((void)gp::cumulative_min(a.ravel(), {.include_initial = true}), gp::value_error);
  CHECK_THROWS_AS((void)uf::maximum.accumulate(gp::array(3)), gp::type_error);
}

TEST_CASE("sums along the first axis do not depend on gaps, and reach every element") {
  // Whole numbers, whose sums are exact in any order.
  for (const auto& [n, lines] :
       {std::pair<i64, i64>{5000, 40}, {700, 300}, {129, 4}, {20, 1000}, {40000, 3}, {40, 131100}}) {
    CAPTURE(n);
    CAPTURE(lines);
    const gp::ndarray<double> a = (gp::arange(n * lines).reshape({n, lines}) % 7).astype<double>().eval();
    const gp::ndarray<double> sums = gp::cumsum(a, 0);
    CHECK(gp::array_equal(sums(0), a(0)));
    CHECK(gp::array_equal(gp::diff(sums, 1, {.axis = 0}), a(gp::slice(1, gp::none))));
    const gp::ndarray<double> wide = gp::zeros({n, 2 * lines});
    wide(gp::all, gp::slice(gp::none, gp::none, 2)) = a / 3;
    const gp::ndarray<double> thirds = gp::cumsum(gp::ndarray<double>(a / 3), 0);
    CHECK(gp::array_equal(gp::cumsum(wide(gp::all, gp::slice(gp::none, gp::none, 2)), 0), thirds));
    const gp::ndarray<double> again = a / 3;
    again(gp::ellipsis) = gp::cumsum(again, 0);
    CHECK(gp::array_equal(again, thirds));
  }
}
