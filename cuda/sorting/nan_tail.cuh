// What follows a sort that puts NaN last but leaves their bits.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/order_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Where there is no NaN a block reads one element.
template<class K>
__device__ __forceinline__ void canonicalize_nans_of_row(const nan_tail_params& p, K* row,
                                                         std::uint32_t first, std::uint32_t step) {
  const auto is_nan = [&](std::int64_t i) {
    return static_cast<K>(row[i] & static_cast<K>(~p.sign)) > static_cast<K>(p.infinity);
  };
  std::int64_t low = 0, high = p.n;  // NaN begin in [low, high]
  if (!is_nan(p.n - 1)) return;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (is_nan(middle)) high = middle;
    else low = middle + 1;
  }
  for (std::int64_t i = low + first; i < p.n; i += step) row[i] = static_cast<K>(p.nan);
}

/// Blocks of one row write what others read, but no NaN becomes a number.
__global__ void __launch_bounds__(nan_tail_threads)
    canonicalize_nans(const __grid_constant__ nan_tail_params p) {
  wait_for_prior_grids();
  const std::int64_t row = p.one_row ? 0 : blockIdx.x;
  const std::uint32_t first = (p.one_row ? blockIdx.x * nan_tail_threads : 0) + threadIdx.x,
                      step = p.one_row ? gridDim.x * nan_tail_threads : nan_tail_threads;
  char* const items = static_cast<char*>(p.items) + row * p.n * p.item_bytes;
  if (p.item_bytes == 2) canonicalize_nans_of_row(p, reinterpret_cast<std::uint16_t*>(items), first, step);
  else if (p.item_bytes == 4)
    canonicalize_nans_of_row(p, reinterpret_cast<std::uint32_t*>(items), first, step);
  else canonicalize_nans_of_row(p, reinterpret_cast<std::uint64_t*>(items), first, step);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
