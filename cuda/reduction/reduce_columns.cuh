// Reductions of rows whose columns are kept: threads stand side by side along the columns.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/reduction/reduce_tiles.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Elements [column, column + N) of a row of n.
template<class E, int N>
__device__ __forceinline__ void load_row(E (&values)[N], const char* row, std::uint32_t column,
                                         std::uint32_t n, const column_params&) {
  load_pack(values, row, static_cast<int>(column), static_cast<int>(n));
}

/// Whether the elements are in memory.
template<class Params>
inline constexpr bool is_stored = true;
template<class Params>
  requires requires(Params p) { p.operands; }
inline constexpr bool is_stored<Params> = false;

/// Columns of one thread.
template<class R, class Params>
inline constexpr int columns_of = columns_per_thread(sizeof(typename R::element));
template<class R, class Params>
  requires requires { Params::columns; }
inline constexpr int columns_of<R, Params> = Params::columns;

/// Rows that the loop over computed ones has copies of the expression for.
template<class Params>
inline constexpr int row_copies = 4;
template<class Params>
  requires(Params::expression::dims > 0)
inline constexpr int row_copies<Params> = Params::expression::dims;

/// The packs of rows row, row + column_rows, ...
template<class E, int N, int Unroll, class Params>
__device__ __forceinline__ void load_rows(pack<E, N> (&values)[Unroll], const char* in, std::uint32_t row,
                                          std::uint32_t column, const Params& p) {
#pragma unroll(row_copies<Params>)
  for (int u = 0; u < Unroll; ++u)
    load_row(values[u].values, in + p.reduced.offset(row + u * column_rows), column, p.n_columns, p);
}

/// In memory: all loads are in flight at once if they are whole and aligned.
template<class E, int N, int Unroll, class Params>
  requires is_stored<Params>
__device__ __forceinline__ void load_rows(pack<E, N> (&values)[Unroll], const char* in, std::uint32_t row,
                                          std::uint32_t column, const Params& p) {
  const char* rows[Unroll];
  bool whole = column + N <= p.n_columns;
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    rows[u] = in + p.reduced.offset(row + u * column_rows) + column * sizeof(E);
    whole = whole && is_aligned<pack<E, N>>(rows[u]);
  }
  if (whole) {
#pragma unroll
    for (int u = 0; u < Unroll; ++u) values[u] = *reinterpret_cast<const pack<E, N>*>(rows[u]);
  } else {
#pragma unroll
    for (int u = 0; u < Unroll; ++u)
#pragma unroll
      for (int k = 0; k < N; ++k)
        values[u].values[k] = column + k < p.n_columns ? reinterpret_cast<const E*>(rows[u])[k] : E();
  }
}

/// Adds rows row, row + column_rows, ... below `end` to the states of N columns.
template<class R, int N, class Params>
__device__ __forceinline__ void reduce_rows(typename R::state (&partial)[N], const char* in,
                                            std::uint32_t row, std::uint32_t end, std::uint32_t column,
                                            const Params& p) {
  using E = typename R::element;
  constexpr int unroll = 4;
  // What is in memory is loaded one tile ahead; the states of moments leave no registers for that.
  constexpr bool ahead = is_stored<Params> && !has_moments<R>;
  constexpr std::uint32_t last = (unroll - 1) * column_rows, step = unroll * column_rows;
  pack<E, N> rows[unroll], next[unroll];
  if (ahead && row + last < end) load_rows(rows, in, row, column, p);
  for (; row + last < end; row += step) {
    if constexpr (!ahead) load_rows(rows, in, row, column, p);
    else if (row + step + last < end) load_rows(next, in, row + step, column, p);
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const E of_column[unroll] = {rows[0].values[k], rows[1].values[k], rows[2].values[k],
                                   rows[3].values[k]};
      add_tile<R>(partial[k], of_column,
                  [&](int u) { return static_cast<std::int64_t>(row + u * column_rows); });
    }
    if constexpr (ahead) {
#pragma unroll
      for (int u = 0; u < unroll; ++u) rows[u] = next[u];
    }
  }
  for (; row < end; row += column_rows) {
    pack<E, N> one[1];
    load_rows(one, in, row, column, p);
#pragma unroll
    for (int k = 0; k < N; ++k) R::add(partial[k], one[0].values[k], row);
  }
}

/// The upper half of the thread rows hands its states to the lower half, until the first row has everything.
template<class R, int N>
__device__ __forceinline__ void merge_thread_rows(typename R::state (&partial)[N]) {
  __shared__ typename R::state of_teams[n_teams][column_rows / 2][N * column_lanes];
  typename R::state(&shared)[column_rows / 2][N * column_lanes] = of_teams[team_number()];
  const std::uint32_t lane = thread_number() % column_lanes, row = thread_number() / column_lanes;
#pragma unroll 1
  for (std::uint32_t half = column_rows / 2; half > 0; half /= 2) {
    if (row >= half && row < 2 * half) {
#pragma unroll
      for (int k = 0; k < N; ++k) shared[row - half][k * column_lanes + lane] = partial[k];
    }
    GPARRAY_SYNC_BLOCK();
    if (row < half) {
#pragma unroll
      for (int k = 0; k < N; ++k) R::merge(partial[k], shared[row][k * column_lanes + lane]);
    }
    GPARRAY_SYNC_BLOCK();
  }
}

