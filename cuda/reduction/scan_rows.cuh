// Scans of rows that a warp or a part of one takes in at once: neither barriers nor idle warps. Every sum is
// made of the same parts, in the same order, as by scan_tiles.
#pragma once
#include <cuda/reduction/scan_kernels.cuh>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Rows of at most 32 packs: 2^log_group lanes for each, and several rows in turn, whose loads come first.
template<class Core, class Params = scan_params>
__global__ void __launch_bounds__(scan_threads) scan_short_rows(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using R = scan_state<Core>;
  constexpr int lanes = scan_lanes(sizeof(T));
  const unsigned group = 1u << p.log_group, rows_at_once = scan_threads >> p.log_group;
  const std::uint32_t first = blockIdx.x * rows_at_once * short_rows_in_turn + (threadIdx.x >> p.log_group);
  const int at = static_cast<int>(threadIdx.x % group) * lanes;
  scan_row rows[short_rows_in_turn];
  int sizes[short_rows_in_turn];
  pack<T, lanes> values[short_rows_in_turn];
#pragma unroll
  for (int u = 0; u < short_rows_in_turn; ++u) {
    const std::uint32_t row = first + u * rows_at_once;
    sizes[u] = row < p.n_rows ? static_cast<int>(p.n) : 0;
    rows[u] = row_of(p, min(row, p.n_rows - 1));
    scanned_elements<Params>(p, min(row, p.n_rows - 1), rows[u]).load(values[u].values, 0, at, sizes[u], p);
  }
#pragma unroll
  for (int u = 0; u < short_rows_in_turn; ++u) {
    typename R::state mine[lanes];
    scan_pack<R>(mine, values[u].values, at, sizes[u]);
    scan_group<R>(mine, group);
    store_scanned<R, T>(rows[u].out, at, sizes[u], R::identity(), mine, p);
  }
}

/// Rows that the warps of a block would take in one access each: a warp for each row, which has what they
/// have.
template<class Core, class Params = scan_params>
__global__ void __launch_bounds__(scan_threads, 3) scan_middle_rows(const __grid_constant__ Params p) {
  wait_for_prior_grids();
  using T = typename Core::element;
  using R = scan_state<Core>;
  using state = typename R::state;
  constexpr int lanes = scan_lanes(sizeof(T)), n_warps = scan_threads / 32, segment = 32 * lanes,
                per_lane = scan_totals_per_lane(sizeof(T)), n_merged = n_warps / per_lane;
  const std::uint32_t row = blockIdx.x * n_warps + threadIdx.x / 32;
  if (row >= p.n_rows) return;
  const scan_row at_row = row_of(p, row);
  const scanned_elements<Params> elements(p, row, at_row);
  const int n = static_cast<int>(p.n), first = static_cast<int>(threadIdx.x % 32) * lanes;
  pack<T, lanes> values[n_warps];
#pragma unroll
  for (int u = 0; u < n_warps; ++u)
    if (u * segment < n) elements.load(values[u].values, 0, u * segment + first, n, p);
  state mine[n_warps][lanes], totals[n_warps];
#pragma unroll
  for (int u = 0; u < n_warps; ++u) {
    totals[u] = R::identity();
    if (u * segment >= n) continue;
    scan_pack<R>(mine[u], values[u].values, u * segment + first, n);
    totals[u] = shuffle_from(scan_group<R>(mine[u]), 31);
  }
  // What the first lanes of scan_tiles have: the totals of per_lane segments each, and of all before.
  state up_to[n_merged];
#pragma unroll
  for (int j = 0; j < n_merged; ++j) {
    up_to[j] = totals[j * per_lane];
#pragma unroll
    for (int i = 1; i < per_lane; ++i) R::merge(up_to[j], totals[j * per_lane + i]);
  }
#pragma unroll
  for (int step = 1; step < n_merged; step *= 2) {
#pragma unroll
    for (int j = n_merged - 1; j >= step; --j) {
      state left = up_to[j - step];
      R::merge(left, up_to[j]);
      up_to[j] = left;
    }
  }
#pragma unroll
  for (int u = 0; u < n_warps; ++u) {
    if (u * segment >= n) continue;
    state before = R::identity();
    if (u >= per_lane) R::merge(before, up_to[u / per_lane - (u >= per_lane)]);
#pragma unroll
    for (int i = u / per_lane * per_lane; i < u; ++i) R::merge(before, totals[i]);
    store_scanned<R, T>(at_row.out, u * segment + first, n, before, mine[u], p);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
