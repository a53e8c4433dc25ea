// Structure of sparse matrices: rows of entries, sums of rows, entries in another order.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sparse/sparse_params.hpp>
#include <kernel/arithmetic.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

__device__ __forceinline__ std::int64_t sparse_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * sparse_threads + threadIdx.x;
}

/// How many of n ascending keys are below a number, or not above it.
template<class K>
__device__ __forceinline__ std::int64_t position_of(const K* keys, std::int64_t n, std::int64_t number,
                                                    bool after) {
  std::int64_t low = 0, high = n;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    const std::int64_t key = keys[middle];
    if (after ? key <= number : key < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads)
    reduce_rows_of(const __grid_constant__ reduce_rows_params p) {
  wait_for_prior_grids();
  const std::int64_t row = sparse_thread();
  if (row >= p.rows) return;
  const I *const indptr = static_cast<const I*>(p.indptr), begin = indptr[row], end = indptr[row + 1];
  const T* const values = static_cast<const T*>(p.values);
  T result{};
  if (begin < end) result = values[begin];
  for (std::int64_t k = begin + 1; k < end; ++k)
    result = p.op == reduce_rows_params::sum     ? kernel::add(result, values[k])
             : p.op == reduce_rows_params::least ? kernel::minimum(result, values[k])
                                                 : kernel::maximum(result, values[k]);
  static_cast<T*>(p.out)[row] = result;
}

/// values[0] = the sum of n values in shared memory, by pairs.
template<class T>
__device__ __forceinline__ void add_up(T* values, int n) {
  while (n > 1) {
    const int half = (n + 1) / 2;
    for (int k = static_cast<int>(threadIdx.x); k + half < n; k += sparse_threads)
      values[k] = kernel::add(values[k], values[k + half]);
    n = half;
    __syncthreads();
  }
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads)
    multiply_short_rows(const __grid_constant__ short_rows_params p) {
  wait_for_prior_grids();
  // Not T itself: shared memory has no constructors.
  alignas(16) __shared__ unsigned char memory[product_tile * sizeof(T)];
  T* const products = reinterpret_cast<T*>(memory);
  const I *const indptr = static_cast<const I*>(p.indptr), *const indices = static_cast<const I*>(p.indices);
  const T *const data = static_cast<const T*>(p.data), *const x = static_cast<const T*>(p.x);
  const std::int64_t row = sparse_thread(), first = row - threadIdx.x;
  const std::int64_t last = first + sparse_threads < p.rows ? first + sparse_threads : p.rows;
  const std::int64_t block_end = indptr[last];
  std::int64_t own = row < p.rows ? indptr[row] : block_end;
  const std::int64_t own_end = row < p.rows ? indptr[row + 1] : block_end;
  T sum{};
  for (std::int64_t begin = indptr[first]; begin < block_end; begin += product_tile) {
    const std::int64_t end = begin + product_tile < block_end ? begin + product_tile : block_end;
    for (std::int64_t k = begin + threadIdx.x; k < end; k += sparse_threads)
      products[k - begin] = kernel::multiply(data[k], x[indices[k]]);
    const bool has_all = own <= begin && own_end >= end && own < own_end;
    if (__syncthreads_or(has_all)) {  // a row that is not short after all: all threads add it up
      add_up(products, static_cast<int>(end - begin));
      if (has_all) sum = kernel::add(sum, products[0]), own = end;
    } else {
      for (; own < own_end && own < end; ++own) sum = kernel::add(sum, products[own - begin]);
    }
    __syncthreads();
  }
  if (row < p.rows) static_cast<T*>(p.y)[row] = sum;
}

/// The sum of the entries `begin`, `begin + step`, ... of a row times a column of x.
template<class T, class I>
__device__ __forceinline__ T row_times_column(const wide_rows_params& p, std::int64_t begin, std::int64_t end,
                                              int step, std::int64_t column) {
  const I* const indices = static_cast<const I*>(p.rows.indices);
  const T *const data = static_cast<const T*>(p.rows.data), *const x =
                                                                static_cast<const T*>(p.rows.x) + column;
  T sum{};
  for (std::int64_t k = begin; k < end; k += step)
    sum = kernel::add(sum, kernel::multiply(data[k], x[indices[k] * p.width]));
  return sum;
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads)
    multiply_wide_rows(const __grid_constant__ wide_rows_params p) {
  wait_for_prior_grids();
  alignas(16) __shared__ unsigned char memory[sparse_threads * sizeof(T)];
  T* const sums = reinterpret_cast<T*>(memory);
  const I* const indptr = static_cast<const I*>(p.rows.indptr);
  T* const y = static_cast<T*>(p.rows.y);
  const int lanes = 1 << p.log_lanes, lane = static_cast<int>(threadIdx.x) & (lanes - 1),
            own = static_cast<int>(threadIdx.x) >> p.log_lanes, rows = sparse_threads >> p.log_lanes;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * rows, row = first + own;
  const std::int64_t begin = row < p.rows.rows ? indptr[row] : 0,
                     end = row < p.rows.rows ? indptr[row + 1] : 0;
  const bool is_long = end - begin > long_row_entries;
  if (row < p.rows.rows && !is_long)
    for (std::int64_t column = lane; column < p.width; column += lanes)
      y[row * p.width + column] = row_times_column<T, I>(p, begin, end, 1, column);
  if (!__syncthreads_or(is_long)) return;
  for (std::int64_t r = first; r < first + rows && r < p.rows.rows; ++r) {
    const std::int64_t from = indptr[r], to = indptr[r + 1];
    if (to - from <= long_row_entries) continue;
    for (std::int64_t block = 0; block < p.width; block += lanes) {
      const std::int64_t column = block + lane;
      sums[threadIdx.x] = column < p.width ? row_times_column<T, I>(p, from + own, to, rows, column) : T{};
      __syncthreads();
      for (int half = sparse_threads / 2; half >= lanes; half /= 2) {
        if (static_cast<int>(threadIdx.x) < half)
          sums[threadIdx.x] = kernel::add(sums[threadIdx.x], sums[threadIdx.x + half]);
        __syncthreads();
      }
      if (own == 0 && column < p.width) y[r * p.width + column] = sums[lane];
      __syncthreads();
    }
  }
}

template<class I, class Item>
__global__ void __launch_bounds__(sparse_threads) reorder_entries(const __grid_constant__ reorder_params p) {
  wait_for_prior_grids();
  const std::int64_t k = sparse_thread();
  if (k >= p.count) return;
  const std::uint32_t from = p.order[k];
  static_cast<I*>(p.others)[k] = static_cast<const I*>(p.other)[from];
  static_cast<Item*>(p.out)[k] = static_cast<const Item*>(p.data)[from];
}

template<class I>
__global__ void __launch_bounds__(sparse_threads) find_starts(const __grid_constant__ starts_params p) {
  wait_for_prior_grids();
  __shared__ std::int64_t firsts[sparse_threads], lasts[sparse_threads];
  const I* const keys = static_cast<const I*>(p.keys);
  I* const indptr = static_cast<I*>(p.indptr);
  const std::int64_t k = sparse_thread();
  const std::int64_t first = k == 0 ? 0 : k <= p.count ? keys[k - 1] + std::int64_t{1} : 0;
  const std::int64_t last = k < p.count ? keys[k] : k == p.count ? p.n_numbers : -1;
  const bool has_many = last - first >= most_own_starts;
  if (!has_many)
    for (std::int64_t n = first; n <= last; ++n) indptr[n] = static_cast<I>(k);
  if (!__syncthreads_or(has_many)) return;
  firsts[threadIdx.x] = first;
  lasts[threadIdx.x] = last;
  __syncthreads();
  for (unsigned t = 0; t < sparse_threads; ++t)
    if (lasts[t] - firsts[t] >= most_own_starts)
      for (std::int64_t n = firsts[t] + threadIdx.x; n <= lasts[t]; n += sparse_threads)
        indptr[n] = static_cast<I>(k - threadIdx.x + t);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
