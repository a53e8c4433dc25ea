// Within a tile of keys: where each belongs by one digit. Equal digits stay in order, since each warp counts
// the lanes before its own that have the same one.
#pragma once
#include <cuda/sorting/radix_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class K>
__device__ __forceinline__ unsigned digit_of(K key, int shift) {
  return static_cast<unsigned>(key >> shift) & (n_digits - 1);
}

/// The sum over the threads before this one of the first n_digits; every thread of the block calls it.
__device__ __forceinline__ unsigned sum_of_digits_before(unsigned mine) {
  __shared__ unsigned of_warps[n_digits / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = mine;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += other;
  }
  if (lane == 31 && warp < n_digits / 32) of_warps[warp] = sum;
  __syncthreads();
  unsigned before = 0;
#pragma unroll
  for (unsigned w = 0; w < n_digits / 32; ++w)
    if (w < warp) before += of_warps[w];
  return before + sum - mine;
}

/// The lanes of the warp whose digit is this one's. Eight ballots are faster than one match of whole digits.
__device__ __forceinline__ unsigned matching_lanes(unsigned digit) {
  unsigned peers = ~0u;
#pragma unroll
  for (int bit = 0; bit < digit_bits; ++bit) {
    const bool is_set = (digit >> bit & 1) != 0;
    const unsigned set = __ballot_sync(0xffffffffu, is_set);
    peers &= is_set ? set : ~set;
  }
  return peers;
}

/// The number of a thread's first item in its block: a warp has neighbours, of which each thread has every
/// 32nd.
__device__ __forceinline__ unsigned first_item(int n_used) {
  return threadIdx.x / 32 * 32 * n_used + threadIdx.x % 32;
}

template<int Threads>
using warp_counts = unsigned[Threads / 32][n_digits];

/// ranks[k] = the place of item k < n_used among the block's, by digits(k) and then by first_item(n_used) +
/// 32 k. As soon as they are known, counted(count, first) has, in the thread of each digit, how often it
/// occurs and where it begins. All threads call it; the counts may be used again after a barrier.
template<int Threads, int Items, class Digits, class Counted>
__device__ __forceinline__ void rank_items(warp_counts<Threads>& counts, int n_used, unsigned (&ranks)[Items],
                                           Digits digits, Counted counted) {
  constexpr int n_warps = Threads / 32;
  const unsigned lane = threadIdx.x % 32, digit = threadIdx.x;
  unsigned (&of_warp)[n_digits] = counts[threadIdx.x / 32];
#pragma unroll
  for (int i = 0; i < n_digits / 32; ++i) of_warp[i * 32 + lane] = 0;
  __syncwarp();
#pragma unroll
  for (int k = 0; k < Items; ++k)
    if (k < n_used) atomicAdd(&of_warp[digits(k)], 1u);
  __syncthreads();

  unsigned before[n_warps], count = 0;
  if (Threads == n_digits || digit < n_digits)
#pragma unroll
    for (int w = 0; w < n_warps; ++w) {
      before[w] = count;
      count += counts[w][digit];
    }
  const unsigned first = sum_of_digits_before(count);
  if (Threads == n_digits || digit < n_digits) {
    counted(count, first);
#pragma unroll
    for (int w = 0; w < n_warps; ++w) counts[w][digit] = first + before[w];
  }
  __syncthreads();

#pragma unroll
  for (int k = 0; k < Items; ++k) {
    if (k >= n_used) break;
    const unsigned mine = digits(k), peers = matching_lanes(mine), last = 31 - __clz(peers);
    unsigned position = 0;
    if (lane == last) position = atomicAdd(&of_warp[mine], static_cast<unsigned>(__popc(peers)));
    position = __shfl_sync(0xffffffffu, position, last);
    ranks[k] = position + __popc(peers & ((1u << lane) - 1));
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
