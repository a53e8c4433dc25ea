// cuSOLVER and cuBLAS as LAPACK on the host memory that stands for device memory: doubles and complex
// doubles. Calls are written down, the k-th can be made to fail, and every byte of a work area is written to.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <cuda/linalg/cusolver.hpp>
#include <cuda/products/blas.hpp>
#include <host/linalg/factor.hpp>

#include "cuda/support/fake_gemm.hpp"

namespace fake_solver {

using namespace gparray;
using z = std::complex<double>;
using host::column_matrix;
using i64 = std::int64_t;
using handle = cusolverDnHandle_t;
using params = cusolverDnParams_t;

struct model_type {
  std::vector<std::string> calls;
  int fail_at = 0;  // counted from 1; 0: none
  int live_handles = 0;
  double perturbation = 0;  // what Xgesvdp says it added
  bool fails(const char* name) {
    calls.emplace_back(name);
    return fail_at == static_cast<int>(calls.size());
  }
  int count(const std::string& name) const {
    int n = 0;
    for (const std::string& call : calls) n += call == name;
    return n;
  }
};
inline model_type model;

#define FAKE_SOLVER(name) \
  if (model.fails(#name)) return CUSOLVER_STATUS_EXECUTION_FAILED
#define FAKE_BLAS(name) \
  if (model.fails(#name)) return CUBLAS_STATUS_EXECUTION_FAILED

template<class T>
column_matrix<T> matrix(const void* data, i64 rows, i64 columns, i64 leading) {
  return {static_cast<T*>(const_cast<void*>(data)), static_cast<int>(rows), static_cast<int>(columns),
          static_cast<int>(leading)};
}

/// body(T{}) for a dtype of the library.
template<class Body>
void with(cudaDataType type, Body body) {
  REQUIRE((type == CUDA_R_64F || type == CUDA_C_64F));
  if (type == CUDA_R_64F) body(double{});
  else body(z{});
}

constexpr std::size_t device_work = 1000, host_work = 100;

inline void use(void* on_device, std::size_t device_bytes, void* on_host, std::size_t host_bytes) {
  CHECK(device_bytes == device_work);
  CHECK(host_bytes == host_work);
  std::memset(on_device, 1, device_bytes);
  std::memset(on_host, 1, host_bytes);
}

/// A function that answers with the sizes of work areas: the pointers are the last arguments, or stand before
/// the size of a batch.
template<class... A>
cusolverStatus_t answer_sizes(A... arguments) {
  FAKE_SOLVER(bufferSize);
  std::size_t* pointers[2] = {};
  int found = 0;
  const auto look = [&](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), std::size_t*>) pointers[found++] = argument;
  };
  (look(arguments), ...);
  *pointers[0] = device_work;
  *pointers[1] = host_work;
  return CUSOLVER_STATUS_SUCCESS;
}

inline host::flag flag_of(cublasOperation_t op) {
  return op == CUBLAS_OP_N ? "N" : op == CUBLAS_OP_T ? "T" : "C";
}

template<class T>
void solve_with_lu(cublasOperation_t op, const column_matrix<T>& lu, const int* pivots,
                   const column_matrix<T>& b) {
  REQUIRE(op == CUBLAS_OP_N);
  host::exchange_rows(b, pivots, lu.rows, true);
  host::solve_triangle(lu, "L", "N", "U", b);
  host::solve_triangle(lu, "U", "N", "N", b);
}

/// The routines of the 64-bit interface.
inline void add_generic(core::cuda::solver_table& t) {
  t.cusolverDnCreate = [](handle* h) {
    FAKE_SOLVER(Create);
    ++model.live_handles;
    *h = reinterpret_cast<handle>(&model);
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnDestroy = [](handle) { return --model.live_handles, CUSOLVER_STATUS_SUCCESS; };
  t.cusolverDnCreateParams = [](params* p) {
    FAKE_SOLVER(CreateParams);
    ++model.live_handles;
    *p = reinterpret_cast<params>(&model);
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnDestroyParams = [](params) { return --model.live_handles, CUSOLVER_STATUS_SUCCESS; };
  t.cusolverDnSetStream = [](handle, cudaStream_t) { return CUSOLVER_STATUS_SUCCESS; };
  t.cusolverDnXgetrf_bufferSize = answer_sizes;
  t.cusolverDnXpotrf_bufferSize = answer_sizes;
  t.cusolverDnXgeqrf_bufferSize = answer_sizes;
  t.cusolverDnXsyevd_bufferSize = answer_sizes;
  t.cusolverDnXsyevBatched_bufferSize = answer_sizes;
  t.cusolverDnXgesvd_bufferSize = answer_sizes;
  t.cusolverDnXgesvdp_bufferSize = answer_sizes;
  t.cusolverDnXgeev_bufferSize = answer_sizes;
  t.cusolverDnXgetrf = [](handle, params, i64 m, i64 n, cudaDataType type, void* a, i64 lda, i64* pivots,
                          cudaDataType, void* work, std::size_t size, void* host, std::size_t host_size,
                          int* info) {
    FAKE_SOLVER(Xgetrf);
    use(work, size, host, host_size);
    std::vector<int> own(static_cast<std::size_t>(std::min(m, n)));
    with(type, [&]<class T>(T) { *info = host::factor_lu(matrix<T>(a, m, n, lda), own.data()); });
    std::copy(own.begin(), own.end(), pivots);
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXgetrs = [](handle, params, cublasOperation_t op, i64 n, i64 columns, cudaDataType type,
                          const void* a, i64 lda, const i64* pivots, cudaDataType, void* b, i64 ldb,
                          int* info) {
    FAKE_SOLVER(Xgetrs);
    const std::vector<int> own(pivots, pivots + n);
    with(type, [&]<class T>(T) {
      solve_with_lu(op, matrix<T>(a, n, n, lda), own.data(), matrix<T>(b, n, columns, ldb));
    });
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXpotrf = [](handle, params, cublasFillMode_t triangle, i64 n, cudaDataType type, void* a,
                          i64 lda, cudaDataType, void* work, std::size_t size, void* host,
                          std::size_t host_size, int* info) {
    FAKE_SOLVER(Xpotrf);
    CHECK(triangle == CUBLAS_FILL_MODE_LOWER);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) { *info = host::factor_cholesky(matrix<T>(a, n, n, lda)); });
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXgeqrf = [](handle, params, i64 m, i64 n, cudaDataType type, void* a, i64 lda, cudaDataType,
                          void* tau, cudaDataType, void* work, std::size_t size, void* host,
                          std::size_t host_size, int* info) {
    FAKE_SOLVER(Xgeqrf);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) { host::factor_qr(matrix<T>(a, m, n, lda), static_cast<T*>(tau)); });
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXsyevd = [](handle, params, cusolverEigMode_t mode, cublasFillMode_t triangle, i64 n,
                          cudaDataType type, void* a, i64 lda, cudaDataType value_type, void* w, cudaDataType,
                          void* work, std::size_t size, void* host, std::size_t host_size, int* info) {
    FAKE_SOLVER(Xsyevd);
    CHECK(triangle == CUBLAS_FILL_MODE_LOWER);
    CHECK(value_type == CUDA_R_64F);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) {
      *info = host::solve_hermitian(matrix<T>(a, n, n, lda), mode == CUSOLVER_EIG_MODE_VECTOR,
                                    static_cast<double*>(w));
    });
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXsyevBatched = [](handle, params, cusolverEigMode_t mode, cublasFillMode_t, i64 n,
                                cudaDataType type, void* a, i64 lda, cudaDataType, void* w, cudaDataType,
                                void* work, std::size_t size, void* host, std::size_t host_size, int* info,
                                i64 count) {
    FAKE_SOLVER(XsyevBatched);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) {
      for (i64 i = 0; i < count; ++i)
        info[i] = host::solve_hermitian(matrix<T>(static_cast<T*>(a) + i * lda * n, n, n, lda),
                                        mode == CUSOLVER_EIG_MODE_VECTOR, static_cast<double*>(w) + i * n);
    });
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXgesvd = [](handle, params, signed char job_u, signed char job_v, i64 m, i64 n,
                          cudaDataType type, void* a, i64 lda, cudaDataType, void* s, cudaDataType, void* u,
                          i64 ldu, cudaDataType, void* vh, i64 ldvh, cudaDataType, void* work,
                          std::size_t size, void* host, std::size_t host_size, int* info) {
    FAKE_SOLVER(Xgesvd);
    CHECK(job_u == job_v);
    CHECK(m >= n);
    CHECK(ldu == m);
    CHECK(ldvh == n);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) {
      *info = host::decompose_singular(matrix<T>(a, m, n, lda), job_u == 'A', static_cast<double*>(s),
                                       job_u == 'N' ? nullptr : static_cast<T*>(u), static_cast<T*>(vh));
    });
    return CUSOLVER_STATUS_SUCCESS;
  };
  // V is left out: a kernel transposes it, which a fake device does not run.
  t.cusolverDnXgesvdp = [](handle, params, cusolverEigMode_t mode, int thin, i64 m, i64 n, cudaDataType type,
                           void* a, i64 lda, cudaDataType, void* s, cudaDataType, void* u, i64 ldu,
                           cudaDataType, void* v, i64 ldv, cudaDataType, void* work, std::size_t size,
                           void* host, std::size_t host_size, int* info, double* perturbation) {
    if (model.fails("Xgesvdp")) return CUSOLVER_STATUS_INTERNAL_ERROR;  // the other failure is an answer
    CHECK(m >= n);
    CHECK(ldu == m);
    CHECK(ldv == n);
    CHECK(u != nullptr);
    CHECK(v != nullptr);
    use(work, size, host, host_size);
    *perturbation = model.perturbation;
    if (model.perturbation < 0) return CUSOLVER_STATUS_EXECUTION_FAILED;
    with(type, [&]<class T>(T) {
      std::vector<T> vh(static_cast<std::size_t>(n * n));
      *info = host::decompose_singular(matrix<T>(a, m, n, lda), !thin, static_cast<double*>(s),
                                       mode == CUSOLVER_EIG_MODE_VECTOR ? static_cast<T*>(u) : nullptr,
                                       vh.data());
      std::memset(a, 1, static_cast<std::size_t>(m * n) * sizeof(T));  // it is destroyed
    });
    return CUSOLVER_STATUS_SUCCESS;
  };
  t.cusolverDnXgeev = [](handle, params, cusolverEigMode_t left, cusolverEigMode_t right, i64 n,
                         cudaDataType type, void* a, i64 lda, cudaDataType value_type, void* w, cudaDataType,
                         void*, i64, cudaDataType, void* v, i64 ldv, cudaDataType, void* work,
                         std::size_t size, void* host, std::size_t host_size, int* info) {
    FAKE_SOLVER(Xgeev);
    CHECK(left == CUSOLVER_EIG_MODE_NOVECTOR);
    CHECK((right == CUSOLVER_EIG_MODE_VECTOR) == (v != nullptr));
    CHECK(value_type == CUDA_C_64F);
    CHECK(ldv == n);
    use(work, size, host, host_size);
    with(type, [&]<class T>(T) {
      *info = host::solve_general(matrix<T>(a, n, n, lda), static_cast<z*>(w), static_cast<T*>(v));
    });
    return CUSOLVER_STATUS_SUCCESS;
  };
}

/// The routines that have a letter for the type, for T and the library's type L.
template<class T, class L>
struct typed {
  static cusolverStatus_t form_q_size(handle, int, int, int, const L*, int, const L*, int* size) {
    FAKE_SOLVER(orgqr_bufferSize);
    *size = 10;
    return CUSOLVER_STATUS_SUCCESS;
  }
  static cusolverStatus_t form_q(handle, int m, int n, int k, L* a, int lda, const L* tau, L* work, int size,
                                 int* info) {
    FAKE_SOLVER(orgqr);
    CHECK(size == 10);
    std::memset(work, 1, 10 * sizeof(T));
    const std::vector<T> copy(reinterpret_cast<T*>(a), reinterpret_cast<T*>(a) + i64{lda} * k);
    host::form_q(matrix<T>(copy.data(), m, k, lda), reinterpret_cast<const T*>(tau), matrix<T>(a, m, n, lda));
    *info = 0;
    return CUSOLVER_STATUS_SUCCESS;
  }
  static cusolverStatus_t potrf_batched(handle, cublasFillMode_t, int n, L* list[], int lda, int* info,
                                        int count) {
    FAKE_SOLVER(potrfBatched);
    for (int i = 0; i < count; ++i) info[i] = host::factor_cholesky(matrix<T>(list[i], n, n, lda));
    return CUSOLVER_STATUS_SUCCESS;
  }
  static cusolverStatus_t gesvdj_size(handle, cusolverEigMode_t, int, int, const L*, int, const double*,
                                      const L*, int, const L*, int, int* size, gesvdjInfo_t, int) {
    FAKE_SOLVER(gesvdjBatched_bufferSize);
    *size = 10;
    return CUSOLVER_STATUS_SUCCESS;
  }
  /// Values alone: the vectors are copied by kernels, which a fake device does not run.
  static cusolverStatus_t gesvdj(handle, cusolverEigMode_t, int m, int n, L* a, int lda, double* s, L*, int,
                                 L*, int, L* work, int size, int* info, gesvdjInfo_t, int count) {
    FAKE_SOLVER(gesvdjBatched);
    std::memset(work, 1, static_cast<std::size_t>(size) * sizeof(T));
    for (int i = 0; i < count; ++i)
      info[i] = host::decompose_singular<T>(matrix<T>(a + i64{lda} * n * i, m, n, lda), false, s + i64{n} * i,
                                            nullptr, nullptr);
    return CUSOLVER_STATUS_SUCCESS;
  }
  static cublasStatus_t getrf_batched(cublasHandle_t, int n, L* const list[], int lda, int* pivots, int* info,
                                      int count) {
    FAKE_BLAS(getrfBatched);
    for (int i = 0; i < count; ++i) info[i] = host::factor_lu(matrix<T>(list[i], n, n, lda), pivots + i * n);
    return CUBLAS_STATUS_SUCCESS;
  }
  static cublasStatus_t getrs_batched(cublasHandle_t, cublasOperation_t op, int n, int columns,
                                      const L* const list[], int lda, const int* pivots, L* const sides[],
                                      int ldb, int* info, int count) {
    FAKE_BLAS(getrsBatched);
    for (int i = 0; i < count; ++i)
      solve_with_lu(op, matrix<T>(list[i], n, n, lda), pivots + i * n, matrix<T>(sides[i], n, columns, ldb));
    *info = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  static cublasStatus_t geqrf_batched(cublasHandle_t, int m, int n, L* const list[], int lda, L* const taus[],
                                      int* info, int count) {
    FAKE_BLAS(geqrfBatched);
    for (int i = 0; i < count; ++i)
      host::factor_qr(matrix<T>(list[i], m, n, lda), reinterpret_cast<T*>(taus[i]));
    *info = 0;
    return CUBLAS_STATUS_SUCCESS;
  }
  static cublasStatus_t trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t triangle,
                             cublasOperation_t op, cublasDiagType_t diagonal, i64 m, i64 n, const L*,
                             const L* a, i64 lda, L* b, i64 ldb) {
    FAKE_BLAS(trsm);
    host::solve_triangle(matrix<T>(a, m, m, lda), triangle == CUBLAS_FILL_MODE_LOWER ? "L" : "U", flag_of(op),
                         diagonal == CUBLAS_DIAG_UNIT ? "U" : "N", matrix<T>(b, m, n, ldb));
    return CUBLAS_STATUS_SUCCESS;
  }
  static cublasStatus_t trsm_batched(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t triangle,
                                     cublasOperation_t op, cublasDiagType_t diagonal, i64 m, i64 n,
                                     const L* one, const L* const list[], i64 lda, L* const sides[], i64 ldb,
                                     i64 count) {
    FAKE_BLAS(trsmBatched);
    for (i64 i = 0; i < count; ++i)
      trsm(h, side, triangle, op, diagonal, m, n, one, list[i], lda, sides[i], ldb);
    return CUBLAS_STATUS_SUCCESS;
  }
};

/// The fakes in the place of the libraries, for one thread of its own: handles are kept until it ends.
struct session {
  session() {
    model = {};
    add_generic(solver);
    solver.cusolverDnCreateGesvdjInfo = [](gesvdjInfo_t* made) {
      FAKE_SOLVER(CreateGesvdjInfo);
      ++model.live_handles;
      *made = reinterpret_cast<gesvdjInfo_t>(&model);
      return CUSOLVER_STATUS_SUCCESS;
    };
    solver.cusolverDnDestroyGesvdjInfo = [](gesvdjInfo_t) {
      --model.live_handles;
      return CUSOLVER_STATUS_SUCCESS;
    };
    blas.cublasCreate_v2 = [](cublasHandle_t* h) {
      FAKE_BLAS(cublasCreate);
      fake_gemm::mode = CUBLAS_DEFAULT_MATH;
      ++model.live_handles;
      *h = reinterpret_cast<cublasHandle_t>(&model);
      return CUBLAS_STATUS_SUCCESS;
    };
    blas.cublasDestroy_v2 = [](cublasHandle_t) { return --model.live_handles, CUBLAS_STATUS_SUCCESS; };
    blas.cublasSetStream_v2 = [](cublasHandle_t, cudaStream_t) { return CUBLAS_STATUS_SUCCESS; };
    blas.cublasSetWorkspace_v2 = [](cublasHandle_t, void*, std::size_t) { return CUBLAS_STATUS_SUCCESS; };
    fake_gemm::add_products(blas);
    blas.cublasGetStatusString = [](cublasStatus_t) { return "fake"; };
#define FAKE_TYPED(L, ORTHOGONAL, T, LIBRARY)                                      \
  solver.cusolverDn##L##ORTHOGONAL##_bufferSize = typed<T, LIBRARY>::form_q_size;  \
  solver.cusolverDn##L##ORTHOGONAL = typed<T, LIBRARY>::form_q;                    \
  solver.cusolverDn##L##potrfBatched = typed<T, LIBRARY>::potrf_batched;           \
  solver.cusolverDn##L##gesvdjBatched_bufferSize = typed<T, LIBRARY>::gesvdj_size; \
  solver.cusolverDn##L##gesvdjBatched = typed<T, LIBRARY>::gesvdj;                 \
  blas.cublas##L##getrfBatched = typed<T, LIBRARY>::getrf_batched;                 \
  blas.cublas##L##getrsBatched = typed<T, LIBRARY>::getrs_batched;                 \
  blas.cublas##L##geqrfBatched = typed<T, LIBRARY>::geqrf_batched;                 \
  blas.cublas##L##trsm_v2_64 = typed<T, LIBRARY>::trsm;                            \
  blas.cublas##L##trsmBatched_64 = typed<T, LIBRARY>::trsm_batched;
    FAKE_TYPED(D, orgqr, double, double)
    FAKE_TYPED(Z, ungqr, z, cuDoubleComplex)
#undef FAKE_TYPED
    core::cuda::exchange_solver(&solver);
    core::cuda::exchange_blas(&blas);
  }
  ~session() {
    core::cuda::exchange_solver(nullptr);
    core::cuda::exchange_blas(nullptr);
  }
  session(const session&) = delete;
  session& operator=(const session&) = delete;

  core::cuda::solver_table solver{};
  core::cuda::blas_table blas{};
};

}  // namespace fake_solver
