// Keyword arguments of reductions, which arrays have as methods too.
#pragma once
#include <optional>

#include <gparray/array/axis_option.hpp>
#include <gparray/array/operand.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of reductions, with NumPy's names.
struct reduction_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several, instead of those by position; gp::none is all.
  detail::axis_value axis = {};
  /// An array to write the result into, converted to its dtype; it is what is returned if that is the
  /// result's. Must have the result's shape (value_error).
  any_array out = {};
  /// Elements to include: a bool array that broadcasts to the input.
  any_array where = {};
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
  /// var, std: the divisor is N - ddof.
  double ddof = 0;
  /// sum, prod, min, max: a value to start from; makes the reduction of nothing that value.
  std::optional<scalar> initial = {};
};

namespace detail {

/// An axis or a range of axes. No array, for max(a.max(), b.max()) means maximum. Braced lists have overloads
/// of their own: g++ 12 would take {.ddof = 1} for a dims.
template<class D>
concept axes_like = std::convertible_to<D, dims> && !std::derived_from<std::remove_cvref_t<D>, any_array>;

}  // namespace detail

GPARRAY_END_NAMESPACE
