// The largest and smallest elements: against a stable sort of all of them.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

/// Of `kinds` different numbers; of floating types NaN and zeros of both signs, too.
template<class V>
std::vector<V> make_values(std::size_t n, std::uint32_t kinds) {
  std::vector<V> values(n);
  std::uint32_t word = kinds;
  for (auto&& v : values) {
    word = word * 1664525u + 1013904223u;
    const auto number = static_cast<float>((word >> 8) % kinds);
    if constexpr (gp::is_floating(gp::dtype_of<V>)) {
      const bool is_nan = word % 61 == 0, is_zero = word % 13 == 0;
      v = is_nan    ? V(std::nanf(""))
          : is_zero ? V(word % 2 ? -0.f : 0.f)
                    : V(number - static_cast<float>(kinds / 2));
    } else {
      v = static_cast<V>(number);
    }
  }
  return values;
}

template<class V>
bool comes_before(V a, V b, bool largest) {
  const bool a_is_nan = a != a, b_is_nan = b != b;
  if (a_is_nan || b_is_nan) return largest ? a_is_nan && !b_is_nan : !a_is_nan && b_is_nan;
  return largest ? b < a : a < b;
}

template<class V>
void check(std::size_t rows, std::size_t n, std::size_t k, std::uint32_t kinds) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(rows);
  CAPTURE(n);
  CAPTURE(k);
  CAPTURE(kinds);
  const std::vector<V> values = make_values<V>(rows * n, kinds);
  const gp::ndarray<V> a = gp::array(values).reshape({static_cast<i64>(rows), static_cast<i64>(n)});
  for (const bool largest : {true, false}) {
    CAPTURE(largest);
    std::vector<i64> numbers[2];  // as they lie, and in order
    std::vector<V> elements[2];
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<i64> order(n);
      std::iota(order.begin(), order.end(), 0);
      const auto at = [&](i64 i) -> V { return values[row * n + static_cast<std::size_t>(i)]; };
      std::stable_sort(order.begin(), order.end(),
                       [&](i64 i, i64 j) { return comes_before(at(i), at(j), largest); });
      order.resize(k);
      for (const bool sorted : {true, false}) {
        if (!sorted) std::sort(order.begin(), order.end());
        for (const i64 i : order) elements[sorted].push_back(at(i));
        numbers[sorted].insert(numbers[sorted].end(), order.begin(), order.end());
      }
    }
    for (const bool sorted : {true, false}) {
      CAPTURE(sorted);
      const auto found = gp::topk(a, static_cast<i64>(k), {.largest = largest, .sorted = sorted});
      CHECK((found.indices.to_vector() == numbers[sorted]));
      CHECK(same_bits(found.values.to_vector(), elements[sorted]));
      CHECK(found.values.shape() == gp::dims{static_cast<i64>(rows), static_cast<i64>(k)});
    }
  }
}

/// Rows that are sorted and rows that are selected from, on each backend, and k at the limits between them.
template<class V>
void check_sizes(std::uint32_t kinds) {
  for (const std::size_t n : {1, 64, 65, 4096, 4097})
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 4, n / 4 + 1, n})
      check<V>(2, n, k, kinds);
  check<V>(1, 20000, 70, kinds);
}

}  // namespace

TEST_CASE("topk is the beginning of a stable sort") {
  check_sizes<float>(5);
  check_sizes<float>(1u << 24);
  check_sizes<double>(100);
  check_sizes<std::uint8_t>(100);
  check_sizes<std::int8_t>(1);
  check_sizes<gp::float16>(100);
  check_sizes<i64>(5);
  check_sizes<bool>(2);
  check_sizes<gp::bfloat16>(3000);
  check_sizes<std::uint16_t>(3000);
  check_sizes<std::int32_t>(1u << 24);
  check_sizes<std::uint64_t>(3000);
  check<float>(1, 100000, 20000,
               1u << 24);  // candidates are narrowed down several times, and threads share the row
}

TEST_CASE("topk of numbers of all magnitudes and signs") {
  // All bits of the keys count, of which the numbers above share most.
  std::vector<double> values(20000);
  std::uint64_t word = 1;
  for (double& v : values) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    std::memcpy(&v, &word, sizeof v);
    if (v != v) v = 0;
  }
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  const gp::ndarray<double> a(values);
  for (const std::size_t k : {1, 100, 4900}) {
    const auto low = gp::topk(a, static_cast<i64>(k), {.largest = false}),
               high = gp::topk(a, static_cast<i64>(k));
    CHECK(low.values.to_vector() ==
          std::vector<double>(sorted.begin(), sorted.begin() + static_cast<int>(k)));
    CHECK(high.values.to_vector() ==
          std::vector<double>(sorted.rbegin(), sorted.rbegin() + static_cast<int>(k)));
    CHECK(gp::array_equal(gp::take(a, high.indices), high.values));
  }
}

