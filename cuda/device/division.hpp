// Division by a number that is known before the launch: a multiplication and a shift.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// n / d for n < 2^31 and 0 < d < 2^31, by Granlund and Montgomery, "Division by invariant integers using
/// multiplication" (1994): q = (mulhi(n, m) + n) >> s with s = ceil(log2 d) and m = floor(2^32 (2^s - d) / d)
/// + 1. The sum cannot overflow because n < 2^31.
struct fast_divisor {
  std::uint32_t divisor, multiplier, shift;

  fast_divisor() = default;
#if !defined(__CUDACC_RTC__)
  explicit fast_divisor(std::uint32_t d) : divisor(d), shift(d == 1 ? 0 : 32 - __builtin_clz(d - 1)) {
    multiplier = static_cast<std::uint32_t>((((std::uint64_t{1} << shift) - d) << 32) / d + 1);
  }
#endif

  GPARRAY_FN std::uint32_t divide(std::uint32_t n) const {
#if defined(__CUDA_ARCH__)
    return (__umulhi(n, multiplier) + n) >> shift;
#else
    return (static_cast<std::uint32_t>((std::uint64_t{n} * multiplier) >> 32) + n) >> shift;
#endif
  }
  /// Returns n / d and leaves n % d in n.
  GPARRAY_FN std::uint32_t split(std::uint32_t& n) const {
    const std::uint32_t quotient = divide(n);
    n -= quotient * divisor;
    return quotient;
  }
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
