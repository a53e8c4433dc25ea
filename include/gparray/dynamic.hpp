// NumPy's functions on arrays whose dtypes are known at run time: element-wise functions and reductions by
// their names, indexing, conversions; the other functions are in the headers that this one includes.
#pragma once
#include <gparray/dynamic/arrays.hpp>
#include <gparray/dynamic/linalg.hpp>
#include <gparray/reduction/options.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace dynamic {

// Results are on the device of the operands; like those of typed functions they may be pending.

/// An element-wise function of arrays and numbers: apply(ufunc::add, {a, 1}), apply(*find_ufunc("add"), {a,
/// b}, {.out = c}). Shapes broadcast, dtypes promote by NumPy 2's rules. Throws type_error for another number
/// of operands and for dtypes that the function has no loop for, overflow_error for an integer that does not
/// fit the dtype, value_error for shapes that do not broadcast, device_error.
GPARRAY_API any_array apply(ufunc function, std::span<const operand> operands,
                            const ufunc_options& options = {});
inline any_array apply(ufunc function, std::initializer_list<operand> operands,
                       const ufunc_options& options = {}) {
  return apply(function, std::span(operands.begin(), operands.size()), options);
}
/// A reduction over all axes or those of the options: reduce(reduction::sum, a, {.axis = 1}). With a dtype
/// the elements are converted to it first. Throws type_error for a dtype that the reduction does not take,
/// axis_error, value_error for equal axes and for nothing to reduce where there is no identity.
GPARRAY_API any_array reduce(reduction function, const any_array& a, const reduction_options& options = {},
                             std::optional<dtype> type = {});
/// The results of a function for the elements up to each one, NumPy's ufunc.accumulate: cumulative sums are
/// accumulate(ufunc::add, a, 0), products those of multiply; maximum, minimum, fmax, fmin, logical and
/// bitwise functions have them too. Axis gp::none flattens first. Sums and products of narrow integers are
/// int64 or uint64 without a dtype; with `include_initial` they begin with 0 or 1. Throws type_error for
/// other functions, axis_error.
GPARRAY_API any_array accumulate(ufunc function, const any_array& a, detail::slice_end axis = none,
                                 std::optional<dtype> type = {}, bool include_initial = false);

/// The elements converted to a dtype; the array itself if it has it and no copy is asked for.
[[nodiscard]] GPARRAY_API any_array astype(const any_array& a, dtype type, bool copy = true);

/// a[items]: a view if all items are basic ones, else a new array of the elements that arrays pick. Throws
/// index_error.
[[nodiscard]] GPARRAY_API any_array index(const any_array& a, std::span<const index_item> items);
[[nodiscard]] inline any_array index(const any_array& a, std::initializer_list<index_item> items) {
  return index(a, std::span(items.begin(), items.size()));
}
/// A view by NumPy's text: index(a, "1:-1, ::2"). Throws index_error, value_error for text that is no index.
[[nodiscard]] inline any_array index(const any_array& a, std::string_view text) {
  return detail::basic_index(a, text);
}
/// a[items] = value, which broadcasts and is converted to a's dtype. Throws index_error, value_error for
/// shapes that do not fit and for read-only arrays, overflow_error for an integer that does not fit,
/// type_error for complex values in a real array.
GPARRAY_API void set_index(const any_array& a, std::span<const index_item> items, const operand& value);
inline void set_index(const any_array& a, std::initializer_list<index_item> items, const operand& value) {
  set_index(a, std::span(items.begin(), items.size()), value);
}

}  // namespace dynamic

GPARRAY_END_NAMESPACE
