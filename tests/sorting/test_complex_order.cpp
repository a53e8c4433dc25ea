// The order of complex numbers: by real and then imaginary parts, R + Rj before R + nanj, nan + Rj and nan +
// nanj, zeros of both signs equal; equal ones as they came, with their own bits.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/same_bits.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

enum class parts { any, few, same_real };

/// Many different numbers, or few, or with one real part; specials among them.
template<class R>
std::vector<std::complex<R>> numbers(std::size_t n, parts kind) {
  std::vector<std::complex<R>> values(n);
  constexpr R inf = std::numeric_limits<R>::infinity(), nan = std::numeric_limits<R>::quiet_NaN();
  constexpr R specials[] = {R(0), R(-0.0), inf, -inf, nan, -nan, std::numeric_limits<R>::denorm_min()};
  std::uint64_t word = 99;
  const auto next = [&](bool same) {
    word = word * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<std::uint32_t>(word >> 32);
    if (bits % 16 == 0) return specials[(bits >> 4) % 7];
    if (same) return R(1.5);
    if (kind == parts::few) return static_cast<R>(bits >> 8 & 7) - R(3);
    return (static_cast<R>(bits) - R(0x1p31)) * (1 + R(word & 0xffff) * R(0x1p-48));
  };
  for (std::complex<R>& v : values) {
    const R re = next(kind == parts::same_real);
    v = {re, next(false)};
  }
  return values;
}

template<class R>
bool before(const std::complex<R>& a, const std::complex<R>& b) {
  const auto group = [](const std::complex<R>& z) { return 2 * std::isnan(z.real()) + std::isnan(z.imag()); };
  if (group(a) != group(b)) return group(a) < group(b);
  if (!std::isnan(a.real()) && a.real() != b.real()) return a.real() < b.real();
  return !std::isnan(a.imag()) && a.imag() < b.imag();
}

template<class R>
void check_lines(std::size_t rows, std::size_t n, parts kind) {
  CAPTURE(sizeof(R));
  CAPTURE(rows);
  CAPTURE(n);
  CAPTURE(static_cast<int>(kind));
  const std::vector<std::complex<R>> values = numbers<R>(rows * n, kind);
  std::vector<i64> order(rows * n), behind(rows * n);
  std::vector<std::complex<R>> expected(rows * n);
  for (std::size_t first = 0; first < rows * n; first += n) {
    const auto* const row = &values[first];
    const auto at = [&](i64 i) { return row[static_cast<std::size_t>(i)]; };
    const auto sort = [&](std::vector<i64>& numbers, auto less) {
      const auto begin = numbers.begin() + static_cast<i64>(first), end = begin + static_cast<i64>(n);
      std::iota(begin, end, 0);
      std::stable_sort(begin, end, less);
    };
    sort(order, [&](i64 i, i64 j) { return before(at(i), at(j)); });
    sort(behind, [&](i64 i, i64 j) { return before(at(j), at(i)); });
    for (std::size_t i = first; i < first + n; ++i) expected[i] = at(order[i]);
  }
  const gp::ndarray<std::complex<R>> a =
      gp::ndarray<std::complex<R>>(values).reshape({static_cast<i64>(rows), static_cast<i64>(n)});
  CHECK((gp::argsort(a).to_vector() == order));
  CHECK((gp::argsort(a, {.descending = true}).to_vector() == behind));
  CHECK(same_bits(gp::sort(a).to_vector(), expected));

  // What is at a position is one of the equal ones that belong there; nothing larger is before it.
  const std::size_t k = n / 3;
  const std::vector<i64> parted = gp::argpartition(a, static_cast<i64>(k)).to_vector();
  const std::vector<std::complex<R>> partition = gp::partition(a, static_cast<i64>(k)).to_vector();
  bool in_place = true;
  for (std::size_t i = 0; i < rows * n; ++i) {
    const std::size_t first = i / n * n;
    const std::complex<R> number = values[first + static_cast<std::size_t>(parted[i])],
                          bound = expected[first + k];
    in_place = in_place && !(i < first + k ? before(bound, number) : before(number, bound)) &&
               !(i < first + k ? before(bound, partition[i]) : before(partition[i], bound));
  }
  CHECK(in_place);
  CHECK(gp::array_equal(gp::sort(gp::argpartition(a, static_cast<i64>(k))), gp::sort(gp::argsort(a))));
}

template<class R>
void check_all() {
  for (const parts kind : {parts::any, parts::few, parts::same_real}) {
    for (const std::size_t n : {1, 2, 31, 33, 100, 1000, 4096, 4097, 10'000}) check_lines<R>(1, n, kind);
    check_lines<R>(70, 33, kind);
    check_lines<R>(3, 5'000, kind);
    check_lines<R>(600, 2, kind);
  }
  for (const std::size_t n : {65'536, 65'537}) check_lines<R>(1, n, parts::any);
  check_lines<R>(1, 70'000, parts::same_real);
}

}  // namespace

TEST_CASE("complex64 are in order") { check_all<float>(); }
TEST_CASE("complex128 are in order") { check_all<double>(); }
