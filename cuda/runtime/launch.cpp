#include <atomic>
#include <cstddef>

#include <fmt/format.h>

#include <cuda/runtime/function_table.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/mailbox_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

enum class known : std::uint8_t { nothing, in_order, programmatic };
constexpr int max_devices = 64;
constinit std::atomic<known> devices[max_devices] = {};

/// Whether the code that the device took of our kernels waits for itself (programmatic_launch.cuh). A device
/// of compute capability 9.0 or newer may have had to take code for an older one, which does not. One kernel
/// speaks for all, as all were compiled for the same architectures; generated ones are compiled for the
/// device itself.
bool kernels_wait_on(int device) noexcept {
  int major = 0;
  if (try_call<&rt::cudaDeviceGetAttribute>(&major, cudaDevAttrComputeCapabilityMajor, device) !=
          cudaSuccess ||
      major < 9)
    return false;
  const relaxed_capture allowed;  // the runtime may have to load it
  cudaFuncAttributes code{};
  return try_call<&rt::cudaSetDevice>(device) == cudaSuccess &&
         try_call<&rt::cudaFuncGetAttributes>(&code, find_post_kernel()) == cudaSuccess &&
         code.ptxVersion >= 90;
}

/// Whether the device takes programmatic launches of our kernels, asked once for each device.
bool uses_programmatic_launch(int device) noexcept {
  if (device >= max_devices) return false;
  known answer = devices[device].load(std::memory_order_relaxed);
  if (answer == known::nothing) [[unlikely]] {
    answer = kernels_wait_on(device) ? known::programmatic : known::in_order;
    devices[device].store(answer, std::memory_order_relaxed);
  }
  return answer == known::programmatic;
}

using launch_call = CUresult(const CUlaunchConfig*, CUfunction, void**, void**);

launch_call find_launch_call, no_launch_call;
constinit std::atomic<launch_call*> launch_by_driver{&find_launch_call};

/// The first call: looks up cuLaunchKernelEx, which takes its place.
CUresult find_launch_call(const CUlaunchConfig* configuration, CUfunction function, void** arguments,
                          void** extra) {
  auto* found = reinterpret_cast<launch_call*>(find_driver_call("cuLaunchKernelEx", 12000));
  if (!found) found = &no_launch_call;
  launch_by_driver.store(found, std::memory_order_relaxed);
  return found(configuration, function, arguments, extra);
}

CUresult no_launch_call(const CUlaunchConfig*, CUfunction, void**, void**) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

constinit function_table functions;

// The driver reads the runtime's attributes.
static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute));
static_assert(offsetof(CUlaunchAttribute, value) == offsetof(cudaLaunchAttribute, val));
static_assert(int{CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION} ==
              int{cudaLaunchAttributeProgrammaticStreamSerialization});
static_assert(int{CU_LAUNCH_ATTRIBUTE_COOPERATIVE} == int{cudaLaunchAttributeCooperative});
static_assert(int{CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION} == int{cudaLaunchAttributeClusterDimension});

[[noreturn]] void throw_launch_error(std::string_view operation, const CUlaunchConfig& c, cudaError_t code) {
  throw_cuda_error(c.numAttrs > 0 ? "cudaLaunchKernelExC" : "cudaLaunchKernel", code,
                   fmt::format("launching {}", operation).c_str(), c.hStream);
}

/// A launch that the driver has refused. The runtime is asked again, as it has other names for some errors,
/// and gives a thread that has lost its context a new one; but not when the capture of a graph ended with the
/// refusal, of which it would only say that it has ended; nor when a kernel has failed.
[[gnu::cold, gnu::noinline]] void launch_by_runtime(std::string_view operation, const void* kernel,
                                                    const CUlaunchConfig& configuration, void** arguments,
                                                    int device, CUresult refusal) {
  static_assert(int{CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED} == int{cudaErrorStreamCaptureUnsupported});
  static_assert(int{CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD} == int{cudaErrorStreamCaptureWrongThread});
  const bool ends_capture =
      refusal >= CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED && refusal <= CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  if (ends_capture || is_kernel_fault(static_cast<cudaError_t>(refusal)))
    throw_launch_error(operation, configuration, static_cast<cudaError_t>(refusal));
  try_call<&rt::cudaSetDevice>(device);
  const cudaLaunchConfig_t c = for_runtime(configuration);
  const cudaError_t code = c.numAttrs > 0 ? runtime.cudaLaunchKernelExC(&c, kernel, arguments)
                                          : runtime.cudaLaunchKernel(kernel, c.gridDim, c.blockDim, arguments,
                                                                     c.dynamicSmemBytes, c.stream);
  if (code != cudaSuccess) throw_launch_error(operation, configuration, code);
}

constexpr cudaLaunchAttribute programmatic_launch{.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                                  .pad = {},
                                                  .val = {.programmaticStreamSerializationAllowed = 1}};

}  // namespace

cudaLaunchConfig_t for_runtime(const CUlaunchConfig& c) {
  return {.gridDim = dim3(c.gridDimX, c.gridDimY, c.gridDimZ),
          .blockDim = dim3(c.blockDimX, c.blockDimY, c.blockDimZ),
          .dynamicSmemBytes = c.sharedMemBytes,
          .stream = c.hStream,
          .attrs = reinterpret_cast<cudaLaunchAttribute*>(c.attrs),
          .numAttrs = c.numAttrs};
}

void enqueue(std::string_view operation, kernel_code kernel, const CUlaunchConfig& configuration,
             void** arguments, int device) {
  // The driver takes a CUkernel, too, in place of a CUfunction.
  const CUfunction function = kernel.is_loaded ? static_cast<CUfunction>(const_cast<void*>(kernel.address))
                                               : functions.find(kernel.address, device);
  CUresult code = CUDA_ERROR_NOT_FOUND;
  if (function) [[likely]]
    code = launch_by_driver.load(std::memory_order_relaxed)(&configuration, function, arguments, nullptr);
  if (code != CUDA_SUCCESS) [[unlikely]]
    launch_by_runtime(operation, kernel.address, configuration, arguments, device, code);
}

void launch_own(std::string_view operation, kernel_code kernel, std::int64_t n_blocks, int n_threads,
                void** arguments, queue q) {
  const cudaStream_t stream = stream_of(q.stream);
  const bool is_programmatic = uses_programmatic_launch(q.device) && !is_captured(stream);
  enqueue(operation, kernel,
          configured(dim3(static_cast<unsigned>(n_blocks)), dim3(static_cast<unsigned>(n_threads)), 0, stream,
                     is_programmatic ? &programmatic_launch : nullptr),
          arguments, q.device);
}

void forget_devices() noexcept {
  for (std::atomic<known>& each : devices) each.store(known::nothing, std::memory_order_relaxed);
  launch_by_driver.store(&find_launch_call, std::memory_order_relaxed);
  functions.clear();
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
