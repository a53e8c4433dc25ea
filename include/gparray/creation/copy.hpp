// Copies in a memory order.
#pragma once
#include <gparray/manipulation/detail.hpp>
#include <gparray/ndarray.hpp>

GPARRAY_BEGIN_NAMESPACE

/// A new array of the elements of `a` in a memory order; K keeps that of `a`.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> copy(const A& a, order layout = order::K) {
  return detail::typed<detail::element_t<A>>(detail::copy(a, layout));
}
/// `a` itself if its elements lie in C order without gaps, else a copy that does; at least one-dimensional.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> ascontiguousarray(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::in_order(detail::at_least(a, 1), order::C));
}
/// `a` itself if its elements lie in Fortran order without gaps, else a copy that does; at least
/// one-dimensional.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> asfortranarray(const A& a) {
  return detail::typed<detail::element_t<A>>(detail::in_order(detail::at_least(a, 1), order::F));
}
template<element V>
ndarray<V> ndarray<V>::copy(order layout) const {
  return detail::typed<V>(detail::copy(*this, layout));
}

GPARRAY_END_NAMESPACE
