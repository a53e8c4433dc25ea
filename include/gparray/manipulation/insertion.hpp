// Elements put in between others.
#pragma once
#include <gparray/indexing.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
GPARRAY_API any_array insert(const any_array& a, const pick_item& where, const any_array& values,
                             slice_end axis);
}  // namespace detail

/// A copy of `a` with values inserted in front of the positions that an index, indices, a slice or a mask
/// names along an axis; axis none flattens `a` first. Throws index_error for a position that is out of range,
/// value_error if the values do not broadcast, axis_error.
template<array_like A, operand_like X>
[[nodiscard]] ndarray<detail::element_t<A>> insert(const A& a, const detail::pick_item& where, X&& values,
                                                   detail::slice_end axis = none) {
  return detail::typed<detail::element_t<A>>(detail::insert(
      a, where, detail::values_beside<detail::element_t<A>>(a, std::forward<X>(values)), axis));
}
template<array_like A, operand_like X>
[[nodiscard]] auto insert(const A& a, std::initializer_list<std::int64_t> where, X&& values,
                          detail::slice_end axis = none) {
  return insert(a, detail::list_item(where), std::forward<X>(values), axis);
}
/// A copy of `a` without the elements at a braced list of indices: delete_(a, {0, -1}).
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> delete_(const A& a, std::initializer_list<std::int64_t> what,
                                                    detail::slice_end axis = none) {
  return delete_(a, detail::list_item(what), axis);
}

GPARRAY_END_NAMESPACE
