// Products of cuBLAS as three loops over host memory, in float. A handle that was not told that halves are
// summed in float32 is refused.
#pragma once
#include <cstdint>
#include <set>
#include <string>

#include <cuda/products/blas.hpp>
#include <gparray/dtype/float16.hpp>

namespace fake_gemm {

using std::int64_t;

inline std::set<cublasComputeType_t> asked;
inline std::set<std::string> routines;  // that were called
inline int calls = 0;
inline cublasMath_t mode = CUBLAS_DEFAULT_MATH;  // of the last handle
inline constexpr auto own_mode =
    static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);

inline float read(const void* x, cudaDataType type, int64_t i) {
  switch (type) {
    case CUDA_R_16F:
      return static_cast<float>(static_cast<const gparray::float16*>(x)[i]);
    case CUDA_R_16BF:
      return static_cast<float>(static_cast<const gparray::bfloat16*>(x)[i]);
    default:
      return static_cast<const float*>(x)[i];
  }
}
inline void write(void* x, cudaDataType type, int64_t i, float value) {
  switch (type) {
    case CUDA_R_16F:
      static_cast<gparray::float16*>(x)[i] = gparray::float16(value);
      break;
    case CUDA_R_16BF:
      static_cast<gparray::bfloat16*>(x)[i] = gparray::bfloat16(value);
      break;
    default:
      static_cast<float*>(x)[i] = value;
  }
}
inline int64_t size_of(cudaDataType type) { return type == CUDA_R_32F ? 4 : 2; }
inline bool is_known(cudaDataType type) {
  return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

/// c = f(op(a) op(b), row of c) by columns.
template<class F>
void multiply(cublasOperation_t op_a, cublasOperation_t op_b, int64_t m, int64_t n, int64_t k, const void* a,
              int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc, cudaDataType factors,
              cudaDataType result, F f) {
  const auto at = [&](const void* x, cublasOperation_t op, int64_t ld, int64_t row, int64_t column) {
    return read(x, factors, op == CUBLAS_OP_N ? row + column * ld : column + row * ld);
  };
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l) sum += at(a, op_a, lda, i, l) * at(b, op_b, ldb, l, j);
      write(c, result, i + j * ldc, f(sum, i));
    }
}

/// The matrix that is `steps` elements behind.
template<class P>
P moved(P x, cudaDataType type, long long steps) {
  if constexpr (std::is_same_v<P, void*>) return static_cast<char*>(x) + steps * size_of(type);
  else return static_cast<const char*>(x) + steps * size_of(type);
}

inline cublasStatus_t batched(cublasHandle_t, cublasOperation_t op_a, cublasOperation_t op_b, int64_t m,
                              int64_t n, int64_t k, const void*, const void* a, cudaDataType type,
                              int64_t lda, long long step_a, const void* b, cudaDataType type_b, int64_t ldb,
                              long long step_b, const void*, void* c, cudaDataType result, int64_t ldc,
                              long long step_c, int64_t count, cublasComputeType_t compute,
                              cublasGemmAlgo_t) {
  const bool of_halves = type != CUDA_R_32F;
  if (mode != own_mode || !is_known(type) || type_b != type || (result != type && result != CUDA_R_32F) ||
      (of_halves && compute != CUBLAS_COMPUTE_32F))
    return CUBLAS_STATUS_INVALID_VALUE;
  asked.insert(compute);
  routines.insert("gemm");
  ++calls;
  for (int64_t i = 0; i < count; ++i)
    multiply(op_a, op_b, m, n, k, moved(a, type, i * step_a), lda, moved(b, type, i * step_b), ldb,
             moved(c, result, i * step_c), ldc, type, result, [](float sum, int64_t) { return sum; });
  return CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t gemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int64_t m,
                           int64_t n, int64_t k, const void* one, const void* a, cudaDataType type,
                           int64_t lda, const void* b, cudaDataType type_b, int64_t ldb, const void* zero,
                           void* c, cudaDataType result, int64_t ldc, cublasComputeType_t compute,
                           cublasGemmAlgo_t algorithm) {
  return batched(h, op_a, op_b, m, n, k, one, a, type, lda, 0, b, type_b, ldb, 0, zero, c, result, ldc, 0, 1,
                 compute, algorithm);
}

/// y = op(a) x, where a has m rows and n columns.
inline cublasStatus_t gemv(cublasHandle_t, cublasOperation_t op, int64_t m, int64_t n, const float* one,
                           const float* a, int64_t lda, const float* x, int64_t step, const float* zero,
                           float* y, int64_t step_y) {
  if (*one != 1 || *zero != 0 || step < 1 || step_y != 1 || lda < m) return CUBLAS_STATUS_INVALID_VALUE;
  routines.insert("gemv");
  ++calls;
  const bool plain = op == CUBLAS_OP_N;
  for (int64_t i = 0; i < (plain ? m : n); ++i) {
    float sum = 0;
    for (int64_t l = 0; l < (plain ? n : m); ++l) sum += a[plain ? i + l * lda : l + i * lda] * x[l * step];
    y[i] = sum;
  }
  return CUBLAS_STATUS_SUCCESS;
}

/// Into a table that has the calls for handles.
inline void add_products(gparray::core::cuda::blas_table& t) {
  asked.clear();
  routines.clear();
  calls = 0;
  t.cublasSetMathMode = [](cublasHandle_t, cublasMath_t asked_for) {
    mode = asked_for;
    return CUBLAS_STATUS_SUCCESS;
  };
  t.cublasGemmEx_64 = gemm;
  t.cublasGemmStridedBatchedEx_64 = batched;
  t.cublasSgemv_v2_64 = gemv;
}

}  // namespace fake_gemm
