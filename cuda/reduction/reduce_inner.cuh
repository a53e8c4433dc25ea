// Reductions whose threads walk along the reduced elements: of everything, of rows, of any strides.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/reduction/reduce_tiles.cuh>

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

template<class Params>
inline constexpr bool is_dense = kernel::is_same<parameter_base_t<Params>, dense_params>;

/// The packs first, first + step, ... of a tile, as far as they are below `end`.
template<class Pack, int Unroll>
__device__ __forceinline__ void load_tile(Pack (&values)[Unroll], const Pack* packs, std::uint32_t first,
                                          std::uint32_t step, std::uint32_t end) {
#pragma unroll
  for (int u = 0; u < Unroll; ++u)
    if (first + u * step < end) values[u] = packs[first + u * step];
}

/// Adds packs at, at + step, ... of a row that begins at reduced index `first_index`, as far as they are
/// below `whole`, in the order in which reduce_any adds them.
template<class R, class Pack, int Unroll>
__device__ __forceinline__ void add_loaded(pack_states<R>& partial, const Pack (&values)[Unroll],
                                           std::int64_t first_index, std::uint32_t at, std::uint32_t step,
                                           std::uint32_t whole) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E));
  const auto index_of = [&](int i) {
    return first_index + static_cast<std::int64_t>(at + i / lanes * step) * lanes + i % lanes;
  };
  if (at + (Unroll - 1) * step < whole) {
    partial.add_tile(reinterpret_cast<const E(&)[Unroll * lanes]>(values), index_of);
  } else {
#pragma unroll
    for (int u = 0; u < Unroll - 1; ++u)
      if (at + u * step < whole) partial.add_pack(values[u].values, lanes, index_of(u * lanes));
  }
}

/// Whether the last pack, which is not whole, is that of the thread that began with pack `first`.
__device__ __forceinline__ bool has_last_pack(std::uint32_t first, std::uint32_t end, std::uint32_t step,
                                              std::uint32_t whole) {
  return whole < end && first <= whole && ((whole - first) & (step - 1)) == 0;
}

/// Tiles that a thread loads while it adds one. Packs of bytes are short, and quickly added if that is exact.
template<class R>
inline constexpr int tiles_ahead = 1;
template<class R>
  requires(sizeof(typename R::element) == 1 && !adds_tiles<R> && !is_moment<R> && !is_paired<R> &&
           sizeof(typename R::state) <= 8)
inline constexpr int tiles_ahead<R> = 4;

/// The packs first, first + step, ... below `end` of one row of side-by-side, aligned elements, added as
/// reduce_any adds them: but all loads of a tile are in flight at once, and those of the next tiles before
/// this one is added. `step` is a power of two.
template<class R>
__device__ __forceinline__ void reduce_dense(pack_states<R>& partial, const reduced_part& part,
                                             std::uint32_t first, std::uint32_t end, std::uint32_t step) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  const auto* packs = reinterpret_cast<const pack<E, lanes>*>(part.in);
  const std::uint32_t whole = min(end, part.n / lanes);
  constexpr int ahead = tiles_ahead<R>;
  using loaded =
      kernel::conditional_t<(ahead > 1), std::uint64_t, pack<E, lanes>>;  // bytes would have registers each
  static_assert(sizeof(loaded) == sizeof(pack<E, lanes>));
  pack<E, lanes> values[unroll];
  loaded next[ahead][unroll];
  const auto load = [&](loaded(&tile)[unroll], std::uint32_t at) {
    load_tile(tile, reinterpret_cast<const loaded*>(packs), at, step, whole);
  };
#pragma unroll
  for (int t = 0; t < ahead; ++t) load(next[t], first + t * unroll * step);
  for (std::uint32_t at = first; at < whole;) {
#pragma unroll
    for (int t = 0; t < ahead; ++t, at += unroll * step) {
      if (t > 0 && at >= whole) break;
      memcpy(values, next[t], sizeof values);
      load(next[t], at + ahead * unroll * step);
      add_loaded<R>(partial, values, part.first_index, at, step, whole);
    }
  }
  if (has_last_pack(first, end, step, whole)) {
    load_pack(values[0].values, part.in, static_cast<int>(whole * lanes), static_cast<int>(part.n));
    partial.add_pack(values[0].values, static_cast<int>(part.n % lanes),
                     part.first_index + static_cast<std::int64_t>(whole) * lanes);
  }
}

