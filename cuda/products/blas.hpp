// cuBLAS, loaded at first use.
#pragma once
#include <cublas_v2.h>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct blas_table {
#define GPARRAY_BLAS_CALL(name) decltype(&::name) name;
#include <cuda/products/blas_calls.def>
#undef GPARRAY_BLAS_CALL
};

/// Loads the library at the first call. Throws library_error.
const blas_table& blas();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const blas_table* exchange_blas(const blas_table* substitute) noexcept;

/// Throws cuda_error or out_of_memory: "cublasX failed while ...: status".
void check_blas(const char* call, cublasStatus_t status, const char* operation);

/// What cuBLAS itself would take on Hopper.
inline constexpr std::size_t blas_workspace_bytes = std::size_t{32} << 20;

/// This thread's handle for the queue's device, with the stream and a workspace of the stream's set. The
/// workspace makes results independent of what other streams do.
cublasHandle_t blas_handle(queue q, void* workspace, std::size_t workspace_bytes);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
