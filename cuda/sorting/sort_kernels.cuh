// What sorted numbers stand for, where keys have no room for rows: only those of eight bytes have none.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/order_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

__global__ void __launch_bounds__(order_threads) rows_of_numbers(const __grid_constant__ number_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i < p.size) static_cast<std::uint32_t*>(p.out)[i] = p.numbers[i] / p.n;
}

/// Elements as sorted keys would give them: every NaN has the same bits.
__global__ void __launch_bounds__(order_threads) pick_numbered(const __grid_constant__ number_params p) {
  wait_for_prior_grids();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i >= p.size) return;
  const std::uint64_t bits = static_cast<const std::uint64_t*>(p.elements)[p.numbers[i]];
  static_cast<std::uint64_t*>(p.out)[i] = kernel::bits_of_key(kernel::key_of_bits(bits, p.rule), p.rule);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
