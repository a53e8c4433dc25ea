// Binary search, one thread for each value; and reductions of runs, one warp for each.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/reduction/reduce_state.cuh>
#include <cuda/sorting/order_params.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T>
__global__ void __launch_bounds__(order_threads) find_positions(const __grid_constant__ search_params p) {
  wait_for_prior_grids();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * order_threads + threadIdx.x;
  if (i >= p.count) return;
  const T value = static_cast<const T*>(p.values)[i];
  const T* const sorted = static_cast<const T*>(p.sorted);
  std::int64_t low = 0, high = p.n;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const T x = sorted[middle];
    const bool behind = p.right ? !kernel::sorts_before(value, x) : kernel::sorts_before(x, value);
    if (behind) low = middle + 1;
    else high = middle;
  }
  if (p.found) p.found[i] = kernel::stands_at(sorted, p.n, low, value);
  else p.out[i] = low;
}

/// Lanes take every 32nd value of a run; then their states are merged, always in the same order.
template<class Reduction, class T>
__global__ void __launch_bounds__(order_threads) reduce_run(const __grid_constant__ run_params p) {
  wait_for_prior_grids();
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * (order_threads / 32) + threadIdx.x / 32;
  if (i >= p.n_out) return;
  const std::int64_t run = i % p.count, begin = p.begins[run], end = p.ends[run];
  const T* const values = static_cast<const T*>(p.values) + i / p.count * p.n;
  typename Reduction::state state = Reduction::identity();
  for (std::int64_t j = begin + threadIdx.x % 32; j < end; j += 32) Reduction::add(state, values[j], j);
  merge_lanes<Reduction>(state, 5);
  if (threadIdx.x % 32 == 0)
    static_cast<typename Reduction::result*>(p.out)[i] = Reduction::finish(state, end - begin, 0);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
