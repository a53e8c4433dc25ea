// Functions that pick elements: by numbers, by masks, along an axis; and those that make the numbers.
#pragma once
#include <tuple>
#include <utility>

#include <gparray/creation.hpp>
#include <gparray/indexing/detail.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class I>
concept indices_like = picking<I> && (!basic_item<I> || std::integral<I>);

/// A number or an array as an array of V beside `a`.
template<element V, array_like A, operand_like X>
ndarray<V> values_beside(const A& a, X&& x) {
  if constexpr (array_like<X>) return as_elements<V>(std::forward<X>(x));
  else return full<V>(dims{}, scalar_cast<V>(x), {.device = a.device()});
}
template<element V>
pick_item list_item(const std::vector<V>& values) {
  return pick_item(values);
}
inline pick_item list_item(std::initializer_list<std::int64_t> values) {
  return pick_item(std::span<const std::int64_t>(values.begin(), values.size()));
}
using int64_array = ndarray<std::int64_t>;

}  // namespace detail

// Indices are arrays or ranges of integers, or a braced list. They are checked before anything is written,
// which waits for the device; index_error names the first that is out of range. Functions whose result has as
// many elements as a mask has true ones wait for that count.

/// The elements of `a` at these indices along an axis, as a new array; axis none flattens `a` first. Throws
/// index_error for an index that is out of range, value_error for an unknown mode, axis_error.
template<array_like A, detail::indices_like I>
[[nodiscard]] ndarray<detail::element_t<A>> take(const A& a, const I& indices, detail::slice_end axis = none,
                                                 std::string_view mode = "raise") {
  return detail::typed<detail::element_t<A>>(
      detail::take(a, detail::to_indices(indices, a), axis, detail::parse_index_mode(mode)));
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> take(const A& a, std::initializer_list<std::int64_t> indices,
                                                 detail::slice_end axis = none,
                                                 std::string_view mode = "raise") {
  return take(a, std::span<const std::int64_t>(indices.begin(), indices.size()), axis, mode);
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> take(
    const A& a, std::initializer_list<std::initializer_list<std::int64_t>> indices,
    detail::slice_end axis = none, std::string_view mode = "raise") {
  return take(a, detail::pick_item(indices), axis, mode);
}
/// Picks elements along an axis by an array of indices that has one for each element of the result: result[i,
/// j] = a[i, indices[i, j]] for a matrix and its last axis. The other axes broadcast; axis none flattens `a`.
/// Throws index_error for an index that is out of range, value_error if the dimensions differ, axis_error.
template<array_like A, detail::picking_array I>
[[nodiscard]] ndarray<detail::element_t<A>> take_along_axis(const A& a, const I& indices,
                                                            detail::slice_end axis = -1) {
  return detail::typed<detail::element_t<A>>(
      detail::take_along_axis(a, detail::to_indices(indices, a), axis));
}
/// The slices of `a` along an axis where a vector of conditions is true; axis none flattens `a` first. The
/// condition may be shorter than the axis. Throws value_error unless it is a vector, index_error if it is
/// true beyond the axis, axis_error.
template<array_like C, array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> compress(const C& condition, const A& a,
                                                     detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::compress(condition, a, axis));
}
/// The elements of `a`, in C order, where the condition, of the same size, is not zero: a vector.
template<array_like C, array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> extract(const C& condition, const A& a) {
  return detail::typed<detail::element_t<A>>(detail::compress(detail::ravel(condition, order::C), a, none));
}
/// A copy of `a` without the elements at an index, indices, a slice or a mask along an axis; axis none
/// flattens `a` first. It is NumPy's delete, which is a keyword in C++. Throws index_error for an index that
/// is out of range, axis_error.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> delete_(const A& a, const detail::pick_item& what,
                                                    detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::without(a, what, axis));
}

// Writing.

/// Writes values to the elements of `a` at these positions of the flattened array; values are repeated if
/// they are fewer. Of several values for one position the last stays. Throws index_error, value_error for an
/// unknown mode.
template<array_like A, detail::indices_like I, operand_like X>
void put(const A& a, const I& indices, X&& values, std::string_view mode = "raise") {
  detail::put(a, detail::to_indices(indices, a),
              detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)),
              detail::parse_index_mode(mode));
}
template<array_like A, operand_like X>
void put(const A& a, std::initializer_list<std::int64_t> indices, X&& values,
         std::string_view mode = "raise") {
  put(a, std::span<const std::int64_t>(indices.begin(), indices.size()), std::forward<X>(values), mode);
}
/// Writes values to the elements of `a` that take_along_axis would read with these indices; the values
/// broadcast to the indices. Throws index_error, value_error if they do not broadcast, axis_error.
template<array_like A, detail::picking_array I, operand_like X>
void put_along_axis(const A& a, const I& indices, X&& values, detail::slice_end axis) {
  detail::put_along_axis(a, detail::to_indices(indices, a),
                         detail::make_argument<detail::element_t<A>>(std::forward<X>(values)), axis);
}
/// Writes values to the elements of `a` where the mask, of the same size, is not zero: element i of the
/// flattened array gets values[i % values.size()]. Throws value_error if the sizes differ.
template<array_like A, array_like M, operand_like X>
void putmask(const A& a, const M& mask, X&& values) {
  detail::putmask(a, mask, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)));
}
/// Writes the first value to the first element of `a` where the mask is not zero, the second to the second
/// and so on; values are repeated if there are too few. Throws value_error if the sizes of mask and array
/// differ or there are no values.
template<array_like A, array_like M, operand_like X>
void place(const A& a, const M& mask, X&& values) {
  detail::place(a, mask, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)));
}
/// Writes values to the diagonal a[i, i, ...] of an array of at least two dimensions, all equal if there are
/// more; values are repeated. Throws value_error for other shapes.
template<array_like A, operand_like X>
void fill_diagonal(const A& a, X&& values, bool wrap = false) {
  detail::fill_diagonal(a, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)), wrap);
}

