// Making, arranging, sorting and searching arrays whose dtypes are known at run time.
#pragma once
#include <array>
#include <utility>

#include <gparray/creation/detail.hpp>
#include <gparray/dynamic/operand.hpp>
#include <gparray/indexing/detail.hpp>
#include <gparray/manipulation/detail.hpp>
#include <gparray/math/detail.hpp>
#include <gparray/sorting/detail.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace dynamic {

// Making arrays.

/// A new array whose elements are not initialised. Throws value_error for negative sizes, out_of_memory.
[[nodiscard]] inline any_array empty(const dims& shape, dtype type, const array_options& options = {}) {
  return detail::create(shape, type, options);
}
/// A new array whose elements are `value`. Throws overflow_error for an integer that does not fit the dtype,
/// type_error for a complex number in a real array.
[[nodiscard]] GPARRAY_API any_array full(const dims& shape, const operand& value, dtype type,
                                         const array_options& options = {});
/// A new array of the elements at an address in host memory, in C order; they have been read on return.
[[nodiscard]] inline any_array array(const void* from, const dims& shape, dtype type,
                                     const array_options& options = {}) {
  return detail::create_from_host(from, shape, type, options);
}
/// The numbers start, start + step, ... below `stop`, in steps of their own precision. Throws value_error for
/// a step of 0, type_error for complex numbers.
[[nodiscard]] GPARRAY_API any_array arange(const scalar& start, const scalar& stop, const scalar& step,
                                           dtype type, const array_options& options = {});
/// `num` evenly spaced samples from start to stop. Throws value_error if `num` is negative.
[[nodiscard]] GPARRAY_API any_array linspace(const operand& start, const operand& stop, std::int64_t num,
                                             dtype type, const linspace_options& options = {});
/// A matrix with ones on diagonal `k` and zeros elsewhere; without columns as many as rows.
[[nodiscard]] inline any_array eye(std::int64_t rows, detail::slice_end columns, std::int64_t k, dtype type,
                                   const array_options& options = {}) {
  return detail::eye(rows, columns, k, type, options);
}
/// A copy with zeros above diagonal k of the last two axes.
[[nodiscard]] inline any_array tril(const any_array& a, std::int64_t k = 0) {
  return detail::triangle(a, k, true);
}
/// A copy with zeros below diagonal k of the last two axes.
[[nodiscard]] inline any_array triu(const any_array& a, std::int64_t k = 0) {
  return detail::triangle(a, k, false);
}
/// The coordinates of a grid, one array for each vector.
[[nodiscard]] inline std::vector<any_array> meshgrid(std::span<const any_array> axes,
                                                     const meshgrid_options& options = {}) {
  return detail::meshgrid(axes, options);
}

// Arranging them.

/// The elements in another shape, of which one size may be -1: a view where possible, else a copy.
[[nodiscard]] inline any_array reshape(const any_array& a, const dims& shape, order layout = order::C) {
  return detail::reshape(a, shape, layout);
}
/// A view whose axis i is axis axes[i].
[[nodiscard]] inline any_array transpose(const any_array& a, const dims& axes) {
  return detail::transpose(a, axes);
}
/// A view with the last two axes exchanged.
[[nodiscard]] inline any_array matrix_transpose(const any_array& a) { return detail::matrix_transpose(a); }
/// A view with axes moved to other positions.
[[nodiscard]] inline any_array moveaxis(const any_array& a, const dims& source, const dims& destination) {
  return detail::moveaxis(a, source, destination);
}
/// A view without these axes, whose sizes must be 1.
[[nodiscard]] inline any_array squeeze(const any_array& a, const dims& axes) {
  return detail::squeeze(a, axes);
}
/// A view with new axes of size 1 at these positions of the result.
[[nodiscard]] inline any_array expand_dims(const any_array& a, const dims& axes) {
  return detail::expand_dims(a, axes);
}
/// A read-only view in which axes of size 1 are repeated.
[[nodiscard]] inline any_array broadcast_to(const any_array& a, const dims& shape) {
  return detail::broadcast_to(a, shape);
}
/// The shape to which shapes broadcast. Throws value_error if they do not.
[[nodiscard]] inline dims broadcast_shapes(std::span<const dims> shapes) {
  return detail::broadcast_shapes(shapes);
}
/// A view with the elements along these axes in reverse order.
[[nodiscard]] inline any_array flip(const any_array& a, const dims& axes) { return detail::flip(a, axes); }
/// The elements shifted along axes, around their ends; without axes along the flattened array.
[[nodiscard]] inline any_array roll(const any_array& a, const dims& shift, const dims* axes = nullptr) {
  return detail::roll(a, shift, axes);
}
/// Arrays one behind the other along an axis, in the dtype that they promote to; none flattens them first.
[[nodiscard]] GPARRAY_API any_array concatenate(std::span<const any_array> arrays,
                                                detail::slice_end axis = 0);
