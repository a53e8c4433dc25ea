// cuBLASLt, loaded at first use. Errors are cuBLAS's: check_blas().
#pragma once
#include <cublasLt.h>

#include <cuda/products/blas.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct blas_lt_table {
#define GPARRAY_BLAS_LT_CALL(name) decltype(&::name) name;
#include <cuda/products/blas_lt_calls.def>
#undef GPARRAY_BLAS_LT_CALL
};

/// Loads the library at the first call. Throws library_error.
const blas_lt_table& blas_lt();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const blas_lt_table* exchange_blas_lt(const blas_lt_table* substitute) noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
