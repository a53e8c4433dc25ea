// The mathematical functions that the text of a GPARRAY_UFUNC may use, alike for g++, nvcc and NVRTC.
// float gives float, double gives double; an integer counts as double, and beside a float as float, so that
// pow(x, 2) is as precise as x. Includes nothing but config.hpp, for NVRTC reads it too.
#pragma once
#include <gparray/config.hpp>

// The compiler's own names need no header on the host; device code has the functions without one.
#if defined(__CUDACC__)
#define GPARRAY_C_FUNCTION(name) ::name
#else
#define GPARRAY_C_FUNCTION(name) __builtin_##name
#endif

// What g++ makes of INFINITY, NAN and HUGE_VAL before the text reaches NVRTC, which has no such functions.
#if defined(__CUDACC_RTC__)
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_inf() __longlong_as_double(0x7ff0000000000000)
#define __builtin_huge_valf() __builtin_inff()
#define __builtin_huge_val() __builtin_inf()
#define __builtin_nanf(text) __int_as_float(0x7fc00000)
#define __builtin_nan(text) __longlong_as_double(0x7ff8000000000000)
#endif

// clang-format off
#define GPARRAY_MATH_UNARY(X) \
  X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh) \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(fabs) X(floor) X(ceil) X(trunc) \
  X(round) X(rint) X(nearbyint) X(erf) X(erfc) X(tgamma)
#define GPARRAY_MATH_BINARY(X) \
  X(pow) X(atan2) X(hypot) X(fmod) X(remainder) X(fmin) X(fmax) X(fdim) X(copysign) X(nextafter)
#define GPARRAY_MATH_OTHER(X) X(lgamma) X(fma) X(abs) X(min) X(max) X(isnan) X(isinf) X(isfinite) X(signbit)
// clang-format on

GPARRAY_BEGIN_NAMESPACE
namespace ufunc_math {

/// The type that a function of two arguments computes in.
template<class A, class B>
struct common {
  using type = double;
};
template<>
struct common<float, float> {
  using type = float;
};
template<class B>
struct common<float, B> {
  using type = float;
};
template<class A>
struct common<A, float> {
  using type = float;
};
template<>
struct common<float, double> {
  using type = double;
};
template<>
struct common<double, float> {
  using type = double;
};
template<class A, class B>
using common_t = typename common<A, B>::type;

#define GPARRAY_DEFINE_UNARY(name)                                          \
  GPARRAY_FN float name(float x) { return GPARRAY_C_FUNCTION(name##f)(x); } \
  GPARRAY_FN double name(double x) { return GPARRAY_C_FUNCTION(name)(x); }  \
  template<class Integer>                                                   \
  GPARRAY_FN double name(Integer x) {                                       \
    return name(static_cast<double>(x));                                    \
  }
GPARRAY_MATH_UNARY(GPARRAY_DEFINE_UNARY)
#undef GPARRAY_DEFINE_UNARY

#define GPARRAY_DEFINE_BINARY(name)                                                     \
  GPARRAY_FN float name(float x, float y) { return GPARRAY_C_FUNCTION(name##f)(x, y); } \
  GPARRAY_FN double name(double x, double y) { return GPARRAY_C_FUNCTION(name)(x, y); } \
  template<class A, class B>                                                            \
  GPARRAY_FN common_t<A, B> name(A x, B y) {                                            \
    return name(static_cast<common_t<A, B>>(x), static_cast<common_t<A, B>>(y));        \
  }
GPARRAY_MATH_BINARY(GPARRAY_DEFINE_BINARY)
#undef GPARRAY_DEFINE_BINARY
#undef GPARRAY_C_FUNCTION

// On the host the reentrant variant: lgamma itself writes a global variable.
#if defined(__CUDA_ARCH__)
GPARRAY_FN float lgamma(float x) { return ::lgammaf(x); }
GPARRAY_FN double lgamma(double x) { return ::lgamma(x); }
#else
#if defined(__clang__)
// It has no built-in functions of these names.
extern "C" float gparray_lgammaf_r(float, int*) __asm__("lgammaf_r");
extern "C" double gparray_lgamma_r(double, int*) __asm__("lgamma_r");
#define GPARRAY_LGAMMA(suffix) gparray_lgamma##suffix
#else
#define GPARRAY_LGAMMA(suffix) __builtin_lgamma##suffix
#endif
/// The natural logarithm of the magnitude of the gamma function, of one number.
GPARRAY_FN float lgamma(float x) {
  int sign;
  return GPARRAY_LGAMMA(f_r)(x, &sign);
}
GPARRAY_FN double lgamma(double x) {
  int sign;
  return GPARRAY_LGAMMA(_r)(x, &sign);
}
#undef GPARRAY_LGAMMA
#endif
template<class Integer>
GPARRAY_FN double lgamma(Integer x) {
  return lgamma(static_cast<double>(x));
}

#if defined(__CUDACC__)
/// x * y + z, rounded once.
GPARRAY_FN float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
GPARRAY_FN double fma(double x, double y, double z) { return ::fma(x, y, z); }
#else
/// x * y + z, rounded once.
GPARRAY_FN float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GPARRAY_FN double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
#endif
template<class A, class B, class C>
GPARRAY_FN common_t<common_t<A, B>, C> fma(A x, B y, C z) {
  using V = common_t<common_t<A, B>, C>;
  return fma(static_cast<V>(x), static_cast<V>(y), static_cast<V>(z));
}

/// The absolute value of one number.
GPARRAY_FN float abs(float x) { return fabs(x); }
GPARRAY_FN double abs(double x) { return fabs(x); }
template<class Integer>
GPARRAY_FN Integer abs(Integer x) {
  return x < Integer(0) ? Integer(-x) : x;
}

/// The smaller of two numbers, in their common C++ type; x if one of them is NaN, as std::min gives.
template<class A, class B>
GPARRAY_FN auto min(A x, B y) {
  return y < x ? y : x;
}
/// The larger of two numbers, in their common C++ type; x if one of them is NaN, as std::max gives.
template<class A, class B>
GPARRAY_FN auto max(A x, B y) {
  return x < y ? y : x;
}

/// Whether a number is NaN.
template<class V>
GPARRAY_FN bool isnan(V x) {
  return x != x;
}
/// Whether a number is neither infinite nor NaN.
template<class V>
GPARRAY_FN bool isfinite(V x) {
  // x - x is NaN for infinities and NaN alone.
  return x - x == V(0);
}
/// Whether a number is infinite, of either sign.
template<class V>
GPARRAY_FN bool isinf(V x) {
  return x == x && x - x != V(0);
}
/// Whether the sign bit of a number is set; of an integer whether it is negative.
GPARRAY_FN bool signbit(float x) { return __builtin_bit_cast(int, x) < 0; }
GPARRAY_FN bool signbit(double x) { return __builtin_bit_cast(long long, x) < 0; }
template<class Integer>
GPARRAY_FN bool signbit(Integer x) {
  return x < Integer(0);
}

}  // namespace ufunc_math
GPARRAY_END_NAMESPACE

// Inside a namespace or a function these hide whatever the names mean around it: <cmath>, a using-directive,
// a user's own sin.
#define GPARRAY_MATH_USING(name) using ::gparray::ufunc_math::name;
#define GPARRAY_MATH_NAMES               \
  GPARRAY_MATH_UNARY(GPARRAY_MATH_USING) \
  GPARRAY_MATH_BINARY(GPARRAY_MATH_USING) GPARRAY_MATH_OTHER(GPARRAY_MATH_USING)