/// Arrays of one shape beside each other along a new axis.
[[nodiscard]] GPARRAY_API any_array stack(std::span<const any_array> arrays, int axis = 0);
/// A view for each position along an axis.
[[nodiscard]] inline std::vector<any_array> unstack(const any_array& a, int axis = 0) {
  return detail::unstack(a, axis);
}
/// Copies of the array beside each other, so many along each axis.
[[nodiscard]] inline any_array tile(const any_array& a, const dims& repetitions) {
  return detail::tile(a, repetitions);
}
/// Each element repeated, by one count or an array of counts, along an axis or flattened.
[[nodiscard]] inline any_array repeat(const any_array& a, std::int64_t repeats, detail::slice_end axis) {
  return detail::repeat(a, repeats, axis);
}
[[nodiscard]] inline any_array repeat(const any_array& a, const any_array& repeats, detail::slice_end axis) {
  return detail::repeat_by(a, repeats, axis);
}
/// A new array of the same elements.
[[nodiscard]] inline any_array copy(const any_array& a, order layout = order::K) {
  return detail::copy(a, layout);
}

// Sorting and searching.

/// A sorted copy, NaN last; the sort is stable.
[[nodiscard]] inline any_array sort(const any_array& a, const sort_options& options = {}) {
  return detail::sort(a, options.axis, options.descending);
}
/// The indices (int64) that sort the elements along an axis.
[[nodiscard]] inline any_array argsort(const any_array& a, const sort_options& options = {}) {
  return detail::argsort(a, options.axis, options.descending);
}
/// Where values belong in a sorted vector, before equal elements ("left") or after them ("right"); with a
/// sorter, in the order that its indices put the vector into.
[[nodiscard]] GPARRAY_API any_array searchsorted(const any_array& a, const operand& values,
                                                 std::string_view side = "left",
                                                 const any_array& sorter = {});
/// The indices (int64) of the elements that are not zero, one vector for each axis.
[[nodiscard]] inline std::vector<any_array> nonzero(const any_array& a) { return detail::nonzero(a); }
/// The elements at indices along an axis; none flattens first. Throws index_error.
[[nodiscard]] GPARRAY_API any_array take(const any_array& a, const any_array& indices,
                                         detail::slice_end axis = none);
/// Picks elements along an axis by an array of indices that has one for each element of the result.
[[nodiscard]] GPARRAY_API any_array take_along_axis(const any_array& a, const any_array& indices,
                                                    detail::slice_end axis = -1);
/// The n-th differences along an axis, of what `prepend` and `append`, if given, put around the elements.
[[nodiscard]] inline any_array diff(const any_array& a, int n = 1, int axis = -1,
                                    const any_array& prepend = {}, const any_array& append = {}) {
  return detail::diff(a, n, axis, prepend, append);
}

/// What unique finds.
struct unique_result {
  any_array values;           ///< the different values, in ascending order
  any_array indices;          ///< where each occurs first in the flattened array
  any_array inverse_indices;  ///< which of the values each element is, of the shape of the array
  any_array counts;           ///< how often each occurs
};
/// The different elements of the array; every NaN is one of its own unless `equal_nan` is true.
[[nodiscard]] GPARRAY_API unique_result unique(const any_array& a, bool equal_nan = false);

}  // namespace dynamic

GPARRAY_END_NAMESPACE
