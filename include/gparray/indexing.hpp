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

/// Elements along an axis (none: of the flattened array): a.shape[:axis] + indices.shape + a.shape[axis +
/// 1:]. mode: "raise", "wrap" (modulo the size) or "clip" (to the ends; negative indices are 0).
template<array_like A, detail::indices_like I>
[[nodiscard]] auto take(const A& a, const I& indices, detail::slice_end axis = none,
                        std::string_view mode = "raise") {
  return detail::typed<detail::element_t<A>>(
      detail::take(a, detail::to_indices(indices, a), axis, detail::parse_index_mode(mode)));
}
template<array_like A>
[[nodiscard]] auto take(const A& a, std::initializer_list<std::int64_t> indices,
                        detail::slice_end axis = none, std::string_view mode = "raise") {
  return take(a, std::span<const std::int64_t>(indices.begin(), indices.size()), axis, mode);
}
/// result[..., i, ...] = a[..., indices[..., i, ...], ...]; the other axes broadcast. Axis none flattens a.
template<array_like A, detail::picking_array I>
[[nodiscard]] auto take_along_axis(const A& a, const I& indices, detail::slice_end axis = -1) {
  return detail::typed<detail::element_t<A>>(
      detail::take_along_axis(a, detail::to_indices(indices, a), axis));
}
/// The slices along an axis (none: the elements) where a 1-D condition is true; it may be shorter than the
/// axis.
template<array_like C, array_like A>
[[nodiscard]] auto compress(const C& condition, const A& a, detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::compress(condition, a, axis));
}
/// The elements where the condition, of the same size, is not zero.
template<array_like C, array_like A>
[[nodiscard]] auto extract(const C& condition, const A& a) {
  return detail::typed<detail::element_t<A>>(detail::compress(detail::ravel(condition, order::C), a, none));
}
/// A copy without the elements at an index, indices, a slice or a mask along an axis (none: flattened).
/// NumPy's delete, which is a keyword.
template<array_like A>
[[nodiscard]] auto delete_(const A& a, const detail::pick_item& what, detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::without(a, what, axis));
}

// Writing.

/// a.flat[indices] = values, which are repeated if they are fewer. The last value of an index stays.
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
/// The inverse of take_along_axis: values broadcast to the indices.
template<array_like A, detail::picking_array I, operand_like X>
void put_along_axis(const A& a, const I& indices, X&& values, detail::slice_end axis) {
  detail::put_along_axis(a, detail::to_indices(indices, a),
                         detail::make_argument<detail::element_t<A>>(std::forward<X>(values)), axis);
}
/// a.flat[i] = values.flat[i % values.size] where the mask, of a's size, is not zero. Does not wait.
template<array_like A, array_like M, operand_like X>
void putmask(const A& a, const M& mask, X&& values) {
  detail::putmask(a, mask, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)));
}
/// The first values, repeated if there are too few, in the positions where the mask is not zero.
template<array_like A, array_like M, operand_like X>
void place(const A& a, const M& mask, X&& values) {
  detail::place(a, mask, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)));
}
/// The diagonal a[i, i, ...] of at least two axes, all equal if there are more; with wrap it begins again one
/// row below the end of a tall matrix. Values are repeated.
template<array_like A, operand_like X>
void fill_diagonal(const A& a, X&& values, bool wrap = false) {
  detail::fill_diagonal(a, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)), wrap);
}

// Where elements are.

/// The indices of elements that are not zero, one array for each axis, in C order: a(nonzero(a)) are these
/// elements.
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> nonzero(const A& a) {
  return detail::typed<std::int64_t>(detail::nonzero(a));
}
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> where(const A& condition) {
  return nonzero(condition);
}
/// The same as rows of one array: shape (count, a.ndim()).
template<array_like A>
[[nodiscard]] detail::int64_array argwhere(const A& a) {
  return detail::typed<std::int64_t>(detail::argwhere(a));
}
/// The indices into the flattened array.
template<array_like A>
[[nodiscard]] detail::int64_array flatnonzero(const A& a) {
  return detail::typed<std::int64_t>(std::move(detail::nonzero(detail::ravel(a, order::C))[0]));
}

// Choosing element by element.