/// Blocks that an SM should have room for: as many as are launched for each SM of a large GPU. What does not
/// fit in registers then are the states of the chunks before, which the loop over rows leaves alone.
template<class R, class Params>
inline constexpr int column_blocks =
    is_stored<Params> && has_moments<R> && sizeof(typename R::state) <= 32 ? 3 : 1;

/// What a thread of a column kernel's block is in charge of: so many columns.
template<class R, int Columns>
struct column_position {
  static constexpr int lanes = Columns;
  static constexpr int tile_columns = column_lanes * lanes;
  std::uint32_t column, row;
  element_offsets offsets;

  __device__ __forceinline__ column_position(const column_params& p, std::uint32_t tile) {
    std::uint32_t column_tile = tile;
    const std::uint32_t outer = p.column_tiles.split(column_tile);
    row = thread_number() / column_lanes;
    column = column_tile * tile_columns + thread_number() % column_lanes * lanes;
    offsets = kept_offsets(p, outer);
  }
  /// The thread's states of split 0 of the tile.
  __device__ __forceinline__ typename R::state* partials(const column_params& p, std::uint32_t tile) const {
    return static_cast<typename R::state*>(p.split.partials) +
           static_cast<std::size_t>(tile) * p.split.n_splits * tile_columns + thread_number() % column_lanes;
  }
  __device__ __forceinline__ void merge_splits(typename R::state (&merged)[lanes], const column_params& p,
                                               const typename R::state* partials) const {
    // Several splits at a time are on their way: one block merges all of them, and nothing else hides that it
    // waits.
    constexpr int at_once = sizeof(merged) <= 32 ? 4 : sizeof(merged) <= 64 ? 2 : 1;
#pragma unroll
    for (int k = 0; k < lanes; ++k) merged[k] = R::identity();
#pragma unroll 1
    for (std::uint32_t i = row; i < p.split.n_splits; i += at_once * column_rows) {
      typename R::state loaded[at_once][lanes];
#pragma unroll
      for (int a = 0; a < at_once; ++a)
#pragma unroll
        for (int k = 0; k < lanes; ++k)
          if (i + a * column_rows < p.split.n_splits)
            loaded[a][k] = partials[(i + a * column_rows) * tile_columns + k * column_lanes];
#pragma unroll
      for (int a = 0; a < at_once; ++a)
        if (i + a * column_rows < p.split.n_splits) {
#pragma unroll
          for (int k = 0; k < lanes; ++k) R::merge(merged[k], loaded[a][k]);
        }
    }
    merge_thread_rows<R>(merged);
  }
  template<class Params>
  __device__ __forceinline__ void store(const Params& p, const typename R::state (&states)[lanes]) const {
    if (row != 0) return;
#pragma unroll
    for (int k = 0; k < lanes; ++k)
      if (column + k < p.n_columns)
        store_results<R>(p, offsets.out + (column + k) * p.out_stride, states[k], p.n_rows);
  }
};

/// What block number `block` of reduce_columns does. Persistent teams leave the states of several splits in
/// memory. Params: column_params, or a block derived from it whose load_row computes what it loads.
template<class R, class Params>
__device__ __forceinline__ void reduce_columns_block(const Params& p, std::uint32_t block) {
  using state = typename R::state;
  constexpr int lanes = columns_of<R, Params>;
  using position_type = column_position<R, lanes>;
  const std::uint32_t n_splits = p.split.n_splits;
  const std::uint32_t split = block % n_splits, tile = block / n_splits;
  const position_type position(p, tile);

  state partial[lanes];
#pragma unroll
  for (int k = 0; k < lanes; ++k) partial[k] = R::identity();
  const std::uint32_t begin = split * p.rows_per_split, end = min(begin + p.rows_per_split, p.n_rows);
#pragma unroll 1
  for (std::uint32_t chunk = begin; chunk < end && position.column < p.n_columns; chunk += p.rows_per_chunk) {
    state of_chunk[lanes];
#pragma unroll
    for (int k = 0; k < lanes; ++k) of_chunk[k] = R::identity();
    reduce_rows<R>(of_chunk, p.in + position.offsets.in, chunk + position.row,
                   min(chunk + p.rows_per_chunk, end), position.column, p);
#pragma unroll
    for (int k = 0; k < lanes; ++k) R::merge(partial[k], of_chunk[k]);
  }

  merge_thread_rows<R>(partial);
  if (n_splits > 1) {
    state* partials = position.partials(p, tile);
    if (position.row == 0) {
#pragma unroll
      for (int k = 0; k < lanes; ++k)
        partials[split * position_type::tile_columns + k * column_lanes] = partial[k];
    }
    if constexpr (is_persistent) return;
    if (!is_last_block(p.split.counters + tile, n_splits)) return;
    position.merge_splits(partial, p, partials);
  }
  position.store(p, partial);
}

/// What remains of tile number `tile`, one block's work, when the states of all its splits are in memory.
template<class R, class Params>
__device__ __forceinline__ void merge_columns_splits(const Params& p, std::uint32_t tile) {
  const column_position<R, columns_of<R, Params>> position(p, tile);
  typename R::state merged[columns_of<R, Params>];
  position.merge_splits(merged, p, position.partials(p, tile));
  position.store(p, merged);
}

template<class R, class Params>
__global__ void __launch_bounds__(reduce_threads, column_blocks<R, Params>)
    reduce_columns(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  reduce_columns_block<R>(p, blockIdx.x);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
