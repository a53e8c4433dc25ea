// cuSOLVER, loaded at first use.
#pragma once
#include <cusolverDn.h>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct solver_table {
#define GPARRAY_SOLVER_CALL(name) decltype(&::name) name;
#include <cuda/linalg/cusolver_calls.def>
#undef GPARRAY_SOLVER_CALL
};

/// Loads the library at the first call. Throws library_error.
const solver_table& solver();
/// Fakes for tests; nullptr ends that. The previous table is returned.
const solver_table* exchange_solver(const solver_table* substitute) noexcept;

/// Throws cuda_error or out_of_memory: "cusolverDnX failed while computing a factorisation: status 7 (...)".
void check_solver(const char* call, cusolverStatus_t status);

struct solver_handle {
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
};

/// This thread's handle for the queue's device, with the stream set.
solver_handle solver_for(queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
