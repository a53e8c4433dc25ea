// The way from manipulation.hpp into the library.
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// How an argument list of arrays is put together.
enum class joining : unsigned char { concatenate, stack, vstack, hstack, dstack, column_stack };

GPARRAY_API any_array reshape(const any_array& a, const dims& shape, order layout);
GPARRAY_API any_array ravel(const any_array& a, order layout);
GPARRAY_API any_array flatten(const any_array& a, order layout);
GPARRAY_API any_array transpose(const any_array& a);
GPARRAY_API any_array transpose(const any_array& a, const dims& axes);
GPARRAY_API any_array matrix_transpose(const any_array& a);
GPARRAY_API any_array swapaxes(const any_array& a, int axis1, int axis2);
GPARRAY_API any_array moveaxis(const any_array& a, const dims& source, const dims& destination);
GPARRAY_API any_array rollaxis(const any_array& a, int axis, int start);
GPARRAY_API any_array squeeze(const any_array& a);
GPARRAY_API any_array squeeze(const any_array& a, const dims& axes);
GPARRAY_API any_array expand_dims(const any_array& a, const dims& axes);
GPARRAY_API any_array at_least(const any_array& a, int ndim);
GPARRAY_API any_array broadcast_to(const any_array& a, const dims& shape);
GPARRAY_API dims broadcast_shapes(std::span<const dims> shapes);
GPARRAY_API any_array flip(const any_array& a);
GPARRAY_API any_array flip(const any_array& a, const dims& axes);
/// The checks of fliplr (axis 1) and flipud (axis 0).
GPARRAY_API any_array flip_matrix(const any_array& a, int axis);
GPARRAY_API any_array rot90(const any_array& a, std::int64_t k, const dims& axes);
GPARRAY_API any_array as_strided(const any_array& a, const dims& shape, const dims& strides);
GPARRAY_API any_array sliding_window_view(const any_array& a, const dims& window, const dims* axes);
/// The elements of a complex array as pairs of numbers along a new last axis.
GPARRAY_API any_array complex_parts(const any_array& a);
/// Part 0 or 1 of complex numbers; of real ones the array, or zeros that cannot be written.
GPARRAY_API any_array complex_part(const any_array& a, int part);
GPARRAY_API any_array view_as(const any_array& a, dtype type);
GPARRAY_API any_array roll(const any_array& a, const dims& shift, const dims* axes);
GPARRAY_API any_array join(joining how, std::span<const any_array> arrays, slice_end axis, dtype type);
/// Puts rows of blocks together: along the last axis in the innermost list, one axis further out at each
/// level. The counts say how many of the arrays each list of the last level has.
GPARRAY_API any_array block(std::span<const any_array> arrays, std::span<const std::size_t> counts, int depth,
                            dtype type);
GPARRAY_API std::vector<any_array> array_split(const any_array& a, std::int64_t sections, int axis,
                                               bool equal);
GPARRAY_API std::vector<any_array> array_split(const any_array& a, std::span<const std::int64_t> indices,
                                               int axis);
/// The axis that hsplit ('h'), vsplit and dsplit cut. Throws value_error if a has too few dimensions.
GPARRAY_API int split_axis(const any_array& a, char which);
GPARRAY_API std::vector<any_array> unstack(const any_array& a, int axis);
GPARRAY_API any_array tile(const any_array& a, const dims& repetitions);
GPARRAY_API any_array repeat(const any_array& a, std::int64_t repeats, slice_end axis);
GPARRAY_API any_array repeat(const any_array& a, std::span<const std::int64_t> repeats, slice_end axis);
/// Counts in an array of integers of at most one dimension.
GPARRAY_API any_array repeat_by(const any_array& a, const any_array& repeats, slice_end axis);
GPARRAY_API any_array resize(const any_array& a, const dims& shape);
/// The method: the first elements, then zeros.
GPARRAY_API any_array resized_with_zeros(const any_array& a, const dims& shape);
GPARRAY_API any_array byteswap(const any_array& a);
GPARRAY_API any_array trim_zeros(const any_array& a, std::string_view trim, slice_end axis);

}  // namespace detail
GPARRAY_END_NAMESPACE
