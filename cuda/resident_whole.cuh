// Reductions of everything to one element, in a resident loop: what reduce_inner does, in the same order of
// additions, of elements side by side and aligned in all operands. A loop waits for each of its instructions,
// not for memory, so that nothing is found out here that is known when the kernel is compiled.
#pragma once
#include "computed_rows.cuh"
#include "reduce_inner.cuh"
#include "resident_points.cuh"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Packs of N elements of every operand of an expression.
template<class Expression, int N>
struct operand_packs {
  const char* rows[Expression::arity];
  const operand_block<Expression::slots>& p;

  __device__ __forceinline__ operand_packs(const operand_block<Expression::slots>& block, std::int64_t first)
      : p(block) {
    advance_rows<Expression>(rows, first, p);
  }
  __device__ __forceinline__ void load(function_operands<Expression, N>& of, std::uint32_t number) const {
    of.load([&]<int I>(auto& values) {
      using T = argument_t<Expression, I>;
      if constexpr (Expression::modes[I] == access::contiguous) {
        const pack<T, N> loaded = reinterpret_cast<const pack<T, N>*>(rows[I])[number];
#pragma unroll
        for (int k = 0; k < N; ++k) values[k] = loaded.values[k];
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
                                             std::uint32_t step, const operand_block<Expression::slots>& p) {
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
#pragma unroll
      for (int k = 0; k < lanes; ++k)
        if (at + u * step < whole) values[u].values[k] = operands[u].call(k);
    const auto index_of = [&](int i) {
      return part.first_index + static_cast<std::int64_t>(at + i / lanes * step) * lanes + i % lanes;
    };
    if (at + (unroll - 1) * step < whole) {
      partial.add_tile(reinterpret_cast<const E(&)[unroll * lanes]>(values), index_of);
    } else {
#pragma unroll
      for (int u = 0; u < unroll - 1; ++u)
        if (at + u * step < whole) partial.add_pack(values[u].values, lanes, index_of(u * lanes));
    }
  }
  // A last pack that is not whole is one thread's.
  if (whole < end && first <= whole && ((whole - first) & (step - 1)) == 0) {
    E values[lanes];
    compute_side_by_side<Expression>(values, packs.rows, static_cast<int>(whole * lanes),
                                     static_cast<int>(part.n - whole * lanes), p);
    partial.add_pack(values, static_cast<int>(part.n % lanes),
                     part.first_index + static_cast<std::int64_t>(whole) * lanes);
  }
}

template<class R>
__device__ __forceinline__ void reduce_packs(pack_states<R>& partial, reduced_part part, std::uint32_t first,
                                             std::uint32_t end, std::uint32_t step, const dense_params& p) {
  part.in = p.in + part.first_index * static_cast<std::int64_t>(sizeof(typename R::element));
  reduce_dense(partial, part, first, end, step);
}
template<class R, class Expression>
__device__ __forceinline__ void reduce_packs(pack_states<R>& partial, const reduced_part& part,
                                             std::uint32_t first, std::uint32_t end, std::uint32_t step,
                                             const expression_params<inner_params, Expression>& p) {
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
  GPARRAY_SYNC_BLOCK();  // of_warps may be used again
  return mine;
}

/// Of a reduction that several blocks share.
template<class R, class Params>
__device__ __forceinline__ void reduce_part(const Params& p, std::uint32_t split) {
  const typename R::state mine = reduce_split<R>(p, split);
  if (thread_number() == 0) partials_of<R>(p, 0)[split] = mine;
}

template<class R>
__device__ __forceinline__ known_value<typename R::result> store_whole(const inner_params& p,
                                                                       const typename R::state& state) {
  const known_value<typename R::result> result{p.out, R::finish(state, p.n_reduced, p.ddof)};
  if (thread_number() == 0) *reinterpret_cast<typename R::result*>(p.out) = result.value;
  return result;
}

/// Of one that a single block does: all threads of a team take part.
template<class R, class Params>
__device__ __forceinline__ known_value<typename R::result> reduce_whole(const Params& p) {
  return store_whole<R>(p, reduce_split<R>(p, 0));
}

/// merged_partials by one warp, which has the work of all warps of a block: so no barrier is needed. Threads
/// that would have no part have identities, which change nothing that has been merged with one already.
template<class R>
__device__ __forceinline__ typename R::state merge_in_warp(const typename R::state* partials,
                                                           std::uint32_t n_splits) {
  constexpr unsigned n_warps = reduce_threads / 32;
  typename R::state of_warps[n_warps];
#pragma unroll
  for (unsigned w = 0; w < n_warps; ++w) of_warps[w] = R::identity();
#pragma unroll 1
  for (std::uint32_t i = thread_number(); i < n_splits; i += reduce_threads)
#pragma unroll
    for (unsigned w = 0; w < n_warps; ++w)
      if (i + w * 32 < n_splits) R::merge(of_warps[w], partials[i + w * 32]);
  if (n_splits <= 32) {
    merge_lanes<R, 5>(of_warps[0]);
    return of_warps[0];
  }
  // The warps' lanes side by side, so that they do not wait for each other.
#pragma unroll
  for (int step = 0; step < 5; ++step)
#pragma unroll
    for (unsigned w = 0; w < n_warps; ++w) R::merge(of_warps[w], shuffle_down(of_warps[w], 1u << step));
#pragma unroll
  for (unsigned step = 1; step < n_warps; step *= 2)
#pragma unroll
    for (unsigned w = 0; w + step < n_warps; w += 2 * step) R::merge(of_warps[w], of_warps[w + step]);
  return of_warps[0];
}

/// What remains when the states of all splits are in memory, by one warp.
template<class R, class Params>
__device__ __forceinline__ known_value<typename R::result> merge_whole(const Params& p) {
  return store_whole<R>(p, merge_in_warp<R>(partials_of<R>(p, 0), p.split.n_splits));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
