// Remainders by division, where a product is subtracted without rounding it: fmod goes bit by bit.
#pragma once
#include "arithmetic.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// a * b + c, rounded once.
GPARRAY_KERNEL_FN float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return __builtin_fmaf(a, b, c);
#endif
}
GPARRAY_KERNEL_FN double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return __builtin_fma(a, b, c);
#endif
}

/// fmod by way of a quotient that all its digits fit.
template<class T>
struct divided_rest {
  T rest;
  bool fits;

  /// A quotient that fits is rounded to at most one above the whole number below it, so a - quotient * b is a
  /// number within one b of zero: no digit is lost.
  GPARRAY_KERNEL_FN divided_rest(T a, T b) {
    const T x = fabs(a), y = fabs(b), exact = x / y;
    fits = exact < T(1) / traits<T>::epsilon;  // not if it is NaN
    const T left = fused(-trunc(fits ? exact : T(0)), y, x);
    const T positive = left < T(0) ? left + y : left;
    // An infinite divisor times 0 is no number.
    rest = copysign(exact < T(1) ? x : positive, a);
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