/// Adds packs of a row of n elements that begin at these columns and indices; `whole`: none reaches beyond
/// it.
template<class R, class E, int Unroll, int Lanes>
__device__ __forceinline__ void add_packs(pack_states<R>& partial, E (&values)[Unroll][Lanes],
                                          const std::uint32_t (&columns)[Unroll],
                                          const std::int64_t (&indices)[Unroll], bool whole,
                                          std::uint32_t n) {
  if (adds_tiles<R> && whole)
    return partial.add_tile(reinterpret_cast<const E(&)[Unroll * Lanes]>(values),
                            [&](int i) { return indices[i / Lanes] + i % Lanes; });
#pragma unroll
  for (int u = 0; u < Unroll; ++u)
    partial.add_pack(values[u], static_cast<int>(min(n - columns[u], std::uint32_t{Lanes})), indices[u]);
}

/// The packs first, first + step, ... below `end`, wherever they are.
template<class R, class Params>
__device__ __forceinline__ void reduce_any(pack_states<R>& partial, const reduced_part& part,
                                           std::uint32_t first, std::uint32_t end, std::uint32_t step,
                                           const Params& p) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), unroll = reduce_unroll(sizeof(E));
  for (std::uint32_t pack_index = first; pack_index < end; pack_index += step * unroll) {
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
    add_packs(partial, values, columns, indices, whole, part.n);
  }
}

/// Blocks that an SM should have room for: the loop of reduce_dense and states of up to 16 bytes leave enough
/// registers for four, joined ones for two, which is enough to wait for memory only.
template<class R, class Params>
inline constexpr int reduce_blocks = !is_dense<Params>                 ? 1
                                     : sizeof(typename R::state) <= 16 ? 4
                                     : is_joined<R>                    ? 2
                                                                       : 1;

template<class R>
__device__ __forceinline__ typename R::state* partials_of(const whole_params& p, std::uint32_t output) {
  return static_cast<typename R::state*>(p.split.partials) +
         static_cast<std::size_t>(output) * p.split.n_splits;
}

/// The states of all splits, in thread 0.
template<class R>
__device__ __forceinline__ typename R::state merged_partials(const typename R::state* partials,
                                                             std::uint32_t n_splits) {
  typename R::state mine = R::identity();
#pragma unroll 1
  for (std::uint32_t i = thread_number(); i < n_splits; i += reduce_threads) R::merge(mine, partials[i]);
  merge_block<R>(mine);
  return mine;
}

struct alignas(16) four_words {
  unsigned words[4];
};

/// What thread number `lane` of so many has of packs [first, first + n_packs) of bytes whose sum is exact in
/// any order: 16 of them by a load.
template<class R>
__device__ __forceinline__ void add_bytes(typename R::state& mine, const reduced_part& part,
                                          std::uint32_t first, std::uint32_t n_packs, std::uint32_t lane,
                                          std::uint32_t n_threads) {
  using E = typename R::element;
  constexpr std::uint32_t wide = sizeof(four_words), ahead = 8, lanes = reduce_lanes(sizeof(E));
  const E* const from = reinterpret_cast<const E*>(part.in) + first * lanes;
  const std::uint32_t n = min(part.n - first * lanes, n_packs * lanes),
                      head =
                          min(n, static_cast<std::uint32_t>(-reinterpret_cast<std::uintptr_t>(from)) % wide),
                      n_wide = (n - head) / wide;
  const auto* const packs = reinterpret_cast<const four_words*>(from + head);
#pragma unroll 1
  for (std::uint32_t at = lane; at < n_wide; at += ahead * n_threads) {
    four_words loaded[ahead];  // bytes would have registers each
#pragma unroll
    for (std::uint32_t t = 0; t < ahead; ++t)
      if (at + t * n_threads < n_wide) loaded[t] = packs[at + t * n_threads];
    int sum = 0;
#pragma unroll
    for (std::uint32_t t = 0; t < ahead; ++t)
      if (at + t * n_threads < n_wide)
        for (const unsigned word : loaded[t].words) sum = add_word<E>(sum, word);
    mine.value += sum;
  }
  const std::uint32_t behind = head + n_wide * wide;
#pragma unroll 1
  for (std::uint32_t i = lane; i < n - n_wide * wide; i += n_threads)
    mine.value += from[i < head ? i : behind + i - head];
}

/// The state that one of the 2^log_group threads of an output, number `lane`, makes of packs [first,
/// first + n_packs).
template<class R, class Params>
__device__ __forceinline__ typename R::state reduce_packs(const reduced_part& part, std::uint32_t first,
                                                          std::uint32_t n_packs, std::uint32_t lane,
                                                          const Params& p) {
  typename R::state mine = R::identity();
  if constexpr (is_dense<Params> && sums_bytes<R>) {
    add_bytes<R>(mine, part, first, n_packs, lane, 1u << p.log_group);
    return mine;
  }
  pack_states<R> partial;
  partial.clear();
  const std::uint32_t per_chunk = is_exact<R> ? n_packs : p.packs_per_chunk;
#pragma unroll 1
  for (std::uint32_t done = 0; done < n_packs; done += per_chunk) {
    const std::uint32_t begin_of_chunk = first + done + lane, end = first + min(done + per_chunk, n_packs);
    if constexpr (is_dense<Params>) reduce_dense(partial, part, begin_of_chunk, end, 1u << p.log_group);
    else reduce_any(partial, part, begin_of_chunk, end, 1u << p.log_group, p);
    partial.template merge_into<false>(mine);
  }
  partial.template merge_into<true>(mine);
  return mine;
}

