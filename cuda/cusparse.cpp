#include "cusparse.hpp"

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <vector>

#include "library.hpp"
#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

const cusparse_table* substitute_table = nullptr;

cusparse_table load() {
  void* library = open_library({"libcusparse.so.12", "libcusparse.so.13"},
                               "the CUDA toolkit's libcusparse, or the Python package nvidia-cusparse");
  cusparse_table table;
#define GPARRAY_CUSPARSE_CALL(name) \
  table.name = reinterpret_cast<decltype(table.name)>(find_symbol(library, #name, "cuSPARSE"));
#include "cusparse_calls.def"
#undef GPARRAY_CUSPARSE_CALL
  return table;
}

/// As cuBLAS's, handles are used by one thread at a time.
struct thread_handles {
  std::vector<cusparseHandle_t> of_devices;
  ~thread_handles() {
    for (cusparseHandle_t handle : of_devices)
      if (handle) cusparse().cusparseDestroy(handle);
  }
};

}  // namespace

const cusparse_table& cusparse() {
  if (substitute_table) [[unlikely]]
    return *substitute_table;
  static const cusparse_table table = load();
  return table;
}

const cusparse_table* exchange_cusparse(const cusparse_table* substitute) noexcept {
  return std::exchange(substitute_table, substitute);
}

void check_cusparse(const char* call, cusparseStatus_t status) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  const std::string text = fmt::format("{} failed while working on sparse matrices: status {} ({})", call,
                                       static_cast<int>(status), cusparse().cusparseGetErrorString(status));
  if (status == CUSPARSE_STATUS_ALLOC_FAILED || status == CUSPARSE_STATUS_INSUFFICIENT_RESOURCES)
    throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

cusparseHandle_t cusparse_handle(queue q) {
  static thread_local thread_handles handles;
  const auto device = static_cast<std::size_t>(q.device);
  if (handles.of_devices.size() <= device) handles.of_devices.resize(device + 1, nullptr);
  cusparseHandle_t& handle = handles.of_devices[device];
  if (!handle) GPARRAY_CUSPARSE(cusparseCreate, &handle);
  GPARRAY_CUSPARSE(cusparseSetStream, handle, stream_of(q.stream));
  return handle;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
