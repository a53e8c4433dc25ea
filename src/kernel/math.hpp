// Functions of real numbers that C lacks or defines otherwise than NumPy.
#pragma once
#include "compare.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The neighbour of a away from zero: one more in the sign-magnitude order of IEEE formats. Infinity gives
/// NaN.
template<class T>
GPARRAY_KERNEL_FN T away_from_zero(T a) {
  return from_bits<T>(static_cast<unsigned_t<T>>(to_bits(a) + 1));
}

/// The next value of T after a in the direction of b, for float, double and, in their own format, the halves.
template<class T>
GPARRAY_KERNEL_FN T next_after(T a, T b) {
  using U = unsigned_t<T>;
  constexpr U sign = sign_mask<T>, magnitude = static_cast<U>(~sign), inf = traits<T>::infinity_bits;
  const U x = to_bits(a), y = to_bits(b);
  const U x_magnitude = x & magnitude, y_magnitude = y & magnitude;
  const bool grows = y_magnitude > x_magnitude && ((x ^ y) & sign) == 0;
  const U stepped = grows ? static_cast<U>(x + 1) : static_cast<U>(x - 1);
  const U from_zero = static_cast<U>((y & sign) | 1u);
  const U moved = x_magnitude == 0 ? from_zero : stepped;
  // C returns b where both are equal; NumPy's float16 returns a, which differs for zeros alone.
  const U same = is_same<T, float16> ? x : y;
  const bool equal = x == y || (x_magnitude == 0 && y_magnitude == 0);
  const U number = equal ? same : moved;
  return x_magnitude > inf || y_magnitude > inf ? quiet_nan<T>() : from_bits<T>(number);
}

/// The distance from a to its neighbour away from zero, with the sign of a; NumPy's float16 takes the
/// neighbour towards positive infinity instead. Formats of 16 bits subtract exactly in float.
template<class T>
GPARRAY_KERNEL_FN T spacing(T a) {
  const auto magnitude = static_cast<unsigned_t<T>>(to_bits(a) & ~sign_mask<T>);
  if (magnitude >= traits<T>::infinity_bits) return quiet_nan<T>();
  if constexpr (is_same<T, float16>) {
    return T(static_cast<float>(next_after(a, infinity<T>())) - static_cast<float>(a));
  } else if constexpr (is_half<T>) {
    return T(static_cast<float>(away_from_zero(a)) - static_cast<float>(a));
  } else {
    return magnitude == 0 ? from_bits<T>(1) : away_from_zero(a) - a;
  }
}

/// 2^n, for an n whose power is a normal number.
GPARRAY_KERNEL_FN double power_of_two(int n) {
  return from_bits<double>(static_cast<unsigned long>(static_cast<long>(n) + 1023) << 52);
}

/// a * 2^n, rounded once: in double, where no float leaves the normal numbers on the way.
GPARRAY_KERNEL_FN float ldexp(float a, int n) {
  constexpr int limit = 400;  // takes the smallest float beyond the largest, and back
  return static_cast<float>(static_cast<double>(a) * power_of_two(n < -limit  ? -limit
                                                                  : n > limit ? limit
                                                                              : n));
}

/// In three steps, since 2^n need not be a number. Those down keep 53 bits above the subnormal numbers, so
/// that only the last one rounds.
GPARRAY_KERNEL_FN double ldexp(double a, int n) {
  constexpr int limit = 2200;
  n = n < -limit ? -limit : n > limit ? limit : n;
  for (int step = 0; step < 2; ++step) {
    const bool up = n > 1023, down = n < -1022;
    a *= up ? 0x1p1023 : down ? 0x1p-969 : 1.0;
    n -= up ? 1023 : down ? -969 : 0;
  }
  return a * power_of_two(n);
}

/// The bits of a number between two powers of two, and the exponent that it lacks; a subnormal one is scaled
/// up.
template<class T>
struct scaled_bits {
  static constexpr int fraction = is_same<T, float> ? 23 : 52, bias = is_same<T, float> ? 127 : 1023;
  unsigned_t<T> bits;
  int missing;
  bool number;  // not zero, infinite or NaN

