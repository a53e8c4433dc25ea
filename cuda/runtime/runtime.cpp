#include <atomic>
#include <pthread.h>

#include <fmt/format.h>

#include <cuda/runtime/process_end.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/error.hpp>
#include <plan/last_kernel.hpp>
#include <plan/lost_device.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

// Constant-initialised: other files may call the runtime from their own static initialisers.
constinit runtime_table runtime = {
#define GPARRAY_CUDA_CALL(name, parameters) &::name,
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
};

const char* runtime_call_name(int index) {
  static constexpr const char* names[] = {
#define GPARRAY_CUDA_CALL(name, parameters) #name,
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
  };
  return names[index];
}

namespace {

constinit std::atomic<bool> in_child{false};

/// A call that fails before anything of CUDA's is asked.
template<class Call>
struct refused;
template<class... Parameters>
struct refused<cudaError_t (*)(Parameters...)> {
  static cudaError_t call(Parameters...) { return cudaErrorInitializationError; }
};

void refuse_all(runtime_table& calls) {
#define GPARRAY_CUDA_CALL(name, parameters) calls.name = &refused<decltype(calls.name)>::call;
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
}

thread_local constinit lasting<int> used_device = 0;
thread_local constinit lasting<std::optional<void*>> library_stream;

std::string name_of(std::optional<cudaStream_t> stream) {
  if (!stream) return "";
  return *stream ? fmt::format(" on stream {}", static_cast<void*>(*stream)) : " on the default stream";
}

[[noreturn]] void throw_fault(const char* call, cudaError_t code, const char* operation,
                              std::optional<cudaStream_t> stream) {
  const char* const kernel = last_raw_kernel();
  const device_fault fault(
      fmt::format(
          "{} failed while {}{}: {} ({}); an earlier kernel failed on cuda:{}, and this process cannot "
          "use that GPU again: what is in its memory is lost. Arrays on the CPU can still be computed "
          "with and saved. GPARRAY_DEBUG=sync names the operation at fault (docs/debugging.md); then "
          "restart the process{}",
          call, operation, name_of(stream), cudaGetErrorName(code), cudaGetErrorString(code), used_device,
          kernel ? fmt::format("; the last raw kernel launched was '{}'", kernel) : ""),
      static_cast<int>(code), {operation, used_device, stream, kernel ? kernel : ""});
  if (!is_lost(used_device)) remember_fault(fault);  // another thread may have been the first
  throw fault;
}

}  // namespace

bool is_kernel_fault(cudaError_t code) noexcept {
  switch (code) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorAssert:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorTensorMemoryLeak:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
      return true;
    default:
      return false;
  }
}

bool is_child_of_fork() noexcept { return in_child.load(std::memory_order_relaxed); }

void refuse_in_children() {
  [[maybe_unused]] static const bool prepared = [] {
    return pthread_atfork(nullptr, nullptr, [] {
             in_child.store(true, std::memory_order_relaxed);
             refuse_all(runtime);
           }) == 0;
  }();
}

void throw_cuda_error(const char* call, cudaError_t code, const char* operation,
                      std::optional<cudaStream_t> stream) {
  if (is_child_of_fork())
    throw fork_error(fmt::format(
        "{} was refused while {}: this process is the child of one that used the GPU, and CUDA does "
        "not survive fork(); compute on the device \"cpu\" here (set_default_device), fork before the "
        "first use of a GPU, or start another program with exec()",
        call, operation));
  if (code != cudaErrorMemoryAllocation) wait_if_process_ends();
  runtime.cudaGetLastError();
  if (is_kernel_fault(code)) throw_fault(call, code, operation, stream);
  const char* hint = "";
  if (code == cudaErrorNoKernelImageForDevice)
    hint = "; build gparray with -DCMAKE_CUDA_ARCHITECTURES set to this GPU's compute capability";
  else if (code == cudaErrorStreamCaptureUnjoined)
    hint = "; the captured stream must wait in the end for every stream that waited for it (stream.wait)";
  else if (code >= cudaErrorStreamCaptureUnsupported && code <= cudaErrorStreamCaptureWrongThread)
    hint = "; a graph is being captured, and the work in it may neither be waited for nor mixed with other";
  else if (code == cudaErrorCooperativeLaunchTooLarge)
    hint = "; all blocks of a cooperative launch must fit on the GPU at once: use fewer or smaller ones";
  throw cuda_error(fmt::format("{} failed while {}: {} ({}){}", call, operation, cudaGetErrorName(code),
                               cudaGetErrorString(code), hint),
                   static_cast<int>(code));
}

void throw_if_kernel_fault(const char* call, const char* operation) {
  if (is_child_of_fork()) return;
  wait_if_process_ends();
  // A question that is allowed while a stream is recorded, unlike those about streams.
  std::size_t free = 0, total = 0;
  const cudaError_t code = try_call<&rt::cudaMemGetInfo>(&free, &total);
  if (!is_kernel_fault(code)) return;
  std::optional<cudaStream_t> stream;
  if (library_stream) stream = stream_of(*library_stream);
  throw_fault(call, code, operation, stream);
}

void note_library_stream(std::optional<void*> stream) noexcept { library_stream = stream; }

void* find_driver_call(const char* name, unsigned version) noexcept {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult status;
  const cudaError_t code =
      try_call<&rt::cudaGetDriverEntryPointByVersion>(name, &address, version, 0ull, &status);
  return code == cudaSuccess && status == cudaDriverEntryPointSuccess ? address : nullptr;
}

int count_devices(std::string& reason) {
  int count = 0;
  const cudaError_t code = try_call<&rt::cudaGetDeviceCount>(&count);
  if (code == cudaSuccess && count > 0) return count;
  if (code == cudaErrorInsufficientDriver) {
    int driver = 0;
    try_call<&rt::cudaDriverGetVersion>(&driver);
    reason = driver == 0
                 ? std::string("no GPU: no NVIDIA driver was found; install it, or use the device \"cpu\"")
                 : fmt::format(
                       "no GPU: the NVIDIA driver supports CUDA {}.{}, gparray was built with {}.{}; update "
                       "the driver, or use the device \"cpu\"",
                       driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  } else if (code == cudaErrorNoDevice || code == cudaSuccess) {
    reason =
        "no GPU: the NVIDIA driver sees no device; check nvidia-smi and CUDA_VISIBLE_DEVICES, or use the "
        "device "
        "\"cpu\"";
  } else {
    reason =
        fmt::format("no GPU: cudaGetDeviceCount failed: {} ({}); check nvidia-smi, or use the device \"cpu\"",
                    cudaGetErrorName(code), cudaGetErrorString(code));
  }
  return 0;
}

void use_device(int device) {
  // Only cudaSetDevice makes the device's context current on a new thread, which the libraries take for
  // granted.
  static thread_local constinit lasting<bool> has_context = false;
  used_device = device;
  if (is_lost(device) && !is_child_of_fork()) [[unlikely]] {
    wait_if_process_ends();
    throw_lost(device);
  }
  int current = -1;
  // A failure may be that of another device, which is current and lost.
  const cudaError_t asked = try_call<&rt::cudaGetDevice>(&current);
  if (asked == cudaSuccess && current == device && has_context) return;
  call<&rt::cudaSetDevice>("selecting a device", device);
  has_context = true;
}

int device_in_use() noexcept { return used_device; }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
