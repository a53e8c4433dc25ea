// A radix sort by the lowest digit first, in three kernels a digit: count the digits of every tile, add up
// what is before each, and move the keys to their places. Within a tile the order is kept by letting each
// warp count the lanes before its own that have the same digit; then keys go through shared memory, so that
// neighbours are written to neighbouring places.
#pragma once
#include <kernel/sort_key.hpp>

#include "earlier_work.cuh"
#include "order_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T, class K>
__global__ void __launch_bounds__(order_threads) make_keys(const __grid_constant__ key_params p) {
  wait_for_earlier_work();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i >= p.size) return;
  const T x = static_cast<const T*>(p.elements)[i];
  K key = p.stable ? kernel::tie_key(x) : kernel::sort_key(x);
  // Shifted only where there is room for rows: a shift by all bits would be undefined.
  if (p.size > p.n) key |= static_cast<K>(i / p.n) << p.key_bits;
  static_cast<K*>(p.keys)[i] = key;
}

template<class T, class K>
__global__ void __launch_bounds__(order_threads) take_elements(const __grid_constant__ key_params p) {
  wait_for_earlier_work();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i >= p.size) return;
  const K key = static_cast<const K*>(p.keys)[i];
  static_cast<T*>(p.out)[i] = kernel::from_sort_key<T>(static_cast<kernel::unsigned_t<T>>(key));
}

template<class K>
__device__ __forceinline__ unsigned digit_of(K key, int shift) {
  return static_cast<unsigned>(key >> shift) & (n_digits - 1);
}

template<class K>
__global__ void __launch_bounds__(order_threads) count_digits(const __grid_constant__ radix_params p) {
  wait_for_earlier_work();
  __shared__ unsigned counts[n_digits];
  counts[threadIdx.x] = 0;
  __syncthreads();
  const std::uint32_t begin = blockIdx.x * sort_tile, left = p.size - begin;
  const K* const keys = static_cast<const K*>(p.keys) + begin;
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = k * order_threads + threadIdx.x;
    if (i < left) atomicAdd(&counts[digit_of(keys[i], p.shift)], 1u);
  }
  __syncthreads();
  p.counts[static_cast<std::size_t>(threadIdx.x) * p.n_tiles + blockIdx.x] = counts[threadIdx.x];
}

/// The sum over the threads before this one; every thread of the block calls it. `total` is that of all.
__device__ __forceinline__ unsigned sum_before(unsigned mine, unsigned& total) {
  __shared__ unsigned of_warps[order_threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = mine;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += other;
  }
  __syncthreads();
  if (lane == 31) of_warps[warp] = sum;
  __syncthreads();
  unsigned before = 0;
  total = 0;
#pragma unroll
  for (unsigned w = 0; w < order_threads / 32; ++w) {
    if (w < warp) before += of_warps[w];
    total += of_warps[w];
  }
  return before + sum - mine;
}

/// One block for each digit.
__global__ void __launch_bounds__(order_threads) digit_offsets(const __grid_constant__ radix_params p) {
  wait_for_earlier_work();
  std::uint32_t* const counts = p.counts + static_cast<std::size_t>(blockIdx.x) * p.n_tiles;
  unsigned before = 0;
  for (std::uint32_t begin = 0; begin < p.n_tiles; begin += order_threads) {
    const std::uint32_t tile = begin + threadIdx.x;
    const unsigned mine = tile < p.n_tiles ? counts[tile] : 0;
    unsigned total;
    const unsigned sum = sum_before(mine, total);
    if (tile < p.n_tiles) counts[tile] = before + sum;
    before += total;
  }
  if (threadIdx.x == 0) p.totals[blockIdx.x] = before;
}

