// Elements put in between others.
#pragma once
#include <gparray/indexing.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
GPARRAY_API any_array insert(const any_array& a, const pick_item& where, const any_array& values,
                             slice_end axis);
}  // namespace detail

/// A copy with values in front of the positions that an index, indices, a slice or a mask names along an axis
/// (none: of the flattened array). Values are converted to a's type and broadcast: with one index they may be
/// many along the axis, with several there is one for each, in the order of the indices where these are
/// equal. Throws index_error, value_error; waits for the device if the indices are on it.
template<array_like A, operand_like X>
[[nodiscard]] auto insert(const A& a, const detail::pick_item& where, X&& values,
                          detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::insert(
      a, where, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)), axis));
}
template<array_like A, operand_like X>
[[nodiscard]] auto insert(const A& a, std::initializer_list<std::int64_t> where, X&& values,
                          detail::slice_end axis = none) {
  return insert(a, detail::list_item(where), std::forward<X>(values), axis);
}
/// delete_(a, {0, -1}): see indexing.hpp.
template<array_like A>
[[nodiscard]] auto delete_(const A& a, std::initializer_list<std::int64_t> what,
                           detail::slice_end axis = none) {
  return delete_(a, detail::list_item(what), axis);
}

GPARRAY_END_NAMESPACE
