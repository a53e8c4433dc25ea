#include <fmt/format.h>

#include <cuda/linalg/cusolver.hpp>
#include <cuda/runtime/library.hpp>
#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/thread_handles.hpp>
#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

solver_table load() {
  const table_loader load_row("cuSOLVER", {"libcusolver.so.12"},
                              "the CUDA toolkit's libcusolver, or the Python package nvidia-cusolver");
  solver_table table;
#define GPARRAY_SOLVER_CALL(name) load_row(table.name, #name);
#include <cuda/linalg/cusolver_calls.def>
#undef GPARRAY_SOLVER_CALL
  return table;
}

void destroy(const solver_handle& h) {
  if (h.params) solver().cusolverDnDestroyParams(h.params);
  if (h.handle) solver().cusolverDnDestroy(h.handle);
}

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

const solver_table& solver() { return lazy_table<load>::get(); }

const solver_table* exchange_solver(const solver_table* substitute) noexcept {
  return lazy_table<load>::exchange(substitute);
}

void check_solver(const char* call, cusolverStatus_t status) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  constexpr const char* operation = "computing a factorisation";
  throw_if_kernel_fault(call, operation);
  const std::string text = fmt::format("{} failed while {}: status {} ({})", call, operation,
                                       static_cast<int>(status), meaning(status));
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw out_of_memory(text);
  throw cuda_error(text, static_cast<int>(status));
}

solver_handle solver_for(queue q) {
  note_library_stream(q.stream);
  solver_handle& h = thread_handles<solver_handle, destroy>::of_device(q.device);
  if (!h.handle) check_solver("cusolverDnCreate", solver().cusolverDnCreate(&h.handle));
  if (!h.params) check_solver("cusolverDnCreateParams", solver().cusolverDnCreateParams(&h.params));
  check_solver("cusolverDnSetStream", solver().cusolverDnSetStream(h.handle, stream_of(q.stream)));
  return h;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
