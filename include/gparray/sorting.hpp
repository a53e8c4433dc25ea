// Putting elements in order, and finding positions among ordered ones.
#pragma once
#include <gparray/manipulation.hpp>
#include <gparray/sorting/detail.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Returns a sorted copy: numbers ascend along the axis (the last one by default), NaN come last, and complex
/// numbers are compared by their real and then by their imaginary parts. With {.descending = true} the order
/// is reversed, so that NaN come first. The sort is stable either way. Axis gp::none sorts the flattened
/// array. The method a.sort() sorts in place.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> sort(const A& a, detail::slice_end axis = -1,
                                                 const sort_options& options = {}) {
  const sort_options o = detail::at_axis(options, axis);
  return detail::typed<detail::element_t<A>>(detail::sort(a, o.axis, o.descending));
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> sort(const A& a, const sort_options& options) {
  return sort(a, options.axis, options);
}
/// Returns the indices along the axis that sort the array, so that take_along_axis(a, argsort(a), -1) equals
/// sort(a). Equal elements keep their order, also with {.descending = true}.
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> argsort(const A& a, detail::slice_end axis = -1,
                                            const sort_options& options = {}) {
  const sort_options o = detail::at_axis(options, axis);
  return detail::typed<std::int64_t>(detail::argsort(a, o.axis, o.descending));
}
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> argsort(const A& a, const sort_options& options) {
  return argsort(a, options.axis, options);
}
/// Returns a copy sorted along the first axis: sort(a, 0).
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> msort(const A& a) {
  return sort(a, 0);
}
/// Returns a copy of complex dtype, sorted along the last axis. Integers of up to 16 bits become complex64,
/// all other real numbers complex128; complex arrays keep their dtype.
template<array_like A>
[[nodiscard]] auto sort_complex(const A& a) {
  using V = detail::element_t<A>;
  constexpr bool narrow = std::is_integral_v<V> && !std::is_same_v<V, bool> && sizeof(V) <= 2;
  if constexpr (is_complex(dtype_of<V>)) return sort(a);
  else
    return ndarray<std::complex<std::conditional_t<narrow, float, double>>>(
        sort(a).template astype<std::complex<std::conditional_t<narrow, float, double>>>());
}

/// Returns a partially sorted copy: the elements at the positions kth are those that a sort would put there,
/// none before them is larger and none after them is smaller. Throws value_error for a kth that is out of
/// bounds.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> partition(const A& a, const dims& kth,
                                                      detail::slice_end axis = -1) {
  return detail::typed<detail::element_t<A>>(detail::partition(a, kth, axis));
}
/// Returns the indices along the axis that partition the array, so that take_along_axis(a, argpartition(a,
/// kth), -1) is partitioned at the positions kth. Throws value_error for a kth that is out of bounds.
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> argpartition(const A& a, const dims& kth, detail::slice_end axis = -1) {
  return detail::typed<std::int64_t>(detail::argpartition(a, kth, axis));
}

/// The result of topk.
template<element V>
struct topk_result {
  /// The elements, in an array of a's shape with k elements along the axis.
  ndarray<V> values;
  /// Where they are along the axis: take_along_axis(a, indices, axis) are the values.
  ndarray<std::int64_t> indices;
};
/// Returns the k largest elements along the axis (the last one by default), the largest first, and where they
/// are. {.largest = false} returns the k smallest, the smallest first; {.sorted = false} leaves them in the
/// order that they have in a: `auto [values, indices] = gp::topk(gp::array({3, 1, 2}), 2);`. Of equal
/// elements those with the lowest indices are taken, and come first. As in sort, NaN are larger than all
/// numbers, zeros of either sign are equal, and complex numbers are compared by their real, then by their
/// imaginary parts. Axis gp::none takes all elements of the flattened array. Throws value_error unless 0 <= k
/// <= n, axis_error.
template<array_like A>
[[nodiscard]] topk_result<detail::element_t<A>> topk(const A& a, std::int64_t k, detail::slice_end axis = -1,
                                                     const topk_options& options = {}) {
  detail::topk_lines found = detail::topk(a, k, detail::at_axis(options, axis));
  return {detail::typed<detail::element_t<A>>(std::move(found.values)),
          detail::typed<std::int64_t>(std::move(found.indices))};
}
template<array_like A>
[[nodiscard]] topk_result<detail::element_t<A>> topk(const A& a, std::int64_t k,
                                                     const topk_options& options) {
  return topk(a, k, options.axis, options);
}
/// Returns the indices of topk alone.
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> argtopk(const A& a, std::int64_t k, detail::slice_end axis = -1,
                                            const topk_options& options = {}) {
  return topk(a, k, axis, options).indices;
}
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> argtopk(const A& a, std::int64_t k, const topk_options& options) {
  return topk(a, k, options).indices;
}

/// Returns the indices that sort by several keys, of which the last is the primary one: lexsort({names,
/// surnames}) sorts by surname, and by name where surnames are equal. The keys may have different dtypes.
/// Throws value_error if their shapes differ, type_error if there are none.
[[nodiscard]] inline ndarray<std::int64_t> lexsort(std::initializer_list<any_array> keys, int axis = -1) {
  return detail::typed<std::int64_t>(
      detail::lexsort(std::span<const any_array>(keys.begin(), keys.size()), axis));
}
/// Takes the keys from the rows of an array, the last row being the primary key.
template<array_like A>
[[nodiscard]] ndarray<std::int64_t> lexsort(const A& keys, int axis = -1) {
  const auto rows = detail::unstack(keys, 0);
  return detail::typed<std::int64_t>(detail::lexsort(rows, axis));
}

/// Returns where the values would have to be inserted into the ascending vector a to keep it in order: before
/// equal elements (side "left") or after them ("right"). The result has the shape of the values. Throws
/// value_error unless a has one dimension.
template<array_like A, operand_like X>
[[nodiscard]] ndarray<std::int64_t> searchsorted(const A& a, const X& values,
                                                 std::string_view side = "left") {
  const bool right = detail::parse_side(side);
  if constexpr (array_like<X>) {
    constexpr dtype common = promote_types(dtype_of<detail::element_t<A>>, dtype_of<detail::element_t<X>>);
    return detail::typed<std::int64_t>(detail::searchsorted(a, values, common, right));
  } else {
    using V = decltype(detail::own_type(values));
    constexpr dtype common = promote_types(dtype_of<detail::element_t<A>>, dtype_of<V>);
    const V value = detail::own_type(values);
    return detail::typed<std::int64_t>(
        detail::searchsorted(a, detail::from_host(&value, dims{}, dtype_of<V>, a.device()), common, right));
  }
}
/// Searches a vector that is not in order itself but that the indices in sorter, as argsort returns them, put
/// in order.
template<array_like A, operand_like X, array_like S>
  requires std::is_integral_v<detail::element_t<S>>
[[nodiscard]] ndarray<std::int64_t> searchsorted(const A& a, const X& values, std::string_view side,
                                                 const S& sorter) {
  return searchsorted(detail::typed<detail::element_t<A>>(detail::in_sorting_order(a, sorter)), values, side);
}

GPARRAY_END_NAMESPACE
