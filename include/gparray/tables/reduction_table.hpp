// What the table of reductions says, at compile time: element, accumulator and result dtype of every
// reduction.
#pragma once
#include <gparray/tables/ufunc_table.hpp>

GPARRAY_BEGIN_NAMESPACE

/// One enumerator per row of reductions.def.
enum class reduction : std::uint8_t {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, identity, doc) name,
#include <gparray/tables/reductions.def>
#undef GPARRAY_REDUCTION
};

namespace detail {

struct reduction_row {
  std::string_view name, domain;
  char accumulator, result, second_result, identity;
};

inline constexpr reduction_row reduction_rows[] = {
#define GPARRAY_REDUCTION(name, domain, accumulator, result, identity, doc) \
  {#name, domain, #accumulator[0], #result[0], #result[1], #identity[0]},
#include <gparray/tables/reductions.def>
#undef GPARRAY_REDUCTION
};

constexpr const reduction_row& row(reduction r) { return reduction_rows[static_cast<int>(r)]; }

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

inline constexpr int reduction_count = sizeof(detail::reduction_rows) / sizeof(detail::reduction_rows[0]);

constexpr std::string_view name(reduction r) { return detail::row(r).name; }
constexpr dtype accumulator_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).accumulator, element, true);
}
constexpr dtype result_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).result, element, false);
}
/// Of a reduction with two results, as minmax and moments are.
constexpr bool has_two_results(reduction r) { return detail::row(r).second_result != '\0'; }
constexpr dtype second_result_dtype(reduction r, dtype element) {
  return detail::reduction_letter(detail::row(r).second_result, element, false);
}
/// The bytes that the results of one group of elements take.
constexpr std::size_t result_bytes(reduction r, dtype element) {
  return itemsize(result_dtype(r, element)) * (has_two_results(r) ? 2 : 1);
}
constexpr bool has_identity(reduction r) { return detail::row(r).identity == '1'; }
constexpr bool returns_index(reduction r) {
  return detail::row(r).result == 'n' && r != reduction::count_nonzero;
}

GPARRAY_END_NAMESPACE
