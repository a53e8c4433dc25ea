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

/// A view if the elements can be seen in this shape and order, else a copy. One size may be -1.
/// Throws value_error with NumPy's text if the sizes do not fit.
template<array_like A>
[[nodiscard]] auto reshape(const A& a, const dims& shape, order layout = order::C) {
  return detail::typed<detail::element_t<A>>(detail::reshape(a, shape, layout));
}
/// All elements in one dimension; a view where possible. K: in the order in which they lie in memory.
template<array_like A>
[[nodiscard]] auto ravel(const A& a, order layout = order::C) {
  return detail::typed<detail::element_t<A>>(detail::ravel(a, layout));
}
template<array_like A>
[[nodiscard]] auto transpose(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::transpose(a));
}
/// Axis i of the result is axis axes[i] of a. Throws value_error, axis_error.
template<array_like A>
[[nodiscard]] auto transpose(const A& a, const dims& axes) {
  return detail::typed<detail::element_t<A>>(detail::transpose(a, axes));
}
template<array_like A>
[[nodiscard]] auto permute_dims(const A& a, const dims& axes) {
  return transpose(a, axes);
}
template<array_like A>
[[nodiscard]] auto matrix_transpose(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::matrix_transpose(a));
}
template<array_like A>
[[nodiscard]] auto swapaxes(const A& a, int axis1, int axis2) {
  return detail::typed<detail::element_t<A>>(detail::swapaxes(a, axis1, axis2));
}
template<array_like A>
[[nodiscard]] auto moveaxis(const A& a, const dims& source, const dims& destination) {
  return detail::typed<detail::element_t<A>>(detail::moveaxis(a, source, destination));
}
template<array_like A>
[[nodiscard]] auto rollaxis(const A& a, int axis, int start = 0) {
  return detail::typed<detail::element_t<A>>(detail::rollaxis(a, axis, start));
}
/// Without the axes of size 1. Named axes of another size throw value_error.
template<array_like A>
[[nodiscard]] auto squeeze(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::squeeze(a));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] auto squeeze(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::squeeze(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto squeeze(const A& a, const detail::axis_list& axes) {
  return squeeze(a, dims(axes));
}
/// With axes of size 1 that end up at these positions of the result.
template<array_like A, detail::axes_like D>
[[nodiscard]] auto expand_dims(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::expand_dims(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto expand_dims(const A& a, const detail::axis_list& axes) {
  return expand_dims(a, dims(axes));
}
template<array_like A>
[[nodiscard]] auto atleast_1d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 1));
}
template<array_like A>
[[nodiscard]] auto atleast_2d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 2));
}
template<array_like A>
[[nodiscard]] auto atleast_3d(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::at_least(a, 3));
}
/// A read-only view that repeats elements without storing them again.
template<array_like A>
[[nodiscard]] auto broadcast_to(const A& a, const dims& shape) {
  return detail::typed<detail::element_t<A>>(detail::broadcast_to(a, shape));
}
/// The shape that all shapes broadcast to. Throws value_error naming the first two that do not fit.
template<class... D>
  requires(sizeof...(D) > 0 && (std::convertible_to<D, dims> && ...))
[[nodiscard]] dims broadcast_shapes(const D&... shapes) {
  const dims list[] = {dims(shapes)...};
  return detail::broadcast_shapes(list);
}
/// The same of two or three braced lists, which no template deduces.
[[nodiscard]] inline dims broadcast_shapes(const dims& a, const dims& b) {
  return broadcast_shapes<dims, dims>(a, b);
}
[[nodiscard]] inline dims broadcast_shapes(const dims& a, const dims& b, const dims& c) {
  return broadcast_shapes<dims, dims, dims>(a, b, c);
}
/// The arrays in their common shape: auto [x, y] = broadcast_arrays(a, b). Those that have it already are
/// themselves, the others read-only views (which NumPy warns it will make them).
template<array_like... A>
[[nodiscard]] auto broadcast_arrays(const A&... arrays) {
  const dims shape = broadcast_shapes(arrays.shape()...);
  const auto in_shape = [&shape](const auto& a) {
    using V = detail::element_t<decltype(a)>;
    return a.shape() == shape ? detail::typed<V>(any_array(a.eval())) : broadcast_to(a, shape);
  };
  return std::tuple(in_shape(arrays)...);
}
/// A view with any shape and strides (in bytes) from the first element of a on. Throws value_error if it
/// would reach outside of the memory that a is a view of.
template<array_like A>
[[nodiscard]] auto as_strided(const A& a, const dims& shape, const dims& strides) {
  return detail::typed<detail::element_t<A>>(detail::as_strided(a, shape, strides));
}
/// A read-only view of all windows of this shape; the window's axes come last.
template<array_like A>
[[nodiscard]] auto sliding_window_view(const A& a, const dims& window_shape) {
  return detail::typed<detail::element_t<A>>(detail::sliding_window_view(a, window_shape, nullptr));
}
template<array_like A>
[[nodiscard]] auto sliding_window_view(const A& a, const dims& window_shape, const dims& axes) {
  return detail::typed<detail::element_t<A>>(detail::sliding_window_view(a, window_shape, &axes));
}

// Order of elements. flip and rot90 are views, roll copies.