template<class K>
__global__ void __launch_bounds__(order_threads) scatter_keys(const __grid_constant__ radix_params p) {
  wait_for_earlier_work();
  constexpr int n_warps = order_threads / 32;
  __shared__ unsigned of_warp[n_warps][n_digits];  // keys of the digit in this warp, then in those before it
  __shared__ unsigned in_tile[n_digits];           // where the digit begins in the tile
  __shared__ unsigned in_result[n_digits];  // what takes a place in the tile to its place in the result
  __shared__ K staged[sort_tile];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, digit = threadIdx.x;
  const std::uint32_t begin = blockIdx.x * sort_tile, left = min(p.size - begin, std::uint32_t(sort_tile));
  for (int w = 0; w < n_warps; ++w) of_warp[w][digit] = 0;
  __syncthreads();

  // A warp's keys are neighbours; `rank` is how many of this warp before a key have its digit.
  K keys[keys_per_thread];
  unsigned short ranks[keys_per_thread];
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = warp * (32 * keys_per_thread) + k * 32 + lane;
    const bool valid = i < left;
    keys[k] = valid ? static_cast<const K*>(p.keys)[begin + i] : K(0);
    const unsigned mine = valid ? digit_of(keys[k], p.shift) : n_digits;
    const unsigned peers = __match_any_sync(0xffffffffu, mine), earlier = peers & ((1u << lane) - 1);
    unsigned before = 0;
    if (valid) before = of_warp[warp][mine];
    __syncwarp();
    if (valid && earlier == 0) of_warp[warp][mine] = before + __popc(peers);
    __syncwarp();
    ranks[k] = static_cast<unsigned short>(before + __popc(earlier));
  }
  __syncthreads();

  unsigned count = 0;
  for (int w = 0; w < n_warps; ++w) {
    const unsigned of_this = of_warp[w][digit];
    of_warp[w][digit] = count;
    count += of_this;
  }
  unsigned unused;
  const unsigned first = sum_before(count, unused);
  in_tile[digit] = first;
  const unsigned digits_before = sum_before(p.totals[digit], unused);
  in_result[digit] =
      digits_before + p.counts[static_cast<std::size_t>(digit) * p.n_tiles + blockIdx.x] - first;
  __syncthreads();

#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = warp * (32 * keys_per_thread) + k * 32 + lane;
    if (i >= left) continue;
    const unsigned mine = digit_of(keys[k], p.shift);
    ranks[k] = static_cast<unsigned short>(in_tile[mine] + of_warp[warp][mine] + ranks[k]);
    staged[ranks[k]] = keys[k];
  }
  __syncthreads();
  std::uint32_t places[keys_per_thread];
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = k * order_threads + threadIdx.x;
    if (i >= left) continue;
    places[k] = in_result[digit_of(staged[i], p.shift)] + i;
    static_cast<K*>(p.sorted_keys)[places[k]] = staged[i];
  }
  if (!p.sorted_numbers) return;
  __syncthreads();
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = warp * (32 * keys_per_thread) + k * 32 + lane;
    if (i < left) staged[ranks[k]] = static_cast<K>(p.first ? begin + i : p.numbers[begin + i]);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < keys_per_thread; ++k) {
    const std::uint32_t i = k * order_threads + threadIdx.x;
    if (i < left) p.sorted_numbers[places[k]] = static_cast<std::uint32_t>(staged[i]);
  }
}

__global__ void __launch_bounds__(order_threads) rows_of_numbers(const __grid_constant__ number_params p) {
  wait_for_earlier_work();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i < p.size) static_cast<std::uint32_t*>(p.out)[i] = p.numbers[i] / p.n;
}

__global__ void __launch_bounds__(order_threads) numbers_in_rows(const __grid_constant__ number_params p) {
  wait_for_earlier_work();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i < p.size) static_cast<std::int64_t*>(p.out)[i] = p.numbers[i] % p.n;
}

template<class T>
__global__ void __launch_bounds__(order_threads) pick_numbered(const __grid_constant__ number_params p) {
  wait_for_earlier_work();
  const std::uint32_t i = blockIdx.x * order_threads + threadIdx.x;
  if (i < p.size) static_cast<T*>(p.out)[i] = static_cast<const T*>(p.elements)[p.numbers[i]];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
