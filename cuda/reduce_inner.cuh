// Reductions whose threads walk along the reduced elements: of everything, of rows, of any strides.
#pragma once
#include "reduce_state.cuh"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Elements [column, column + N) of a row of n.
template<class E, int N>
__device__ __forceinline__ void load_row(E (&values)[N], const char* row, std::uint32_t column,
                                         std::uint32_t n, const inner_params& p) {
  if (p.contiguous) {
    load_pack(values, row, static_cast<int>(column), static_cast<int>(n));
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k)
      values[k] = column + k < n ? load_as<E>(row + (column + k) * p.inner_stride, p.in_type) : E();
  }
}

/// The states of one thread that walks along packs: one for each place in a pack, but a single one of
/// moments, whose merging divides.
template<class R>
struct pack_states {
  using E = typename R::element;
  static constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E)),
                       n_states = is_moment<R> ? 1 : lanes;
  /// Whether several whole packs are taken in otherwise than element by element.
  static constexpr bool takes_packs = is_plain_moment<R> || adds_floats<R>;
  typename R::state states[n_states];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int k = 0; k < n_states; ++k) states[k] = R::identity();
  }
  __device__ __forceinline__ void add(int lane, E x, std::int64_t index) {
    R::add(states[is_moment<R> ? 0 : lane], x, index);
  }
  __device__ __forceinline__ void add_packs(const E (&values)[unroll][lanes],
                                            const std::int64_t (&indices)[unroll]) {
    if constexpr (is_plain_moment<R>) {
      R::merge(states[0], moments_of<R>(*reinterpret_cast<const E(*)[unroll * lanes]>(&values[0][0])));
    } else if constexpr (adds_floats<R>) {
#pragma unroll
      for (int u = 0; u < unroll; ++u) states[u % lanes].value += pairwise_sum(values[u]);
    } else {
#pragma unroll
      for (int u = 0; u < unroll; ++u)
#pragma unroll
        for (int k = 0; k < lanes; ++k) add(k, values[u][k], indices[u] + k);
    }
  }
  __device__ __forceinline__ typename R::state total() {
#pragma unroll
    for (int k = 1; k < n_states; ++k) R::merge(states[0], states[k]);
    return states[0];
  }
};

template<class R>
requires is_paired<R>
struct pack_states<R> {
  using E = typename R::element;
  using first_states = pack_states<typename R::first_reduction>;
  using second_states = pack_states<typename R::second_reduction>;
  static constexpr bool takes_packs = first_states::takes_packs || second_states::takes_packs;
  first_states first;
  second_states second;

  __device__ __forceinline__ void clear() {
    first.clear();
    second.clear();
  }
  __device__ __forceinline__ void add(int lane, E x, std::int64_t index) {
    first.add(lane, x, index);
    second.add(lane, x, index);
  }
  template<class Values, class Indices>
  __device__ __forceinline__ void add_packs(const Values& values, const Indices& indices) {
    first.add_packs(values, indices);
    second.add_packs(values, indices);
  }
  __device__ __forceinline__ typename R::state total() { return {first.total(), second.total()}; }
};

/// What a block sees: a row of n elements that begins at reduced index `first_index`, or, if there are other
/// reduced dimensions, all of them.
struct reduced_part {
  const char* in;
  std::int64_t first_index;
  std::uint32_t n;
};

