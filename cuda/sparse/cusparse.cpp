#include <fmt/format.h>

#include <cuda/runtime/library.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/thread_handles.hpp>
#include <cuda/sparse/cusparse.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

cusparse_table load() {
  const table_loader load_row("cuSPARSE", {"libcusparse.so.12"},
                              "the CUDA toolkit's libcusparse, or the Python package nvidia-cusparse");
  cusparse_table table;
#define GPARRAY_CUSPARSE_CALL(name) load_row(table.name, #name);
#include <cuda/sparse/cusparse_calls.def>
#undef GPARRAY_CUSPARSE_CALL
  return table;
}

void destroy(cusparseHandle_t handle) {
  if (handle) cusparse().cusparseDestroy(handle);
}

}  // namespace

const cusparse_table& cusparse() { return lazy_table<load>::get(); }

const cusparse_table* exchange_cusparse(const cusparse_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

void check_cusparse(const char* call, cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  constexpr const char* operation = "working on sparse matrices";
  throw_if_kernel_fault(call, operation);
  const std::string text = fmt::format("{} failed while {}: status {} ({})", call, operation,
                                       static_cast<int>(status), cusparse().cusparseGetErrorString(status));
  if (status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
    throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

cusparseHandle_t cusparse_handle(queue q) {
  note_library_stream(q.stream);
  cusparseHandle_t& handle = thread_handles<cusparseHandle_t, destroy>::of_device(q.device);
  if (!handle) GPARRAY_CUSPARSE(cusparseCreate, &handle);
  GPARRAY_CUSPARSE(cusparseSetStream, handle, stream_of(q.stream));
  return handle;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