/// result[i] = choices[numbers[i]][i]; numbers and choices broadcast. Throws value_error without choices.
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
/// For each element the choice whose condition is the first to be true there, or `otherwise`.
template<element V, scalar_like S = int>
[[nodiscard]] ndarray<V> select(const std::vector<ndarray<bool>>& conditions,
                                const std::vector<ndarray<V>>& choices, S otherwise = 0) {
  detail::check_select(conditions.size(), choices.size());
  const std::size_t n = choices.size();
  ndarray<V> result = gparray::where(conditions[n - 1], choices[n - 1], detail::scalar_cast<V>(otherwise));
  for (std::size_t i = n - 1; i-- > 0;) result = gparray::where(conditions[i], choices[i], result);
  return result;
}

// Making indices.

/// Positions in the flattened array from indices along each axis. Layout C or F.
[[nodiscard]] inline detail::int64_array ravel_multi_index(
    const std::vector<detail::int64_array>& coordinates, const dims& shape, std::string_view mode = "raise",
    order layout = order::C) {
  const std::vector<any_array> list(coordinates.begin(), coordinates.end());
  return detail::typed<std::int64_t>(
      detail::ravel_multi_index(list, shape, detail::parse_index_mode(mode), layout));
}
/// The inverse: one array for each axis.
template<detail::picking_array I>
[[nodiscard]] std::vector<detail::int64_array> unravel_index(const I& indices, const dims& shape,
                                                             order layout = order::C) {
  return detail::typed<std::int64_t>(
      detail::unravel_index(detail::to_indices(indices, indices), shape, layout));
}
[[nodiscard]] inline std::vector<detail::int64_array> unravel_index(std::integral auto index,
                                                                    const dims& shape,
                                                                    order layout = order::C) {
  return unravel_index(array<std::int64_t>(index), shape, layout);
}
/// Rows and columns of the elements at and below (above) diagonal k of an n by m matrix; m none is n.
[[nodiscard]] inline std::pair<detail::int64_array, detail::int64_array> tril_indices(
    std::int64_t n, std::int64_t k = 0, detail::slice_end m = none) {
  auto found = nonzero(tri<bool>(n, m, k));
  return {found[0], found[1]};
}
[[nodiscard]] inline std::pair<detail::int64_array, detail::int64_array> triu_indices(
    std::int64_t n, std::int64_t k = 0, detail::slice_end m = none) {
  auto found = nonzero(~tri<bool>(n, m, k == std::numeric_limits<std::int64_t>::min() ? k : k - 1));
  return {found[0], found[1]};
}
/// The same for the shape of a matrix. Throws value_error if it is none.
template<array_like A>
[[nodiscard]] auto tril_indices_from(const A& a, std::int64_t k = 0) {
  const auto [rows, columns] = detail::matrix_size(a.shape());
  return tril_indices(rows, k, columns);
}
template<array_like A>
[[nodiscard]] auto triu_indices_from(const A& a, std::int64_t k = 0) {
  const auto [rows, columns] = detail::matrix_size(a.shape());
  return triu_indices(rows, k, columns);
}
/// The indices of the diagonal of an array with ndim axes of size n.
[[nodiscard]] inline std::vector<detail::int64_array> diag_indices(std::int64_t n, int ndim = 2) {
  return std::vector<detail::int64_array>(static_cast<std::size_t>(ndim < 0 ? 0 : ndim), arange(n));
}
template<array_like A>
[[nodiscard]] std::vector<detail::int64_array> diag_indices_from(const A& a) {
  return diag_indices(detail::square_size(a.shape()), a.ndim());
}
/// Where f(ones((n, n)), k) is not zero: mask_indices(3, [](auto m, auto k) { return gp::triu(m, k); }).
template<class F>
[[nodiscard]] std::vector<detail::int64_array> mask_indices(std::int64_t n, F&& f, std::int64_t k = 0) {
  return nonzero(f(ones<std::int64_t>({n, n}), k));
}

/// Index arrays of an open mesh: a(gp::ix_(rows, columns)) is the block of these rows and columns. Masks
/// stand for the positions where they are true. Throws value_error unless all are vectors.
template<class... I>
  requires((detail::picking<I> && !detail::basic_item<I>) && ...)
[[nodiscard]] std::vector<detail::int64_array> ix_(const I&... axes) {
  std::size_t axis = 0;
  return {detail::typed<std::int64_t>(detail::ix_axis(axes, axis++, sizeof...(I)))...};
}

GPARRAY_END_NAMESPACE
