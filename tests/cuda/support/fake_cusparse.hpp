// cuSPARSE by its definitions, on the host memory that stands for device memory: doubles with 32-bit indices.
// Calls are written down, the k-th can be made to fail, and every byte of a work area is written to.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/sparse/cusparse.hpp>

namespace fake_cusparse {

struct matrix_model {
  std::int64_t rows = 0, columns = 0, count = 0;
  const int* indptr = nullptr;
  const int* indices = nullptr;
  const double* data = nullptr;
  int* out_indptr = nullptr;
  int* out_indices = nullptr;
  double* out_data = nullptr;
  bool lower = true, unit_diagonal = false;
};
struct dense_model {
  std::int64_t rows, columns, leading;
  double* values;
};

struct model_type {
  std::vector<std::string> calls;
  int fail_at = 0;  // counted from 1; 0: none
  int live = 0;     // handles and descriptions
  cusparseStatus_t error = CUSPARSE_STATUS_EXECUTION_FAILED;
  std::vector<std::vector<double>> product;  // dense, of the SpGEMM under way
  std::vector<std::vector<char>> occurs;
  bool fails(const char* name) {
    calls.emplace_back(name);
    return fail_at == static_cast<int>(calls.size());
  }
};
inline model_type model;

#define FAKE(name) \
  if (model.fails(#name)) return model.error

constexpr std::size_t work_bytes = 100;

template<class Handle, class Model>
void make(Handle* handle, const Model& m) {
  ++model.live;
  *handle = reinterpret_cast<Handle>(new Model(m));
}
template<class Model, class Handle>
const Model& of(Handle handle) {
  return *reinterpret_cast<const Model*>(handle);
}
inline double number(const void* p) { return *static_cast<const double*>(p); }

/// y = alpha A x + beta y of `width` columns.
inline void multiply(double alpha, const matrix_model& a, const double* x, double beta, double* y,
                     std::int64_t width) {
  CHECK(alpha == 1);
  CHECK(beta == 0);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < width; ++j) {
      double sum = 0;
      for (int k = a.indptr[i]; k < a.indptr[i + 1]; ++k) sum += a.data[k] * x[a.indices[k] * width + j];
      y[i * width + j] = sum;
    }
}

inline void add_descriptions(gparray::core::cuda::cusparse_table& t) {
  t.cusparseCreate = [](cusparseHandle_t* h) {
    FAKE(cusparseCreate);
    ++model.live;
    *h = reinterpret_cast<cusparseHandle_t>(&model);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseDestroy = [](cusparseHandle_t) { return --model.live, CUSPARSE_STATUS_SUCCESS; };
  t.cusparseSetStream = [](cusparseHandle_t, cudaStream_t) { return CUSPARSE_STATUS_SUCCESS; };
  t.cusparseGetErrorString = [](cusparseStatus_t) { return "a text"; };
  t.cusparseCreateConstCsr = [](cusparseConstSpMatDescr_t* d, std::int64_t rows, std::int64_t columns,
                                std::int64_t count, const void* indptr, const void* indices, const void* data,
                                cusparseIndexType_t a, cusparseIndexType_t b, cusparseIndexBase_t base,
                                cudaDataType type) {
    FAKE(cusparseCreateConstCsr);
    CHECK(a == CUSPARSE_INDEX_32I);
    CHECK(b == CUSPARSE_INDEX_32I);
    CHECK(base == CUSPARSE_INDEX_BASE_ZERO);
    CHECK(type == CUDA_R_64F);
    matrix_model m;
    m.rows = rows;
    m.columns = columns;
    m.count = count;
    m.indptr = static_cast<const int*>(indptr);
    m.indices = static_cast<const int*>(indices);
    m.data = static_cast<const double*>(data);
    make(d, m);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCreateCsr = [](cusparseSpMatDescr_t* d, std::int64_t rows, std::int64_t columns, std::int64_t,
                           void* indptr, void* indices, void* data, cusparseIndexType_t, cusparseIndexType_t,
                           cusparseIndexBase_t, cudaDataType) {
    FAKE(cusparseCreateCsr);
    matrix_model m;
    m.rows = rows;
    m.columns = columns;
    m.out_indptr = static_cast<int*>(indptr);
    m.indptr = m.out_indptr;
    m.indices = static_cast<int*>(indices);
    m.data = static_cast<double*>(data);
    make(d, m);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseDestroySpMat = [](cusparseConstSpMatDescr_t d) {
    --model.live;
    delete reinterpret_cast<const matrix_model*>(d);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCreateConstDnVec = [](cusparseConstDnVecDescr_t* d, std::int64_t n, const void* x, cudaDataType) {
    FAKE(cusparseCreateConstDnVec);
    make(d, dense_model{n, 1, 1, const_cast<double*>(static_cast<const double*>(x))});
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCreateDnVec = [](cusparseDnVecDescr_t* d, std::int64_t n, void* x, cudaDataType) {
    FAKE(cusparseCreateDnVec);
    make(d, dense_model{n, 1, 1, static_cast<double*>(x)});
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseDestroyDnVec = [](cusparseConstDnVecDescr_t d) {
    --model.live;
    delete reinterpret_cast<const dense_model*>(d);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCreateConstDnMat = [](cusparseConstDnMatDescr_t* d, std::int64_t rows, std::int64_t columns,
                                  std::int64_t leading, const void* x, cudaDataType, cusparseOrder_t order) {
    FAKE(cusparseCreateConstDnMat);
    CHECK(order == CUSPARSE_ORDER_ROW);
    CHECK(leading == columns);
    make(d, dense_model{rows, columns, leading, const_cast<double*>(static_cast<const double*>(x))});
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCreateDnMat = [](cusparseDnMatDescr_t* d, std::int64_t rows, std::int64_t columns,
                             std::int64_t leading, void* x, cudaDataType, cusparseOrder_t) {
    FAKE(cusparseCreateDnMat);
    make(d, dense_model{rows, columns, leading, static_cast<double*>(x)});
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseDestroyDnMat = [](cusparseConstDnMatDescr_t d) {
    --model.live;
    delete reinterpret_cast<const dense_model*>(d);
    return CUSPARSE_STATUS_SUCCESS;
  };
}

inline void add_products(gparray::core::cuda::cusparse_table& t) {
  t.cusparseSpMV_bufferSize = [](cusparseHandle_t, cusparseOperation_t, const void*,
                                 cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                 cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, std::size_t* bytes) {
    FAKE(cusparseSpMV_bufferSize);
    *bytes = work_bytes;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpMV = [](cusparseHandle_t, cusparseOperation_t op, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                      cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t algorithm, void* work) {
    FAKE(cusparseSpMV);
    CHECK(op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    CHECK(algorithm == CUSPARSE_SPMV_CSR_ALG2);
    std::memset(work, 1, work_bytes);
    CHECK(of<dense_model>(x).rows == of<matrix_model>(a).columns);
    CHECK(of<dense_model>(y).rows == of<matrix_model>(a).rows);
    multiply(number(alpha), of<matrix_model>(a), of<dense_model>(x).values, number(beta),
             of<dense_model>(y).values, 1);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpMM_bufferSize = [](cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                 cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t, const void*,
                                 cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t, std::size_t* bytes) {
    FAKE(cusparseSpMM_bufferSize);
    *bytes = work_bytes;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpMM = [](cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void* alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t x, const void* beta,
                      cusparseDnMatDescr_t y, cudaDataType, cusparseSpMMAlg_t algorithm, void* work) {
    FAKE(cusparseSpMM);
    CHECK(algorithm == CUSPARSE_SPMM_CSR_ALG3);
    std::memset(work, 1, work_bytes);
    CHECK(of<dense_model>(x).rows == of<matrix_model>(a).columns);
    CHECK(of<dense_model>(y).rows == of<matrix_model>(a).rows);
    multiply(number(alpha), of<matrix_model>(a), of<dense_model>(x).values, number(beta),
             of<dense_model>(y).values, of<dense_model>(x).columns);
    return CUSPARSE_STATUS_SUCCESS;
  };
}

/// The product is made, dense, by the second call of compute, and written by copy.
inline void add_sparse_products(gparray::core::cuda::cusparse_table& t) {
  t.cusparseSpGEMM_createDescr = [](cusparseSpGEMMDescr_t* d) {
    FAKE(cusparseSpGEMM_createDescr);
    make(d, 0);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpGEMM_destroyDescr = [](cusparseSpGEMMDescr_t d) {
    --model.live;
    delete reinterpret_cast<int*>(d);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpGEMM_workEstimation = [](cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                       const void*, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                       const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSpGEMMAlg_t,
                                       cusparseSpGEMMDescr_t, std::size_t* bytes, void* work) {
    FAKE(cusparseSpGEMM_workEstimation);
    if (work) std::memset(work, 1, *bytes);
    *bytes = work_bytes;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpGEMM_compute = [](cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                                cusparseConstSpMatDescr_t left, cusparseConstSpMatDescr_t right, const void*,
                                cusparseSpMatDescr_t result, cudaDataType, cusparseSpGEMMAlg_t,
                                cusparseSpGEMMDescr_t, std::size_t* bytes, void* work) {
    FAKE(cusparseSpGEMM_compute);
    if (!work) {
      *bytes = work_bytes;
      return CUSPARSE_STATUS_SUCCESS;
    }
    std::memset(work, 1, *bytes);
    const auto &a = of<matrix_model>(left), &b = of<matrix_model>(right);
    const auto rows = static_cast<std::size_t>(a.rows), columns = static_cast<std::size_t>(b.columns);
    model.product.assign(rows, std::vector<double>(columns));
    model.occurs.assign(rows, std::vector<char>(columns));
    auto& c = const_cast<matrix_model&>(of<matrix_model>(result));
    c.count = 0;
    for (std::size_t i = 0; i < rows; ++i)
      for (int k = a.indptr[i]; k < a.indptr[i + 1]; ++k)
        for (int j = b.indptr[a.indices[k]]; j < b.indptr[a.indices[k] + 1]; ++j) {
          const auto column = static_cast<std::size_t>(b.indices[j]);
          const double term = a.data[k] * b.data[j];
          const bool first = !std::exchange(model.occurs[i][column], 1);
          model.product[i][column] = first ? term : model.product[i][column] + term;
          c.count += first;
        }
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpMatGetSize = [](cusparseConstSpMatDescr_t d, std::int64_t* rows, std::int64_t* columns,
                              std::int64_t* count) {
    FAKE(cusparseSpMatGetSize);
    const auto& m = of<matrix_model>(d);
    *rows = m.rows;
    *columns = m.columns;
    *count = m.count;
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseCsrSetPointers = [](cusparseSpMatDescr_t d, void* indptr, void* indices, void* data) {
    FAKE(cusparseCsrSetPointers);
    auto& m = const_cast<matrix_model&>(of<matrix_model>(d));
    CHECK(m.out_indptr == indptr);
    m.out_indices = static_cast<int*>(indices);
    m.out_data = static_cast<double*>(data);
    return CUSPARSE_STATUS_SUCCESS;
  };
  t.cusparseSpGEMM_copy = [](cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const void*,
                             cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void*,
                             cusparseSpMatDescr_t d, cudaDataType, cusparseSpGEMMAlg_t,
                             cusparseSpGEMMDescr_t) {
    FAKE(cusparseSpGEMM_copy);
    const auto& m = of<matrix_model>(d);
    int n = 0;
    m.out_indptr[0] = 0;
    for (std::size_t i = 0; i < model.product.size(); ++i) {
      for (std::size_t j = 0; j < model.product[i].size(); ++j)
        if (model.occurs[i][j]) {
          m.out_indices[n] = static_cast<int>(j);
          m.out_data[n++] = model.product[i][j];
        }
      m.out_indptr[i + 1] = n;
    }
    return CUSPARSE_STATUS_SUCCESS;
  };
}

#undef FAKE

struct session {
  session() {
    model = {};
    add_descriptions(table);
    add_products(table);
    add_sparse_products(table);
    gparray::core::cuda::exchange_cusparse(&table);
  }
  ~session() { gparray::core::cuda::exchange_cusparse(nullptr); }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  gparray::core::cuda::cusparse_table table{};
};

}  // namespace fake_cusparse