// Where elements are.

/// The indices of the elements that are not zero, one vector for each axis, in C order. a(nonzero(a)) are
/// these elements. Throws value_error for an array of no dimensions.
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> nonzero(const A& a) {
  return detail::typed<std::int64_t>(detail::nonzero(a));
}
/// The indices of the elements that are not zero, one vector for each axis, in C order: nonzero(condition).
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> where(const A& condition) {
  return nonzero(condition);
}
/// The indices of the elements that are not zero as the rows of one array, of shape (count, a.ndim()).
template<array_like A>
[[nodiscard]] detail::int64_array argwhere(const A& a) {
  return detail::typed<std::int64_t>(detail::argwhere(a));
}
/// The positions in the flattened array of the elements that are not zero.
template<array_like A>
[[nodiscard]] detail::int64_array flatnonzero(const A& a) {
  return detail::typed<std::int64_t>(std::move(detail::nonzero(detail::ravel(a, order::C))[0]));
}

// Choosing element by element.

/// Builds an array from several by the number of the one to take from: result[i] = choices[numbers[i]][i];
/// numbers and choices broadcast. Throws value_error without choices, and for a number that is out of range.
template<detail::picking_array N, element V>
[[nodiscard]] ndarray<V> choose(const N& numbers, const std::vector<ndarray<V>>& choices,
                                std::string_view mode = "raise") {
  const auto n = static_cast<std::int64_t>(choices.size());
  const detail::int64_array number =
      detail::typed<std::int64_t>(detail::to_choices(numbers, n, detail::parse_index_mode(mode)));
  ndarray<V> result = gparray::where(number == 0, choices[0], choices[0]);
  for (std::int64_t i = 1; i < n; ++i)
    result = gparray::where(number == i, choices[static_cast<std::size_t>(i)], result);
  return result;
}
template<detail::picking_array N, element V>
[[nodiscard]] ndarray<V> choose(const N& numbers, std::initializer_list<ndarray<V>> choices,
                                std::string_view mode = "raise") {
  return choose(numbers, std::vector(choices), mode);
}
template<element V>
[[nodiscard]] ndarray<V> choose(std::initializer_list<std::int64_t> numbers,
                                std::initializer_list<ndarray<V>> choices, std::string_view mode = "raise") {
  return choose(detail::typed<std::int64_t>(
                    detail::from_host(numbers.begin(), dims(numbers.size()), dtype::int64, default_device())),
                std::vector(choices), mode);
}
/// Builds an array from several: each element is that of the choice whose condition is the first to be true
/// there, or of `otherwise`, an array or a number, where none is; all broadcast, and the dtype is the one
/// that choices and `otherwise` promote to. Throws value_error unless there are as many conditions as
/// choices, at least one.
template<element V, operand_like X = int>
[[nodiscard]] auto select(const std::vector<ndarray<bool>>& conditions,
                          const std::vector<ndarray<V>>& choices, const X& otherwise = 0) {
  detail::check_select(conditions.size(), choices.size());
  const std::size_t n = choices.size();
  ndarray result(gparray::where(conditions[n - 1], choices[n - 1], otherwise));
  for (std::size_t i = n - 1; i-- > 0;) result = gparray::where(conditions[i], choices[i], result);
  return result;
}

template<element V, operand_like X = int>
[[nodiscard]] auto select(std::initializer_list<ndarray<bool>> conditions,
                          std::initializer_list<ndarray<V>> choices, const X& otherwise = 0) {
  return select(std::vector(conditions), std::vector(choices), otherwise);
}

// Making indices.

