#include "launch.hpp"

#include <fmt/format.h>

#include <atomic>

#include "earlier_work.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

enum class known : std::uint8_t { nothing, in_order, early };
constexpr int max_devices = 64;
constinit std::atomic<known> devices[max_devices] = {};

/// Whether the device starts kernels that wait for themselves: those of compute capability 9.0 do.
bool starts_early(int device) noexcept {
  if (device >= max_devices) return false;
  known answer = devices[device].load(std::memory_order_relaxed);
  if (answer == known::nothing) [[unlikely]] {
    int major = 0;
    const cudaError_t code =
        try_call<&rt::cudaDeviceGetAttribute>(&major, cudaDevAttrComputeCapabilityMajor, device);
    const bool early = code == cudaSuccess && major >= 9 && kernels_wait_for_earlier_work();
    answer = early ? known::early : known::in_order;
    devices[device].store(answer, std::memory_order_relaxed);
  }
  return answer == known::early;
}

}  // namespace

void throw_launch_error(const char* call, std::string_view operation, cudaError_t code) {
  throw_cuda_error(call, code, fmt::format("launching {}", operation).c_str());
}

void launch_own(std::string_view operation, const void* kernel, std::int64_t n_blocks, int n_threads,
                void** arguments, queue q) {
  const cudaStream_t stream = stream_of(q.stream);
  const dim3 grid(static_cast<unsigned>(n_blocks)), block(static_cast<unsigned>(n_threads));
  if (!starts_early(q.device) || is_captured(stream)) {
    const cudaError_t code = runtime.cudaLaunchKernel(kernel, grid, block, arguments, 0, stream);
    if (code != cudaSuccess) [[unlikely]]
      throw_launch_error("cudaLaunchKernel", operation, code);
    return;
  }
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = grid;
  configuration.blockDim = block;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  const cudaError_t code = runtime.cudaLaunchKernelExC(&configuration, kernel, arguments);
  if (code != cudaSuccess) [[unlikely]]
    throw_launch_error("cudaLaunchKernelExC", operation, code);
}

void forget_devices() noexcept {
  for (std::atomic<known>& each : devices) each.store(known::nothing, std::memory_order_relaxed);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
