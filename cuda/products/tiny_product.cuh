// Products of small matrices: rows and columns are read through the cache, in which neighbours find them.
#pragma once
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

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
