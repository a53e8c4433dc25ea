// Quotients and roots of float without a branch, so that a thread has those of several elements on their way
// at once: the compiler's own ask each operand whether it needs the long way, and the thread waits for one
// before it begins the next. What they were given is noted, and who calls them asks once for all: where
// something was out of range, results may be wrong and are computed again.
#pragma once
#include <kernel/cast.hpp>

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

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
