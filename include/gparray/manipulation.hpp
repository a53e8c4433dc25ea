// Shapes and arrangement: views where NumPy gives views, else copies made on the device.
#pragma once
#include <tuple>

#include <gparray/creation/copy.hpp>
#include <gparray/manipulation/detail.hpp>
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<element V>
std::vector<ndarray<V>> typed(std::vector<any_array>&& arrays) {
  std::vector<ndarray<V>> result;
  for (any_array& a : arrays) result.push_back(typed<V>(std::move(a)));
  return result;
}

/// Indices to split at and counts to repeat: a range of integers, or a braced list through an overload of its
/// own.
template<class R>
concept integer_range =
    std::ranges::input_range<R> && !array_like<R> && std::integral<std::ranges::range_value_t<R>>;
template<integer_range R>
std::vector<std::int64_t> integers(const R& values) {
  return {std::ranges::begin(values), std::ranges::end(values)};
}

}  // namespace detail

// Shape. Views unless said otherwise.

/// The elements of `a` in another shape: a view if they can be seen in this shape and order, else a copy. One
/// size may be -1, which is then computed. Throws value_error if the sizes do not fit.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> reshape(const A& a, const dims& shape, order layout = order::C) {
  return detail::typed<detail::element_t<A>>(detail::reshape(a, shape, layout));
}
/// All elements of `a` in one dimension: a view where that is possible, else a copy. order::K takes them as
/// they lie in memory.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> ravel(const A& a, order layout = order::C) {
  return detail::typed<detail::element_t<A>>(detail::ravel(a, layout));
}
/// A view of `a` with its axes in reverse order.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> transpose(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::transpose(a));
}
/// A view of `a` whose axis i is axis axes[i] of `a`. Throws value_error unless `axes` is a permutation,
/// axis_error for an axis that `a` does not have.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> transpose(const A& a, const dims& axes) {
  return detail::typed<detail::element_t<A>>(detail::transpose(a, axes));
}
/// A view of `a` whose axis i is axis axes[i] of `a`: the array API's name of transpose.
template<array_like A>
[[nodiscard]] auto permute_dims(const A& a, const dims& axes) {
  return transpose(a, axes);
}
/// A view of `a` with its last two axes exchanged. Throws value_error for fewer than two dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> matrix_transpose(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::matrix_transpose(a));
}
/// A view of `a` with two axes exchanged. Throws axis_error for an axis that `a` does not have.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> swapaxes(const A& a, int axis1, int axis2) {
  return detail::typed<detail::element_t<A>>(detail::swapaxes(a, axis1, axis2));
}
/// A view of `a` in which the axes `source` stand at the positions `destination`; the others keep their
/// order. Throws value_error unless both are as many and each axis occurs once, axis_error for an axis that
/// `a` does not have.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> moveaxis(const A& a, const dims& source,
                                                     const dims& destination) {
  return detail::typed<detail::element_t<A>>(detail::moveaxis(a, source, destination));
}
/// A view of `a` with one axis moved before the axis `start`. moveaxis is easier to read. Throws axis_error.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> rollaxis(const A& a, int axis, int start = 0) {
  return detail::typed<detail::element_t<A>>(detail::rollaxis(a, axis, start));
}
/// A view of `a` without its axes of size 1.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> squeeze(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::squeeze(a));
}
/// A view of `a` without these axes. Throws value_error if the size of one is not 1, axis_error if there is
/// none.
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::element_t<A>> squeeze(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::squeeze(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto squeeze(const A& a, const detail::axis_list& axes) {
  return squeeze(a, dims(axes));
}
/// A view of `a` with additional axes of size 1, which stand at these positions of the result. Throws
/// axis_error for a position outside of it, value_error for one that occurs twice.
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::element_t<A>> expand_dims(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::expand_dims(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto expand_dims(const A& a, const detail::axis_list& axes) {
  return expand_dims(a, dims(axes));
}
/// `a` itself, or a view of shape (1,) if it has no dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> atleast_1d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 1));
}
/// `a` itself if it has two dimensions or more, else a view with axes of size 1 in front: a vector becomes a
/// row.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> atleast_2d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 2));
}
/// `a` itself if it has three dimensions or more, else a view with axes of size 1: a vector of N elements
/// gets shape (1, N, 1), an M by N matrix (M, N, 1).
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> atleast_3d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 3));
}
/// A read-only view of `a` in a larger shape, which repeats elements without storing them again. Throws
/// value_error if `a` does not broadcast to the shape.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> broadcast_to(const A& a, const dims& shape) {
  return detail::typed<detail::element_t<A>>(detail::broadcast_to(a, shape));
}
/// The shape that all shapes broadcast to. Throws value_error naming the first two that do not fit.
template<class... D>
  requires(sizeof...(D) > 0 && (std::convertible_to<D, dims> && ...))
