// cuBLASLt over host memory: descriptions whose attributes have the sizes that the header names, and the
// product of fake_gemm.hpp with an epilogue.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include <cuda/products/blas_lt.hpp>

#include "cuda/support/fake_gemm.hpp"

namespace fake_blas_lt {

using std::int64_t;

/// What one of cuBLASLt's Create functions makes.
struct description {
  std::map<int, std::string> attributes;
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cudaDataType type = CUDA_R_32F;
  std::uint64_t rows = 0, columns = 0;
  int64_t leading = 0;

  template<class T>
  T get(int attribute, T otherwise) const {
    const auto found = attributes.find(attribute);
    if (found != attributes.end()) std::memcpy(&otherwise, found->second.data(), sizeof otherwise);
    return otherwise;
  }
};

struct model_state {
  int live = 0;             // descriptions
  bool knows_none = false;  // the heuristics find no algorithm
  std::set<cublasLtEpilogue_t> epilogues;
  std::set<std::uint32_t> alignments;  // asked for of the first operand
  std::set<int64_t> counts;            // of matrices in a batch
};
inline model_state model;

template<class Handle>
cublasStatus_t make(Handle* handle, description d) {
  ++model.live;
  *handle = reinterpret_cast<Handle>(new description(std::move(d)));
  return CUBLAS_STATUS_SUCCESS;
}
template<class Handle>
cublasStatus_t destroy(Handle handle) {
  if (!handle) return CUBLAS_STATUS_INVALID_VALUE;
  --model.live;
  delete reinterpret_cast<description*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
template<class Handle>
const description& read(Handle handle) {
  return *reinterpret_cast<const description*>(handle);
}
/// `size`: of the attribute, by the header.
template<class Handle>
cublasStatus_t set(Handle handle, int attribute, const void* value, std::size_t bytes, std::size_t size) {
  if (bytes != size) return CUBLAS_STATUS_INVALID_VALUE;
  reinterpret_cast<description*>(handle)->attributes[attribute] =
      std::string(static_cast<const char*>(value), bytes);
  return CUBLAS_STATUS_SUCCESS;
}

inline float gelu(float x) { return 0.5f * x * (1 + std::tanh(0.7978845608f * (x + 0.044715f * x * x * x))); }

inline cublasStatus_t heuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t a,
                                cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                cublasLtMatmulPreference_t p, int wanted,
                                cublasLtMatmulHeuristicResult_t* results, int* found) {
  const description& preference = read(p);
  // Partial sums of halves must not be rounded.
  if (wanted != 1 || preference.get<std::uint32_t>(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, 7) !=
                         CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE)
    return CUBLAS_STATUS_INVALID_VALUE;
  model.alignments.insert(preference.get<std::uint32_t>(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, 256));
  model.counts.insert(read(a).get<std::int32_t>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1));
  results[0] = {};
  *found = model.knows_none ? 0 : 1;
  return model.knows_none ? CUBLAS_STATUS_NOT_SUPPORTED : CUBLAS_STATUS_SUCCESS;
}