/// The state of the packs first, first + step, ... below `end`.
template<class R, class Params>
__device__ __forceinline__ typename R::state reduce_packs(const reduced_part& part, std::uint32_t first,
                                                          std::uint32_t end, std::uint32_t step,
                                                          const Params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  pack_states<R> partial;
  partial.clear();

  for (std::uint32_t pack_index = first; pack_index < end; pack_index += step * unroll) {
    E values[unroll][lanes];
    std::uint32_t columns[unroll];
    std::int64_t indices[unroll];
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = pack_index + u * step;
      std::uint32_t row = 0, column = at;
      if (p.reduced.ndim > 0) row = p.packs_per_row.split(column);
      // Beyond the end nothing is loaded or counted.
      columns[u] = at < end ? column * lanes : part.n;
      indices[u] = part.first_index + static_cast<std::int64_t>(row) * part.n + columns[u];
      if (at < end) load_row(values[u], part.in + p.reduced.offset(row), columns[u], part.n, p);
    }
    if constexpr (pack_states<R>::takes_packs) {
      bool whole = true;
#pragma unroll
      for (int u = 0; u < unroll; ++u) whole = whole && columns[u] + lanes <= part.n;
      if (whole) {
        partial.add_packs(values, indices);
        continue;
      }
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
#pragma unroll
      for (int k = 0; k < lanes; ++k)
        if (columns[u] + k < part.n) partial.add(k, values[u][k], indices[u] + k);
  }
  return partial.total();
}

/// Params: inner_params, or a block derived from it whose load_row computes what it loads.
template<class R, class Params>
__global__ void __launch_bounds__(reduce_threads) reduce_inner(const __grid_constant__ Params p) {
  using state = typename R::state;
  const std::uint32_t n_splits = p.split.n_splits;
  const std::uint32_t split = n_splits > 1 ? blockIdx.x % n_splits : 0;
  const std::uint32_t group = n_splits > 1 ? blockIdx.x / n_splits : blockIdx.x;
  const std::uint32_t lane = threadIdx.x & ((1u << p.log_group) - 1);
  const std::uint32_t wanted = (group << (log_reduce_threads - p.log_group)) + (threadIdx.x >> p.log_group);
  // Threads without an output compute the last one too: all lanes take part in the shuffles.
  const std::uint32_t output = min(wanted, p.n_outputs - 1);

  std::int64_t in_offset = 0, out_offset = 0;
  std::uint32_t rest = output;
#pragma unroll 1
  for (int d = p.kept.ndim - 1; d >= 0; --d) {
    std::uint32_t along = rest;
    rest = p.kept.shape[d].split(along);
    in_offset += along * p.kept.strides[d];
    out_offset += along * p.out_strides[d];
  }

  constexpr int lanes = reduce_lanes(sizeof(typename R::element));
  const std::int64_t begin = static_cast<std::int64_t>(split) * p.packs_per_split;
  const auto n_packs =
      static_cast<std::uint32_t>(min(p.n_packs - begin, static_cast<std::int64_t>(p.packs_per_split)));
  reduced_part part{p.in + in_offset, 0, static_cast<std::uint32_t>(p.n_inner)};
  auto first = static_cast<std::uint32_t>(begin);
  if (p.reduced.ndim == 0) {
    // One row, which may be longer than 32 bits count: each split sees its own piece of it.
    part.first_index = begin * lanes;
    part.in += part.first_index * p.inner_stride;
    part.n = static_cast<std::uint32_t>(
        min(p.n_inner - part.first_index, static_cast<std::int64_t>(n_packs) * lanes));
    first = 0;
  }
  state mine = R::identity();
#pragma unroll 1
  for (std::uint32_t done = 0; done < n_packs; done += p.packs_per_chunk) {
    const std::uint32_t end = first + min(done + p.packs_per_chunk, n_packs);
    R::merge(mine, reduce_packs<R>(part, first + done + lane, end, 1u << p.log_group, p));
  }

  if (p.log_group <= 5) {
    merge_lanes<R>(mine, p.log_group);
  } else {
    merge_block<R>(mine);
    if (n_splits > 1) {
      state* partials = static_cast<state*>(p.split.partials) + static_cast<std::size_t>(output) * n_splits;
      if (threadIdx.x == 0) partials[split] = mine;
      if (!is_last_block(p.split.tickets + output, n_splits)) return;
      mine = R::identity();
#pragma unroll 1
      for (std::uint32_t i = threadIdx.x; i < n_splits; i += reduce_threads) R::merge(mine, partials[i]);
      merge_block<R>(mine);
    }
  }
  if (lane == 0 && wanted < p.n_outputs)
    *reinterpret_cast<typename R::result*>(p.out + out_offset) = R::finish(mine, p.n_reduced, p.ddof);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
