#include <fmt/format.h>

#include <cuda/products/blas.hpp>
#include <cuda/runtime/library.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/thread_handles.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

blas_table load() {
  const table_loader load_row("cuBLAS", {"libcublas.so.13"},
                              "the CUDA toolkit's libcublas, or the Python package nvidia-cublas");
  blas_table table;
#define GPARRAY_BLAS_CALL(name) load_row(table.name, #name);
#include <cuda/products/blas_calls.def>
#undef GPARRAY_BLAS_CALL
  return table;
}

void destroy(cublasHandle_t handle) {
  if (handle) blas().cublasDestroy_v2(handle);
}

}  // namespace

const blas_table& blas() { return lazy_table<load>::get(); }

const blas_table* exchange_blas(const blas_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

void check_blas(const char* call, cublasStatus_t status, const char* operation) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw_if_kernel_fault(call, operation);
  const std::string text =
      fmt::format("{} failed while {}: {}", call, operation, blas().cublasGetStatusString(status));
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

cublasHandle_t blas_handle(queue q, void* workspace, std::size_t workspace_bytes) {
  constexpr const char* operation = "preparing cuBLAS";
  note_library_stream(q.stream);
  cublasHandle_t& handle = thread_handles<cublasHandle_t, destroy>::of_device(q.device);
  if (!handle) {
    cublasHandle_t made = nullptr;
    check_blas("cublasCreate", blas().cublasCreate_v2(&made), operation);
    // float32 means float32, where TF32 is not allowed; halves are summed in float32 all the way.
    const auto mode =
        static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    const cublasStatus_t status = blas().cublasSetMathMode(made, mode);
    if (status != CUBLAS_STATUS_SUCCESS) destroy(made);  // the next call must not find it
    check_blas("cublasSetMathMode", status, operation);
    handle = made;
  }
  check_blas("cublasSetStream", blas().cublasSetStream_v2(handle, stream_of(q.stream)), operation);
  check_blas("cublasSetWorkspace", blas().cublasSetWorkspace_v2(handle, workspace, workspace_bytes),
             operation);
  return handle;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
