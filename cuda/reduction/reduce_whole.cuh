// Reductions of everything to one element: what reduce_inner does, in the same order of additions, of
// elements side by side and aligned in all operands. Latency is what counts here, for a host that waits for
// the result and for each iteration of a persistent loop: all that can be decided when the kernel is compiled
// is decided then.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/map/persistent_points.cuh>
#include <cuda/reduction/computed_rows.cuh>
#include <cuda/reduction/reduce_inner.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Packs of N elements of every operand of an expression.
template<class Expression, int N>
struct operand_packs {
  const char* rows[Expression::arity];
  const row_operands<Expression::slots>& p;

  __device__ __forceinline__ operand_packs(const row_operands<Expression::slots>& block, std::int64_t first)
      : p(block) {
    advance_rows<Expression>(rows, first, p);
  }
  __device__ __forceinline__ void load(function_operands<Expression, N>& of, std::uint32_t number) const {
    of.load([&]<int I>(auto& values) {
      using T = argument_t<Expression, I>;
      if constexpr (Expression::modes[I] == access::contiguous) {
        load_elements(values, reinterpret_cast<const pack<T, N>*>(rows[I]) + number);
      } else {
        const int first = static_cast<int>(number * N);
        load_lanes<Expression::modes[I]>(values, rows[I], p.constants[I], first, first + N);
      }
    });
  }
};

/// reduce_dense of an expression that begins at element part.first_index of `origin`: all loads of a tile are
/// in flight at once.
template<class R, class Expression>
__device__ __forceinline__ void reduce_packs(pack_states<R>& partial, const reduced_part& part,
                                             std::int64_t origin, std::uint32_t first, std::uint32_t end,
                                             std::uint32_t step, const row_operands<Expression::slots>& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  const operand_packs<Expression, lanes> packs(p, origin + part.first_index);
  const std::uint32_t whole = min(end, part.n / lanes);
#pragma unroll 1
  for (std::uint32_t at = first; at < whole; at += unroll * step) {
    function_operands<Expression, lanes> operands[unroll];
    pack<E, lanes> values[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      if (at + u * step < whole) packs.load(operands[u], at + u * step);
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      if (at + u * step < whole) operands[u].call_all(values[u].values);
    add_loaded<R>(partial, values, part.first_index, at, step, whole);
  }
  if (has_last_pack(first, end, step, whole)) {
    E values[lanes];
    compute_side_by_side<Expression>(values, packs.rows, static_cast<int>(whole * lanes),
                                     static_cast<int>(part.n - whole * lanes), p);
    partial.add_pack(values, static_cast<int>(part.n % lanes),
                     part.first_index + static_cast<std::int64_t>(whole) * lanes);
  }
}

template<class R>
__device__ __forceinline__ void reduce_packs(pack_states<R>& partial, reduced_part part, std::uint32_t first,
                                             std::uint32_t end, std::uint32_t step, const whole_params& p) {
  part.in = p.in + part.first_index * static_cast<std::int64_t>(sizeof(typename R::element));
  reduce_dense(partial, part, first, end, step);
}
template<class R, class Expression>
__device__ __forceinline__ void reduce_packs(pack_states<R>& partial, const reduced_part& part,
                                             std::uint32_t first, std::uint32_t end, std::uint32_t step,
                                             const expression_params<whole_params, Expression>& p) {
  const auto origin =
      static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(p.in) / sizeof(typename R::element));
  reduce_packs<R, Expression>(partial, part, origin, first, end, step, p.operands);
}

/// merge_lanes of 2^Log lanes.
template<class R, int Log>
__device__ __forceinline__ void merge_lanes(typename R::state& mine) {
#pragma unroll
  for (int step = 0; step < Log; ++step) R::merge(mine, shuffle_down(mine, 1u << step));
}

/// The state of split number `split`, in the team's first thread.
template<class R, class Params>
__device__ __forceinline__ typename R::state reduce_split(const Params& p, std::uint32_t split) {
  constexpr int lanes = reduce_lanes(sizeof(typename R::element));
  constexpr unsigned n_warps = reduce_threads / 32;
  const std::int64_t begin = static_cast<std::int64_t>(split) * p.packs_per_split;
  const auto n_packs =
      static_cast<std::uint32_t>(min(p.n_packs - begin, static_cast<std::int64_t>(p.packs_per_split)));
  reduced_part part{nullptr, begin * lanes, 0};
  part.n = static_cast<std::uint32_t>(
      min(p.n_inner - part.first_index, static_cast<std::int64_t>(n_packs) * lanes));
  typename R::state mine = R::identity();
  pack_states<R> partial;
  partial.clear();
  const std::uint32_t per_chunk = is_exact<R> ? n_packs : p.packs_per_chunk;
#pragma unroll 1
  for (std::uint32_t done = 0; done < n_packs; done += per_chunk) {
    reduce_packs<R>(partial, part, done + thread_number(), min(done + per_chunk, n_packs), reduce_threads, p);
    partial.template merge_into<false>(mine);
  }
  partial.template merge_into<true>(mine);

  __shared__ typename R::state of_teams[n_teams][n_warps];
  typename R::state(&of_warps)[n_warps] = of_teams[team_number()];
  merge_lanes<R, 5>(mine);
  if (thread_number() % 32 == 0) of_warps[thread_number() / 32] = mine;
  GPARRAY_SYNC_BLOCK();
  if (thread_number() < 32) {
    mine = thread_number() < n_warps ? of_warps[thread_number()] : R::identity();
    merge_lanes<R, log_reduce_threads - 5>(mine);
  }
  if constexpr (is_persistent) GPARRAY_SYNC_BLOCK();  // of_warps may be used again
  return mine;
}