template<array_like A>
[[nodiscard]] auto flip(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip(a));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] auto flip(const A& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::flip(a, dims(axes)));
}
template<array_like A>
[[nodiscard]] auto flip(const A& a, const detail::axis_list& axes) {
  return flip(a, dims(axes));
}
template<array_like A>
[[nodiscard]] auto fliplr(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip_matrix(a, 1));
}
template<array_like A>
[[nodiscard]] auto flipud(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::flip_matrix(a, 0));
}
/// Turned by 90 degrees k times, from the first towards the second axis.
template<array_like A>
[[nodiscard]] auto rot90(const A& a, std::int64_t k = 1, const dims& axes = {0, 1}) {
  return detail::typed<detail::element_t<A>>(detail::rot90(a, k, axes));
}
/// Shifted cyclically; without axes as if flattened. Shifts and axes broadcast with one another.
template<array_like A>
[[nodiscard]] auto roll(const A& a, const dims& shift) {
  return detail::typed<detail::element_t<A>>(detail::roll(a, shift, nullptr));
}
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

#define GPARRAY_SPLIT(name, equal)                                                                       \
  template<array_like A>                                                                                 \
  [[nodiscard]] auto name(const A& a, std::int64_t sections, int axis = 0) {                             \
    return detail::typed<detail::element_t<A>>(detail::array_split(a, sections, axis, equal));           \
  }                                                                                                      \
  template<array_like A, detail::integer_range R>                                                        \
  [[nodiscard]] auto name(const A& a, const R& indices, int axis = 0) {                                  \
    return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis)); \
  }                                                                                                      \
  template<array_like A>                                                                                 \
  [[nodiscard]] auto name(const A& a, std::initializer_list<std::int64_t> indices, int axis = 0) {       \
    return detail::typed<detail::element_t<A>>(detail::array_split(a, detail::integers(indices), axis)); \
  }
/// Views of equal parts (value_error if there are none), or of the parts between the given indices.
GPARRAY_SPLIT(split, true)
/// The same; the first parts may be one longer.
GPARRAY_SPLIT(array_split, false)
#undef GPARRAY_SPLIT

// split along the second (the first of a vector), first and third axis.
#define GPARRAY_SPLIT(name, letter)                                                  \
  template<array_like A, class S>                                                    \
  auto name(const A& a, const S& sections_or_indices) {                              \
    return split(a, sections_or_indices, detail::split_axis(a, letter));             \
  }                                                                                  \
  template<array_like A>                                                             \
  [[nodiscard]] auto name(const A& a, std::initializer_list<std::int64_t> indices) { \
    return split(a, indices, detail::split_axis(a, letter));                         \
  }
GPARRAY_SPLIT(hsplit, 'h')
GPARRAY_SPLIT(vsplit, 'v')
GPARRAY_SPLIT(dsplit, 'd')
#undef GPARRAY_SPLIT

/// The views a(0), a(1), ... along an axis.
template<array_like A>
auto unstack(const A& a, int axis = 0) {
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

/// The views a(0), a(1), ... along the first axis for a structured binding: auto [x, y] =
/// gp::unpack<2>(p.T()). Throws value_error unless they are N, and for an array of no dimensions.
template<std::size_t N, array_like A>
[[nodiscard]] std::array<ndarray<detail::element_t<A>>, N> unpack(const A& a) {
  const dims& shape = a.shape();
  // Before a view is made of each of many rows.
  if (!shape.empty() && shape[0] != static_cast<std::int64_t>(N))
    detail::throw_unpack(N, static_cast<std::size_t>(shape[0]));
  return detail::first_arrays(unstack(a), std::make_index_sequence<N>());
}
/// The arrays that a function returned in a vector: auto [rows, columns] = gp::unpack<2>(gp::nonzero(m)).
template<std::size_t N, element V>
[[nodiscard]] std::array<ndarray<V>, N> unpack(const std::vector<ndarray<V>>& arrays) {
  return detail::first_arrays(arrays, std::make_index_sequence<N>());
}
template<array_like A>
[[nodiscard]] auto tile(const A& a, const dims& repetitions) {
  return detail::typed<detail::element_t<A>>(detail::tile(a, repetitions));
}
/// Each element repeated; axis none flattens first. One count for all, or one for each element along the
/// axis.
template<array_like A>
[[nodiscard]] auto repeat(const A& a, std::int64_t repeats, detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, repeats, axis));
}
template<array_like A, detail::integer_range R>
[[nodiscard]] auto repeat(const A& a, const R& repeats, detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, detail::integers(repeats), axis));
}
/// Counts in an array are brought to the host, which waits for the device.
template<array_like A, array_like R>
  requires(std::is_integral_v<detail::element_t<R>> && !std::same_as<detail::element_t<R>, std::uint64_t>)
[[nodiscard]] auto repeat(const A& a, const R& repeats, detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat_by(a, repeats, axis));
}
template<array_like A>
[[nodiscard]] auto repeat(const A& a, std::initializer_list<std::int64_t> repeats,
                          detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::repeat(a, detail::integers(repeats), axis));
}
/// A new array of this shape with the elements of a, over and over; zeros if there are none.
template<array_like A>
[[nodiscard]] auto resize(const A& a, const dims& shape) {
  return detail::typed<detail::element_t<A>>(detail::resize(a, shape));
}
/// A view without zeros at the front ("f"), the back ("b") or both; axis none trims every axis. Waits for the
/// device.
template<array_like A>
[[nodiscard]] auto trim_zeros(const A& a, std::string_view trim = "fb", detail::slice_end axis = none) {
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
