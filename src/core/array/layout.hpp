// Shape and stride algebra, free of storage: broadcasting, axes, orders, reshaping without a copy.
#pragma once
#include <optional>
#include <span>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

dims c_strides(const dims& shape, std::size_t item_bytes);
dims f_strides(const dims& shape, std::size_t item_bytes);
/// Strides for a new array whose axes are nested as `outer_to_inner` says.
dims strides_in_order(const dims& shape, std::size_t item_bytes, const dims& outer_to_inner);
bool is_c_contiguous(const dims& shape, const dims& strides, std::size_t item_bytes);
bool is_f_contiguous(const dims& shape, const dims& strides, std::size_t item_bytes);

/// The common shape. Throws value_error with NumPy's text.
dims broadcast_shapes(std::span<const dims* const> shapes);
/// Strides that read an array of `shape` as if it had `target`, to which it must be broadcastable.
dims broadcast_strides(const dims& shape, const dims& strides, const dims& target);
/// `shape` without leading axes of size 1 beyond `ndim`: NumPy ignores them in assignments.
dims without_leading_ones(dims shape, std::size_t ndim);
/// Whether `shape` broadcasts to exactly `target`.
bool broadcasts_to(const dims& shape, const dims& target);

/// axis in [0, ndim). Throws axis_error.
int normalize_axis(std::int64_t axis, int ndim);
/// Sorted, unique axes; all of them for nullopt. Throws axis_error, value_error for duplicates.
dims normalize_axes(const std::optional<dims>& axes, int ndim);

/// Axes from outermost to innermost, as near as possible to how the operands lie in memory (NumPy's K order);
/// C order where they do not say. Each operand has strides for all axes.
dims memory_order(const dims& shape, std::span<const dims> operands);
/// Whether an operand of this layout, however much of another array it is, leaves the axes in C order.
bool leaves_c_order(const dims& shape, const dims& strides);

/// `shape` with its one -1 replaced. Throws value_error with NumPy's text unless it holds `size` elements.
dims resolve_reshape(const dims& shape, std::int64_t size);
/// Strides of the same elements (C order) seen as another shape, if that needs no copy.
std::optional<dims> reshape_strides(const dims& shape, const dims& strides, std::size_t item_bytes,
                                    const dims& target);

/// Byte offsets of the first and one past the last byte from the first element.
struct extent {
  std::int64_t begin, end;
};
extent byte_extent(const dims& shape, const dims& strides, std::size_t item_bytes);
/// The same for strides from outside. Throws overflow_error if they reach beyond any address.
extent checked_extent(const dims& shape, const dims& strides, std::size_t item_bytes);
/// Strides from outside as an array keeps them: where nothing is ever stepped along (one element, or none in
/// the array) any number is allowed, and one that sums and multiples could wrap with becomes 0.
dims kept_strides(const dims& shape, const dims& strides);
[[noreturn]] void throw_beyond_addresses(const dims& shape, const dims& strides);

}  // namespace core
GPARRAY_END_NAMESPACE
