// Plans of what puts elements in order, finds positions among ordered ones, and reduces runs of them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Elements that are in order, each with a number or none.
struct sorted_run {
  const void* elements = nullptr;
  std::int64_t n = 0;
  const std::int64_t* numbers = nullptr;
};

/// Rows of n elements in C order, each put in order by itself, NaN last. Exactly one of the results is
/// wanted: the elements, or for each position the number of the element that belongs there (equal ones as
/// they came). `sorted` may be `in` unless they are complex.
///
/// Or two runs that are merged, none of them empty, equal elements of the first before those of the second:
/// one row, without `in`, of elements of every dtype. Where they have numbers both results are wanted.
struct sort_plan {
  dtype type;
  std::int64_t rows, n;
  const void* in;
  void* sorted;
  std::int64_t* order;
  /// If there are any, ascending: only what stands there need be in its place, nothing larger before it, and
  /// nothing smaller behind. A backend may put all in order.
  std::span<const std::int64_t> positions = {};
  /// Of the order of uint64 words: their values are spread evenly over all 64 bits, so that few of a row
  /// agree in their first bits.
  bool spread = false;
  /// Of the numbers alone: the greatest first, NaN before all, and still equal ones as they came.
  bool descending = false;
  sorted_run first = {}, second = {};
  bool merges() const { return first.elements != nullptr; }
};

/// Of each of some rows of n elements in C order the elements that a sort would put at some positions:
/// out[row][i] is the one of positions[i]. Not for complex numbers.
struct selection_plan {
  static constexpr int most_positions = 32;

  dtype type;
  std::int64_t rows, n;
  const void* in;
  void* out;
  int n_positions;
  std::int64_t positions[most_positions];  // ascending, each once
};

/// Of each of some rows of n elements in C order the k that a sort_plan for numbers puts first, 0 < k <= n:
/// their numbers, counted through all rows and ascending. Not for complex numbers.
struct top_plan {
  dtype type;
  bool descending;
  std::int64_t rows, n, k;
  const void* in;
  std::int64_t* numbers;
};

/// out[i] = how many of the n sorted elements stand before values[i], or (right) not behind it.
struct search_plan {
  dtype type;
  bool right;
  std::int64_t n, count;
  const void* sorted;
  const void* values;
  std::int64_t* out;
  /// If not null, what is wanted instead: whether values[i] is one of the elements, which NaN never is.
  bool* found = nullptr;
};

/// out[i] = what straight lines through n > 0 points, in ascending order, have at x[i]; in front of the first
/// point `left`, or if there is none its f, and behind the last one `right`, or its f.
struct interpolation_plan {
  dtype type;  // of f and out: float64 or complex128
  std::int64_t n, count;
  const double *x, *points;
  const void* f;
  std::optional<double> left, right;
  void* out;
};

/// How often each number below n_bins occurs among n numbers, all of which are in [0, n_bins): int64 counts.
/// Or, with edges, how many of n elements lie between them.
struct bin_plan {
  std::int64_t n, n_bins;
  const std::int64_t* numbers;
  std::int64_t* out;
  // Without numbers: real elements side by side, and n_bins + 1 edges that do not decrease, of their dtype or
  // float64 for integers and bool. Bin k has what is from edge k on and below edge k + 1, or at it in the
  // last bin; what is outside of all, or NaN, counts nowhere. The edges are about as far apart from each
  // other.
  dtype type = dtype::float64;
  const void* elements = nullptr;
  const void* edges = nullptr;
};
/// Edges that a backend takes at most.
inline constexpr std::int64_t most_bins_between = 1024;

/// out[number[i] * inner + j] = op(out[number[i] * inner + j], values[i * inner + j]) for each of the n valid
/// numbers, which count from the end if they are negative, and all j below inner. On the CPU in this order; a
/// GPU adds up the values of a place first, in an order that follows from the numbers, unless they may be
/// added in any.
struct combine_plan {
  ufunc op;    // add, subtract, multiply, divide, maximum or minimum
  dtype type;  // of values and out
  std::int64_t n, n_bins, inner;
  const std::int64_t* numbers;
  const void* values;
  void* out;  // [n_bins][inner], disjoint from what is read
};

/// In each of `rows` rows of n values: out[k] = the reduction (sum, prod, min or max) of the values with the
/// numbers [begins[k], ends[k]). The CPU takes them in order; a GPU in an order that follows from their
/// count.
struct run_plan {
  reduction op;
  dtype type;  // of the values; the results have result_dtype(op, type)
  std::int64_t rows, n, count;
  const void* values;
  const std::int64_t* begins;
  const std::int64_t* ends;
  void* out;
};

}  // namespace core
GPARRAY_END_NAMESPACE
