// Integer arithmetic with NumPy's rules: everything wraps, division by zero gives 0, MIN // -1 is MIN.
#pragma once
#include "traits.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class T>
inline constexpr T integer_min = is_signed_integer<T> ? static_cast<T>(sign_mask<T>) : T(0);

template<class T>
GPARRAY_KERNEL_FN T wrap_add(T a, T b) {
  using U = wrapping_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
}

template<class T>
GPARRAY_KERNEL_FN T wrap_subtract(T a, T b) {
  using U = wrapping_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) - static_cast<U>(b));
}

template<class T>
GPARRAY_KERNEL_FN T wrap_multiply(T a, T b) {
  using U = wrapping_unsigned_t<T>;
  return static_cast<T>(static_cast<U>(a) * static_cast<U>(b));
}

/// -a. On a GPU narrow integers are negated as ints, behind the back of the optimiser: ptxas (13.0) takes the
/// results of neg.s16 and abs.s16 to fit 16 bits when they are used further, as the negative of MIN does not.
template<class T>
GPARRAY_KERNEL_FN T wrap_negate(T a) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) < sizeof(int)) {
    int negated;
    asm("neg.s32 %0, %1;" : "=r"(negated) : "r"(static_cast<int>(a)));
    return static_cast<T>(negated);
  } else
#endif
    return wrap_subtract(T(0), a);
}

/// a < 0, without the warning that an unsigned type would draw.
template<class T>
GPARRAY_KERNEL_FN bool negative_integer(T a) {
  if constexpr (is_signed_integer<T>) return a < T(0);
  else return false;
}

/// |a| in the unsigned type of the same width, so that |MIN| is exact.
template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> magnitude(T a) {
  const T negated = wrap_negate(a);
  return static_cast<unsigned_t<T>>(negative_integer(a) ? negated : a);
}

/// Quotient towards zero; the divisor must be neither 0 nor the -1 of MIN / -1.
template<class T>
GPARRAY_KERNEL_FN T quotient_to_zero(T a, T b) {
#if defined(__CUDA_ARCH__)
  return static_cast<T>(a / b);
#else
  // Processors have no vector integer division. A quotient that is no integer differs from the nearest one by
  // more than 1 part in 2^width, so the correctly rounded one of a format with more bits than that truncates
  // to the right integer.
  if constexpr (sizeof(T) <= 2)
    return static_cast<T>(static_cast<int>(static_cast<float>(a) / static_cast<float>(b)));
  else if constexpr (is_same<T, int>)
    return static_cast<int>(static_cast<double>(a) / static_cast<double>(b));
  else return static_cast<T>(a / b);
#endif
}

/// The divisor, or 1 where dividing by it would trap.
template<class T>
GPARRAY_KERNEL_FN T safe_divisor(T a, T b) {
  if constexpr (is_signed_integer<T>) return b == T(0) || (a == integer_min<T> && b == T(-1)) ? T(1) : b;
  else return b == T(0) ? T(1) : b;
}

template<class T>
GPARRAY_KERNEL_FN T integer_floor_divide(T a, T b) {
  const T divisor = safe_divisor(a, b), quotient = quotient_to_zero(a, divisor);
  if constexpr (is_signed_integer<T>) {
    const bool inexact = wrap_multiply(quotient, divisor) != a, negative = (a < T(0)) != (divisor < T(0));
    const T floored = static_cast<T>(quotient - (inexact && negative ? 1 : 0));
    return b == T(0) ? T(0) : floored;
  } else {
    return b == T(0) ? T(0) : quotient;
  }
}

/// C's remainder: the sign of the dividend.
template<class T>
GPARRAY_KERNEL_FN T integer_fmod(T a, T b) {
  const T divisor = safe_divisor(a, b);
  const T rest = wrap_subtract(a, wrap_multiply(quotient_to_zero(a, divisor), divisor));
  return b == T(0) ? T(0) : rest;
}

/// NumPy's remainder: the sign of the divisor.
template<class T>
GPARRAY_KERNEL_FN T integer_remainder(T a, T b) {
  const T rest = integer_fmod(a, b);
  if constexpr (is_signed_integer<T>) {
    const bool other_side = rest != T(0) && (rest < T(0)) != (b < T(0));
    return static_cast<T>(rest + (other_side ? b : T(0)));
  } else {
    return rest;
  }
}