[[nodiscard]] dims broadcast_shapes(const D&... shapes) {
  const dims list[] = {dims(shapes)...};
  return detail::broadcast_shapes(list);
}
/// The shape that two or three shapes broadcast to, each of which may be a braced list.
[[nodiscard]] inline dims broadcast_shapes(const dims& a, const dims& b) {
  const dims list[] = {a, b};
  return detail::broadcast_shapes(list);
}
[[nodiscard]] inline dims broadcast_shapes(const dims& a, const dims& b, const dims& c) {
  const dims list[] = {a, b, c};
  return detail::broadcast_shapes(list);
}
/// The arrays in their common shape, as a std::tuple of ndarrays: auto [x, y] = broadcast_arrays(a, b). Those
/// that have the shape already are returned themselves, the others as read-only views. Throws value_error if
/// they do not broadcast.
template<array_like... A>
[[nodiscard]] auto broadcast_arrays(const A&... arrays) {
  const dims shape = broadcast_shapes(arrays.shape()...);
  const auto in_shape = [&shape](const auto& a) {
    using V = detail::element_t<decltype(a)>;
    return a.shape() == shape ? detail::typed<V>(any_array(a.eval())) : broadcast_to(a, shape);
  };
  return std::tuple(in_shape(arrays)...);
}
/// A view with any shape and strides (in bytes) from the first element of `a` on. Throws value_error if it
/// would reach outside of the memory that `a` is a view of.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> as_strided(const A& a, const dims& shape, const dims& strides) {
  return detail::typed<detail::element_t<A>>(detail::as_strided(a, shape, strides));
}
/// A read-only view of all windows of this shape, one window dimension for each axis of `a`; the window's
/// axes come last. Throws value_error for a window that is larger than the array.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> sliding_window_view(const A& a, const dims& window_shape) {
  return detail::typed<detail::element_t<A>>(detail::sliding_window_view(a, window_shape, nullptr));
}
/// A read-only view of all windows along some axes only, one window dimension for each of `axes`.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> sliding_window_view(const A& a, const dims& window_shape,
                                                                const dims& axes) {
  return detail::typed<detail::element_t<A>>(detail::sliding_window_view(a, window_shape, &axes));
}

// Order of elements. flip and rot90 are views, roll copies.

/// A view of `a` with the elements in reverse order along every axis.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> flip(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip(a));
}
/// A view of `a` with the elements in reverse order along one axis or several. Throws axis_error.
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::element_t<A>> flip(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::flip(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto flip(const A& a, const detail::axis_list& axes) {
  return flip(a, dims(axes));
}
/// A view of `a` with the order of its columns reversed: flip along axis 1. Throws value_error for fewer than
/// two dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> fliplr(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip_matrix(a, 1));
}
/// A view of `a` with the order of its rows reversed: flip along axis 0. Throws value_error for an array of
/// no dimensions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> flipud(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip_matrix(a, 0));
}
/// A view of `a` rotated by 90 degrees `k` times in the plane of two axes, from the first towards the second.
/// Throws value_error unless these are two different axes of `a`.
template<array_like A>
[[nodiscard]] auto rot90(const A& a, std::int64_t k = 1, const dims& axes = {0, 1}) {
  return detail::typed<detail::element_t<A>>(detail::rot90(a, k, axes));
}
/// A copy of `a` whose elements are shifted cyclically, in C order over all axes; the shape stays.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> roll(const A& a, const dims& shift) {
  return detail::typed<detail::element_t<A>>(detail::roll(a, shift, nullptr));
}
/// A copy of `a` whose elements are shifted cyclically along one axis or several. Shifts and axes broadcast
/// with one another. Throws axis_error, value_error if they do not broadcast.
template<array_like A, detail::axes_like D>
[[nodiscard]] auto roll(const A& a, const dims& shift, const D& axis) {
  const dims axes(axis);
  return detail::typed<detail::element_t<A>>(detail::roll(a, shift, &axes));
}
template<array_like A>
[[nodiscard]] auto roll(const A& a, const dims& shift, const detail::axis_list& axes) {
  return roll(a, shift, dims(axes));
}

