// Tables of a library's functions, or fakes of them, of which the k-th call that is made fails: calls are
// counted over all tables together. Those that give something back, and those that only name an error, are
// not counted.
#pragma once
#include <cstring>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nvrtc.h>
#include <string>

#include <cublas_v2.h>

#include <cuda/compiler/nvrtc.hpp>
#include <cuda/fft/cufft.hpp>
#include <cuda/linalg/cusolver.hpp>
#include <cuda/products/blas.hpp>
#include <cuda/products/blas_lt.hpp>
#include <cuda/random/curand.hpp>
#include <cuda/sparse/cusparse.hpp>

namespace failing_calls {

struct counter {
  int n = 0, fail_at = 0;  // counted from 1; 0: none
  bool of_memory = false;  // whether it fails as for want of memory
  void (*on_failure)() = nullptr;
  std::string failed{};  // the name of the one that did

  bool fails(const char* name) {
    if (++n != fail_at) return false;
    failed = name;
    if (on_failure) on_failure();
    return true;
  }
};
inline counter calls;

/// From now on the k-th fails.
inline void fail(int k, bool of_memory = false) { calls = {.fail_at = k, .of_memory = of_memory}; }

/// What a call that fails returns.
template<class Status>
struct failure;
#define GPARRAY_FAILURE(Status, GENERAL, MEMORY)                              \
  template<>                                                                  \
  struct failure<Status> {                                                    \
    static Status status() { return calls.of_memory ? (MEMORY) : (GENERAL); } \
  };
GPARRAY_FAILURE(cublasStatus_t, CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_ALLOC_FAILED)
GPARRAY_FAILURE(cusolverStatus_t, CUSOLVER_STATUS_INTERNAL_ERROR, CUSOLVER_STATUS_ALLOC_FAILED)
GPARRAY_FAILURE(cusparseStatus_t, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_ALLOC_FAILED)
GPARRAY_FAILURE(cufftResult, CUFFT_INTERNAL_ERROR, CUFFT_ALLOC_FAILED)
GPARRAY_FAILURE(curandStatus_t, CURAND_STATUS_INTERNAL_ERROR, CURAND_STATUS_ALLOCATION_FAILED)
GPARRAY_FAILURE(nvrtcResult, NVRTC_ERROR_INTERNAL_ERROR, NVRTC_ERROR_OUT_OF_MEMORY)
#undef GPARRAY_FAILURE

template<int Row, class Function>
struct row;
template<int Row, class Result, class... Arguments>
struct row<Row, Result (*)(Arguments...)> {
  static inline Result (*inner)(Arguments...) = nullptr;
  static inline const char* name = nullptr;

  static Result call(Arguments... arguments) {
    return calls.fails(name) ? failure<Result>::status() : inner(arguments...);
  }
  static void wrap(Result (*&function)(Arguments...), const char* called) {
    if constexpr (requires { failure<Result>::status(); }) {
      if (!function || std::strstr(called, "Destroy") || std::strstr(called, "destroy")) return;
      inner = function;
      name = called;
      function = &call;
    }
  }
};

#define GPARRAY_WRAP(name) row<__COUNTER__, decltype(table.name)>::wrap(table.name, #name);
#define GPARRAY_BLAS_CALL GPARRAY_WRAP
#define GPARRAY_BLAS_LT_CALL GPARRAY_WRAP
#define GPARRAY_SOLVER_CALL GPARRAY_WRAP
#define GPARRAY_CUSPARSE_CALL GPARRAY_WRAP
#define GPARRAY_CUFFT_CALL GPARRAY_WRAP
#define GPARRAY_CURAND_CALL GPARRAY_WRAP
#define GPARRAY_NVRTC_CALL GPARRAY_WRAP
inline void wrap(gparray::core::cuda::blas_table& table) {
#include <cuda/products/blas_calls.def>
}
inline void wrap(gparray::core::cuda::blas_lt_table& table) {
#include <cuda/products/blas_lt_calls.def>
}
inline void wrap(gparray::core::cuda::solver_table& table) {
#include <cuda/linalg/cusolver_calls.def>
}
inline void wrap(gparray::core::cuda::cusparse_table& table) {
#include <cuda/sparse/cusparse_calls.def>
}
inline void wrap(gparray::core::cuda::cufft_table& table) {
#include <cuda/fft/cufft_calls.def>
}
inline void wrap(gparray::core::cuda::curand_table& table) {
#include <cuda/random/curand_calls.def>
}
inline void wrap(gparray::core::cuda::nvrtc_table& table) {
#include <cuda/compiler/nvrtc_calls.def>
}
#undef GPARRAY_BLAS_CALL
#undef GPARRAY_BLAS_LT_CALL
#undef GPARRAY_SOLVER_CALL
#undef GPARRAY_CUSPARSE_CALL
#undef GPARRAY_CUFFT_CALL
#undef GPARRAY_CURAND_CALL
#undef GPARRAY_NVRTC_CALL
#undef GPARRAY_WRAP

}  // namespace failing_calls
