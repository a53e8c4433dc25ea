// The parameter block of the kernel that convolves and correlates.
#pragma once
#include <cstdint>

#include <gparray/dtype.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int correlate_threads = 256;
inline constexpr int sums_of_thread = 4;  // neighbours
inline constexpr int correlate_tile = correlate_threads * sums_of_thread;
/// Products of this many taps are added up in their order, then the sums of such blocks: as the CPU does it.
inline constexpr int tap_block = 64;

/// As correlation_plan has them.
struct correlate_params {
  const void *x, *weights;
  void* out;
  std::int64_t size, width, before, count;
  bool reversed;
};

const void* find_correlate_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
