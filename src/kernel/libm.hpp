// The C mathematical functions as overloads on float and double: sin(float) is ::sinf, sin(double) is ::sin.
// With GPARRAY_LIBMVEC, g++ on glibc >= 2.35 may also use the vector variants of libmvec (4 ulp) in a loop.
#pragma once
#include "traits.hpp"
#if !defined(__CUDACC_RTC__)
#include <cmath>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

// Functions with a variant in libmvec. The formatter changes its mind about this list at every run.
// clang-format off
#define GPARRAY_LIBM_VECTOR_UNARY(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) \
  X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(cbrt) X(erf) X(erfc)
// clang-format on
#define GPARRAY_LIBM_VECTOR_BINARY(X) X(atan2) X(pow)
// Functions without, or that the compiler expands itself.
#define GPARRAY_LIBM_SCALAR_UNARY(X) X(sqrt) X(fabs) X(floor) X(ceil) X(trunc) X(rint) X(tgamma)
#define GPARRAY_LIBM_SCALAR_BINARY(X) X(fmod) X(copysign)

#define GPARRAY_LIBM_UNARY(name)                                 \
  GPARRAY_KERNEL_FN float name(float x) { return ::name##f(x); } \
  GPARRAY_KERNEL_FN double name(double x) { return ::name(x); }
#define GPARRAY_LIBM_BINARY(name)                                            \
  GPARRAY_KERNEL_FN float name(float x, float y) { return ::name##f(x, y); } \
  GPARRAY_KERNEL_FN double name(double x, double y) { return ::name(x, y); }

#if defined(GPARRAY_LIBMVEC) && !defined(__CUDACC__) && defined(__GNUC__) && !defined(__clang__)
// The assembler name makes these the C functions under a name that the compiler does not know as a built-in:
// so they vectorise without -ffast-math, and the sine and cosine of one argument are not merged into a scalar
// sincos.
#define GPARRAY_LIBM_VECTOR_ATTRIBUTES __attribute__((simd("notinbranch"), const, nothrow))
#define GPARRAY_LIBM_DECLARE_UNARY(name)                                                       \
  extern "C" float gparray_##name##f(float) __asm__(#name "f") GPARRAY_LIBM_VECTOR_ATTRIBUTES; \
  extern "C" double gparray_##name(double) __asm__(#name) GPARRAY_LIBM_VECTOR_ATTRIBUTES;      \
  GPARRAY_KERNEL_FN float name(float x) { return gparray_##name##f(x); }                       \
  GPARRAY_KERNEL_FN double name(double x) { return gparray_##name(x); }
#define GPARRAY_LIBM_DECLARE_BINARY(name)                                                             \
  extern "C" float gparray_##name##f(float, float) __asm__(#name "f") GPARRAY_LIBM_VECTOR_ATTRIBUTES; \
  extern "C" double gparray_##name(double, double) __asm__(#name) GPARRAY_LIBM_VECTOR_ATTRIBUTES;     \
  GPARRAY_KERNEL_FN float name(float x, float y) { return gparray_##name##f(x, y); }                  \
  GPARRAY_KERNEL_FN double name(double x, double y) { return gparray_##name(x, y); }
GPARRAY_LIBM_VECTOR_UNARY(GPARRAY_LIBM_DECLARE_UNARY)
GPARRAY_LIBM_VECTOR_BINARY(GPARRAY_LIBM_DECLARE_BINARY)
#undef GPARRAY_LIBM_DECLARE_UNARY
#undef GPARRAY_LIBM_DECLARE_BINARY
#undef GPARRAY_LIBM_VECTOR_ATTRIBUTES
#else
GPARRAY_LIBM_VECTOR_UNARY(GPARRAY_LIBM_UNARY)
GPARRAY_LIBM_VECTOR_BINARY(GPARRAY_LIBM_BINARY)
#endif

GPARRAY_LIBM_SCALAR_UNARY(GPARRAY_LIBM_UNARY)
GPARRAY_LIBM_SCALAR_BINARY(GPARRAY_LIBM_BINARY)

#undef GPARRAY_LIBM_VECTOR_UNARY
#undef GPARRAY_LIBM_VECTOR_BINARY
#undef GPARRAY_LIBM_SCALAR_UNARY
#undef GPARRAY_LIBM_SCALAR_BINARY
#undef GPARRAY_LIBM_UNARY
#undef GPARRAY_LIBM_BINARY

/// Where the sum of two squares neither overflows nor loses the digits of the larger one, and the power of
/// two that brings other numbers there.
template<class R>
struct square_range {
  static constexpr R large = R(sizeof(R) == 8 ? 0x1p511 : 0x1p63),
                     small = R(sizeof(R) == 8 ? 0x1p-459 : 0x1p-50);
  static constexpr R up = R(sizeof(R) == 8 ? 0x1p600 : 0x1p80), down = R(1) / up;
};

/// The length of (x, y), within 1.2 ulp. Own, for libm's and libmvec's give for (x, 0) a neighbour of x on
/// some processors: the root of a rounded square is exact. The larger number decides the scale.
template<class R>
GPARRAY_KERNEL_FN R scaled_hypot(R x, R y) {
  using range = square_range<R>;
  const R size_x = fabs(x), size_y = fabs(y), larger = size_x > size_y ? size_x : size_y;
  const R scale = larger > range::large ? range::down : larger < range::small ? range::up : R(1);
  const R back = larger > range::large ? range::up : larger < range::small ? range::down : R(1);
  const R a = size_x * scale, b = size_y * scale, length = sqrt(a * a + b * b) * back;
  // Infinite even beside NaN.
  const bool infinite = (size_x == infinity<R>()) | (size_y == infinity<R>());
  return infinite ? infinity<R>() : length;
}

GPARRAY_KERNEL_FN float hypot(float x, float y) { return scaled_hypot(x, y); }
GPARRAY_KERNEL_FN double hypot(double x, double y) { return scaled_hypot(x, y); }

/// log|gamma(x)|. On the host the reentrant variant: lgamma itself writes the global signgam, a data race.
GPARRAY_KERNEL_FN float lgamma(float x) {
#if defined(__CUDA_ARCH__)
  return ::lgammaf(x);
#else
  int sign;
  return ::lgammaf_r(x, &sign);
#endif
}

GPARRAY_KERNEL_FN double lgamma(double x) {
#if defined(__CUDA_ARCH__)
  return ::lgamma(x);
#else
  int sign;
  return ::lgamma_r(x, &sign);
#endif
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
