// Counts of numbers, and of what lies between edges. They are integers, so that the order of additions makes
// no difference.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sorting/order_params.hpp>
#include <kernel/bin_number.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Elements that a thread loads at once.
inline constexpr int bin_unroll = 4;

/// Calls f(i) for the elements of this block, those of a thread in several turns: what load(i) says of them
/// is there before the first f.
template<class Load, class F>
__device__ __forceinline__ void for_block(const bin_params& p, Load load, F f) {
  const std::int64_t begin = blockIdx.x * p.per_block, end = min(begin + p.per_block, p.n);
  for (std::int64_t i = begin + threadIdx.x; i < end; i += bin_unroll * order_threads) {
    decltype(load(i)) loaded[bin_unroll] = {};
#pragma unroll
    for (int u = 0; u < bin_unroll; ++u)
      if (i + u * order_threads < end) loaded[u] = load(i + u * order_threads);
#pragma unroll
    for (int u = 0; u < bin_unroll; ++u)
      if (i + u * order_threads < end) f(loaded[u]);
  }
}

__device__ __forceinline__ void clear_counts(unsigned* counts, std::uint32_t n) {
  for (std::uint32_t b = threadIdx.x; b < n; b += order_threads) counts[b] = 0;
  __syncthreads();
}
__device__ __forceinline__ void add_counts(const unsigned* counts, const bin_params& p) {
  __syncthreads();
  for (std::uint32_t b = threadIdx.x; b < p.n_bins; b += order_threads)
    if (counts[b] > 0) atomicAdd(&p.counts[b], static_cast<unsigned long long>(counts[b]));
}

template<bool Few>
__global__ void __launch_bounds__(order_threads) count_numbers(const __grid_constant__ bin_params p) {
  wait_for_prior_grids();
  __shared__ unsigned counts[Few ? few_bins : 1];
  if (Few) clear_counts(counts, p.n_bins);
  for_block(
      p, [&](std::int64_t i) { return p.numbers[i]; },
      [&](std::int64_t number) {
        if (Few) atomicAdd(&counts[number], 1u);
        else atomicAdd(&p.counts[number], 1ull);
      });
  if (Few) add_counts(counts, p);
}

template<class T>
__global__ void __launch_bounds__(order_threads) count_between(const __grid_constant__ bin_params p) {
  wait_for_prior_grids();
  using number = kernel::bin_number<T>;
  __shared__ unsigned counts[most_bins_between];
  __shared__ typename number::value edges[most_bins_between + 1];
  for (std::uint32_t b = threadIdx.x; b <= p.n_bins; b += order_threads)
    edges[b] = number::wide(static_cast<const typename number::edge*>(p.edges)[b]);
  clear_counts(counts, p.n_bins);
  const int n = static_cast<int>(p.n_bins);
  const number of(edges, n);
  for_block(
      p, [&](std::int64_t i) { return static_cast<const T*>(p.elements)[i]; },
      [&](T element) {
        const int bin = of(edges, element);
        if (bin < n) atomicAdd(&counts[bin], 1u);
      });
  add_counts(counts, p);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
