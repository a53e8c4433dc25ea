// Products of cuBLAS as three loops over host memory, for floats that are small whole numbers. A handle that
// was not told that halves are summed in float32 is refused.
#pragma once
#include <cstdint>
#include <set>

#include <cuda/products/blas.hpp>

namespace fake_gemm {

using std::int64_t;

inline std::set<cublasComputeType_t> asked;
inline int calls = 0;
inline cublasMath_t mode = CUBLAS_DEFAULT_MATH;  // of the last handle
inline constexpr auto own_mode =
    static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

/// c = op(a) op(b) by columns, for floats that are small whole numbers.
inline void multiply(cublasOperation_t op_a, cublasOperation_t op_b, int64_t m, int64_t n, int64_t k,
                     const void* a, int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc) {
  const auto at = [](const void* x, cublasOperation_t op, int64_t ld, int64_t row, int64_t column) {
    return static_cast<const float*>(x)[op == CUBLAS_OP_N ? row + column * ld : column + row * ld];
  };
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += at(a, op_a, lda, i, l) * at(b, op_b, ldb, l, j);
      static_cast<float*>(c)[i + j * ldc] = sum;
    }
}

inline cublasStatus_t gemm(cublasHandle_t, cublasOperation_t op_a, cublasOperation_t op_b, int64_t m,
                           int64_t n, int64_t k, const void*, const void* a, cudaDataType type, int64_t lda,
                           const void* b, cudaDataType, int64_t ldb, const void*, void* c, cudaDataType,
                           int64_t ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (type != CUDA_R_32F || mode != own_mode) return CUBLAS_STATUS_INVALID_VALUE;
  asked.insert(compute);
  ++calls;
  multiply(op_a, op_b, m, n, k, a, lda, b, ldb, c, ldc);
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t batched(cublasHandle_t, cublasOperation_t op_a, cublasOperation_t op_b, int64_t m,
                              int64_t n, int64_t k, const void*, const void* a, cudaDataType, int64_t lda,
                              long long step_a, const void* b, cudaDataType, int64_t ldb, long long step_b,
                              const void*, void* c, cudaDataType, int64_t ldc, long long step_c,
                              int64_t count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (mode != own_mode) return CUBLAS_STATUS_INVALID_VALUE;
  asked.insert(compute);
  ++calls;
  for (int64_t i = 0; i < count; ++i)
    multiply(op_a, op_b, m, n, k, static_cast<const float*>(a) + i * step_a, lda,
             static_cast<const float*>(b) + i * step_b, ldb, static_cast<float*>(c) + i * step_c, ldc);
  return CUBLAS_STATUS_SUCCESS;
}

/// Into a table that has the calls for handles.
inline void add_products(gparray::core::cuda::blas_table& t) {
  asked.clear();
  calls = 0;
  t.cublasSetMathMode = [](cublasHandle_t, cublasMath_t asked_for) {
    mode = asked_for;
    return CUBLAS_STATUS_SUCCESS;
  };
  t.cublasGemmEx_64 = gemm;
  t.cublasGemmStridedBatchedEx_64 = batched;
}

}  // namespace fake_gemm
