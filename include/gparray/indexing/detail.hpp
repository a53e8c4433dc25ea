// The way from indexing.hpp into the library.
#pragma once
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <gparray/indexing/selection.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// What to do with indices out of range, NumPy's mode=.
enum class index_mode : unsigned char { raise, wrap, clip };
/// From "raise", "wrap" or "clip". Throws value_error.
GPARRAY_API index_mode parse_index_mode(std::string_view text);

/// Indices as an int64 array on the device of `a`: an array, a range or a list of integers.
GPARRAY_API any_array to_indices(const pick_item& indices, const any_array& a);

GPARRAY_API any_array take(const any_array& a, const any_array& indices, slice_end axis, index_mode mode);
GPARRAY_API any_array take_along_axis(const any_array& a, const any_array& indices, slice_end axis);
GPARRAY_API void put(const any_array& a, const any_array& indices, const any_array& values, index_mode mode);
GPARRAY_API void put_along_axis(const any_array& a, const any_array& indices, const argument& values,
                                slice_end axis);
GPARRAY_API void putmask(const any_array& a, const any_array& mask, const any_array& values);
GPARRAY_API void place(const any_array& a, const any_array& mask, const any_array& values);
GPARRAY_API void fill_diagonal(const any_array& a, const any_array& values, bool wrap);
GPARRAY_API any_array compress(const any_array& condition, const any_array& a, slice_end axis);
GPARRAY_API any_array without(const any_array& a, const pick_item& what, slice_end axis);
GPARRAY_API std::vector<any_array> nonzero(const any_array& a);
GPARRAY_API any_array argwhere(const any_array& a);
GPARRAY_API std::vector<any_array> unravel_index(const any_array& indices, const dims& shape, order layout);
GPARRAY_API any_array ravel_multi_index(std::span<const any_array> coordinates, const dims& shape,
                                        index_mode mode, order layout);
/// The numbers of choices as int64, made valid for n of them. Throws value_error if there are none.
GPARRAY_API any_array to_choices(const pick_item& choices, std::int64_t n, index_mode mode);
GPARRAY_API void check_select(std::size_t conditions, std::size_t choices);
/// The positions that a vector or mask stands for along one axis of ndim, as ix_ has them. Throws value_error
/// unless it has one dimension.
GPARRAY_API any_array ix_axis(const pick_item& item, std::size_t axis, std::size_t ndim);
/// The size of a square array for diag_indices_from. Throws value_error.
GPARRAY_API std::int64_t square_size(const dims& shape);
GPARRAY_API std::pair<std::int64_t, std::int64_t> matrix_size(const dims& shape);

}  // namespace detail
GPARRAY_END_NAMESPACE
