// Inclusive scans. Sums are combined in an order that depends on sizes alone: a decoupled look-back would be
// faster for long rows, but adds in whatever order blocks finish, which changes the last bits of
// floating-point results.
#pragma once
#include "reduce_state.cuh"
#include "scan_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A core of kernel/reduce_cores.hpp as merge_block wants it.
template<class Core>
struct scan_state : kernel::single_state<Core> {};

struct scan_row {
  const char* in;
  char* out;
};

__device__ __forceinline__ scan_row row_of(const scan_params& p, std::uint32_t row) {
  std::int64_t in = 0, out = 0;
  for (int d = p.rows.ndim - 1; d >= 0; --d) {
    std::uint32_t along = row;
    row = p.rows.shape[d].split(along);
    in += along * p.rows.strides[d];
    out += along * p.out_strides[d];
  }
  return {p.in + in, p.out + out};
}

template<class T, int N>
__device__ __forceinline__ void load_elements(T (&values)[N], const char* from, int n,
                                              const scan_params& p) {
  if (p.side_by_side) {
    load_pack(values, from, 0, n);
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = k < n ? *reinterpret_cast<const T*>(from + k * p.in_stride) : T();
  }
}

/// The merge of the states of the lanes up to this one, within the warp.
template<class R>
__device__ __forceinline__ typename R::state scan_lanes_of_warp(typename R::state mine) {
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (unsigned step = 1; step < 32; step *= 2) {
    typename R::state left = shuffle_up(mine, step);
    R::merge(left, mine);
    if (lane >= step) mine = left;
  }
  return mine;
}

/// A value that one block hands to others of the same launch.
template<class State>
__device__ __forceinline__ void publish(State* to, unsigned* flag, const State& value) {
  *to = value;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(1u) : "memory");
}
template<class State>
__device__ __forceinline__ State wait_for(const State* from, const unsigned* flag) {
  unsigned ready;
  do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
  while (!ready);
  return *from;
}

/// The merge of published values first, first + 1, ... below `end`, for all threads.
template<class R>
__device__ __forceinline__ typename R::state merge_published(const typename R::state* values,
                                                             const unsigned* flags, std::uint32_t first,
                                                             std::uint32_t end) {
  __shared__ typename R::state result;
  if (first == end) return R::identity();
  typename R::state mine = R::identity();
  for (std::uint32_t i = first + threadIdx.x; i < end; i += scan_threads)
    R::merge(mine, wait_for(values + i, flags + i));
  merge_block<R>(mine);
  if (threadIdx.x == 0) result = mine;
  __syncthreads();
  return result;
}

/// What comes before a tile: the tiles before it in its group, and the groups before that. The values of tiles
/// depend on no others and those of groups on their tiles alone, so nothing is added in an order that depends
/// on which block is first, as it does when a block takes the nearest sum that is there.
template<class R>
__device__ __forceinline__ typename R::state state_before(const scan_params& p, std::uint32_t row,
                                                          std::uint32_t tile,
                                                          const typename R::state& total) {
  using state = typename R::state;
  const std::uint32_t group = tile / p.tiles_per_group, first = group * p.tiles_per_group;
  const std::size_t row_tiles = static_cast<std::size_t>(row) * p.n_tiles,
                    row_groups = static_cast<std::size_t>(row) * p.n_groups;
  state* const tiles = static_cast<state*>(p.totals) + row_tiles;
  state* const groups = static_cast<state*>(p.totals) + static_cast<std::size_t>(p.n_rows) * p.n_tiles + row_groups;
  unsigned* const tile_flags = p.flags + row_tiles;
  unsigned* const group_flags = p.flags + static_cast<std::size_t>(p.n_rows) * p.n_tiles + row_groups;
  if (threadIdx.x == 0) publish(tiles + tile, tile_flags + tile, total);
  const state in_group = merge_published<R>(tiles, tile_flags, first, tile);
  if (threadIdx.x == 0 && tile == first + p.tiles_per_group - 1) {
    state of_group = in_group;
    R::merge(of_group, total);
    publish(groups + group, group_flags + group, of_group);
  }
  state before = merge_published<R>(groups, group_flags, 0, group);
  R::merge(before, in_group);
  return before;
}

/// The block that comes last leaves all flags at zero for the next launch.
__device__ __forceinline__ void reset_flags(const scan_params& p) {
  unsigned* const done = p.flags + p.n_flags;
  if (!is_last_block(done, gridDim.x)) return;
  for (std::uint32_t i = threadIdx.x; i < p.n_flags; i += scan_threads) p.flags[i] = 0;
}

