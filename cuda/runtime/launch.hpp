// Enqueues kernels.
#pragma once
#include <algorithm>
#include <cuda.h>
#include <limits>
#include <string_view>

#include <cuda/runtime/runtime.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// What to launch: a kernel that was compiled ahead of time, by its symbol, or one that was loaded.
struct kernel_code {
  kernel_code(const void* symbol) : address(symbol) {}  // NOLINT: the usual case
  const void* address;
  bool is_loaded = false;
};

inline kernel_code loaded(kernel_handle kernel) {
  kernel_code code(kernel);
  code.is_loaded = true;
  return code;
}

/// The attribute (null: none) has to outlive the configuration; the driver's are the runtime's.
inline CUlaunchConfig configured(dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                                 const cudaLaunchAttribute* attribute) {
  constexpr std::size_t too_many = std::numeric_limits<unsigned>::max();
  return {.gridDimX = grid.x,
          .gridDimY = grid.y,
          .gridDimZ = grid.z,
          .blockDimX = block.x,
          .blockDimY = block.y,
          .blockDimZ = block.z,
          .sharedMemBytes = static_cast<unsigned>(std::min(shared_bytes, too_many)),
          .hStream = stream,
          .attrs = reinterpret_cast<CUlaunchAttribute*>(const_cast<cudaLaunchAttribute*>(attribute)),
          .numAttrs = attribute ? 1u : 0u};
}

cudaLaunchConfig_t for_runtime(const CUlaunchConfig& configuration);

/// Launches through the driver, whose call takes less time than the runtime's, and through the runtime what
/// the driver does not take. The device must be current. `operation` names the launch in an error.
void enqueue(std::string_view operation, kernel_code kernel, const CUlaunchConfig& configuration,
             void** arguments, int device);

/// One-dimensional launch of a kernel of ours, which begins with wait_for_prior_grids(): a programmatic
/// (dependent) launch, started while what is in front of it ends, which spares a microsecond, on the host
/// too. Not into a graph: callers that ask a captured stream for its dependencies do not expect such edges.
/// The device must be current.
void launch_own(std::string_view operation, kernel_code kernel, std::int64_t n_blocks, int n_threads,
                void** arguments, queue q);

/// The same of a kernel that takes one parameter block. `operation` names it in an error.
template<class Params>
void launch(std::string_view operation, kernel_code kernel, std::int64_t n_blocks, int n_threads,
            const Params& params, queue q) {
  void* arguments[] = {const_cast<Params*>(&params)};
  launch_own(operation, kernel, n_blocks, n_threads, arguments, q);
}

/// Lets tests replace devices and the driver, whose capabilities are then asked again.
void forget_devices() noexcept;

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
