#include "solver.hpp"

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <utility>
#include <vector>

#include "library.hpp"
#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

const solver_table* substitute_table = nullptr;

solver_table load() {
  void* library = open_library({"libcusolver.so.12", "libcusolver.so.11"},
                               "the CUDA toolkit's libcusolver, or the Python package nvidia-cusolver");
  solver_table table;
#define GPARRAY_SOLVER_CALL(name) \
  table.name = reinterpret_cast<decltype(table.name)>(find_symbol(library, #name, "cuSOLVER"));
#include "solver_calls.def"
#undef GPARRAY_SOLVER_CALL
  return table;
}

/// As cuBLAS's, handles are used by one thread at a time.
struct thread_handles {
  std::vector<solver_handle> of_devices;
  ~thread_handles() {
    for (const solver_handle& h : of_devices) {
      if (h.params) solver().cusolverDnDestroyParams(h.params);
      if (h.handle) solver().cusolverDnDestroy(h.handle);
    }
  }
};

const char* meaning(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED:
      return "the library could not be initialised";
    case CUSOLVER_STATUS_ALLOC_FAILED:
      return "out of memory";
    case CUSOLVER_STATUS_INVALID_VALUE:
      return "invalid value";
    case CUSOLVER_STATUS_ARCH_MISMATCH:
      return "the GPU is too old";
    case CUSOLVER_STATUS_EXECUTION_FAILED:
      return "a kernel failed";
    case CUSOLVER_STATUS_NOT_SUPPORTED:
      return "not supported";
    default:
      return "internal error";
  }
}

}  // namespace

const solver_table& solver() {
  if (substitute_table) [[unlikely]]
    return *substitute_table;
  static const solver_table table = load();
  return table;
}

const solver_table* exchange_solver(const solver_table* substitute) noexcept {
  return std::exchange(substitute_table, substitute);
}

void check_solver(const char* call, cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  throw cuda_error(fmt::format("{} failed while computing a factorisation: status {} ({})", call,
                               static_cast<int>(status), meaning(status)),
                   static_cast<int>(status));
}

solver_handle solver_for(queue q) {
  static thread_local thread_handles handles;
  const auto device = static_cast<std::size_t>(q.device);
  if (handles.of_devices.size() <= device) handles.of_devices.resize(device + 1);
  solver_handle& h = handles.of_devices[device];
  if (!h.handle) check_solver("cusolverDnCreate", solver().cusolverDnCreate(&h.handle));
  if (!h.params) check_solver("cusolverDnCreateParams", solver().cusolverDnCreateParams(&h.params));
  check_solver("cusolverDnSetStream", solver().cusolverDnSetStream(h.handle, stream_of(q.stream)));
  return h;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
