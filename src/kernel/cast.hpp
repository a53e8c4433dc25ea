// cast<To>(from) between any two element types, with the results of NumPy's astype on x86.
#pragma once
#include "complex.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Truncation; what does not fit, and NaN, gives the smallest value: what x86 does and C++ leaves undefined.
template<class Integer, class Real>
GPARRAY_KERNEL_FN Integer truncate(Real value) {
  constexpr Integer smallest = static_cast<Integer>(sign_mask<Integer>);
  constexpr Real limit = -static_cast<Real>(smallest);
  // Float has no value between -limit - 1 and -limit; double has some for 32-bit integers.
  constexpr bool below_fits = sizeof(Integer) == 4 && sizeof(Real) == 8;
  const bool fits = value < limit && (below_fits ? value > -limit - Real(1) : value >= -limit);
  return fits ? static_cast<Integer>(fits ? value : Real(0)) : smallest;
}

/// x86 has no conversion to unsigned 64 bit: below 2^63 it is the signed one, above it 2^63 is taken off
/// first.
template<class Real>
GPARRAY_KERNEL_FN unsigned long truncate_unsigned(Real value) {
  constexpr Real half = Real(9223372036854775808.0);
  const bool upper = value >= half;
  const auto low = static_cast<unsigned long>(truncate<long>(upper ? value - half : value));
  return upper ? low ^ sign_mask<unsigned long> : low;
}

template<class To, class Real>
GPARRAY_KERNEL_FN To real_to_integer(Real value) {
  if constexpr (is_same<To, unsigned long>) return truncate_unsigned(value);
  else if constexpr (is_same<To, unsigned> || sizeof(To) == 8) return static_cast<To>(truncate<long>(value));
  else return static_cast<To>(truncate<int>(value));
}

/// Anything to bool is "differs from zero", NaN included; complex to real drops the imaginary part; real to
/// integer truncates and narrow integers wrap; a narrower float rounds once, to nearest even.
template<class To, class From>
GPARRAY_KERNEL_FN To cast(From value) {
  if constexpr (is_same<To, From>) {
    return value;
  } else if constexpr (is_half<From>) {
    return cast<To>(static_cast<float>(value));
  } else if constexpr (is_complex<To>) {
    if constexpr (is_complex<From>)
      return To{static_cast<real_t<To>>(value.re), static_cast<real_t<To>>(value.im)};
    else return To{cast<real_t<To>>(value), real_t<To>(0)};
  } else if constexpr (is_complex<From>) {
    if constexpr (is_bool<To>) return value.re != 0 || value.im != 0;
    else return cast<To>(value.re);
  } else if constexpr (is_bool<To>) {
    return value != From(0);
  } else if constexpr (is_real<From> && is_integer<To>) {
    return real_to_integer<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
