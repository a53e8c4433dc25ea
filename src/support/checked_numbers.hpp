// Arithmetic on sizes, strides, offsets and counts that come from a caller or a file. Signed integers that
// wrap are undefined, and a wrapped size passes every check behind it; so such numbers are computed by these
// functions alone.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

inline constexpr std::int64_t least_int64 = std::numeric_limits<std::int64_t>::min(),
                              greatest_int64 = std::numeric_limits<std::int64_t>::max();

[[noreturn, gnu::noinline, gnu::cold]] inline void throw_wrapped(std::string_view what, std::int64_t a,
                                                                 std::string_view operation, std::int64_t b) {
  fail<overflow_error>("{}: {} {} {} does not fit into 64 bits", what, a, operation, b);
}

/// a * b, a + b and a - b, nothing if they do not fit: where a caller has its own error or another way.
[[nodiscard]] constexpr std::optional<std::int64_t> product_if_fits(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
[[nodiscard]] constexpr std::optional<std::int64_t> sum_if_fits(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}
[[nodiscard]] constexpr std::optional<std::int64_t> difference_if_fits(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

/// The same; overflow_error, which begins with `what` (the function or the number meant), if they do not fit.
[[nodiscard]] constexpr std::int64_t checked_product(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) throw_wrapped(what, a, "*", b);
  return result;
}
[[nodiscard]] constexpr std::int64_t checked_sum(std::int64_t a, std::int64_t b, std::string_view what) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) throw_wrapped(what, a, "+", b);
  return result;
}
[[nodiscard]] constexpr std::int64_t checked_difference(std::int64_t a, std::int64_t b,
                                                        std::string_view what) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) throw_wrapped(what, a, "-", b);
  return result;
}

/// a / b rounded up, of numbers that are not negative.
[[nodiscard]] constexpr std::int64_t ceil_quotient(std::int64_t a, std::int64_t b) {
  return a / b + (a % b != 0);
}

/// |x|, which the least integer has as an unsigned number only.
[[nodiscard]] constexpr std::uint64_t magnitude(std::int64_t x) {
  return x < 0 ? 0 - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}

/// a + b, a - b and -x, or the nearest integer to them: for offsets of which any beyond the array does as
/// well.
[[nodiscard]] constexpr std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  return sum_if_fits(a, b).value_or(a < 0 ? least_int64 : greatest_int64);
}
[[nodiscard]] constexpr std::int64_t saturating_difference(std::int64_t a, std::int64_t b) {
  return difference_if_fits(a, b).value_or(a < 0 ? least_int64 : greatest_int64);
}
[[nodiscard]] constexpr std::int64_t saturating_negation(std::int64_t x) {
  return saturating_difference(0, x);
}

/// a * b, a + b and a - b modulo 2^64, as NumPy's integers wrap: for strides that are never stepped along,
/// and sums of which only the last is meant.
[[nodiscard]] constexpr std::int64_t wrapping_product(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr std::int64_t wrapping_difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

/// A number as another integer type; overflow_error, which begins with `what`, if it has no such value.
template<std::integral To, std::integral From>
[[nodiscard]] constexpr To checked_cast(From x, std::string_view what) {
  if (!std::in_range<To>(x)) fail<overflow_error>("{}: {} is out of range", what, x);
  return static_cast<To>(x);
}

}  // namespace core
GPARRAY_END_NAMESPACE
