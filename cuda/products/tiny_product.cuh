// Products of small matrices, and of short rows and a vector: rows and columns are read through the cache, in which
// neighbours find them.
#pragma once
#include <cuda/device/elements.cuh>
#include <cuda/device/programmatic_launch.cuh>
#include <cuda/products/tiny_params.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<class T>
__global__ void __launch_bounds__(tiny_threads) multiply_tiny(const __grid_constant__ tiny_params p) {
  wait_for_prior_grids();
  using sum_type = typename kernel::traits<T>::compute_type;  // float32 for halves
  const std::uint32_t i = blockIdx.x * tiny_threads + threadIdx.x;
  if (i >= p.size) return;
  std::uint32_t column = i;
  const std::uint32_t batch = p.per_matrix.split(column), in_matrix = column, row = p.n.split(column);
  std::int64_t at[3];
  p.batch.offsets(batch, at);
  const char* a = p.a + at[1] + row * p.a_row;
  const char* b = p.b + at[2] + column * p.b_column;
  const auto product = [&](int k) {
    return static_cast<sum_type>(*reinterpret_cast<const T*>(a + k * p.a_column)) *
           static_cast<sum_type>(*reinterpret_cast<const T*>(b + k * p.b_row));
  };
  sum_type sum = product(0);
#pragma unroll 4
  for (int k = 1; k < p.k; ++k) sum = sum + product(k);
  reinterpret_cast<T*>(p.c + at[0])[in_matrix] = static_cast<T>(sum);
}

/// The vector is in the cache; a row is so short that the cache holds what a warp has begun to read.
template<class T>
__global__ void __launch_bounds__(tiny_threads) multiply_short_rows(const __grid_constant__ short_rows_params p) {
  wait_for_prior_grids();
  constexpr int lanes = 16 / static_cast<int>(sizeof(T));
  using row_pack = pack<T, lanes>;
  const std::uint32_t row = blockIdx.x * tiny_threads + threadIdx.x;
  if (row >= p.size) return;
  const auto* const a = reinterpret_cast<const row_pack*>(p.a + row * p.a_row);
  const auto* const b = reinterpret_cast<const row_pack*>(p.b);
  T sums[lanes] = {};
  const int n_packs = p.k / lanes;
#pragma unroll 8
  for (int i = 0; i < n_packs; ++i) {
    const row_pack x = a[i], y = b[i];
#pragma unroll
    for (int l = 0; l < lanes; ++l) sums[l] = sums[l] + x.values[l] * y.values[l];
  }
  for (int k = n_packs * lanes; k < p.k; ++k)
    sums[0] = sums[0] + reinterpret_cast<const T*>(a)[k] * reinterpret_cast<const T*>(b)[k];
#pragma unroll
  for (int l = 1; l < lanes; ++l) sums[0] = sums[0] + sums[l];
  reinterpret_cast<T*>(p.c)[row] = sums[0];
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
