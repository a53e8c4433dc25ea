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
template<class R>
inline constexpr int columns_of = columns_per_thread(sizeof(typename R::element));

/// Rows that the loop over computed ones has copies of the expression for.
template<class Params>
inline constexpr int row_copies = 4;
template<class Params>
  requires(Params::expression::dims > 0)
inline constexpr int row_copies<Params> = Params::expression::dims;

/// The packs of rows row, row + step, ...
template<class E, int N, int Unroll, class Params>
__device__ __forceinline__ void load_rows(pack<E, N> (&values)[Unroll], const char* in, std::uint32_t row,
                                          std::uint32_t step, std::uint32_t column, const Params& p) {
#pragma unroll(row_copies<Params>)
  for (int u = 0; u < Unroll; ++u)
    load_row(values[u].values, in + p.reduced.offset(row + u * step), column, p.n_columns, p);
}

/// In memory: all loads are in flight at once if they are whole and aligned.
template<class E, int N, int Unroll, class Params>
  requires is_stored<Params>
__device__ __forceinline__ void load_rows(pack<E, N> (&values)[Unroll], const char* in, std::uint32_t row,
                                          std::uint32_t step, std::uint32_t column, const Params& p) {
  const char* rows[Unroll];
  bool whole = column + N <= p.n_columns;
#pragma unroll
  for (int u = 0; u < Unroll; ++u) {
    rows[u] = in + p.reduced.offset(row + u * step) + column * sizeof(E);
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

/// So many rows, however they come.
template<class E, int N, int Rows>
struct row_tile {
  static constexpr int n_rows = Rows;
  pack<E, N> rows[Rows];

  template<class Params>
  __device__ __forceinline__ void load(const char* in, std::uint32_t row, std::uint32_t step,
                                       std::uint32_t column, const Params& p) {
    load_rows(rows, in, row, step, column, p);
  }
  __device__ __forceinline__ void get(pack<E, N> (&values)[Rows]) const {
#pragma unroll
    for (int u = 0; u < Rows; ++u) values[u] = rows[u];
  }
};

/// Rows that are added as a tile.
inline constexpr int rows_of_tile = 4;

/// Adds tiles of rows row, row + step, ..., as many at a time as Loaded has, and as long as there are whole
/// ones below `end`, to the states of N columns. Ahead: rows are loaded before those in front of them are
/// added.
template<class R, class Loaded, bool Ahead, int N, class Params>
__device__ __forceinline__ void reduce_tiles(typename R::state (&partial)[N], const char* in,
                                             std::uint32_t& row, std::uint32_t step, std::uint32_t end,
                                             std::uint32_t column, const Params& p) {
  using E = typename R::element;
  const std::uint32_t last = (Loaded::n_rows - 1) * step, at_a_time = Loaded::n_rows * step;
  Loaded loaded, next;
  if (Ahead && row + last < end) loaded.load(in, row, step, column, p);
  for (; row + last < end; row += at_a_time) {
    if constexpr (!Ahead) loaded.load(in, row, step, column, p);
    else if (row + at_a_time + last < end) next.load(in, row + at_a_time, step, column, p);
    pack<E, N> rows[Loaded::n_rows];
    loaded.get(rows);
#pragma unroll
    for (int first = 0; first < Loaded::n_rows; first += rows_of_tile)
#pragma unroll
      for (int k = 0; k < N; ++k) {
        E of_column[rows_of_tile];
#pragma unroll
        for (int u = 0; u < rows_of_tile; ++u) of_column[u] = rows[first + u].values[k];
        add_tile<R>(partial[k], of_column,
                    [&](int u) { return static_cast<std::int64_t>(row + (first + u) * step); });
      }
    if constexpr (Ahead) loaded = next;
  }
}

/// The operands of rows that are computed (computed_rows.cuh).
template<class E, int N, int Rows, class Expression>
struct operand_tile;

/// Rows that are computed of operands whose loads are on their way at once; 0: one row after the other is.
/// Those of a few arrays have registers for two tiles, but not beside the states of moments.
template<class R, class Params>
inline constexpr int rows_together = 0;
template<class R, class Params>
  requires(!is_stored<Params>)
inline constexpr int rows_together<R, Params> =
    row_copies<Params> < rows_of_tile                 ? 0
    : has_moments<R> || Params::expression::arity > 3 ? rows_of_tile
                                                      : 2 * rows_of_tile;

/// Adds rows row, row + step, ... below `end` to the states of N columns.
template<class R, int N, class Params>
__device__ __forceinline__ void reduce_rows(typename R::state (&partial)[N], const char* in,
                                            std::uint32_t row, std::uint32_t step, std::uint32_t end,
                                            std::uint32_t column, const Params& p) {
  using E = typename R::element;
  // What is in memory is loaded one tile ahead; the states of moments leave no registers for that.
  constexpr bool ahead = is_stored<Params> && !has_moments<R>;
  constexpr int together = rows_together<R, Params>;
  if constexpr (together > 0)
    if (has_operand_rows<N, E>(in, column, p))
      reduce_tiles<R, operand_tile<E, N, together, typename Params::expression>, false>(partial, in, row,
                                                                                        step, end, column, p);
  reduce_tiles<R, row_tile<E, N, rows_of_tile>, ahead>(partial, in, row, step, end, column, p);
  for (; row < end; row += step) {
    pack<E, N> one[1];
    load_rows(one, in, row, step, column, p);
#pragma unroll
    for (int k = 0; k < N; ++k) R::add(partial[k], one[0].values[k], row);
  }
}

/// Where a thread of a column kernel's block stands among 2^log_lanes along the columns.
struct column_thread {
  std::uint32_t lane, row, lanes, rows;
  __device__ __forceinline__ explicit column_thread(std::uint32_t log_lanes)
      : lane(thread_number() & ((1u << log_lanes) - 1)),
        row(thread_number() >> log_lanes),
        lanes(1u << log_lanes),
        rows(reduce_threads >> log_lanes) {}
};

/// The upper half of the thread rows hands its states to the lower half, until the first row has everything.
template<class R, int N>
__device__ __forceinline__ void merge_thread_rows(typename R::state (&partial)[N], const column_thread& me) {
  __shared__ typename R::state of_teams[n_teams][reduce_threads / 2 * N];
  typename R::state* const shared = of_teams[team_number()];
  const auto place = [&](std::uint32_t row, int k) { return (row * N + k) * me.lanes + me.lane; };
#pragma unroll 1
  for (std::uint32_t half = me.rows / 2; half > 0; half /= 2) {
    if (me.row >= half && me.row < 2 * half) {
#pragma unroll
      for (int k = 0; k < N; ++k) shared[place(me.row - half, k)] = partial[k];
    }
    GPARRAY_SYNC_BLOCK();
    if (me.row < half) {
#pragma unroll
      for (int k = 0; k < N; ++k) R::merge(partial[k], shared[place(me.row, k)]);
    }
    GPARRAY_SYNC_BLOCK();
  }
}

/// Blocks that an SM should have room for: as many as are launched for each SM of a large GPU. What does not
/// fit in registers then are the states of the chunks before, which the loop over rows leaves alone.
template<class R, class Params>
inline constexpr int column_blocks =
    is_stored<Params> ? (has_moments<R> && sizeof(typename R::state) <= 32 ? 3 : 1)
                      : (rows_together<R, Params> > rows_of_tile ? 3 : 1);

/// What a thread of a column kernel's block is in charge of: so many columns.
template<class R, int Columns>
struct column_position {
  std::uint32_t column;
  column_thread me;
  element_offsets offsets;

  __device__ __forceinline__ column_position(const column_params& p, std::uint32_t tile) : me(p.log_lanes) {
    std::uint32_t column_tile = tile;
    const std::uint32_t outer = p.column_tiles.split(column_tile);
    column = (column_tile * me.lanes + me.lane) * Columns;
    offsets = kept_offsets(p, outer);
  }
  __device__ __forceinline__ std::uint32_t tile_columns() const { return Columns * me.lanes; }
  /// The thread's states of split 0 of the tile.
  __device__ __forceinline__ typename R::state* partials(const column_params& p, std::uint32_t tile) const {
    return static_cast<typename R::state*>(p.split.partials) +
           static_cast<std::size_t>(tile) * p.split.n_splits * tile_columns() + me.lane;
  }
  /// Writes down what the first thread row has of split number `split`.
  __device__ __forceinline__ void keep(typename R::state* partials, std::uint32_t split,
                                       const typename R::state (&states)[Columns]) const {
    if (me.row != 0) return;
#pragma unroll
    for (int k = 0; k < Columns; ++k) partials[split * tile_columns() + k * me.lanes] = states[k];
  }
  /// Those of the n splits first, first + step, ...
  __device__ __forceinline__ void merge_splits(typename R::state (&merged)[Columns],
                                               const typename R::state* partials, std::uint32_t first,
                                               std::uint32_t step, std::uint32_t n) const {
    // Several splits at a time are on their way: one block merges all of them, and nothing else hides that it
    // waits.
    constexpr int at_once = sizeof(merged) <= 32 ? 4 : sizeof(merged) <= 64 ? 2 : 1;
#pragma unroll
    for (int k = 0; k < Columns; ++k) merged[k] = R::identity();
#pragma unroll 1
    for (std::uint32_t i = me.row; i < n; i += at_once * me.rows) {
      typename R::state loaded[at_once][Columns];
#pragma unroll
      for (int a = 0; a < at_once; ++a)
#pragma unroll
        for (int k = 0; k < Columns; ++k)
          if (i + a * me.rows < n)
            loaded[a][k] = partials[(first + (i + a * me.rows) * step) * tile_columns() + k * me.lanes];
#pragma unroll
      for (int a = 0; a < at_once; ++a)
        if (i + a * me.rows < n) {
#pragma unroll
          for (int k = 0; k < Columns; ++k) R::merge(merged[k], loaded[a][k]);
        }
    }
    merge_thread_rows<R>(merged, me);
  }
  /// Those of group number `group` of the splits, into what is left of them.
  __device__ __forceinline__ void merge_group(typename R::state* partials, std::uint32_t group,
                                              std::uint32_t n_splits) const {
    const std::uint32_t first = group * splits_of_group;
    typename R::state merged[Columns];
    merge_splits(merged, partials, first, 1, min(splits_of_group, n_splits - first));
    keep(partials, first, merged);
  }
  template<class Params>
  __device__ __forceinline__ void store(const Params& p, const typename R::state (&states)[Columns]) const {
    if (me.row != 0) return;
#pragma unroll
    for (int k = 0; k < Columns; ++k)
      if (column + k < p.n_columns)
        store_results<R>(p, offsets.out + (column + k) * p.out_stride, states[k], p.n_rows);
  }
  /// Merges and stores what the groups of splits, or the splits if there are no groups, have left.
  template<class Params>
  __device__ __forceinline__ void finish(const Params& p, const typename R::state* partials) const {
    const std::uint32_t n_splits = p.split.n_splits, groups = groups_of_splits(n_splits);
    typename R::state merged[Columns];
    if (groups > 1) merge_splits(merged, partials, 0, splits_of_group, groups);
    else merge_splits(merged, partials, 0, 1, n_splits);
    store(p, merged);
  }
};

/// What block number `block` of reduce_columns does. Persistent teams leave the states of several splits in
/// memory. Params: column_params, or a block derived from it whose load_row computes what it loads.
template<class R, class Params>
__device__ __forceinline__ void reduce_columns_block(const Params& p, std::uint32_t block) {
  using state = typename R::state;
  constexpr int columns = columns_of<R>;
  const std::uint32_t n_splits = p.split.n_splits;
  const std::uint32_t split = block % n_splits, tile = block / n_splits;
  const column_position<R, columns> position(p, tile);

  state partial[columns];
#pragma unroll
  for (int k = 0; k < columns; ++k) partial[k] = R::identity();
  // The chunks go round the splits, so that all blocks together walk from the beginning to the end.
#pragma unroll 1
  for (std::uint32_t chunk = split * p.rows_per_chunk; chunk < p.n_rows && position.column < p.n_columns;
       chunk += n_splits * p.rows_per_chunk) {
    state of_chunk[columns];
#pragma unroll
    for (int k = 0; k < columns; ++k) of_chunk[k] = R::identity();
    reduce_rows<R>(of_chunk, p.in + position.offsets.in, chunk + position.me.row, position.me.rows,
                   min(chunk + p.rows_per_chunk, p.n_rows), position.column, p);
#pragma unroll
    for (int k = 0; k < columns; ++k) R::merge(partial[k], of_chunk[k]);
  }

  merge_thread_rows<R>(partial, position.me);
  if (n_splits == 1) return position.store(p, partial);
  state* const partials = position.partials(p, tile);
  position.keep(partials, split, partial);
  if constexpr (is_persistent) return;
  unsigned* const counters = p.split.counters + tile * counters_of_splits(n_splits);
  if (const std::uint32_t groups = groups_of_splits(n_splits); groups > 1) {
    const std::uint32_t group = split / splits_of_group,
                        of_group = min(splits_of_group, n_splits - group * splits_of_group);
    if (!is_last_block(counters + 1 + group, of_group)) return;
    position.merge_group(partials, group, n_splits);
    if (!is_last_block(counters, groups)) return;
  } else if (!is_last_block(counters, n_splits)) {
    return;
  }
  position.finish(p, partials);
}

/// What remains of tile number `tile`, one block's work, when the states of all its splits are in memory.
template<class R, class Params>
__device__ __forceinline__ void merge_columns_splits(const Params& p, std::uint32_t tile) {
  const column_position<R, columns_of<R>> position(p, tile);
  typename R::state* const partials = position.partials(p, tile);
  if (const std::uint32_t groups = groups_of_splits(p.split.n_splits); groups > 1) {
#pragma unroll 1
    for (std::uint32_t group = 0; group < groups; ++group)
      position.merge_group(partials, group, p.split.n_splits);
    GPARRAY_SYNC_BLOCK();
  }
  position.finish(p, partials);
}

template<class R, class Params>
__global__ void __launch_bounds__(reduce_threads, column_blocks<R, Params>)
    reduce_columns(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  reduce_columns_block<R>(p, blockIdx.x);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
