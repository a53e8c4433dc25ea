// Sums of products along an array. A block has a tile of sums, in registers, and goes through the taps in
// blocks, for each of which it needs a piece of the array that is a little longer than the tile.
#pragma once
#include <cuda/device/elements.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/signal/correlate_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T>
__device__ __forceinline__ T weight_at(const correlate_params& p, std::int64_t tap) {
  return static_cast<const T*>(p.weights)[p.reversed ? p.width - 1 - tap : tap];
}

/// One sum, over the elements that there are.
template<class T>
__device__ __forceinline__ T sum_at_edge(const correlate_params& p, std::int64_t k) {
  const T* const x = static_cast<const T*>(p.x);
  const std::int64_t first = k - p.before, begin = first < 0 ? -first : 0,
                     end = p.width < p.size - first ? p.width : p.size - first;
  T sum = T();
  for (std::int64_t i = begin; i < end;) {
    const std::int64_t block_end = (i / tap_block + 1) * tap_block, next = end < block_end ? end : block_end;
    T partial = T();
    for (; i < next; ++i) partial = kernel::add(partial, kernel::multiply(weight_at<T>(p, i), x[first + i]));
    sum = kernel::add(sum, partial);
  }
  return sum;
}

/// sums[j] += w[i] * x[j + i] over the taps i < n. x is aligned as four elements are.
template<class T>
__device__ __forceinline__ void add_taps(const T* x, const T* w, int n, T (&sums)[sums_of_thread]) {
  constexpr int step = sums_of_thread;
  T near[2 * step];
  const auto load = [&](int from, int to) {
    const auto loaded = *reinterpret_cast<const pack<T, step>*>(x + from);
#pragma unroll
    for (int j = 0; j < step; ++j) near[to + j] = loaded.values[j];
  };
  load(0, 0);
  int i = 0;
  for (; i + step <= n; i += step) {
    load(i + step, step);
#pragma unroll
    for (int tap = 0; tap < step; ++tap) {
      const T factor = w[i + tap];
#pragma unroll
      for (int j = 0; j < step; ++j) sums[j] = kernel::add(sums[j], kernel::multiply(factor, near[j + tap]));
    }
#pragma unroll
    for (int j = 0; j < step; ++j) near[j] = near[j + step];
  }
  for (; i < n; ++i)
#pragma unroll
    for (int j = 0; j < step; ++j) sums[j] = kernel::add(sums[j], kernel::multiply(w[i], x[i + j]));
}

template<class T>
__global__ void __launch_bounds__(correlate_threads)
    correlate_tile_of(const __grid_constant__ correlate_params p) {
  wait_for_prior_grids();
  constexpr int per_thread = sums_of_thread;
  alignas(per_thread * sizeof(T)) __shared__ T near[correlate_tile + tap_block];
  __shared__ T weights[tap_block];
  T* const out = static_cast<T*>(p.out);
  const std::int64_t first_k = static_cast<std::int64_t>(blockIdx.x) * correlate_tile,
                     first = first_k - p.before;
  const bool is_inside =
      first >= 0 && first + correlate_tile - 1 + p.width <= p.size && first_k + correlate_tile <= p.count;
  if (!is_inside) {
    for (std::int64_t k = first_k + threadIdx.x; k < first_k + correlate_tile && k < p.count;
         k += correlate_threads)
      out[k] = sum_at_edge<T>(p, k);
    return;
  }
  const T* const x = static_cast<const T*>(p.x) + first;
  const int own = static_cast<int>(threadIdx.x) * per_thread;
  T sums[per_thread];
#pragma unroll
  for (int j = 0; j < per_thread; ++j) sums[j] = T();
  for (std::int64_t tap = 0; tap < p.width; tap += tap_block) {
    const int n = p.width - tap < tap_block ? static_cast<int>(p.width - tap) : tap_block;
    for (int i = threadIdx.x; i < correlate_tile + n - 1; i += correlate_threads) near[i] = x[tap + i];
    if (static_cast<int>(threadIdx.x) < n) weights[threadIdx.x] = weight_at<T>(p, tap + threadIdx.x);
    __syncthreads();
    T partial[per_thread];
#pragma unroll
    for (int j = 0; j < per_thread; ++j) partial[j] = T();
    add_taps(near + own, weights, n, partial);
#pragma unroll
    for (int j = 0; j < per_thread; ++j) sums[j] = kernel::add(sums[j], partial[j]);
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < per_thread; ++j) out[first_k + own + j] = sums[j];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
