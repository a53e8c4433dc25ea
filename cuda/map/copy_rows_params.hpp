// The parameter block of the kernel that copies several blocks of memory.
#pragma once
#include <cuda/device/division.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int copy_rows_threads = 256;
inline constexpr int units_of_thread = 4;
inline constexpr int most_row_copies = 32;

/// A copy in units of 4, 8 or 16 bytes, which are aligned.
struct rows_of_units {
  const char* from;
  char* to;
  std::int64_t from_step, to_step;  // bytes from a row to the next
  fast_divisor per_row;
  std::uint32_t units;
  std::uint32_t first_block;
  std::int32_t unit_bytes;
};

struct copy_rows_params {
  std::int32_t n;
  bool in_turn;  // all are as long, and blocks take the same part of each, one after the other
  rows_of_units copies[most_row_copies];
};

const void* copy_rows_kernel();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
