// cuSPARSE's triangular solver, on the fake of the other routines: the CPU's substitution, on the memory that
// the analysis was told of.
#pragma once
#include <host/sparse/sparse.hpp>

#include "cuda/support/fake_cusparse.hpp"

namespace fake_cusparse {

using gparray::core::transposition;

/// What was analysed; solutions must be asked for with the same.
struct triangle_model {
  bool analysed = false;
  cusparseOperation_t op{};
  const void *a = nullptr, *b = nullptr, *x = nullptr;
  void* work = nullptr;
};

#define FAKE(name) \
  if (model.fails(#name)) return model.error

inline void add_triangles(gparray::core::cuda::cusparse_table& t) {
  t.cusparseSpMatSetAttribute = [](cusparseSpMatDescr_t d, cusparseSpMatAttribute_t attribute, void* value,
                                   std::size_t bytes) {
    FAKE(cusparseSpMatSetAttribute);
    auto& m = const_cast<matrix_model&>(of<matrix_model>(d));
    CHECK(bytes == 4);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE)
      m.lower = *static_cast<cusparseFillMode_t*>(value) == CUSPARSE_FILL_MODE_LOWER;
    else m.unit_diagonal = *static_cast<cusparseDiagType_t*>(value) == CUSPARSE_DIAG_TYPE_UNIT;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpSM_createDescr = [](cusparseSpSMDescr_t* d) {
    FAKE(cusparseSpSM_createDescr);
    make(d, triangle_model());
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpSM_destroyDescr = [](cusparseSpSMDescr_t d) {
    --model.live;
    delete reinterpret_cast<const triangle_model*>(d);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpSM_bufferSize = [](cusparseHandle_t, cusparseOperation_t op, cusparseOperation_t, const void*,
                                 cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, cusparseDnMatDescr_t,
                                 cudaDataType type, cusparseSpSMAlg_t, cusparseSpSMDescr_t,
                                 std::size_t* bytes) {
    FAKE(cusparseSpSM_bufferSize);
    const bool is_complex = type == CUDA_C_32F || type == CUDA_C_64F;
    if (op == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE && !is_complex) return CUSPARSE_STATUS_INVALID_VALUE;
    *bytes = work_bytes;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpSM_analysis = [](cusparseHandle_t, cusparseOperation_t op, cusparseOperation_t, const void*,
                               cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                               cusparseDnMatDescr_t x, cudaDataType, cusparseSpSMAlg_t, cusparseSpSMDescr_t d,
                               void* work) {
    FAKE(cusparseSpSM_analysis);
    std::memset(work, 1, work_bytes);
    const_cast<triangle_model&>(of<triangle_model>(d)) = {
        true, op, a, of<dense_model>(b).values, of<dense_model>(x).values, work};
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpSM_solve = [](cusparseHandle_t, cusparseOperation_t op, cusparseOperation_t, const void* alpha,
                            cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t x,
                            cudaDataType type, cusparseSpSMAlg_t, cusparseSpSMDescr_t d) {
    FAKE(cusparseSpSM_solve);
    const auto& analysed = of<triangle_model>(d);
    const auto& m = of<matrix_model>(a);
    const auto &from = of<dense_model>(b), &to = of<dense_model>(x);
    CHECK(analysed.analysed);
    CHECK(analysed.op == op);
    CHECK(analysed.a == a);
    CHECK(analysed.b == from.values);
    CHECK(analysed.x == to.values);
    CHECK(number(alpha) == 1);
    CHECK(type == CUDA_R_64F);
    std::memset(analysed.work, 2, work_bytes);
    std::copy(from.values, from.values + from.rows * from.columns, to.values);
    const gparray::core::compressed_rows rows{
        m.rows,   m.columns, m.count, gparray::dtype::int32, gparray::dtype::float64,
        m.indptr, m.indices, m.data};
    gparray::host::sparse()
        .prepare_triangle(rows,
                          {.lower = m.lower,
                           .op = op == CUSPARSE_OPERATION_NON_TRANSPOSE ? transposition::none
                                 : op == CUSPARSE_OPERATION_TRANSPOSE   ? transposition::transpose
                                                                        : transposition::adjoint,
                           .unit_diagonal = m.unit_diagonal},
                          to.columns, {})
        ->solve(to.values, {});
    return CUSPARSE_STATUS_SUCCESS;
  };
}

#undef FAKE

}  // namespace fake_cusparse
