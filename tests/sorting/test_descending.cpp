// Descending sorts: the ascending order reversed, NaN first, but equal elements in order.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

/// Few different numbers, so that many are equal.
template<class V>
std::vector<V> repeated(std::size_t n) {
  std::vector<V> values(n);
  std::uint32_t word = 99;
  for (V& v : values) {
    word = word * 1664525u + 1013904223u;
    v = static_cast<V>(static_cast<float>((word >> 9) % 17));
  }
  return values;
}

template<class V>
void check_against_standard_library(std::size_t n) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(n);
  const std::vector<V> values = repeated<V>(n);
  std::vector<i64> order(n);
  std::iota(order.begin(), order.end(), 0);
  const auto at = [&](i64 i) { return values[static_cast<std::size_t>(i)]; };
  std::stable_sort(order.begin(), order.end(), [&](i64 i, i64 j) { return at(i) > at(j); });
  const gp::ndarray<V> a(values);
  CHECK(gp::argsort(a, {.descending = true}).to_vector() == order);
  const std::vector<V> sorted = gp::sort(a, {.descending = true}).to_vector();
  bool same = true;
  for (std::size_t i = 0; i < n; ++i) same = same && sorted[i] == at(order[i]);
  CHECK(same);
}

}  // namespace

TEST_CASE("descending sorts are stable") {
  for (const std::size_t n : {0, 1, 2, 100, 5000}) {
    check_against_standard_library<i64>(n);
    check_against_standard_library<std::uint8_t>(n);
    check_against_standard_library<std::int16_t>(n);
    check_against_standard_library<float>(n);
    check_against_standard_library<double>(n);
    check_against_standard_library<gp::float16>(n);
  }
  // Zeros of both signs are equal, and stay in order.
  const gp::ndarray<double> zeros{-0.0, 0.0, 1, -0.0, -1};
  CHECK(gp::argsort(zeros, {.descending = true}).to_vector() == std::vector<i64>{2, 0, 1, 3, 4});
}

TEST_CASE("NaN is first") {
  const double nan = std::nan("");
  const gp::ndarray<double> a{1, nan, 3, nan, 2};
  CHECK(gp::argsort(a, {.descending = true}).to_vector() == std::vector<i64>{1, 3, 2, 4, 0});
  const std::vector<double> sorted = gp::sort(a, {.descending = true}).to_vector();
  CHECK((std::isnan(sorted[0]) && std::isnan(sorted[1])));
  CHECK(std::vector<double>(sorted.begin() + 2, sorted.end()) == std::vector<double>{3, 2, 1});
  using c128 = std::complex<double>;
  const gp::ndarray<c128> z(std::vector<c128>{{1, 2}, {1, 3}, {0, 9}});
  CHECK(gp::sort(z, {.descending = true}).to_vector() == std::vector<c128>{{1, 3}, {1, 2}, {0, 9}});
}

TEST_CASE("axes by position and by name, functions and methods") {
  const gp::ndarray<i64> a = gp::array({{3, 1, 2}, {0, 5, 1}});
  const std::vector<i64> rows{3, 2, 1, 5, 1, 0}, columns{3, 5, 2, 0, 1, 1}, flat{5, 3, 2, 1, 1, 0};
  CHECK(gp::sort(a, {.descending = true}).to_vector() == rows);
  CHECK(gp::sort(a, 0, {.descending = true}).to_vector() == columns);
  CHECK(gp::sort(a, {.axis = 0, .descending = true, .stable = true}).to_vector() == columns);
  CHECK(gp::sort(a, {.axis = gp::none, .descending = true}).to_vector() == flat);
  CHECK(gp::sort(a, {.axis = 0}).to_vector() == gp::sort(a, 0).to_vector());
  CHECK(gp::argsort(a, 0, {.descending = true}).to_vector() == std::vector<i64>{0, 1, 0, 1, 0, 1});
  CHECK(a.argsort({.descending = true}).to_vector() == std::vector<i64>{0, 2, 1, 1, 2, 0});
  CHECK(a.argsort(0, {.descending = true}).to_vector() == std::vector<i64>{0, 1, 0, 1, 0, 1});
  CHECK(gp::sort(a, {.descending = true}).is_c_contiguous());
  const gp::ndarray<i64> b = a.copy(), c = a.copy(), d = a.copy();
  b.sort({.descending = true});
  CHECK(b.to_vector() == rows);
  c.sort(0, {.descending = true});
  CHECK(c.to_vector() == columns);
  d.sort({.axis = gp::none, .descending = true});
  CHECK(d.to_vector() == flat);
  CHECK(gp::sort(gp::array(std::vector<bool>{false, true}), {.descending = true}).to_vector() ==
        std::vector<bool>{true, false});
  CHECK_THROWS_AS((void)gp::sort(a, 1, {.axis = 0}), gp::type_error);
  CHECK_THROWS_AS((void)gp::sort(a, {.axis = 2}), gp::axis_error);
  CHECK_THROWS_AS((void)gp::sort(a, {.descending = true, .kind = "x"}), gp::value_error);
}
