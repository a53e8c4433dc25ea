// The one table through which every CUDA runtime call goes.
#pragma once
#include <cstddef>
#include <cuda_runtime_api.h>
#include <optional>
#include <string>
#include <type_traits>

#include <gparray/config.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct runtime_table {
#define GPARRAY_CUDA_CALL(name, parameters) cudaError_t(*name) parameters;
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
};

inline constexpr int runtime_call_count = sizeof(runtime_table) / sizeof(void (*)());

/// The calls in use: cudart's, which is linked statically, unless a test has put a fake device in their
/// place.
extern runtime_table runtime;
/// The name of row `index` of runtime_calls.def.
const char* runtime_call_name(int index);

/// Whether this process is the child of one that had a CUDA backend: nothing of CUDA works in it, and what
/// destructors would give back is the parent's.
bool is_child_of_fork() noexcept;
/// Whether nothing that the process has on the device is its own: in such a child, and on a device that a
/// fault has taken. What the runtime's calls give back need not ask for the child: they are refused there.
inline bool is_gone(int device) noexcept { return is_child_of_fork() || is_lost(device); }
/// From now on children of this process are such: all of their calls fail before they reach CUDA.
void refuse_in_children();

/// Throws cuda_error: "cudaMalloc failed while allocating memory: cudaErrorX (description)". If a kernel has
/// failed it throws device_fault, and the device that this thread uses is lost from now on. In the child of a
/// fork it throws fork_error.
[[noreturn]] void throw_cuda_error(const char* call, cudaError_t code, const char* operation,
                                   std::optional<cudaStream_t> stream = std::nullopt);

/// Whether the code is that of a kernel that failed while it ran, or of hardware that did: CUDA then refuses
/// all that this process asks of the device.
bool is_kernel_fault(cudaError_t code) noexcept;

/// For a library's call that has failed, whose error code does not say why: waits if the process ends
/// meanwhile, and throws device_fault if the call was refused because a kernel has failed.
void throw_if_kernel_fault(const char* call, const char* operation);
/// The stream that this thread's next calls of libraries work on, for throw_if_kernel_fault.
void note_library_stream(std::optional<void*> stream) noexcept;

template<auto Member>
int call_index() {
  const auto base = reinterpret_cast<const char*>(&runtime);
  return static_cast<int>((reinterpret_cast<const char*>(&(runtime.*Member)) - base) / sizeof(void (*)()));
}

/// The stream among the arguments of a call.
template<class... Arguments>
std::optional<cudaStream_t> stream_among(const Arguments&... arguments) {
  std::optional<cudaStream_t> stream;
  [[maybe_unused]] const auto look = [&]<class T>(const T& argument) {
    if constexpr (std::is_same_v<T, cudaStream_t>) stream = argument;
  };
  (look(arguments), ...);
  return stream;
}

/// Makes a runtime call and throws as throw_cuda_error does if it fails. `operation` completes "while ...".
template<auto Member, class... Arguments>
void call(const char* operation, Arguments... arguments) {
  const cudaError_t code = (runtime.*Member)(arguments...);
  if (code != cudaSuccess) [[unlikely]]
    throw_cuda_error(runtime_call_name(call_index<Member>()), code, operation, stream_among(arguments...));
}

/// Makes a call whose failure is an answer or does not matter (destructors, the driver gone at exit), and
/// clears the error so that no later call reports it.
template<auto Member, class... Arguments>
cudaError_t try_call(Arguments... arguments) noexcept {
  const cudaError_t code = (runtime.*Member)(arguments...);
  if (code != cudaSuccess) [[unlikely]]
    runtime.cudaGetLastError();
  return code;
}

/// Shorthand for naming a row: call<&rt::cudaFree>(...).
using rt = runtime_table;

inline cudaStream_t stream_of(void* handle) { return static_cast<cudaStream_t>(handle); }

/// Whether the stream is being captured; the default stream cannot be.
inline bool is_captured(cudaStream_t stream) noexcept {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  if (stream) try_call<&rt::cudaStreamIsCapturing>(stream, &status);
  return status != cudaStreamCaptureStatusNone;
}

/// Loading is forbidden while any stream of the process is being recorded, unless a thread says that it
/// knows.
class relaxed_capture {
 public:
  relaxed_capture() { try_call<&rt::cudaThreadExchangeStreamCaptureMode>(&mode_); }
  ~relaxed_capture() { try_call<&rt::cudaThreadExchangeStreamCaptureMode>(&mode_); }
  relaxed_capture(const relaxed_capture&) = delete;
  relaxed_capture& operator=(const relaxed_capture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

/// A call of the driver of that version of CUDA; null if the driver has none.
void* find_driver_call(const char* name, unsigned version) noexcept;

/// The number of GPUs. Where there is none, `reason` says why and what to do.
int count_devices(std::string& reason);

/// Makes `device` current on this thread, if it is not already. The runtime is asked, not a cache of ours:
/// the user's own code may call cudaSetDevice too, and asking costs nanoseconds. Throws device_fault, without
/// asking anything, if the device is lost.
void use_device(int device);

/// The device that was last given to use_device on this thread.
int device_in_use() noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
