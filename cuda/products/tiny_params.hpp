// The parameter block of products of small matrices.
#pragma once
#include <cuda/device/index_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int tiny_threads = 256;

/// c = a b for all batches. A thread has one element of c, whose matrices are C-contiguous.
struct tiny_params {
  char* c;
  const char *a, *b;
  std::int64_t a_row, a_column, b_row, b_column;  // bytes
  std::int32_t k;
  std::uint32_t size;          // elements of c
  fast_divisor n, per_matrix;  // columns of c; its elements
  operand_space<3> batch;      // c, a, b
};

/// For floating-point and complex dtypes.
const void* find_tiny_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