// Splitting into views, and repeating.

/// Views of `a` in this many equal parts along an axis. Throws value_error if the axis cannot be divided
/// equally, axis_error.
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> split(const A& a, std::int64_t sections,
                                                               int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, sections, axis, true));
}
/// Views of the parts of `a` before, between and behind these indices along an axis.
template<array_like A, detail::integer_range R>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> split(const A& a, const R& indices, int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis));
}
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> split(const A& a,
                                                               std::initializer_list<std::int64_t> indices,
                                                               int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis));
}
/// Views of `a` in this many parts along an axis; where the size cannot be divided equally, the first parts
/// have one element more. Throws value_error for fewer than one part, axis_error.
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> array_split(const A& a, std::int64_t sections,
                                                                     int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, sections, axis, false));
}
/// Views of the parts of `a` before, between and behind these indices along an axis.
template<array_like A, detail::integer_range R>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> array_split(const A& a, const R& indices,
                                                                     int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis));
}
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> array_split(
    const A& a, std::initializer_list<std::int64_t> indices, int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis));
}
/// Views of `a` in equal parts, or in the parts between indices, along its second axis (the only one of a
/// vector). Throws value_error for an array of no dimensions, and if there are no equal parts.
template<array_like A, class S>
[[nodiscard]] auto hsplit(const A& a, const S& sections_or_indices) {
  return split(a, sections_or_indices, detail::split_axis(a, 'h'));
}
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> hsplit(const A& a,
                                                                std::initializer_list<std::int64_t> indices) {
  return split(a, indices, detail::split_axis(a, 'h'));
}
/// Views of `a` in equal parts, or in the parts between indices, along its first axis. Throws value_error for
/// fewer than two dimensions, and if there are no equal parts.
template<array_like A, class S>
[[nodiscard]] auto vsplit(const A& a, const S& sections_or_indices) {
  return split(a, sections_or_indices, detail::split_axis(a, 'v'));
}
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> vsplit(const A& a,
                                                                std::initializer_list<std::int64_t> indices) {
  return split(a, indices, detail::split_axis(a, 'v'));
}
/// Views of `a` in equal parts, or in the parts between indices, along its third axis. Throws value_error for
/// fewer than three dimensions, and if there are no equal parts.
template<array_like A, class S>
[[nodiscard]] auto dsplit(const A& a, const S& sections_or_indices) {
  return split(a, sections_or_indices, detail::split_axis(a, 'd'));
}
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> dsplit(const A& a,
                                                                std::initializer_list<std::int64_t> indices) {
  return split(a, indices, detail::split_axis(a, 'd'));
}

/// The views a(0), a(1), ... along an axis, without that axis. Throws value_error for an array of no
/// dimensions, axis_error.
template<array_like A>
[[nodiscard]] std::vector<ndarray<detail::element_t<A>>> unstack(const A& a, int axis = 0) {
  return detail::typed<detail::element_t<A>>(detail::unstack(a, axis));
}
namespace detail {
[[noreturn]] GPARRAY_API void throw_unpack(std::size_t wanted, std::size_t have);

template<element V, std::size_t... I>
std::array<ndarray<V>, sizeof...(I)> first_arrays(const std::vector<ndarray<V>>& all,
                                                  std::index_sequence<I...>) {
  if (all.size() != sizeof...(I)) throw_unpack(sizeof...(I), all.size());
  return {all[I]...};
}
}  // namespace detail

