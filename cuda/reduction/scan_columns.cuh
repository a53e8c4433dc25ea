// Scans along an axis whose lines lie side by side in memory: neighbouring threads scan neighbouring lines.
#pragma once
#include <cuda/reduction/scan_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// One thread for each line, where lines are short or many.
template<class Core, class Params = scan_params>
__global__ void __launch_bounds__(scan_threads) scan_columns(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  constexpr int depth = scan_depth(sizeof(T));
  const std::uint32_t line = blockIdx.x * scan_threads + threadIdx.x;
  if (line >= p.n_rows) return;
  const scan_row at = row_of(p, line);
  const scanned_elements<Params> elements(p, line, at);
  auto sum = Core::identity();
  for (std::int64_t begin = 0; begin < p.n; begin += depth) {
    // All loads come before the stores, which may be to the same elements: so they wait at the same time.
    T values[depth];
    elements.load_line(values, begin, static_cast<int>(min(p.n - begin, static_cast<std::int64_t>(depth))),
                       p);
#pragma unroll
    for (int k = 0; k < depth; ++k) {
      if (begin + k >= p.n) break;
      sum = Core::include(sum, values[k]);
      *reinterpret_cast<T*>(at.out + (begin + k) * p.out_stride) = kernel::narrow<T>(sum);
    }
  }
}

/// The merge, in order, of what n threads of one column have left in shared memory, 2^log_columns apart.
template<class R>
__device__ __forceinline__ typename R::state merge_column(const typename R::state* of_threads, unsigned n,
                                                          int log_columns) {
  typename R::state merged = R::identity();
#pragma unroll 1
  for (unsigned i = 0; i < n; ++i) R::merge(merged, of_threads[i << log_columns]);
  return merged;
}

/// The merge of this thread's part of the published values first, ... below `end`, in order; `of_column` is
/// where the column's first word would be.
template<class R>
__device__ __forceinline__ typename R::state merge_part(const std::uint64_t* of_column, std::uint32_t first,
                                                        std::uint32_t end, const scan_params& p) {
  using state = typename R::state;
  const std::uint32_t n_parts = scan_threads >> p.log_group, part = threadIdx.x >> p.log_group,
                      per_part = (end - first + n_parts - 1) / n_parts,
                      begin = min(first + part * per_part, end), stop = min(begin + per_part, end);
  state merged = R::identity();
  for (std::uint32_t i = begin; i < stop; ++i)
    R::merge(merged, wait_for<state>(
                         of_column + (static_cast<std::size_t>(i) * published_words<state> << p.log_group),
                         1u << p.log_group));
  return merged;
}

/// Tiles of 2^log_group lines by as many elements of each as the block's threads have `scan_depth` of. The
/// tiles of a line hand their totals to those behind them, in the order of state_before().
template<class Core, class Params = scan_params>
__global__ void __launch_bounds__(scan_threads, 4) scan_column_tiles(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using R = scan_state<Core>;
  using state = typename R::state;
  constexpr int depth = scan_depth(sizeof(T));
  constexpr std::size_t words = published_words<state>;
  __shared__ state totals[scan_threads], of_tiles[scan_threads], of_groups[scan_threads];

  const bool shared = p.n_groups > 0;
  const std::uint32_t number = shared ? start_number(p.counters) : blockIdx.x;
  // Tiles with what is first of all lines come first: by the time that the others start, their totals are
  // there.
  const std::uint32_t tile = number / p.column_tiles, column_tile = number % p.column_tiles;
  const unsigned column = threadIdx.x & ((1u << p.log_group) - 1), part = threadIdx.x >> p.log_group,
                 n_parts = scan_threads >> p.log_group;
  const std::uint32_t line = (column_tile << p.log_group) + column;
  const bool is_line = line < p.n_rows;
  const scan_row at = row_of(p, min(line, p.n_rows - 1));
  const scanned_elements<Params> elements(p, min(line, p.n_rows - 1), at);
  const std::int64_t begin = (static_cast<std::int64_t>(tile) * n_parts + part) * depth;
  const int n =
      is_line && begin < p.n ? static_cast<int>(min(p.n - begin, static_cast<std::int64_t>(depth))) : 0;

  T values[depth];
  elements.load_line(values, begin, n, p);
  state mine[depth];
  state sum = R::identity();
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    if (k < n) R::add(sum, values[k], 0);
    mine[k] = sum;
  }
  totals[threadIdx.x] = sum;
  __syncthreads();
  const state in_tile = merge_column<R>(totals + column, part, p.log_group);
  state before = R::identity();
  if (shared) {
    const bool is_last = part == n_parts - 1;
    state total = in_tile;
    R::merge(total, sum);
    std::uint64_t* const tiles =
        p.published +
        (static_cast<std::size_t>(column_tile) * (p.n_tiles + p.n_groups) * words << p.log_group) + column;
    std::uint64_t* const groups = tiles + (static_cast<std::size_t>(p.n_tiles) * words << p.log_group);
    const unsigned apart = 1u << p.log_group;
    const std::uint32_t group = tile / p.tiles_per_group, first = group * p.tiles_per_group;
    if (is_last && is_line) publish(tiles + (tile * words << p.log_group), total, apart);
    of_tiles[threadIdx.x] = is_line ? merge_part<R>(tiles, first, tile, p) : R::identity();
    __syncthreads();
    const state in_group = merge_column<R>(of_tiles + column, min(n_parts, tile - first), p.log_group);
    if (is_last && is_line && tile == first + p.tiles_per_group - 1) {
      state of_group = in_group;
      R::merge(of_group, total);
      publish(groups + (group * words << p.log_group), of_group, apart);
    }
    of_groups[threadIdx.x] = is_line ? merge_part<R>(groups, 0, group, p) : R::identity();
    __syncthreads();
    before = merge_column<R>(of_groups + column, min(n_parts, group), p.log_group);
    R::merge(before, in_group);
    clear_published(p);
  }
  R::merge(before, in_tile);
  char* const out = at.out + begin * p.out_stride;
#pragma unroll
  for (int k = 0; k < depth; ++k) {
    state result = before;
    R::merge(result, mine[k]);
    if (k < n) *reinterpret_cast<T*>(out + k * p.out_stride) = kernel::narrow<T>(result.value);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
