// Partial states of a reduction: merged among the threads of a block, and among blocks, always in the same
// order.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/device/elements.cuh>
#include <cuda/device/reduce_params.hpp>
#include <kernel/joined_reductions.hpp>

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

/// Merges the states of groups of 2^log_group neighbouring threads, whole warps, into the first of each.
template<class R>
__device__ __forceinline__ void merge_warps(typename R::state& mine, int log_group) {
  constexpr unsigned n_warps = reduce_threads / 32;
  __shared__ typename R::state of_teams[n_teams][n_warps];
  typename R::state(&of_warps)[n_warps] = of_teams[team_number()];
  const unsigned warp = thread_number() / 32, lane = thread_number() % 32,
                 warps_of_group = 1u << (log_group - 5);
  merge_lanes<R>(mine, 5);
  if (lane == 0) of_warps[warp] = mine;
  GPARRAY_SYNC_BLOCK();
  if (warp % warps_of_group == 0) {
    mine = lane < warps_of_group ? of_warps[warp + lane] : R::identity();
    merge_lanes<R>(mine, log_group - 5);
  }
  GPARRAY_SYNC_BLOCK();  // of_warps may be used again
}

/// Merges the states of all threads into thread 0's.
template<class R>
__device__ __forceinline__ void merge_block(typename R::state& mine) {
  merge_warps<R>(mine, log_reduce_threads);
}

/// Where the element that a kept index stands for begins, in bytes.
struct element_offsets {
  std::int64_t in = 0, out = 0;
};
template<class Params>
__device__ __forceinline__ element_offsets kept_offsets(const Params& p, std::uint32_t index) {
  element_offsets result;
#pragma unroll 1
  for (int d = p.kept.ndim - 1; d >= 0; --d) {
    std::uint32_t along = index;
    index = p.kept.shape[d].split(along);
    result.in += along * p.kept.strides[d];
    result.out += along * p.out_strides[d];
  }
  return result;
}

/// Says that this block's partials are written; true in the block that comes last and sees all of them.
__device__ __forceinline__ bool is_last_block(unsigned* counter, unsigned n_splits) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    // The barriers extend to all threads what the fences of one promise. The counter wraps to zero at
    // n_splits, ready for the next launch.
    __threadfence();
    last = atomicInc(counter, n_splits - 1) == n_splits - 1;
    __threadfence();
  }
  __syncthreads();
  return last;
}

template<class R>
inline constexpr bool is_joined = requires { R::n_results; };

/// The block without the outputs of joined reductions.
template<class Params>
struct parameter_base {
  using type = Params;
};
template<class Base>
struct parameter_base<joined_params<Base>> {
  using type = Base;
};
template<class Params>
using parameter_base_t = typename parameter_base<Params>::type;

/// Writes the results of n elements; `offset` is in bytes, or in results if there are several.
template<class R, class Params>
__device__ __forceinline__ void store_results(const Params& p, std::int64_t offset,
                                              const typename R::state& s, std::int64_t n) {
  if constexpr (is_joined<R>)
    R::finish_each(s, n, p.ddofs,
                   [&](int i, auto value) { reinterpret_cast<decltype(value)*>(p.outs[i])[offset] = value; });
  else *reinterpret_cast<typename R::result*>(p.out + offset) = R::finish(s, n, p.ddof);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