/// The positions in the flattened array of a shape from the indices along each axis. Throws value_error for
/// indices that are out of range and unless there is one array for each axis.
[[nodiscard]] inline detail::int64_array ravel_multi_index(
    const std::vector<detail::int64_array>& coordinates, const dims& shape, std::string_view mode = "raise",
    order layout = order::C) {
  const std::vector<any_array> list(coordinates.begin(), coordinates.end());
  return detail::typed<std::int64_t>(
      detail::ravel_multi_index(list, shape, detail::parse_index_mode(mode), layout));
}
/// The indices along each axis of a shape from positions in the flattened array, one array for each axis.
/// Throws value_error for a position that is out of range.
template<detail::picking_array I>
[[nodiscard]] std::vector<detail::int64_array> unravel_index(const I& indices, const dims& shape,
                                                             order layout = order::C) {
  return detail::typed<std::int64_t>(
      detail::unravel_index(detail::to_indices(indices, indices), shape, layout));
}
/// The indices along each axis of one position, each an array of no dimensions.
[[nodiscard]] inline std::vector<detail::int64_array> unravel_index(std::integral auto index,
                                                                    const dims& shape,
                                                                    order layout = order::C) {
  return unravel_index(array<std::int64_t>(index), shape, layout);
}
/// The rows and columns of the elements at and below diagonal `k` of an n by m matrix; m none is n.
[[nodiscard]] inline std::pair<detail::int64_array, detail::int64_array> tril_indices(
    std::int64_t n, std::int64_t k = 0, detail::slice_end m = none) {
  auto found = detail::nonzero(detail::tri(n, m, k, dtype::bool_, {}));
  return {detail::typed<std::int64_t>(std::move(found[0])), detail::typed<std::int64_t>(std::move(found[1]))};
}
/// The rows and columns of the elements at and above diagonal `k` of an n by m matrix; m none is n.
[[nodiscard]] inline std::pair<detail::int64_array, detail::int64_array> triu_indices(
    std::int64_t n, std::int64_t k = 0, detail::slice_end m = none) {
  const any_array all_true = detail::tri(n, m, std::numeric_limits<std::int64_t>::max(), dtype::bool_, {});
  auto found = detail::nonzero(detail::triangle(all_true, k, false));
  return {detail::typed<std::int64_t>(std::move(found[0])), detail::typed<std::int64_t>(std::move(found[1]))};
}
/// The rows and columns of the elements at and below diagonal `k` of a matrix. Throws value_error for other
/// dimensions.
template<array_like A>
[[nodiscard]] std::pair<detail::int64_array, detail::int64_array> tril_indices_from(const A& a,
                                                                                    std::int64_t k = 0) {
  const auto [rows, columns] = detail::matrix_size(a.shape());
  return tril_indices(rows, k, columns);
}
/// The rows and columns of the elements at and above diagonal `k` of a matrix. Throws value_error for other
/// dimensions.
template<array_like A>
[[nodiscard]] std::pair<detail::int64_array, detail::int64_array> triu_indices_from(const A& a,
                                                                                    std::int64_t k = 0) {
  const auto [rows, columns] = detail::matrix_size(a.shape());
  return triu_indices(rows, k, columns);
}
/// The indices of the diagonal of an array with `ndim` axes of size `n`, one vector for each axis.
[[nodiscard]] inline std::vector<detail::int64_array> diag_indices(std::int64_t n, int ndim = 2) {
  return std::vector<detail::int64_array>(static_cast<std::size_t>(ndim < 0 ? 0 : ndim), arange(n));
}
/// The indices of the diagonal of an array, one vector for each axis. Throws value_error unless it has two
/// dimensions or more, all of one size.
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> diag_indices_from(const A& a) {
  return diag_indices(detail::square_size(a.shape()), a.ndim());
}
/// The indices of the elements of an n by n matrix that a function such as triu leaves: where f(ones({n, n}),
/// k) is not zero.
template<class F>
[[nodiscard]] std::vector<detail::int64_array> mask_indices(std::int64_t n, F&& f, std::int64_t k = 0) {
  return nonzero(f(ones<std::int64_t>({n, n}), k));
}

/// The index arrays of an open mesh: a(gp::ix_(rows, columns)) is the block of these rows and columns. Masks
/// stand for the positions where they are true. Throws value_error unless all are vectors.
template<class... I>
  requires((detail::picking<I> && !detail::basic_item<I>) && ...)
[[nodiscard]] std::vector<detail::int64_array> ix_(const I&... axes) {
  std::size_t axis = 0;
  return {detail::typed<std::int64_t>(detail::ix_axis(axes, axis++, sizeof...(I)))...};
}
// With braced lists, which no template deduces: ix_({0, 2}, {1, 3}).
[[nodiscard]] inline std::vector<detail::int64_array> ix_(const detail::pick_item& first) {
  return {detail::typed<std::int64_t>(detail::ix_axis(first, 0, 1))};
}
[[nodiscard]] inline std::vector<detail::int64_array> ix_(const detail::pick_item& first,
                                                          const detail::pick_item& second) {
  return {detail::typed<std::int64_t>(detail::ix_axis(first, 0, 2)),
          detail::typed<std::int64_t>(detail::ix_axis(second, 1, 2))};
}
[[nodiscard]] inline std::vector<detail::int64_array> ix_(const detail::pick_item& first,
                                                          const detail::pick_item& second,
                                                          const detail::pick_item& third) {
  return {detail::typed<std::int64_t>(detail::ix_axis(first, 0, 3)),
          detail::typed<std::int64_t>(detail::ix_axis(second, 1, 3)),
          detail::typed<std::int64_t>(detail::ix_axis(third, 2, 3))};
}

GPARRAY_END_NAMESPACE
