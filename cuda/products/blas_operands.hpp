// The operands of a matrix product as BLAS takes them.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/runtime/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A matrix as BLAS sees it. BLAS counts by columns: a row-major matrix is its own transpose, so we compute
/// c^T = b^T a^T, and `transposed` is set for a matrix whose columns are contiguous.
struct blas_matrix {
  const char* data;
  cublasOperation_t operation;
  std::int64_t leading;  // elements
};

struct blas_types {
  cudaDataType_t factors, result;
  cublasComputeType_t compute;
};

/// What BLAS multiplies for a plan: m x k by k x n, for the batches of a nest with operands c, a, b.
struct blas_operands {
  blas_matrix a, b;
  loop_nest batches;
  std::int64_t m;  // rows of a: where stacked matrices are multiplied by one, those of the stack
  scratch packed_a, packed_b;
};

/// Copies operands that BLAS cannot read as they are. k is not 0; c has the dtype `result`.
blas_operands prepare_operands(const matmul_plan& plan, dtype result, const loop_nest& batches, queue q,
                               memory_pool& pool);

/// Float32 is computed as float32_matmul_precision() says, if the device can.
blas_types types_of(dtype factors, dtype result, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