/// a to the power b, wrapping. A negative exponent gives the integer part of the true value (NumPy raises
/// before).
template<class T>
GPARRAY_KERNEL_FN T integer_power(T a, T b) {
  if constexpr (is_signed_integer<T>) {
    if (b < T(0)) return a == T(1) ? T(1) : a == T(-1) ? static_cast<T>(b & 1 ? -1 : 1) : T(0);
  }
  T result = 1;
  for (auto rest = static_cast<unsigned_t<T>>(b); rest != 0; rest = static_cast<unsigned_t<T>>(rest >> 1)) {
    if (rest & 1) result = wrap_multiply(result, a);
    a = wrap_multiply(a, a);
  }
  return result;
}

/// 1 / a towards zero. 1 / 0 is what NumPy gives on x86: MIN for the signed types of 4 and 8 bytes, otherwise
/// 0.
template<class T>
GPARRAY_KERNEL_FN T integer_reciprocal(T a) {
  constexpr T of_zero = sizeof(T) >= 4 ? integer_min<T> : T(0);
  if constexpr (is_signed_integer<T>) return a == T(0) ? of_zero : a == T(1) || a == T(-1) ? a : T(0);
  else return a == T(1) ? T(1) : T(0);
}

/// A shift by the width or more, or by a negative count, shifts everything out.
template<class T>
GPARRAY_KERNEL_FN T shift_left(T a, T b) {
  using U = wrapping_unsigned_t<T>;
  constexpr U width = 8 * sizeof(T);
  const U count = static_cast<unsigned_t<T>>(b);
  const U shifted = static_cast<U>(a) << (count & (8 * sizeof(U) - 1));
  return count < width ? static_cast<T>(shifted) : T(0);
}

template<class T>
GPARRAY_KERNEL_FN T shift_right(T a, T b) {
  using U = wrapping_unsigned_t<T>;
  constexpr U width = 8 * sizeof(T);
  const U count = static_cast<unsigned_t<T>>(b);
  const T filled = negative_integer(a) ? static_cast<T>(-1) : T(0);
  return count < width ? static_cast<T>(a >> (count & (8 * sizeof(U) - 1))) : filled;
}

/// Euclid's algorithm on magnitudes; gcd(0, 0) is 0.
template<class T>
GPARRAY_KERNEL_FN unsigned_t<T> gcd_magnitude(T a, T b) {
  auto x = magnitude(a), y = magnitude(b);
  while (y != 0) {
    const auto rest = static_cast<unsigned_t<T>>(x % y);
    x = y;
    y = rest;
  }
  return x;
}

template<class T>
GPARRAY_KERNEL_FN T gcd(T a, T b) {
  return static_cast<T>(gcd_magnitude(a, b));
}

template<class T>
GPARRAY_KERNEL_FN T lcm(T a, T b) {
  using U = unsigned_t<T>;
  const U divisor = gcd_magnitude(a, b);
  return divisor == 0 ? T(0)
                      : static_cast<T>(wrap_multiply(static_cast<U>(magnitude(a) / divisor), magnitude(b)));
}

/// The number of ones in |a|, as NumPy defines it for signed types. Shifts and adds, which vectorise
/// everywhere.
template<class T>
GPARRAY_KERNEL_FN unsigned char bit_count(T a) {
#if defined(__CUDA_ARCH__)
  return static_cast<unsigned char>(sizeof(T) > 4 ? ::__popcll(magnitude(a))
                                                  : ::__popc(static_cast<unsigned>(magnitude(a))));
#else
  using U = wrapping_unsigned_t<T>;
  constexpr U ones = ~U(0);
  U count = magnitude(a);
  count = count - (count >> 1 & ones / 3);
  count = (count & ones / 5) + (count >> 2 & ones / 5);
  count = (count + (count >> 4)) & ones / 17;
  return static_cast<unsigned char>(count * (ones / 255) >> (8 * sizeof(U) - 8));
#endif
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
