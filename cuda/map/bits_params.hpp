// The parameter block of the kernels that put bits into bytes and take them out.
#pragma once
#include <cuda/device/division.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int bit_threads = 256;
inline constexpr int groups_of_thread = 4;

/// Rows of bits, a byte for each, and of bytes that have eight of them: a group. As in bit_plan.
struct bit_params {
  const unsigned char* in;
  unsigned char* out;
  std::int64_t n_bits, n_bytes;  // of a row
  fast_divisor per_row;          // groups, of as many bits as there are
  std::uint32_t groups;          // of all rows
  bool little;
};

const void* bit_kernel(bool packs);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
