// Posts a few bytes to the host.
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/runtime/mailbox_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

__global__ void post(const __grid_constant__ post_params p) {
  wait_for_prior_grids();
  const std::uint32_t first = threadIdx.x * 4;
  std::uint32_t value = 0;
  // Byte by byte: the elements may be smaller than four, and lie anywhere.
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i)
    if (first + i < p.bytes) value |= std::uint32_t{static_cast<unsigned char>(p.from[first + i])} << (8 * i);
  // Eight bytes arrive together, so each word shows by itself that it is there, and none needs a fence.
  *static_cast<volatile std::uint64_t*>(p.words + threadIdx.x) = std::uint64_t{p.stamp} << 32 | value;
}

}  // namespace

const void* find_post_kernel() { return reinterpret_cast<const void*>(&post); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