/// Scans tiles one after another: the whole row if it is short or there are many rows, else one tile.
template<class Core>
__global__ void __launch_bounds__(scan_threads) scan_tiles(const __grid_constant__ scan_params p) {
  using T = typename Core::element;
  using R = scan_state<Core>;
  using state = typename R::state;
  constexpr int lanes = scan_lanes(sizeof(T)), n_warps = scan_threads / 32, sub_tile = scan_threads * lanes;
  static_assert(n_warps * scan_unroll == 32);
  __shared__ state totals[2][32];

  const bool shared = p.n_groups > 0;
  const std::uint32_t row = shared ? blockIdx.x / p.n_tiles : blockIdx.x;
  const std::uint32_t tile_of_row = shared ? blockIdx.x % p.n_tiles : 0;
  const std::int64_t begin = static_cast<std::int64_t>(tile_of_row) * (sub_tile * scan_unroll),
                     end = shared ? min(begin + sub_tile * scan_unroll, p.n) : p.n;
  const scan_row at_row = row_of(p, row);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  state before = R::identity();

  int turn = 0;
  for (std::int64_t tile = begin; tile < end; tile += sub_tile * scan_unroll, turn ^= 1) {
    // Each thread scans `lanes` neighbours in each of scan_unroll sub-tiles, each warp its threads.
    const int n = static_cast<int>(min(end - tile, static_cast<std::int64_t>(sub_tile * scan_unroll)));
    const char* const in = at_row.in + tile * p.in_stride;
    const bool whole = p.side_by_side && n == sub_tile * scan_unroll;
    state mine[scan_unroll][lanes], inclusive[scan_unroll];
    pack<T, lanes> values[scan_unroll];
    if (whole && is_aligned<pack<T, lanes>>(in)) {
#pragma unroll
      for (int u = 0; u < scan_unroll; ++u)
        values[u] = reinterpret_cast<const pack<T, lanes>*>(in)[u * scan_threads + threadIdx.x];
    } else {
#pragma unroll
      for (int u = 0; u < scan_unroll; ++u) {
        const int at = u * sub_tile + threadIdx.x * lanes;
        load_elements(values[u].values, in + at * p.in_stride, n - at, p);
      }
    }
#pragma unroll
    for (int u = 0; u < scan_unroll; ++u) {
      const int at = u * sub_tile + threadIdx.x * lanes;
      state sum = R::identity();
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        if (at + k < n) R::add(sum, values[u].values[k], 0);
        mine[u][k] = sum;
      }
      inclusive[u] = scan_lanes_of_warp<R>(sum);
      if (lane == 31) totals[turn][u * n_warps + warp] = inclusive[u];
    }
    __syncthreads();
    // The totals in order of position: sub-tile by sub-tile, warp by warp. Two buffers spare a second
    // barrier.
    const state up_to = scan_lanes_of_warp<R>(totals[turn][lane]);
    const state total = shuffle_from(up_to, 31);
    if (shared) before = state_before<R>(p, row, tile_of_row, total);
    char* const out = at_row.out + tile * p.out_stride;
    const bool whole_out = whole && is_aligned<pack<T, lanes>>(out);
#pragma unroll
    for (int u = 0; u < scan_unroll; ++u) {
      state prefix = before;
      const unsigned slot = u * n_warps + warp;
      const state of_warps = shuffle_from(up_to, slot > 0 ? slot - 1 : 0);
      if (slot > 0) R::merge(prefix, of_warps);
      const state left = shuffle_up(inclusive[u], 1);
      if (lane > 0) R::merge(prefix, left);
      const int at = u * sub_tile + threadIdx.x * lanes;
      pack<T, lanes> results;
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        state result = prefix;
        R::merge(result, mine[u][k]);
        results.values[k] = kernel::narrow<T>(result.value);
      }
      if (whole_out) {
        reinterpret_cast<pack<T, lanes>*>(out)[u * scan_threads + threadIdx.x] = results;
      } else {
#pragma unroll
        for (int k = 0; k < lanes; ++k)
          if (at + k < n) *reinterpret_cast<T*>(out + (at + k) * p.out_stride) = results.values[k];
      }
    }
    R::merge(before, total);
  }
  if (shared) reset_flags(p);
}

template<class Core>
__global__ void __launch_bounds__(scan_threads) scan_columns(const __grid_constant__ scan_params p) {
  using T = typename Core::element;
  const std::uint32_t row = blockIdx.x * scan_threads + threadIdx.x;
  if (row >= p.n_rows) return;
  const scan_row at = row_of(p, row);
  auto sum = Core::identity();
#pragma unroll 4
  for (std::int64_t i = 0; i < p.n; ++i) {
    sum = Core::include(sum, *reinterpret_cast<const T*>(at.in + i * p.in_stride));
    *reinterpret_cast<T*>(at.out + i * p.out_stride) = kernel::narrow<T>(sum);
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
