// cuBLAS, loaded at first use.
#pragma once
#include <cublas_v2.h>

#include <core/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct blas_table {
#define GPARRAY_BLAS_CALL(name) decltype(&::name) name;
#include "blas_calls.def"
#undef GPARRAY_BLAS_CALL
};

/// Loads the library at the first call. Throws library_error.
const blas_table& blas();

/// Throws cuda_error: "cublasX failed while ...: status".
void check_blas(const char* call, cublasStatus_t status, const char* operation);

/// This thread's handle for the queue's device, with the stream and a workspace of the stream's set. The
/// workspace makes results independent of what other streams do.
cublasHandle_t blas_handle(queue q, void* workspace, std::size_t workspace_bytes);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