/// What reduce_inner_block does of rows that are a tile for each of the 2^log_group threads that share one,
/// by a thread for each pack: as many rows a block, a few of which a thread has on their way at once.
template<class R, class Params>
__device__ __forceinline__ void reduce_spread_rows(const Params& p, std::uint32_t block) {
  using E = typename R::element;
  constexpr int lanes = reduce_lanes(sizeof(E)), n_rows = 1 << log_tile_packs<R>;
  const std::uint32_t log_threads = p.log_group + log_tile_packs<R>,
                      lane = thread_number() & ((1u << log_threads) - 1),
                      rows_at_once = reduce_threads >> log_threads,
                      first = block * n_rows * rows_at_once + (thread_number() >> log_threads);
  pack<E, lanes> values[n_rows];
  std::int64_t outs[n_rows];
#pragma unroll
  for (int t = 0; t < n_rows; ++t) {
    const auto [in, out] = kept_offsets(p, min(first + t * rows_at_once, p.n_outputs - 1));
    values[t] = reinterpret_cast<const pack<E, lanes>*>(p.in + in)[lane];
    outs[t] = out;
  }
#pragma unroll
  for (int t = 0; t < n_rows; ++t) {
    typename R::state mine = R::identity();
    mine.value += pairwise_sum_of_lanes<n_rows>(sum_of_pack(values[t].values), p.log_group);
    merge_lanes<R>(mine, p.log_group);
    if (lane == 0 && first + t * rows_at_once < p.n_outputs) store_results<R>(p, outs[t], mine, p.n_reduced);
  }
}

/// What block number `block` of reduce_inner does. Persistent teams leave the states of several splits in
/// memory. Params: inner_params, dense_params, or a block derived from it whose load_row computes what it
/// loads.
template<class R, class Params>
__device__ __forceinline__ void reduce_inner_block(const Params& p, std::uint32_t block) {
  using state = typename R::state;
  if constexpr (is_dense<Params> && adds_floats<R>) {
    constexpr int tile = reduce_lanes(sizeof(typename R::element)) << log_tile_packs<R>;
    if (p.n_inner == std::int64_t{tile} << p.log_group && p.log_group + log_tile_packs<R> <= 5)
      return reduce_spread_rows<R>(p, block);
  }
  const std::uint32_t n_splits = p.split.n_splits;
  const std::uint32_t split = n_splits > 1 ? block % n_splits : 0;
  const std::uint32_t group = n_splits > 1 ? block / n_splits : block;
  const std::uint32_t lane = thread_number() & ((1u << p.log_group) - 1);
  const std::uint32_t wanted =
      (group << (log_reduce_threads - p.log_group)) + (thread_number() >> p.log_group);
  // Threads without an output compute the last one too: all lanes take part in the shuffles.
  const std::uint32_t output = min(wanted, p.n_outputs - 1);

  const auto [in_offset, out_offset] = kept_offsets(p, output);

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
  state mine = reduce_packs<R>(part, first, n_packs, lane, p);

  if (p.log_group <= 5) {
    merge_lanes<R>(mine, p.log_group);
  } else {
    merge_warps<R>(mine, p.log_group);
    if (n_splits > 1) {
      state* partials = partials_of<R>(p, output);
      if (thread_number() == 0) partials[split] = mine;
      if constexpr (is_persistent) return;
      if (!is_last_block(p.split.counters + output, n_splits)) return;
      mine = merged_partials<R>(partials, n_splits);
    }
  }
  if (lane == 0 && wanted < p.n_outputs) store_results<R>(p, out_offset, mine, p.n_reduced);
}

/// What remains of output number `output`, one block's work, when the states of all its splits are in memory.
template<class R, class Params>
__device__ __forceinline__ void merge_inner_splits(const Params& p, std::uint32_t output) {
  const typename R::state merged = merged_partials<R>(partials_of<R>(p, output), p.split.n_splits);
  if (thread_number() == 0) store_results<R>(p, kept_offsets(p, output).out, merged, p.n_reduced);
}

template<class R, class Params>
__global__ void __launch_bounds__(reduce_threads, reduce_blocks<R, Params>)
    reduce_inner(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  reduce_inner_block<R>(p, blockIdx.x);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
