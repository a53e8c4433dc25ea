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
__device__ __forceinline__ void load_elements(T (&values)[N], const char* from, std::int64_t n,
                                              const scan_params& p) {
  if (p.side_by_side) {
    load_pack(values, from, 0, static_cast<int>(min(n, static_cast<std::int64_t>(N))));
  } else {
#pragma unroll
    for (int k = 0; k < N; ++k) values[k] = k < n ? *reinterpret_cast<const T*>(from + k * p.in_stride) : T();
  }
}

template<class Core>
__global__ void __launch_bounds__(scan_threads) scan_totals(const __grid_constant__ scan_params p) {
  using T = typename Core::element;
  using R = scan_state<Core>;
  constexpr int lanes = scan_lanes(sizeof(T));
  const std::uint32_t chunk = blockIdx.x % p.n_chunks, row = blockIdx.x / p.n_chunks;
  const std::int64_t begin = chunk * p.per_chunk, end = min(begin + p.per_chunk, p.n);
  const char* in = row_of(p, row).in;
  typename R::state total[lanes];
#pragma unroll
  for (int k = 0; k < lanes; ++k) total[k] = R::identity();
#pragma unroll 4
  for (std::int64_t at = begin + threadIdx.x * lanes; at < end; at += scan_threads * lanes) {
    T values[lanes];
    load_elements(values, in + at * p.in_stride, end - at, p);
#pragma unroll
    for (int k = 0; k < lanes; ++k)
      if (at + k < end) R::add(total[k], values[k], 0);
  }
#pragma unroll
  for (int k = 1; k < lanes; ++k) R::merge(total[0], total[k]);
  merge_block<R>(total[0]);
  if (threadIdx.x == 0) static_cast<typename R::state*>(p.totals)[blockIdx.x] = total[0];
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

/// What comes before a chunk: every block adds up the totals of the chunks before its own, which is quicker
/// than a launch that scans them.
template<class R>
__device__ __forceinline__ typename R::state state_before(const scan_params& p, std::uint32_t row,
                                                          std::uint32_t chunk) {
  __shared__ typename R::state result;
  const auto* totals =
      static_cast<const typename R::state*>(p.totals) + static_cast<std::size_t>(row) * p.n_chunks;
  typename R::state mine = R::identity();
  for (std::uint32_t i = threadIdx.x; i < chunk; i += scan_threads) R::merge(mine, totals[i]);
  merge_block<R>(mine);
  if (threadIdx.x == 0) result = mine;
  __syncthreads();
  return result;
}

template<class Core>
__global__ void __launch_bounds__(scan_threads) scan_chunks(const __grid_constant__ scan_params p) {
  using T = typename Core::element;
  using R = scan_state<Core>;
  using state = typename R::state;
  constexpr int lanes = scan_lanes(sizeof(T)), n_warps = scan_threads / 32, sub_tile = scan_threads * lanes;
  static_assert(n_warps * scan_unroll == 32);
  __shared__ state totals[2][32];

  const std::uint32_t chunk = blockIdx.x % p.n_chunks, row = blockIdx.x / p.n_chunks;
  const std::int64_t begin = chunk * p.per_chunk, end = min(begin + p.per_chunk, p.n);
  const scan_row at_row = row_of(p, row);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  state before = p.n_chunks > 1 ? state_before<R>(p, row, chunk) : R::identity();

  int turn = 0;
  for (std::int64_t tile = begin; tile < end; tile += sub_tile * scan_unroll, turn ^= 1) {
    // Each thread scans `lanes` neighbours in each of scan_unroll sub-tiles, each warp its threads.
    state mine[scan_unroll][lanes], inclusive[scan_unroll];
    T values[scan_unroll][lanes];
#pragma unroll
    for (int u = 0; u < scan_unroll; ++u) {
      const std::int64_t at = tile + u * sub_tile + threadIdx.x * lanes;
      if (at < end) load_elements(values[u], at_row.in + at * p.in_stride, end - at, p);
    }
#pragma unroll
    for (int u = 0; u < scan_unroll; ++u) {
      const std::int64_t at = tile + u * sub_tile + threadIdx.x * lanes;
      state sum = R::identity();
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        if (at + k < end) R::add(sum, values[u][k], 0);
        mine[u][k] = sum;
      }
      inclusive[u] = scan_lanes_of_warp<R>(sum);
      if (lane == 31) totals[turn][u * n_warps + warp] = inclusive[u];
    }
    __syncthreads();
    // The totals in order of position: sub-tile by sub-tile, warp by warp. Two buffers spare a second
    // barrier.
    const state up_to = scan_lanes_of_warp<R>(totals[turn][lane]);
#pragma unroll
    for (int u = 0; u < scan_unroll; ++u) {
      state prefix = before;
      const unsigned slot = u * n_warps + warp;
      const state of_warps = shuffle_from(up_to, slot > 0 ? slot - 1 : 0);
      if (slot > 0) R::merge(prefix, of_warps);
      const state left = shuffle_up(inclusive[u], 1);
      if (lane > 0) R::merge(prefix, left);
      const std::int64_t at = tile + u * sub_tile + threadIdx.x * lanes;
      pack<T, lanes> results;
#pragma unroll
      for (int k = 0; k < lanes; ++k) {
        state result = prefix;
        R::merge(result, mine[u][k]);
        results.values[k] = kernel::narrow<T>(result.value);
      }
      char* to = at_row.out + at * p.out_stride;
      if (p.side_by_side && at + lanes <= end &&
          reinterpret_cast<std::uintptr_t>(to) % sizeof(results) == 0) {
        *reinterpret_cast<pack<T, lanes>*>(to) = results;
      } else {
#pragma unroll
        for (int k = 0; k < lanes; ++k)
          if (at + k < end) *reinterpret_cast<T*>(to + k * p.out_stride) = results.values[k];
      }
    }
    R::merge(before, shuffle_from(up_to, 31));
  }
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
