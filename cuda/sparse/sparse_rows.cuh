// Rows picked from sparse matrices, and what is read off row by row: diagonals.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sparse/sparse_kernels.cuh>
#include <cuda/sparse/sparse_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class I>
__global__ void __launch_bounds__(sparse_threads) find_tile_rows(const __grid_constant__ tile_rows_params p) {
  wait_for_prior_grids();
  const std::int64_t tile = sparse_thread();
  if (tile > p.tiles) return;
  const std::int64_t entry = tile < p.tiles ? tile * copy_tile : p.count - 1;
  // The last of the rows that begin there; those before it are empty.
  p.tile_rows[tile] = position_of(static_cast<const I*>(p.indptr), p.rows + 1, entry, true) - 1;
}

/// body(entry, row) for this thread's entries of the block's tile.
template<class I, class Body>
__device__ __forceinline__ void for_entries(const I* indptr, const std::int64_t* tile_rows,
                                            std::int64_t count, Body body) {
  const std::int64_t first = tile_rows[blockIdx.x], last = tile_rows[blockIdx.x + 1];
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * copy_tile + threadIdx.x;
#pragma unroll
  for (int v = 0; v < copy_items; ++v) {
    const std::int64_t k = begin + v * sparse_threads;
    if (k < count) body(k, first + position_of(indptr + first + 1, last - first, k, true));
  }
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) expand_rows(const __grid_constant__ expand_params p) {
  wait_for_prior_grids();
  for_entries(static_cast<const I*>(p.indptr), p.tile_rows, p.count,
              [&](std::int64_t k, std::int64_t row) { static_cast<I*>(p.row)[k] = static_cast<I>(row); });
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) count_taken(const __grid_constant__ take_params p) {
  wait_for_prior_grids();
  const std::int64_t row = sparse_thread();
  if (row >= p.n) return;
  const I* const begin = static_cast<const I*>(p.indptr) + p.numbers[row];
  p.ends[row] = begin[1] - begin[0];
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) write_starts(const __grid_constant__ row_ends_params p) {
  wait_for_prior_grids();
  const std::int64_t row = sparse_thread();
  if (row >= p.rows) return;
  I* const indptr = static_cast<I*>(p.indptr);
  if (row == 0) indptr[0] = 0;
  indptr[row + 1] = static_cast<I>(p.ends[row]);
}

template<class I, class Item>
__global__ void __launch_bounds__(sparse_threads) write_taken(const __grid_constant__ take_params p) {
  wait_for_prior_grids();
  const I *const starts = static_cast<const I*>(p.to_indptr), *const from_starts =
                                                                  static_cast<const I*>(p.indptr);
  for_entries(starts, p.tile_rows, p.count, [&](std::int64_t k, std::int64_t row) {
    const std::int64_t from = from_starts[p.numbers[row]] + (k - starts[row]);
    static_cast<I*>(p.to_indices)[k] = static_cast<const I*>(p.indices)[from];
    static_cast<Item*>(p.to_data)[k] = static_cast<const Item*>(p.data)[from];
  });
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) count_descents(const __grid_constant__ descents_params p) {
  wait_for_prior_grids();
  const I *const indptr = static_cast<const I*>(p.indptr), *const indices = static_cast<const I*>(p.indices);
  const auto descends = [&](std::int64_t k) {
    return p.strictly ? indices[k] <= indices[k - 1] : indices[k] < indices[k - 1];
  };
  unsigned long long count = 0;  // of this warp; differences wrap
#pragma unroll
  for (int v = 0; v < copy_items; ++v) {
    const std::int64_t k =
        static_cast<std::int64_t>(blockIdx.x) * copy_tile + v * sparse_threads + threadIdx.x;
    const bool of_entry = k > 0 && k < p.entries && descends(k);
    bool of_row = false;
    if (k < p.rows) {
      const std::int64_t begin = indptr[k];
      of_row = begin > 0 && begin < indptr[k + 1] && descends(begin);
    }
    count += static_cast<unsigned long long>(__popc(__ballot_sync(0xffffffffu, of_entry)));
    count -= static_cast<unsigned long long>(__popc(__ballot_sync(0xffffffffu, of_row)));
  }
  if (threadIdx.x % 32 == 0 && count != 0) atomicAdd(p.count, count);
}

/// sum += the entries [begin, end) that are in a column, in their order.
template<class T, class I>
__device__ __forceinline__ void add_column(const I* indices, const T* data, std::int64_t begin,
                                           std::int64_t end, std::int64_t column, T& sum) {
  for (std::int64_t at = begin; at < end; ++at)
    if (indices[at] == column) sum = kernel::add(sum, data[at]);
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads) add_up_diagonal(const __grid_constant__ diagonal_params p) {
  wait_for_prior_grids();
  __shared__ std::int64_t begins[sparse_threads], ends[sparse_threads];
  const I *const indptr = static_cast<const I*>(p.indptr), *const indices = static_cast<const I*>(p.indices);
  const T* const data = static_cast<const T*>(p.data);
  const std::int64_t own = sparse_thread();
  const std::int64_t row = p.first_row + own;
  const std::int64_t begin = own < p.count ? indptr[row] : 0, end = own < p.count ? indptr[row + 1] : 0;
  const bool is_long = end - begin > longest_own_row;
  T sum{};
  if (!is_long) add_column(indices, data, begin, end, row + p.k, sum);
  if (__syncthreads_or(is_long)) {
    begins[threadIdx.x] = begin;
    ends[threadIdx.x] = end;
    __syncthreads();
    for (unsigned r = 0; r < sparse_threads; ++r) {
      if (ends[r] - begins[r] <= longest_own_row) continue;
      const std::int64_t column = row - threadIdx.x + r + p.k;
      for (std::int64_t first = begins[r]; first < ends[r]; first += copy_tile) {
        const std::int64_t last = first + copy_tile < ends[r] ? first + copy_tile : ends[r];
        bool there = false;
        for (std::int64_t at = first + threadIdx.x; at < last; at += sparse_threads)
          there = there || indices[at] == column;
        if (__syncthreads_or(there) && threadIdx.x == r) add_column(indices, data, first, last, column, sum);
      }
    }
  }
  if (own < p.count) static_cast<T*>(p.out)[own] = sum;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
