// Arithmetic over every category: bool as NumPy's logic, integers wrapping, reals and complex numbers as they
// are.
#pragma once
#include "complex.hpp"
#include "integer.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class T>
GPARRAY_KERNEL_FN T add(T a, T b) {
  if constexpr (is_bool<T>) return static_cast<bool>(a | b);
  else if constexpr (is_integer<T>) return wrap_add(a, b);
  else return a + b;
}

template<class T>
GPARRAY_KERNEL_FN T subtract(T a, T b) {
  if constexpr (is_integer<T>) return wrap_subtract(a, b);
  else return a - b;
}

template<class T>
GPARRAY_KERNEL_FN T multiply(T a, T b) {
  if constexpr (is_bool<T>) return static_cast<bool>(a & b);
  else if constexpr (is_integer<T>) return wrap_multiply(a, b);
  else return a * b;
}

template<class T>
GPARRAY_KERNEL_FN T negative(T a) {
  if constexpr (is_integer<T>) return wrap_negate(a);
  else return -a;
}

template<class T>
GPARRAY_KERNEL_FN T reciprocal(T a) {
  if constexpr (is_integer<T>) return integer_reciprocal(a);
  else if constexpr (is_complex<T>) return complex_reciprocal(a);
  else return T(1) / a;
}

template<class T>
GPARRAY_KERNEL_FN real_t<T> absolute(T a) {
  if constexpr (is_complex<T>) return hypot(a.re, a.im);
  else if constexpr (is_real<T>) return fabs(a);
  else if constexpr (is_signed_integer<T>) return static_cast<T>(magnitude(a));
  else return a;
}

/// |a|^2 without the square root.
template<class T>
GPARRAY_KERNEL_FN real_t<T> abs2(T a) {
  if constexpr (is_complex<T>) return a.re * a.re + a.im * a.im;
  else return multiply(a, a);
}

template<class T>
GPARRAY_KERNEL_FN T conjugate(T a) {
  if constexpr (is_complex<T>) return {a.re, -a.im};
  else return a;
}

template<class T>
GPARRAY_KERNEL_FN real_t<T> real(T a) {
  if constexpr (is_complex<T>) return a.re;
  else return a;
}

template<class T>
GPARRAY_KERNEL_FN real_t<T> imag(T a) {
  if constexpr (is_complex<T>) return a.im;
  else return T(0);
}

/// -1, 0 or 1; NaN stays NaN and the sign of zero is lost. z / |z| for complex numbers.
template<class T>
GPARRAY_KERNEL_FN T sign(T a) {
  if constexpr (is_complex<T>) return complex_sign(a);
  else if constexpr (is_real<T>) return a > T(0) ? T(1) : a < T(0) ? T(-1) : a == T(0) ? T(0) : a;
  else return static_cast<T>((a != T(0)) - 2 * negative_integer(a));
}

/// From rest = fmod(a, b): one step towards the divisor's sign; a zero takes that sign (Python's rule).
template<class T>
GPARRAY_KERNEL_FN T remainder_of(T rest, T b) {
  const T adjusted = (rest < T(0)) != (b < T(0)) ? rest + b : rest;
  const T result = rest == T(0) ? copysign(T(0), b) : adjusted;
  return b == T(0) ? rest : result;
}

template<class T>
GPARRAY_KERNEL_FN T remainder(T a, T b) {
  if constexpr (is_integer<T>) return integer_remainder(a, b);
  else return remainder_of(fmod(a, b), b);
}

/// From rest = fmod(a, b): the floor of a / b that is consistent with remainder: 1 // 0.1 is 9, because 0.1
/// is a little above 1/10.
template<class T>
GPARRAY_KERNEL_FN T floored_quotient(T rest, T a, T b) {
  const T exact = (a - rest) / b;
  const T quotient = rest != T(0) && (rest < T(0)) != (b < T(0)) ? exact - T(1) : exact;
  const T floored = floor(quotient);
  const T snapped = quotient - floored > T(0.5) ? floored + T(1) : floored;
  const T result = quotient == T(0) ? copysign(T(0), a / b) : snapped;
  return b == T(0) ? a / b : result;
}

template<class T>
GPARRAY_KERNEL_FN T floor_divide(T a, T b) {
  if constexpr (is_integer<T>) return integer_floor_divide(a, b);
  else return floored_quotient(fmod(a, b), a, b);
}

template<class T>
GPARRAY_KERNEL_FN T c_remainder(T a, T b) {
  if constexpr (is_integer<T>) return integer_fmod(a, b);
  else return fmod(a, b);
}

template<class T>
GPARRAY_KERNEL_FN T bitwise_invert(T a) {
  if constexpr (is_bool<T>) return !a;
  else return static_cast<T>(~a);
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
