// CUDA's functions for the element types that CUDA does not know: in the texts of ElementwiseKernel and
// ReductionKernel sqrt(x) is to compile for every dtype. In the global namespace, as CUDA's own are, so that
// the functions of a preamble find them. Read by device compilers alone.
#pragma once
#include <gparray/ufunc/ufunc_math.hpp>

#include "user_kernel.hpp"

// A reduction begins with them, and NVRTC has no <cmath> that says them.
#if defined(__CUDACC_RTC__)
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#endif

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Whether V, a half or an integer, has no functions of its own in CUDA, and two that it converts to.
template<class V>
inline constexpr bool needs_overload = false;
template<class Half>
inline constexpr bool needs_overload<user_half<Half>> = true;
template<class V>
inline constexpr bool is_number = needs_overload<V>;
#define GPARRAY_INTEGER(type)                        \
  template<>                                         \
  inline constexpr bool needs_overload<type> = true; \
  template<>                                         \
  inline constexpr bool is_number<type> = true;
GPARRAY_INTEGER(bool)
GPARRAY_INTEGER(char)
GPARRAY_INTEGER(signed char)
GPARRAY_INTEGER(short)
GPARRAY_INTEGER(int)
GPARRAY_INTEGER(long)
GPARRAY_INTEGER(long long)
GPARRAY_INTEGER(unsigned char)
GPARRAY_INTEGER(unsigned short)
GPARRAY_INTEGER(unsigned)
GPARRAY_INTEGER(unsigned long)
GPARRAY_INTEGER(unsigned long long)
#undef GPARRAY_INTEGER
template<>
inline constexpr bool is_number<float> = true;
template<>
inline constexpr bool is_number<double> = true;

template<class A, class B>
inline constexpr bool is_mixed = is_number<A> && is_number<B> && !is_same<A, B>;
template<class A, class B>
inline constexpr bool needs_binary = is_mixed<A, B> || (is_same<A, B> && needs_overload<A>);

/// The value that ufunc_math computes with: halves in float; integers choose there.
template<class V>
GPARRAY_FN V computable(V x) {
  return x;
}
template<class Half>
GPARRAY_FN float computable(user_half<Half> x) {
  return static_cast<float>(x);
}

}  // namespace kernel
GPARRAY_END_NAMESPACE

// The empty pack at the end makes a function of the user's that fits as well the better one.
#define GPARRAY_USER_UNARY(name)                                                   \
  template<class V, class... None,                                                 \
           typename gparray::kernel::only_if<gparray::kernel::needs_overload<V> && \
                                             sizeof...(None) == 0>::type = 0>      \
  GPARRAY_FN auto name(V x, None...) {                                             \
    return gparray::ufunc_math::name(gparray::kernel::computable(x));              \
  }
GPARRAY_MATH_UNARY(GPARRAY_USER_UNARY)
GPARRAY_USER_UNARY(lgamma)
GPARRAY_USER_UNARY(abs)
GPARRAY_USER_UNARY(isnan)
GPARRAY_USER_UNARY(isinf)
GPARRAY_USER_UNARY(isfinite)
GPARRAY_USER_UNARY(signbit)
#undef GPARRAY_USER_UNARY

// CUDA has no function of two numbers of different types, except pow of an integer.
#define GPARRAY_USER_BINARY(name)                                                                     \
  template<class A, class B, class... None,                                                           \
           typename gparray::kernel::only_if<gparray::kernel::needs_binary<A, B> &&                   \
                                             sizeof...(None) == 0>::type = 0>                         \
  GPARRAY_FN auto name(A x, B y, None...) {                                                           \
    return gparray::ufunc_math::name(gparray::kernel::computable(x), gparray::kernel::computable(y)); \
  }
GPARRAY_MATH_BINARY(GPARRAY_USER_BINARY)
#undef GPARRAY_USER_BINARY

#define GPARRAY_USER_ORDER(name)                                                                            \
  template<                                                                                                 \
      class A, class B, class... None,                                                                      \
      typename gparray::kernel::only_if<gparray::kernel::is_mixed<A, B> && sizeof...(None) == 0>::type = 0> \
  GPARRAY_FN auto name(A x, B y, None...) {                                                                 \
    using common = decltype(true ? gparray::kernel::computable(x) : gparray::kernel::computable(y));        \
    return name(static_cast<common>(x), static_cast<common>(y));                                            \
  }
GPARRAY_USER_ORDER(min)
GPARRAY_USER_ORDER(max)
#undef GPARRAY_USER_ORDER

// CUDA's atomics know long long; an int64 is a long.
#define GPARRAY_USER_ATOMIC(name, type, cuda_type)                                                   \
  static __device__ __forceinline__ type name(type* at, type value) {                                \
    return static_cast<type>(name(reinterpret_cast<cuda_type*>(at), static_cast<cuda_type>(value))); \
  }
#define GPARRAY_USER_ATOMICS(type, signed_or_not)                                         \
  GPARRAY_USER_ATOMIC(atomicAdd, type, unsigned long long)                                \
  GPARRAY_USER_ATOMIC(atomicExch, type, unsigned long long)                               \
  GPARRAY_USER_ATOMIC(atomicAnd, type, unsigned long long)                                \
  GPARRAY_USER_ATOMIC(atomicOr, type, unsigned long long)                                 \
  GPARRAY_USER_ATOMIC(atomicXor, type, unsigned long long)                                \
  GPARRAY_USER_ATOMIC(atomicMin, type, signed_or_not)                                     \
  GPARRAY_USER_ATOMIC(atomicMax, type, signed_or_not)                                     \
  static __device__ __forceinline__ type atomicCAS(type* at, type expected, type value) { \
    return static_cast<type>(atomicCAS(reinterpret_cast<unsigned long long*>(at),         \
                                       static_cast<unsigned long long>(expected),         \
                                       static_cast<unsigned long long>(value)));          \
  }
GPARRAY_USER_ATOMICS(long, long long)
GPARRAY_USER_ATOMICS(unsigned long, unsigned long long)
#undef GPARRAY_USER_ATOMICS
#undef GPARRAY_USER_ATOMIC

#if __CUDA_ARCH__ >= 700
template<class Half, class Number>
__device__ gparray::kernel::user_half<Half> atomicAdd(gparray::kernel::user_half<Half>* at, Number value) {
  auto* const bits = reinterpret_cast<unsigned short*>(at);
  unsigned short expected, found = *reinterpret_cast<volatile unsigned short*>(bits);
  gparray::kernel::user_half<Half> old;
  do {
    expected = found;
    old.bits = expected;
    gparray::kernel::user_half<Half> sum = old;
    sum += static_cast<float>(value);
    found = atomicCAS(bits, expected, sum.bits);
  } while (found != expected);
  return old;
}
#endif
