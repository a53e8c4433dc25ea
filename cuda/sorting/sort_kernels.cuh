// What sorted numbers stand for, where keys have no room for rows: only those of eight bytes have none; and
// the order of what agrees in the bits that were sorted.
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

/// Few words agree with their neighbours in row and first bits: the first one of those puts them all in
/// order.
__global__ void __launch_bounds__(order_threads) order_ties(const __grid_constant__ tie_params p) {
  wait_for_prior_grids();
  const std::uint32_t first = blockIdx.x * order_threads + threadIdx.x;
  if (first >= p.size) return;
  const std::uint32_t key = p.keys[first];
  if (first > 0 && p.keys[first - 1] == key) return;
  std::uint32_t end = first + 1;
  while (end < p.size && p.keys[end] == key) ++end;
  for (std::uint32_t i = first + 1; i < end; ++i) {
    const std::uint32_t number = p.numbers[i];
    const std::uint64_t word = p.words[number];
    std::uint32_t to = i;
    for (; to > first && p.words[p.numbers[to - 1]] > word; --to) p.numbers[to] = p.numbers[to - 1];
    p.numbers[to] = number;
  }
  for (std::uint32_t i = first; i < end; ++i) {
    std::uint32_t in_row = p.numbers[i];
    p.n.split(in_row);
    p.order[i] = in_row;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
