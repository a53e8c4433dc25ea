// Rows that fit into the shared memory of a block are sorted there, in one launch.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/radix_items.cuh>
#include <cuda/sorting/radix_rank.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Numbers, which a block needs if it has several rows, are those of the items in the block.
template<class K, bool WithNumbers>
__global__ void __launch_bounds__(row_shape::threads) sort_rows(const __grid_constant__ row_params p) {
  wait_for_prior_grids();
  constexpr int items = row_shape::items, threads = row_shape::threads;
  __shared__ union {
    warp_counts<threads> counts;
    K keys[row_shape::tile];
    std::uint32_t numbers[row_shape::tile];
  } shared;
  const std::uint32_t begin = blockIdx.x * p.per_block, n = min(p.size - begin, p.per_block);
  // As few of each thread's items as there can be, so that all warps have some.
  const int n_used = static_cast<int>((p.per_block + threads - 1) / threads);
  const std::uint32_t first = first_item(n_used);
  const auto position = [&](int k) { return first + 32 * k; };
  const auto is_there = [&](int k) { return k < n_used && position(k) < n; };
  K keys[items];
  std::uint32_t numbers[WithNumbers ? items : 1];
  load_keys(p.source, keys, begin + first, 32, begin + n, n_used);
  if constexpr (WithNumbers)
#pragma unroll
    for (int k = 0; k < items; ++k) numbers[k] = position(k);

  const auto sort_by = [&](auto digits) {
    unsigned ranks[items];
    rank_items<threads>(shared.counts, n_used, ranks, digits, [](unsigned, unsigned) {});
    const auto move = [&](auto& values, auto& through) {
      __syncthreads();
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (k < n_used) through[ranks[k]] = values[k];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (k < n_used) values[k] = through[position(k)];
    };
    move(keys, shared.keys);
    if constexpr (WithNumbers) move(numbers, shared.numbers);
    __syncthreads();
  };
  for (int shift = 0; shift < p.bits; shift += digit_bits)
    sort_by([&](int k) { return digit_of(keys[k], shift); });
  if constexpr (WithNumbers)
    for (int shift = 0; shift < p.row_bits; shift += digit_bits)
      sort_by([&](int k) {
        return numbers[k] < n ? digit_of(p.result.n.divide(numbers[k]), shift) : unsigned{n_digits - 1};
      });

  const auto in_result = [&](int k) { return begin + position(k); };
  store_keys(p.result, keys, in_result, is_there);
  if constexpr (WithNumbers) store_numbers(p.result, numbers, in_result, is_there);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