  GPARRAY_KERNEL_FN explicit scaled_bits(T a) {
    using U = unsigned_t<T>;
    const U magnitude = to_bits(a) & static_cast<U>(~sign_mask<T>);
    const bool subnormal = magnitude < U(1) << fraction;
    bits = to_bits(subnormal ? a * static_cast<T>(U(1) << (fraction + 1)) : a);
    missing = subnormal ? fraction + 1 : 0;
    number = (magnitude != 0) & (magnitude < traits<T>::infinity_bits);
  }
};

template<class T>
GPARRAY_KERNEL_FN T frexp_mantissa(T a) {
  using U = unsigned_t<T>;
  const scaled_bits<T> scaled(a);
  const U mantissa = (scaled.bits & static_cast<U>(~traits<T>::infinity_bits)) | to_bits(T(0.5));
  return scaled.number ? from_bits<T>(mantissa) : a;
}

/// 0 for infinities and NaN, as glibc gives; C leaves it open.
template<class T>
GPARRAY_KERNEL_FN int frexp_exponent(T a) {
  const scaled_bits<T> scaled(a);
  const int exponent = static_cast<int>((scaled.bits & traits<T>::infinity_bits) >> scaled_bits<T>::fraction);
  return scaled.number ? exponent - (scaled_bits<T>::bias - 1) - scaled.missing : 0;
}

/// The part after the point, with the sign of a; 0 for infinities.
template<class T>
GPARRAY_KERNEL_FN T modf_fraction(T a) {
  return copysign(is_infinite(a) ? T(0) : a - trunc(a), a);
}

template<class T>
GPARRAY_KERNEL_FN T heaviside(T a, T at_zero) {
  const T step = a < T(0) ? T(0) : T(1);
  return a != a ? a : a == T(0) ? at_zero : step;
}

/// log(e^a + e^b) without overflow; equal infinities are not subtracted.
template<class T>
GPARRAY_KERNEL_FN T logaddexp(T a, T b) {
  const T larger = a > b ? a : b, distance = -fabs(a - b);
  const T sum = larger + log1p(exp(distance));
  return a == b ? a + T(0.693147180559945309417232121458176568) : a != a ? a : sum;
}

template<class T>
GPARRAY_KERNEL_FN T logaddexp2(T a, T b) {
  const T larger = a > b ? a : b, distance = -fabs(a - b);
  const T sum = larger + T(1.442695040888963407359924681001892137) * log1p(exp2(distance));
  return a == b ? a + T(1) : a != a ? a : sum;
}

/// 1 / (1 + e^-a); the exponential of a negative number cannot overflow.
template<class T>
GPARRAY_KERNEL_FN T expit(T a) {
  const T decay = exp(-fabs(a));
  return (a < T(0) ? decay : T(1)) / (T(1) + decay);
}

/// a log b, and 0 where a is 0, unless b is NaN.
template<class T>
GPARRAY_KERNEL_FN T xlogy(T a, T b) {
  return a == T(0) && b == b ? T(0) : a * log(b);
}

template<class T>
GPARRAY_KERNEL_FN T degrees(T a) {
  return a * (T(180) / T(3.141592653589793238462643383279502884));
}

template<class T>
GPARRAY_KERNEL_FN T radians(T a) {
  return a * (T(3.141592653589793238462643383279502884) / T(180));
}

/// Gamma function; NaN at the negative integers, the infinity of the sign of a at zero.
template<class T>
GPARRAY_KERNEL_FN T gamma(T a) {
  return tgamma(a);
}

/// log|gamma(a)|, with SciPy's -inf at -inf.
template<class T>
GPARRAY_KERNEL_FN T gammaln(T a) {
  return a < -traits<T>::max ? a : lgamma(a);
}

// Rounding leaves bool and integers as they are, and rounds the parts of a complex number.
#define GPARRAY_ROUNDING(name, function)                                  \
  template<class T>                                                       \
  GPARRAY_KERNEL_FN T name(T a) {                                         \
    if constexpr (is_complex<T>) return {function(a.re), function(a.im)}; \
    else if constexpr (is_real<T>) return function(a);                    \
    else return a;                                                        \
  }
GPARRAY_ROUNDING(round_down, floor)
GPARRAY_ROUNDING(round_up, ceil)
GPARRAY_ROUNDING(round_to_zero, trunc)
GPARRAY_ROUNDING(round_half_even, rint)
#undef GPARRAY_ROUNDING

}  // namespace kernel
GPARRAY_END_NAMESPACE