/// Of a reduction that several blocks share.
template<class R, class Params>
__device__ __forceinline__ void reduce_part(const Params& p, std::uint32_t split) {
  const typename R::state mine = reduce_split<R>(p, split);
  if (thread_number() == 0) partials_of<R>(p, 0)[split] = mine;
}

template<class R>
__device__ __forceinline__ known_value<typename R::result> store_whole(const whole_params& p,
                                                                       const typename R::state& state) {
  const known_value<typename R::result> result{p.out, R::finish(state, p.n_reduced, p.ddof)};
  if (stores_points()) *reinterpret_cast<typename R::result*>(p.out) = result.value;
  return result;
}

/// Of one that a single block does: all threads of a team take part.
template<class R, class Params>
__device__ __forceinline__ known_value<typename R::result> reduce_alone(const Params& p) {
  return store_whole<R>(p, reduce_split<R>(p, 0));
}

/// merged_partials by one warp, which has the work of N warps of a block: so no barrier is needed. Threads
/// that would have no part have identities, which change nothing that has been merged with one already.
template<class R, int N>
struct split_states {
  typename R::state of_warps[N];

  __device__ __forceinline__ void load(const typename R::state* partials, std::uint32_t n_splits) {
#pragma unroll
    for (unsigned w = 0; w < N; ++w) of_warps[w] = R::identity();
#pragma unroll 1
    for (std::uint32_t i = thread_number(); i < n_splits; i += reduce_threads)
#pragma unroll
      for (unsigned w = 0; w < N; ++w)
        if (i + w * 32 < n_splits) R::merge(of_warps[w], partials[i + w * 32]);
  }
  template<class Params>
  __device__ __forceinline__ void load(const Params& p) {
    load(partials_of<R>(p, 0), p.split.n_splits);
  }

  __device__ __forceinline__ const typename R::state& merge() {
    // The warps' lanes side by side, so that they do not wait for each other.
#pragma unroll
    for (int step = 0; step < 5; ++step)
#pragma unroll
      for (unsigned w = 0; w < N; ++w) R::merge(of_warps[w], shuffle_down(of_warps[w], 1u << step));
#pragma unroll
    for (unsigned step = 1; step < N; step *= 2)
#pragma unroll
      for (unsigned w = 0; w + step < N; w += 2 * step) R::merge(of_warps[w], of_warps[w + step]);
    return of_warps[0];
  }
};
template<class R, int N>
__device__ __forceinline__ typename R::state merge_as_warps(const typename R::state* partials,
                                                            std::uint32_t n_splits) {
  split_states<R, N> states;
  states.load(partials, n_splits);
  return states.merge();
}
template<class R>
__device__ __forceinline__ typename R::state merge_in_warp(const typename R::state* partials,
                                                           std::uint32_t n_splits) {
  switch (warps_of_splits(n_splits)) {
    case 1:
      return merge_as_warps<R, 1>(partials, n_splits);
    case 4:
      return merge_as_warps<R, 4>(partials, n_splits);
    default:
      return merge_as_warps<R, 8>(partials, n_splits);
  }
}

/// What remains when the states of all splits are in memory, by one warp; and when it has loaded them.
template<class R, class Params>
__device__ __forceinline__ known_value<typename R::result> merge_whole(const Params& p) {
  return store_whole<R>(p, merge_in_warp<R>(partials_of<R>(p, 0), p.split.n_splits));
}
template<class R, class Params, int N>
__device__ __forceinline__ known_value<typename R::result> merge_whole(const Params& p,
                                                                       split_states<R, N>& loaded) {
  return store_whole<R>(p, loaded.merge());
}

/// Leaves this block's state in memory; true in the first warp of the block that comes last and sees all of
/// them. The first warp calls it.
template<class R>
__device__ __forceinline__ bool is_last_state(const typename R::state& mine, const whole_params& p) {
  bool last = false;
  if (threadIdx.x == 0) {
    partials_of<R>(p, 0)[blockIdx.x] = mine;
    // Wraps to zero, as in is_last_block. What is released is this thread's own.
#if defined(__CUDA_ARCH__)
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(p.split.counters), "r"(p.split.n_splits - 1)
                 : "memory");
#else
    const unsigned before = atomicInc(p.split.counters, p.split.n_splits - 1);
#endif
    last = before == p.split.n_splits - 1;
  }
  last = __shfl_sync(0xffffffffu, unsigned{last}, 0);
  __syncwarp();  // what thread 0 has acquired
  return last;
}

template<class R, class Params>
__global__ void __launch_bounds__(reduce_threads) reduce_whole(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  typename R::state mine = reduce_split<R>(p, blockIdx.x);
  if (threadIdx.x >= 32) return;
  if (p.split.n_splits > 1) {
    if (!is_last_state<R>(mine, p)) return;
    mine = merge_in_warp<R>(partials_of<R>(p, 0), p.split.n_splits);
  }
  if (threadIdx.x == 0) *reinterpret_cast<typename R::result*>(p.out) = R::finish(mine, p.n_reduced, p.ddof);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