TEST_CASE("topk along axes") {
  const gp::ndarray<i64> a = gp::array<i64>({{3, 9, 2}, {7, 1, 8}});
  const auto [values, indices] = gp::topk(a, 2);
  CHECK(values.to_vector() == std::vector<i64>{9, 3, 8, 7});
  CHECK(indices.to_vector() == std::vector<i64>{1, 0, 2, 0});
  const auto first = gp::topk(a, 1, 0);
  CHECK(first.values.shape() == gp::dims{1, 3});
  CHECK(first.values.to_vector() == std::vector<i64>{7, 9, 8});
  CHECK(first.indices.to_vector() == std::vector<i64>{1, 0, 1});
  CHECK(gp::argtopk(a, 3, gp::none).to_vector() == std::vector<i64>{1, 5, 3});
  CHECK(gp::argtopk(a, 2, {.axis = gp::none, .largest = false}).to_vector() == std::vector<i64>{4, 2});
  CHECK(gp::argtopk(a, 2, 0, {.sorted = false}).to_vector() == std::vector<i64>{0, 0, 0, 1, 1, 1});
  CHECK(gp::topk(std::vector<int>{1, 3, 2}, 2).values.to_vector() == std::vector<int>{3, 2});
  // Along an axis of 9000, of which each element is 18 elements from the next.
  const gp::ndarray<float> x = gp::random::default_rng(5).standard_normal<float>({2, 9000, 9});
  const auto middle = gp::topk(x, 5, 1);
  CHECK(gp::array_equal(middle.values, gp::sort(x, 1, {.descending = true})(gp::all, gp::slice(0, 5))));
  CHECK(gp::array_equal(middle.indices, gp::argsort(x, 1, {.descending = true})(gp::all, gp::slice(0, 5))));
  CHECK(gp::array_equal(gp::take_along_axis(x, middle.indices, 1), middle.values));
  // What is not there yet, or is seen from behind.
  CHECK(gp::argtopk(x(0, gp::all, 0) * 2.f, 3).to_vector() == gp::argtopk(x(0, gp::all, 0), 3).to_vector());
  const gp::ndarray<float> backwards = x(1, gp::slice(gp::none, gp::none, -1), 4);
  CHECK(gp::array_equal(8999 - gp::argtopk(backwards, 3), gp::argtopk(x(1, gp::all, 4), 3)));
}

TEST_CASE("topk of complex numbers") {
  using c128 = std::complex<double>;
  const gp::ndarray<c128> z =
      gp::array<c128>({c128(1, 2), c128(0, 9), c128(1, 3), c128(1, 2), c128(std::nan(""), 0)});
  CHECK(gp::argtopk(z, 4).to_vector() == std::vector<i64>{4, 2, 0, 3});
  CHECK(gp::argtopk(z, 3, {.largest = false}).to_vector() == std::vector<i64>{1, 0, 3});
  CHECK(gp::topk(z, 2, {.largest = false}).values.to_vector() == std::vector<c128>{{0, 9}, {1, 2}});
}

TEST_CASE("topk refuses what is not there") {
  const gp::ndarray<float> a = gp::zeros<float>({2, 3});
  CHECK_THROWS_WITH_AS((void)gp::topk(a, 4), "k(=4) out of bounds (3)", gp::value_error);
  CHECK_THROWS_WITH_AS((void)gp::topk(a, -1), "k(=-1) out of bounds (3)", gp::value_error);
  CHECK_THROWS_AS((void)gp::topk(a, 3, 0), gp::value_error);
  CHECK_THROWS_AS((void)gp::topk(a, 1, 2), gp::axis_error);
  CHECK_THROWS_AS((void)gp::topk(gp::full<float>(gp::dims{}, 1), 1), gp::axis_error);
  CHECK_THROWS_AS((void)gp::topk(a, 1, 0, {.axis = 1}), gp::type_error);
  CHECK(gp::topk(gp::zeros<float>({0, 3}), 2).values.shape() == gp::dims{0, 2});
  CHECK(gp::topk(gp::zeros<float>({3, 0}), 0).indices.shape() == gp::dims{3, 0});
  CHECK(gp::topk(a, 6, gp::none).indices.to_vector() == std::vector<i64>{0, 1, 2, 3, 4, 5});
}
