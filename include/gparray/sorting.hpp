// Putting elements in order, and finding positions among ordered ones.
#pragma once
#include <gparray/manipulation.hpp>
#include <gparray/sorting/detail.hpp>

GPARRAY_BEGIN_NAMESPACE

// Numbers in ascending order, NaN behind them, complex numbers by their real and then by their imaginary
// parts; with {.descending = true} the other way round, so that NaN come first. Axis none flattens. Equal
// elements stay in order, either way; nothing waits for the device.

/// A sorted copy. The method a.sort() sorts in place.
template<array_like A>
[[nodiscard]] auto sort(const A& a, detail::slice_end axis = -1, const sort_options& options = {}) {
  const sort_options o = detail::at_axis(options, axis);
  return detail::typed<detail::element_t<A>>(detail::sort(a, o.axis, o.descending));
}
template<array_like A>
[[nodiscard]] auto sort(const A& a, const sort_options& options) {
  return sort(a, options.axis, options);
}
/// The int64 numbers along the axis that sort: take_along_axis(a, argsort(a)) is sort(a).
template<array_like A>
[[nodiscard]] auto argsort(const A& a, detail::slice_end axis = -1, const sort_options& options = {}) {
  const sort_options o = detail::at_axis(options, axis);
  return detail::typed<std::int64_t>(detail::argsort(a, o.axis, o.descending));
}
template<array_like A>
[[nodiscard]] auto argsort(const A& a, const sort_options& options) {
  return argsort(a, options.axis, options);
}
/// A sorted copy along the first axis.
template<array_like A>
[[nodiscard]] auto msort(const A& a) {
  return sort(a, 0);
}
/// Sorted along the last axis, as complex numbers: complex64 for integers of 16 bits and less.
template<array_like A>
[[nodiscard]] auto sort_complex(const A& a) {
  using V = detail::element_t<A>;
  constexpr bool narrow = std::is_integral_v<V> && !std::is_same_v<V, bool> && sizeof(V) <= 2;
  if constexpr (is_complex(dtype_of<V>)) return sort(a);
  else
    return ndarray<std::complex<std::conditional_t<narrow, float, double>>>(
        sort(a).template astype<std::complex<std::conditional_t<narrow, float, double>>>());
}

// A copy in which the elements number kth (one or several; negative from the end) stand where they would
// stand in a sorted array, none before them is larger and none behind them smaller. In which order the others
// are is left open, but it is always the same on one backend. Throws value_error for a kth out of bounds.
template<array_like A>
[[nodiscard]] auto partition(const A& a, const dims& kth, detail::slice_end axis = -1) {
  return detail::typed<detail::element_t<A>>(detail::partition(a, kth, axis));
}
template<array_like A>
[[nodiscard]] auto argpartition(const A& a, const dims& kth, detail::slice_end axis = -1) {
  return detail::typed<std::int64_t>(detail::argpartition(a, kth, axis));
}

/// The order by several keys of one shape, the last one first: lexsort({names, surnames}) is by surname. The
/// keys may have different types. Throws value_error if shapes differ, type_error without keys.
[[nodiscard]] inline ndarray<std::int64_t> lexsort(std::initializer_list<any_array> keys, int axis = -1) {
  return detail::typed<std::int64_t>(
      detail::lexsort(std::span<const any_array>(keys.begin(), keys.size()), axis));
}
/// The same for the keys in the rows of an array.
template<array_like A>
[[nodiscard]] auto lexsort(const A& keys, int axis = -1) {
  const auto rows = detail::unstack(keys, 0);
  return detail::typed<std::int64_t>(detail::lexsort(rows, axis));
}

/// Where values belong in the ascending vector a: before (side "left") or behind ("right") equal elements. Of
/// the values' shape. Throws value_error unless a has one dimension.
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
/// The same for an array that sorter (as argsort returns it) puts in order.
template<array_like A, operand_like X, array_like S>
  requires std::is_integral_v<detail::element_t<S>>
[[nodiscard]] ndarray<std::int64_t> searchsorted(const A& a, const X& values, std::string_view side,
                                                 const S& sorter) {
  return searchsorted(detail::typed<detail::element_t<A>>(detail::in_sorting_order(a, sorter)), values, side);
}

GPARRAY_END_NAMESPACE
