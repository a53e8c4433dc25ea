// Comparison, selection and logic over every category. Complex numbers are ordered lexicographically.
#pragma once
#include "complex.hpp"
#include "integer.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class T>
GPARRAY_KERNEL_FN bool less(T a, T b) {
  if constexpr (is_complex<T>) return complex_less(a, b);
  else return a < b;
}

template<class T>
GPARRAY_KERNEL_FN bool less_equal(T a, T b) {
  if constexpr (is_complex<T>) return complex_less_equal(a, b);
  else return a <= b;
}

template<class T>
GPARRAY_KERNEL_FN bool nonzero(T a) {
  if constexpr (is_complex<T>) return a.re != 0 || a.im != 0;
  else if constexpr (is_half<T>) return (to_bits(a) & ~sign_mask<T>) != 0;
  else return a != T(0);
}

template<class T>
GPARRAY_KERNEL_FN bool is_nan(T a) {
  if constexpr (is_complex<T>) return isnan(a);
  else if constexpr (is_real<T>) return a != a;
  else if constexpr (is_half<T>) return (to_bits(a) & ~sign_mask<T>) > traits<T>::infinity_bits;
  else return false;
}

template<class T>
GPARRAY_KERNEL_FN bool is_infinite(T a) {
  if constexpr (is_complex<T>) return is_infinite(a.re) || is_infinite(a.im);
  else if constexpr (is_real<T>) return fabs(a) > traits<T>::max;
  else return false;
}

template<class T>
GPARRAY_KERNEL_FN bool is_finite(T a) {
  if constexpr (is_complex<T>) return is_finite(a.re) && is_finite(a.im);
  else if constexpr (is_real<T>) return fabs(a) <= traits<T>::max;
  else return true;
}

/// The sign bit, which NaN and zero have too.
template<class T>
GPARRAY_KERNEL_FN bool sign_bit(T a) {
  if constexpr (is_real<T>) return (to_bits(a) & sign_mask<T>) != 0;
  else return negative_integer(a);
}

/// A NaN in either operand wins, the first one first.
template<class T>
GPARRAY_KERNEL_FN T maximum(T a, T b) {
  return less_equal(b, a) || is_nan(a) ? a : b;
}

template<class T>
GPARRAY_KERNEL_FN T minimum(T a, T b) {
  return less_equal(a, b) || is_nan(a) ? a : b;
}

/// A NaN loses against a number.
template<class T>
GPARRAY_KERNEL_FN T fmax(T a, T b) {
  return less_equal(b, a) || is_nan(b) ? a : b;
}

template<class T>
GPARRAY_KERNEL_FN T fmin(T a, T b) {
  return less_equal(a, b) || is_nan(b) ? a : b;
}

/// Where low > high the result is high; NaN in any operand wins.
template<class T>
GPARRAY_KERNEL_FN T clip(T a, T low, T high) {
  return minimum(maximum(a, low), high);
}

template<class R>
GPARRAY_KERNEL_FN R finite_real(R a) {
  const R bounded = a > traits<R>::max ? traits<R>::max : a < -traits<R>::max ? -traits<R>::max : a;
  return a != a ? R(0) : bounded;
}

template<class T>
GPARRAY_KERNEL_FN T finite_half(T a) {
  using U = unsigned_t<T>;
  const U bits = to_bits(a), magnitude = static_cast<U>(bits & ~sign_mask<T>);
  const U bounded = magnitude == traits<T>::infinity_bits ? static_cast<U>(bits - 1) : bits;
  return from_bits<T>(magnitude > traits<T>::infinity_bits ? U(0) : bounded);
}

/// NaN -> 0, infinities -> the largest finite values of the format.
template<class T>
GPARRAY_KERNEL_FN T nan_to_num(T a) {
  if constexpr (is_complex<T>) return {finite_real(a.re), finite_real(a.im)};
  else if constexpr (is_real<T>) return finite_real(a);
  else if constexpr (is_half<T>) return finite_half(a);
  else return a;
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
