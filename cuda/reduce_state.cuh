// Partial states of a reduction: merged among the threads of a block, and among blocks, always in the same
// order.
#pragma once
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
  memcpy(words, &mine, sizeof(Value));
#pragma unroll
  for (int i = 0; i < n_words; ++i) words[i] = shuffle(words[i]);
  Value other;
  memcpy(&other, words, sizeof(Value));
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
#pragma unroll 1
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
  __threadfence();
  __syncthreads();
  // The counter wraps to zero at n_splits, ready for the next launch.
  if (threadIdx.x == 0) last = atomicInc(ticket, n_splits - 1) == n_splits - 1;
  __syncthreads();
  __threadfence();
  return last;
}

template<class R>
inline constexpr bool is_moment = requires(typename R::state s) {
  s.count, s.mean, s.squares;
};
/// Moments that count every element, so that several may be taken in at once.
template<class R>
inline constexpr bool is_plain_moment = false;
template<class R>
requires is_moment<R>
inline constexpr bool is_plain_moment<R> = !R::skip_nan;

/// Two reductions at once: each goes the way that it goes alone.
template<class R>
inline constexpr bool is_paired = requires {
  typename R::first_reduction;
};

/// The state of N elements at once: exact mean and squares of a handful, instead of a division for each
/// element.
template<class R, int N>
__device__ __forceinline__ typename R::state moments_of(const typename R::element (&x)[N]) {
  using value = typename R::value;
  value sum = kernel::to_accumulator<value>(x[0]);
#pragma unroll
  for (int i = 1; i < N; ++i) sum = sum + kernel::to_accumulator<value>(x[i]);
  typename R::state s{N, R::scale(sum, typename R::real(1) / N), 0};
#pragma unroll
  for (int i = 0; i < N; ++i) {
    const value difference = kernel::to_accumulator<value>(x[i]) - s.mean;
    s.squares += R::inner(difference, difference);
  }
  return s;
}

/// Sums of floats in double: a pack is added up in pairs first, which spares most of the conversions and is
/// as good as NumPy's own pairwise sums.
template<class R>
inline constexpr bool adds_floats = false;
template<class R>
requires requires { typename R::core; }
inline constexpr bool adds_floats<R> =
    kernel::is_same<typename R::core, kernel::sum_core<float, double, false>>;

__device__ __forceinline__ double pairwise_sum(const float (&x)[4]) { return (x[0] + x[1]) + (x[2] + x[3]); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