inline cublasStatus_t matmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void* one, const void* a,
                             cublasLtMatrixLayout_t a_layout, const void* b, cublasLtMatrixLayout_t b_layout,
                             const void* zero, const void*, cublasLtMatrixLayout_t, void* d,
                             cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*, std::size_t,
                             cudaStream_t) {
  const description &p = read(product), &x = read(a_layout), &y = read(b_layout), &z = read(d_layout);
  const auto op_a = static_cast<cublasOperation_t>(p.get<std::int32_t>(CUBLASLT_MATMUL_DESC_TRANSA, 0)),
             op_b = static_cast<cublasOperation_t>(p.get<std::int32_t>(CUBLASLT_MATMUL_DESC_TRANSB, 0));
  const auto after = static_cast<cublasLtEpilogue_t>(
      p.get<std::uint32_t>(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_DEFAULT));
  const auto* const bias = p.get<const void*>(CUBLASLT_MATMUL_DESC_BIAS_POINTER, nullptr);
  const auto m = static_cast<int64_t>(z.rows), n = static_cast<int64_t>(z.columns);
  const bool turned_a = op_a != CUBLAS_OP_N, turned_b = op_b != CUBLAS_OP_N;
  const auto k = static_cast<int64_t>(turned_a ? x.rows : x.columns);
  const bool fits = static_cast<int64_t>(turned_a ? x.columns : x.rows) == m &&
                    static_cast<int64_t>(turned_b ? y.rows : y.columns) == n &&
                    static_cast<int64_t>(turned_b ? y.columns : y.rows) == k &&
                    x.leading >= static_cast<int64_t>(x.rows) && y.leading >= static_cast<int64_t>(y.rows);
  if (!fits || *static_cast<const float*>(one) != 1 || *static_cast<const float*>(zero) != 0 ||
      bool(after & CUBLASLT_EPILOGUE_BIAS) != (bias != nullptr) || x.type != y.type)
    return CUBLAS_STATUS_INVALID_VALUE;
  model.epilogues.insert(after);
  fake_gemm::asked.insert(p.compute);
  fake_gemm::routines.insert("lt");
  const auto step = [](const description& l) {
    return l.get<int64_t>(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, 0);
  };
  for (int64_t i = 0; i < z.get<std::int32_t>(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, 1); ++i)
    fake_gemm::multiply(op_a, op_b, m, n, k, fake_gemm::moved(a, x.type, i * step(x)), x.leading,
                        fake_gemm::moved(b, y.type, i * step(y)), y.leading,
                        fake_gemm::moved(d, z.type, i * step(z)), z.leading, x.type, z.type,
                        [&](float sum, int64_t row) {
                          if (bias) sum += fake_gemm::read(bias, z.type, row);
                          if (after & CUBLASLT_EPILOGUE_RELU)
                            return sum > 0 ? sum : std::isnan(sum) ? sum : 0;
                          return after & CUBLASLT_EPILOGUE_GELU ? gelu(sum) : sum;
                        });
  return CUBLAS_STATUS_SUCCESS;
}

/// The library for as long as this lives.
struct session {
  session() {
    model = {};
    table.cublasLtMatmul = matmul;
    table.cublasLtMatmulAlgoGetHeuristic = heuristic;
    table.cublasLtMatmulDescCreate = [](cublasLtMatmulDesc_t* h, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
      if (scale != CUDA_R_32F) return CUBLAS_STATUS_INVALID_VALUE;
      description d;
      d.compute = compute;
      return make(h, std::move(d));
    };
    table.cublasLtMatmulDescDestroy = destroy;
    table.cublasLtMatmulDescSetAttribute = [](cublasLtMatmulDesc_t h,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
      return set(h, attribute, value, bytes, attribute == CUBLASLT_MATMUL_DESC_BIAS_POINTER ? 8 : 4);
    };
    table.cublasLtMatrixLayoutCreate = [](cublasLtMatrixLayout_t* h, cudaDataType type, std::uint64_t rows,
                                          std::uint64_t columns, int64_t leading) {
      description d;
      d.type = type;
      d.rows = rows;
      d.columns = columns;
      d.leading = leading;
      return make(h, std::move(d));
    };
    table.cublasLtMatrixLayoutDestroy = destroy;
    table.cublasLtMatrixLayoutSetAttribute = [](cublasLtMatrixLayout_t h,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t bytes) {
      return set(h, attribute, value, bytes, attribute == CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT ? 4 : 8);
    };
    table.cublasLtMatmulPreferenceCreate = [](cublasLtMatmulPreference_t* h) { return make(h, {}); };
    table.cublasLtMatmulPreferenceDestroy = destroy;
    table.cublasLtMatmulPreferenceSetAttribute = [](cublasLtMatmulPreference_t h,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
      return set(h, attribute, value, bytes, attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? 8 : 4);
    };
    gparray::core::cuda::exchange_blas_lt(&table);
  }
  ~session() { gparray::core::cuda::exchange_blas_lt(nullptr); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  gparray::core::cuda::blas_lt_table table{};
};

}  // namespace fake_blas_lt
