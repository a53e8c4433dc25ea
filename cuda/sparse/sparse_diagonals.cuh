// Matrices of stored diagonals: compressed rows of them, and products.
#pragma once
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/sparse/sparse_params.hpp>
#include <kernel/arithmetic.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// body(column, element) for the elements of a row.
template<class T, class Body>
__device__ __forceinline__ void for_diagonals(const diagonal_address* each, std::int64_t n,
                                              std::int64_t width, std::int64_t row, Body body) {
  for (std::int64_t d = 0; d < n; ++d) {
    const std::int64_t column = row + each[d].offset;
    if (column >= 0 && column < width) body(column, static_cast<const T*>(each[d].data)[column]);
  }
}

template<class T>
__global__ void __launch_bounds__(sparse_threads)
    count_diagonals(const __grid_constant__ diagonals_params p) {
  wait_for_prior_grids();
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * sparse_threads + threadIdx.x;
  if (row >= p.rows) return;
  std::int64_t count = 0;
  for_diagonals<T>(p.each, p.n, p.width, row,
                   [&](std::int64_t, T value) { count += kernel::nonzero(value); });
  p.ends[row] = count;
}

template<class T, class I>
__global__ void __launch_bounds__(sparse_threads)
    write_diagonals(const __grid_constant__ diagonals_params p) {
  wait_for_prior_grids();
  const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * sparse_threads + threadIdx.x;
  if (row >= p.rows) return;
  std::int64_t to = row > 0 ? p.ends[row - 1] : 0;
  if (row == 0) static_cast<I*>(p.indptr)[0] = 0;
  static_cast<I*>(p.indptr)[row + 1] = static_cast<I>(p.ends[row]);
  for_diagonals<T>(p.each, p.n, p.width, row, [&](std::int64_t column, T value) {
    if (!kernel::nonzero(value)) return;
    static_cast<I*>(p.indices)[to] = static_cast<I>(column);
    static_cast<T*>(p.data)[to++] = value;
  });
}

template<class T>
__global__ void __launch_bounds__(sparse_threads)
    multiply_diagonals(const __grid_constant__ diagonals_product_params p) {
  wait_for_prior_grids();
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * sparse_threads + threadIdx.x;
  if (at >= p.rows * p.columns) return;
  const std::int64_t row = p.columns == 1 ? at : at / p.columns, of_row = at - row * p.columns;
  T sum = static_cast<const T*>(p.y)[at];
  for_diagonals<T>(p.each, p.n, p.width, row, [&](std::int64_t column, T value) {
    sum = kernel::add(sum, kernel::multiply(value, static_cast<const T*>(p.x)[column * p.columns + of_row]));
  });
  static_cast<T*>(p.y)[at] = sum;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
