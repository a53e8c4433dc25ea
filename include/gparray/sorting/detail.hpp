// The way from sorting.hpp into the library.
#pragma once
#include <span>

#include <gparray/sorting/options.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// Of options beside a position of the axis: what holds. Throws value_error for an unknown kind, type_error
/// for two axes.
GPARRAY_API sort_options at_axis(const sort_options& options, slice_end axis);
GPARRAY_API topk_options at_axis(const topk_options& options, slice_end axis);
GPARRAY_API any_array sort(const any_array& a, slice_end axis, bool descending = false);
GPARRAY_API any_array argsort(const any_array& a, slice_end axis, bool descending = false);
GPARRAY_API void sort_in_place(const any_array& a, slice_end axis, bool descending = false);
/// Throw value_error for a kth out of bounds.
GPARRAY_API any_array partition(const any_array& a, const dims& kth, slice_end axis);
GPARRAY_API any_array argpartition(const any_array& a, const dims& kth, slice_end axis);
GPARRAY_API void partition_in_place(const any_array& a, const dims& kth, slice_end axis);
/// Elements, and their numbers along the axis.
struct topk_lines {
  any_array values, indices;
};
/// Throws value_error unless 0 <= k <= n.
GPARRAY_API topk_lines topk(const any_array& a, std::int64_t k, const topk_options& options);
GPARRAY_API any_array lexsort(std::span<const any_array> keys, int axis);
/// From "left" (false) or "right". Throws value_error.
GPARRAY_API bool parse_side(std::string_view side);
/// Both of one dtype; a 1-D and in order.
GPARRAY_API any_array searchsorted(const any_array& a, const any_array& values, dtype common, bool right);
GPARRAY_API any_array in_sorting_order(const any_array& a, const any_array& sorter);

}  // namespace detail
GPARRAY_END_NAMESPACE
