// Questions about arrays and their elements.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

/// Whether the imaginary part of each element is zero, which it is of all real numbers.
template<array_like A>
[[nodiscard]] expr<bool> isreal(const A& a) {
  if constexpr (is_complex(dtype_of<detail::element_t<A>>)) return a.imag() == 0;
  else return logical_not(broadcast_to(zeros<bool>(dims{}, {.device = a.device()}), a.shape()));
}
/// Whether the imaginary part of each element differs from zero, which it does of no real number.
template<array_like A>
[[nodiscard]] expr<bool> iscomplex(const A& a) {
  return ~isreal(a);
}
/// Whether the element type is complex, of an array or a number.
template<operand_like X>
[[nodiscard]] constexpr bool iscomplexobj(const X&) {
  return is_complex(detail::own_dtype<X>());
}
/// Whether the element type is not complex, of an array or a number.
template<operand_like X>
[[nodiscard]] constexpr bool isrealobj(const X& x) {
  return !iscomplexobj(x);
}
/// Whether x is a number, and no array of any rank.
template<class X>
[[nodiscard]] constexpr bool isscalar(const X&) {
  return scalar_like<X>;
}
/// Whether the array is contiguous in Fortran order and not in C order.
template<array_like A>
[[nodiscard]] bool isfortran(const A& a) {
  return a.is_f_contiguous() && !a.is_c_contiguous();
}
/// The array, an ndarray<V>, if all of its elements are finite; else throws value_error. Waits for the
/// device.
template<array_like A>
[[nodiscard]] auto asarray_chkfinite(const A& a) {
  if constexpr (is_inexact(dtype_of<detail::element_t<A>>))
    if (!all(isfinite(a)).item()) throw value_error("array must not contain infs or NaNs");
  return ndarray<detail::element_t<A>>(a);
}

GPARRAY_END_NAMESPACE
