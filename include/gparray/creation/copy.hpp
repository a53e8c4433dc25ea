// Copies in a memory order.
#pragma once
#include <gparray/manipulation/detail.hpp>
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

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
