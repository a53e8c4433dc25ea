// Copies in a memory order.
#pragma once
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

GPARRAY_API any_array copy(const any_array& a, order layout);
/// a, if it lies in the order already.
GPARRAY_API any_array in_order(const any_array& a, order layout);
/// The view with axes of size 1 in front where it has fewer.
GPARRAY_API any_array at_least(const any_array& a, int ndim);

}  // namespace detail

/// A new array of the same elements.
template<array_like A>
[[nodiscard]] auto copy(const A& a, order layout = order::K) {
  return detail::typed<detail::element_t<A>>(detail::copy(a, layout));
}
/// a itself if it is C-contiguous, else a copy; at least 1-D.
template<array_like A>
[[nodiscard]] auto ascontiguousarray(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::in_order(detail::at_least(a, 1), order::C));
}
template<array_like A>
[[nodiscard]] auto asfortranarray(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::in_order(detail::at_least(a, 1), order::F));
}
template<element V>
ndarray<V> ndarray<V>::copy(order layout) const {
  return detail::typed<V>(detail::copy(*this, layout));
}

GPARRAY_END_NAMESPACE
