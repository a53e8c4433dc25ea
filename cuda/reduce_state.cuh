// Partial states of a reduction: merged among the threads of a block, and among blocks, always in the same
// order.
#pragma once
#include <gparray/reduction_table.hpp>
#include <kernel/reductions.hpp>

#include "elements.cuh"
#include "reduce_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Moves a value of any size between the lanes of a warp, word by word.
template<class Value, class Shuffle>
__device__ __forceinline__ Value shuffle_words(const Value& mine, Shuffle shuffle) {
  constexpr int n_words = (sizeof(Value) + 3) / 4;
  unsigned words[n_words] = {};
  __builtin_memcpy(words, &mine, sizeof(Value));
#pragma unroll
  for (int i = 0; i < n_words; ++i) words[i] = shuffle(words[i]);
  Value other;
  __builtin_memcpy(&other, words, sizeof(Value));
  return other;
}

/// Every lane of the warp takes part in these.
template<class Value>
__device__ __forceinline__ Value shuffle_down(const Value& mine, unsigned delta) {
  return shuffle_words(mine, [&](unsigned word) { return __shfl_down_sync(0xffffffffu, word, delta); });
}
template<class Value>
__device__ __forceinline__ Value shuffle_up(const Value& mine, unsigned delta) {
  return shuffle_words(mine, [&](unsigned word) { return __shfl_up_sync(0xffffffffu, word, delta); });
}
template<class Value>
__device__ __forceinline__ Value shuffle_from(const Value& mine, unsigned lane) {
  return shuffle_words(mine, [&](unsigned word) { return __shfl_sync(0xffffffffu, word, lane); });
}

/// Merges the states of groups of 2^log_group <= 32 neighbouring lanes into the first of each. All lanes take
/// part.
template<class R>
__device__ __forceinline__ void merge_lanes(typename R::state& mine, int log_group) {
  for (int step = 0; step < log_group; ++step) {
    // Pairs first: a lane takes in its right neighbour, then the pair to the right, and so on.
    const typename R::state other = shuffle_down(mine, 1u << step);
    R::merge(mine, other);
  }
}

/// Merges the states of all threads into thread 0's.
template<class R>
__device__ __forceinline__ void merge_block(typename R::state& mine) {
  constexpr int n_warps = reduce_threads / 32;
  __shared__ typename R::state of_warps[n_warps];
  merge_lanes<R>(mine, 5);
  if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = threadIdx.x < n_warps ? of_warps[threadIdx.x] : R::identity();
    merge_lanes<R>(mine, 3);
  }
  __syncthreads();  // of_warps may be used again
}

/// Says that this block's partials are written; true in the block that comes last and sees all of them.
__device__ __forceinline__ bool is_last_block(unsigned* ticket, unsigned n_splits) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    // The barriers carry the order that one thread's fences make over to the others. The counter wraps to
    // zero at n_splits, ready for the next launch.
    __threadfence();
    last = atomicInc(ticket, n_splits - 1) == n_splits - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
