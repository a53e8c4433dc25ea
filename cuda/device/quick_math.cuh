// Quotients and roots of float without a branch, so that a thread has those of several elements on their way
// at once: the compiler's own ask each operand whether it needs the long way, and the thread waits for one
// before it begins the next. What they were given is noted, and who calls them asks once for all: where
// something was out of range, results may be wrong and are computed again.
#pragma once
#include <kernel/cast.hpp>
#include <kernel/divided_rest.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether all numbers were within 2^-60 and 2^60: then quotients, and what remains when one that was rounded
/// is multiplied out, are normal numbers.
class number_range {
  unsigned farthest_ = 0;

 public:
  __device__ __forceinline__ void include(float x) {
    constexpr unsigned lowest = (127u - 60) << 24;
    const unsigned above = (kernel::to_bits(x) << 1) - lowest;
    farthest_ = above > farthest_ ? above : farthest_;
  }
  __device__ __forceinline__ bool is_exceeded() const { return farthest_ > 120u << 24; }
};

/// a / b, correctly rounded: first by a reciprocal whose error is below one unit, and then by what remains
/// (Markstein, IBM Journal of Research and Development 34, 1990, 111). A numerator of zero is in range.
__device__ __forceinline__ float quick_quotient(float a, float b, number_range& range) {
  range.include(b);
  const bool is_zero = a == 0;
  range.include(is_zero ? 1.0f : a);
#if defined(__CUDA_ARCH__)
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(b));
  inverse = __fmaf_rn(inverse, __fmaf_rn(-b, inverse, 1.0f), inverse);
  const float quotient = a * inverse, remainder = __fmaf_rn(-b, quotient, a);
  return is_zero ? quotient : __fmaf_rn(inverse, remainder, quotient);  // a sum of zeros may lose the sign
#else
  return a / b;
#endif
}

/// The square root of a, correctly rounded in the same way. Zero is in range; what is negative has no root in
/// either way.
__device__ __forceinline__ float quick_root(float a, number_range& range) {
  const bool is_zero = a == 0;
  range.include(is_zero ? 1.0f : a);
#if defined(__CUDA_ARCH__)
  float inverse;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
  const float root = a * inverse;
  return is_zero ? a : __fmaf_rn(__fmaf_rn(-root, root, a), 0.5f * inverse, root);
#else
  return __builtin_sqrtf(a);
#endif
}

// Whether the compiler's functions of double go their short way with a number, in the words in which they ask
// that themselves.
struct plain_log {
  static __device__ __forceinline__ bool holds(double x) {  // positive, normal and finite
#if defined(__CUDA_ARCH__)
    const int high = __double2hiint(x);
    return high >= 0x00100000 && static_cast<unsigned>(high - 1) < 0x7fefffffu;
#else
    return x >= 0x1p-1022 && x <= 0x1.fffffffffffffp1023;
#endif
  }
};
struct plain_exp {
  static __device__ __forceinline__ bool holds(double x) {  // between two numbers near -708.4 and 708.4
#if defined(__CUDA_ARCH__)
    return fabsf(__int_as_float(__double2hiint(x))) < __int_as_float(0x4086232b);
#else
    return x > -708 && x < 708;
#endif
  }
};

/// A function of N numbers. If it is known to be plain for all of them the compiler asks for none, and their
/// steps are one block of instructions, in which constants are loaded once.
template<class Plain, int N, class Call>
__device__ __forceinline__ void call_plainly(double (&results)[N], const double (&x)[N], Call call) {
  bool are_plain = true;
#pragma unroll
  for (int k = 0; k < N; ++k) are_plain = are_plain & Plain::holds(x[k]);
  if (are_plain) {
#pragma unroll
    for (int k = 0; k < N; ++k) {
#if defined(__CUDA_ARCH__)
      __builtin_assume(Plain::holds(x[k]));
#endif
      results[k] = call(x[k]);
    }
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) results[k] = call(x[k]);
  }
}

/// The compiler's fmod of double takes some twelve instructions for each bit of the quotient.
static __device__ __noinline__ double long_rest(double a, double b) { return kernel::fmod(a, b); }
__device__ __forceinline__ double quick_rest(double a, double b) {
  const kernel::divided_rest<double> divided(a, b);
  return divided.fits ? divided.rest : long_rest(a, b);
}
/// That of float goes by a quotient itself.
__device__ __forceinline__ float quick_rest(float a, float b) { return kernel::fmod(a, b); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
