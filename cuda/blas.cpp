#include "blas.hpp"

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <utility>
#include <vector>

#include "library.hpp"
#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

blas_table load() {
  void* library = open_library({"libcublas.so.13", "libcublas.so.12"},
                               "the CUDA toolkit's libcublas, or the Python package nvidia-cublas");
  blas_table table;
#define GPARRAY_BLAS_CALL(name) \
  table.name = reinterpret_cast<decltype(table.name)>(find_symbol(library, #name, "cuBLAS"));
#include "blas_calls.def"
#undef GPARRAY_BLAS_CALL
  return table;
}

/// Handles may be used by one thread at a time, so every thread has its own. They are given back when it
/// ends; at exit the driver may be gone, and then the call fails harmlessly.
struct thread_handles {
  std::vector<cublasHandle_t> of_devices;
  ~thread_handles() {
    for (cublasHandle_t handle : of_devices)
      if (handle) blas().cublasDestroy_v2(handle);
  }
};

}  // namespace

namespace {
const blas_table* substitute_table = nullptr;
}

const blas_table& blas() {
  if (substitute_table) [[unlikely]]
    return *substitute_table;
  static const blas_table table = load();
  return table;
}

const blas_table* exchange_blas(const blas_table* substitute) noexcept {
  return std::exchange(substitute_table, substitute);
}

void check_blas(const char* call, cublasStatus_t status, const char* operation) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw cuda_error(
      fmt::format("{} failed while {}: {}", call, operation, blas().cublasGetStatusString(status)),
      static_cast<int>(status));
}

cublasHandle_t blas_handle(queue q, void* workspace, std::size_t workspace_bytes) {
  static thread_local thread_handles handles;
  constexpr const char* operation = "preparing cuBLAS";
  const auto device = static_cast<std::size_t>(q.device);
  if (handles.of_devices.size() <= device) handles.of_devices.resize(device + 1, nullptr);
  cublasHandle_t& handle = handles.of_devices[device];
  if (!handle) {
    check_blas("cublasCreate", blas().cublasCreate_v2(&handle), operation);
    // float32 means float32, no TF32; halves are summed in float32 all the way.
    const auto mode =
        static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
    check_blas("cublasSetMathMode", blas().cublasSetMathMode(handle, mode), operation);
  }
  check_blas("cublasSetStream", blas().cublasSetStream_v2(handle, stream_of(q.stream)), operation);
  check_blas("cublasSetWorkspace", blas().cublasSetWorkspace_v2(handle, workspace, workspace_bytes),
             operation);
  return handle;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
