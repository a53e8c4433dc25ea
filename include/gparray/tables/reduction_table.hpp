// What the table of reductions says, at compile time: element, accumulator and result dtype of every
// reduction.
#pragma once
#include <array>
#include <limits>
#include <optional>

#include <gparray/tables/ufunc_table.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The reductions: an enumerator for each.
enum class reduction : std::uint8_t {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) name,
#include <gparray/tables/reductions.def>
};

namespace detail {

/// What stands for an element that a mask leaves out.
enum class reduction_mask : std::uint8_t { empty, nan, initial, moments };

struct reduction_row {
  std::string_view name, domain;
  char accumulator, result, second_result;
  /// The reduction of no elements, if it has a value.
  std::optional<double> empty;
  reduction_mask masked;
  std::optional<ufunc> fold;
  bool runs;
  /// Of a pair, the reductions whose results it gives; otherwise the row itself.
  reduction first, second;
};

inline constexpr auto reduction_rows = [] {
  using enum ufunc;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::nullopt_t none = std::nullopt;
  return std::array{
  // clang-format off
#define GPARRAY_REDUCTION(name, domain, accumulator, result, empty, masked, fold, runs, doc) \
  reduction_row{#name, domain, #accumulator[0], #result[0], #result[1], empty, reduction_mask::masked, \
                fold, runs, reduction::name, reduction::name},
#define GPARRAY_REDUCTION_PAIR(name, domain, accumulator, result, first, second, doc) \
  reduction_row{#name, domain, #accumulator[0], #result[0], #result[1], none, reduction_mask::initial, \
                none, false, reduction::first, reduction::second},
// clang-format on
#include <gparray/tables/reductions.def>
  };
}();

constexpr const reduction_row& row(reduction r) { return reduction_rows[static_cast<std::size_t>(r)]; }

static_assert(
    [] {
      for (const reduction_row& r : reduction_rows)
        if (r.masked == reduction_mask::empty && !r.empty) return false;
      return true;
    }(),
    "a row whose masked elements become the value of nothing has such a value");

constexpr dtype reduction_letter(char letter, dtype element, bool accumulator) {
  const bool half = is_floating(element) && itemsize(element) == 2;
  switch (letter) {
    case 'b':
      return dtype::bool_;
    case 'n':
      return dtype::int64;
    case 'W':
      if (kind(element) == 'u') return dtype::uint64;
      if (!is_inexact(element)) return dtype::int64;
      return accumulator && half ? dtype::float32 : element;
    case 'F':
    case 'R':
      if (!is_inexact(element)) return dtype::float64;
      if (accumulator && half) return dtype::float32;
      return letter == 'R' ? real_dtype(element) : element;
    default:
      return element;
  }
}

}  // namespace detail

/// How many reductions there are.
inline constexpr int reduction_count = static_cast<int>(detail::reduction_rows.size());

/// The name of a reduction.
constexpr std::string_view name(reduction r) { return detail::row(r).name; }
/// The dtype of the partial results of a reduction of elements of this dtype.
constexpr dtype accumulator_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).accumulator, element, true);
}
/// The dtype of the (first) result of a reduction of elements of this dtype.
constexpr dtype result_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).result, element, false);
}
/// Whether a reduction has two results, as minmax and moments have.
constexpr bool has_two_results(reduction r) { return detail::row(r).second_result != '\0'; }
/// The dtype of the second result of a reduction that has two.
constexpr dtype second_result_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).second_result, element, false);
}
/// The bytes that the results of one group of elements take.
constexpr std::size_t result_bytes(reduction r, dtype element) {
  return itemsize(result_dtype(r, element)) * (has_two_results(r) ? 2 : 1);
}
/// Whether the reduction of no elements is a number, as the sum is and the maximum is not.
constexpr bool has_identity(reduction r) {
  const std::optional<double> empty = detail::row(r).empty;
  return empty && *empty == *empty;
}
/// Whether a reduction returns the index of an element, as argmax does.
constexpr bool returns_index(reduction r) {
  return detail::row(r).result == 'n' && r != reduction::count_nonzero;
}

namespace detail {

/// The reduction that a ufunc puts together the results of: the first row that has it.
constexpr std::optional<reduction> folding(ufunc f) {
  for (int i = 0; i < reduction_count; ++i)
    if (const auto r = static_cast<reduction>(i); row(r).fold == f) return r;
  return {};
}

/// The same, if backends reduce runs with it.
constexpr std::optional<reduction> folding_of_runs(ufunc f) {
  const std::optional<reduction> r = folding(f);
  return r && row(*r).runs ? r : std::nullopt;
}

}  // namespace detail

GPARRAY_END_NAMESPACE