/// The N views a(0), a(1), ... along the first axis for a structured binding: auto [x, y] =
/// gp::unpack<2>(p.T()). Throws value_error unless the axis has N elements, and for an array of no
/// dimensions.
template<std::size_t N, array_like A>
[[nodiscard]] std::array<ndarray<detail::element_t<A>>, N> unpack(const A& a) {
  const dims& shape = a.shape();
  // Before a view is made of each of many rows.
  if (!shape.empty() && shape[0] != static_cast<std::int64_t>(N))
    detail::throw_unpack(N, static_cast<std::size_t>(shape[0]));
  return detail::first_arrays(unstack(a), std::make_index_sequence<N>());
}
/// The N arrays of a vector for a structured binding: auto [rows, columns] = gp::unpack<2>(gp::nonzero(m)).
/// Throws value_error unless the vector has N.
template<std::size_t N, element V>
[[nodiscard]] std::array<ndarray<V>, N> unpack(const std::vector<ndarray<V>>& arrays) {
  return detail::first_arrays(arrays, std::make_index_sequence<N>());
}
/// A new array of copies of `a` side by side: repetitions[i] of them along axis i. The shorter one of the
/// shape and the repetitions is extended in front by ones. Throws value_error for negative repetitions.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> tile(const A& a, const dims& repetitions) {
  return detail::typed<detail::element_t<A>>(detail::tile(a, repetitions));
}
/// A new array in which each element of `a` occurs `repeats` times in a row along an axis; axis none flattens
/// `a` first. Throws value_error for a negative count, axis_error.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> repeat(const A& a, std::int64_t repeats,
                                                   detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, repeats, axis));
}
/// A new array in which element i along the axis occurs repeats[i] times. Throws value_error unless there is
/// one count for each element along the axis, or one for all.
template<array_like A, detail::integer_range R>
[[nodiscard]] ndarray<detail::element_t<A>> repeat(const A& a, const R& repeats,
                                                   detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, detail::integers(repeats), axis));
}
/// A new array in which element i along the axis occurs repeats(i) times. The counts are copied to the host,
/// which waits for the device.
template<array_like A, array_like R>
  requires(std::is_integral_v<detail::element_t<R>> && !std::same_as<detail::element_t<R>, std::uint64_t>)
[[nodiscard]] ndarray<detail::element_t<A>> repeat(const A& a, const R& repeats,
                                                   detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat_by(a, repeats, axis));
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> repeat(const A& a, std::initializer_list<std::int64_t> repeats,
                                                   detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, detail::integers(repeats), axis));
}
/// A new array of this shape with the elements of `a` in C order, from the beginning again when they are used
/// up; zeros if `a` has none. Throws value_error for negative sizes.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> resize(const A& a, const dims& shape) {
  return detail::typed<detail::element_t<A>>(detail::resize(a, shape));
}
/// A view of `a` without the zeros at its front ("f"), its back ("b") or both ("fb"), along one axis; axis
/// none trims along every axis. Throws value_error for another `trim`, axis_error.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> trim_zeros(const A& a, std::string_view trim = "fb",
                                                       detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::trim_zeros(a, trim, axis));
}
// The members of ndarray that are the functions above.
template<element V>
ndarray<V> ndarray<V>::T() const {
  return detail::typed<V>(detail::transpose(*this));
}
template<element V>
ndarray<V> ndarray<V>::mT() const {
  return detail::typed<V>(detail::matrix_transpose(*this));
}
template<element V>
ndarray<V> ndarray<V>::reshape(const dims& shape, order layout) const {
  return detail::typed<V>(detail::reshape(*this, shape, layout));
}
template<element V>
ndarray<V> ndarray<V>::ravel(order layout) const {
  return detail::typed<V>(detail::ravel(*this, layout));
}
template<element V>
ndarray<V> ndarray<V>::flatten(order layout) const {
  return detail::typed<V>(detail::flatten(*this, layout));
}
template<element V>
ndarray<V> ndarray<V>::transpose() const {
  return T();
}
template<element V>
ndarray<V> ndarray<V>::transpose(const dims& axes) const {
  return detail::typed<V>(detail::transpose(*this, axes));
}
template<element V>
ndarray<V> ndarray<V>::swapaxes(int axis1, int axis2) const {
  return detail::typed<V>(detail::swapaxes(*this, axis1, axis2));
}
template<element V>
indexed<dtype_t<real_dtype(dtype_of<V>)>> ndarray<V>::real() const {
  return {detail::complex_part(*this, 0), detail::adopt_t{}};
}
template<element V>
indexed<dtype_t<real_dtype(dtype_of<V>)>> ndarray<V>::imag() const {
  return {detail::complex_part(*this, 1), detail::adopt_t{}};
}
template<element V>
template<element W>
  requires(!std::is_same_v<W, bool> || std::is_same_v<V, bool>)
ndarray<W> ndarray<V>::view() const {
  return detail::typed<W>(detail::view_as(*this, dtype_of<W>));
}
template<element V>
ndarray<V> ndarray<V>::squeeze() const {
  return detail::typed<V>(detail::squeeze(*this));
}
template<element V>
template<detail::axes_like D>
ndarray<V> ndarray<V>::squeeze(const D& axes) const {
  return detail::typed<V>(detail::squeeze(*this, dims(axes)));
}
template<element V>
ndarray<V> ndarray<V>::squeeze(const detail::axis_list& axes) const {
  return detail::typed<V>(detail::squeeze(*this, dims(axes)));
}

GPARRAY_END_NAMESPACE
