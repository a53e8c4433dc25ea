// The parameter block of the matrix product of integers and bools.
#pragma once
#include <cuda/device/reduce_params.hpp>
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int product_threads = 256;
inline constexpr int product_tile = 64;   // rows and columns of c that a block computes
inline constexpr int product_depth = 16;  // of k, at once

struct product_params {
  const char *a, *b;
  char* c;
  std::int64_t m, n, k;
  std::int64_t a_row, a_column, b_row, b_column;  // bytes
  fast_divisor tiles_m, tiles_n;
  index_space batch;  // strides of c
  std::int64_t a_batch[max_ndim], b_batch[max_ndim];
};

/// The kernel for a bool or integer dtype; null for others.
const void* find_product_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
