// Reductions whose threads walk along the reduced elements: of everything, of rows, of any strides.
#pragma once
#include "reduce_tiles.cuh"

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

/// What a block sees: a row of n elements that begins at reduced index `first_index`, or, if there are other
/// reduced dimensions, all of them.
struct reduced_part {
  const char* in;
  std::int64_t first_index;
  std::uint32_t n;
};

/// Takes in the packs pack_index, pack_index + step, ... below `end` that are whole, of one row of side-by-side
/// elements: first in tiles, whose loads are all in flight at once, then the few that are left. Returns the
/// first pack not taken in. Tiles and packs are those of the loop in reduce_packs.
template<class R, int States>
__device__ __forceinline__ std::uint32_t reduce_dense(typename R::state (&partial)[States],
                                                      const reduced_part& part, std::uint32_t pack_index,
                                                      std::uint32_t end, std::uint32_t step) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  const auto* packs = reinterpret_cast<const pack<E, lanes>*>(part.in);
  const std::uint32_t whole = min(end, part.n / lanes);
  const auto index_of = [&](int i) {
    return part.first_index + static_cast<std::int64_t>(pack_index + i / lanes * step) * lanes + i % lanes;
  };
  pack<E, lanes> values[unroll];
  for (; pack_index + (unroll - 1) * step < whole; pack_index += unroll * step) {
#pragma unroll
    for (int u = 0; u < unroll; ++u) values[u] = packs[pack_index + u * step];
    add_tile<R>(partial, reinterpret_cast<const E(&)[unroll * lanes]>(values), index_of);
  }
#pragma unroll
  for (int u = 0; u < unroll - 1; ++u)
    if (pack_index + u * step < whole) values[u] = packs[pack_index + u * step];
#pragma unroll
  for (int u = 0; u < unroll - 1; ++u)
    if (pack_index < whole) {
      add_pack<R>(partial, values[u].values, lanes, index_of(0));
      pack_index += step;
    }
  return pack_index;
}

/// The state of the packs first, first + step, ... below `end`.
template<class R>
__device__ __forceinline__ typename R::state reduce_packs(const reduced_part& part, std::uint32_t first,
                                                          std::uint32_t end, std::uint32_t step,
                                                          const inner_params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E)),
                n_states = partial_states<R>(lanes);
  typename R::state partial[n_states];
#pragma unroll
  for (int k = 0; k < n_states; ++k) partial[k] = R::identity();

  std::uint32_t pack_index = first;
  if (p.contiguous && p.reduced.ndim == 0 && is_aligned<pack<E, lanes>>(part.in))
    pack_index = reduce_dense<R>(partial, part, pack_index, end, step);
  for (; pack_index < end; pack_index += step * unroll) {
    E values[unroll][lanes];
    std::uint32_t columns[unroll];
    std::int64_t indices[unroll];
    bool whole = true;
#pragma unroll
    for (int u = 0; u < unroll; ++u) {
      const std::uint32_t at = pack_index + u * step;
      std::uint32_t row = 0, column = at;
      if (p.reduced.ndim > 0) row = p.packs_per_row.split(column);
      // Beyond the end nothing is loaded or counted.
      columns[u] = at < end ? column * lanes : part.n;
      indices[u] = part.first_index + static_cast<std::int64_t>(row) * part.n + columns[u];
      if (at < end) load_row(values[u], part.in + p.reduced.offset(row), columns[u], part.n, p);
      whole = whole && columns[u] + lanes <= part.n;
    }
    if (adds_tiles<R> && whole) {
      add_tile<R>(partial, reinterpret_cast<const E(&)[unroll * lanes]>(values),
                  [&](int i) { return indices[i / lanes] + i % lanes; });
      continue;
    }
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      add_pack<R>(partial, values[u], static_cast<int>(min(part.n - columns[u], std::uint32_t{lanes})),
                  indices[u]);
  }
#pragma unroll
  for (int k = 1; k < n_states; ++k) R::merge(partial[0], partial[k]);
  return partial[0];
}

template<class R>
__global__ void __launch_bounds__(reduce_threads) reduce_inner(const __grid_constant__ inner_params p) {
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
      for (std::uint32_t i = threadIdx.x; i < n_splits; i += reduce_threads) R::merge(mine, partials[i]);
      merge_block<R>(mine);
    }
  }
  if (lane == 0 && wanted < p.n_outputs)
    *reinterpret_cast<typename R::result*>(p.out + out_offset) = R::finish(mine, p.n_reduced, p.ddof);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
