#include <fmt/format.h>

#include <cuda/runtime/memory.hpp>
#include <plan/lost_device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

space_upstream::space_upstream(memory_space space, int device)
    : space_(space), device_(device), pages_(device), name_(fmt::format("cuda:{}", device)) {
  if (space == memory_space::pinned) name_ = "pinned";
  if (space == memory_space::mapped) name_ = "mapped";
  if (space == memory_space::managed) name_ = "managed";
}

void* space_upstream::allocate(std::size_t bytes) {
  use_device(device_);
  void* pointer = nullptr;
  cudaError_t code;
  const char* name;
  switch (space_) {
    case memory_space::pinned:
      name = "cudaHostAlloc";
      code = try_call<&rt::cudaHostAlloc>(&pointer, bytes, unsigned{cudaHostAllocPortable});
      break;
    case memory_space::mapped:
      name = "cudaHostAlloc";
      code = try_call<&rt::cudaHostAlloc>(&pointer, bytes,
                                          unsigned{cudaHostAllocMapped | cudaHostAllocPortable});
      break;
    case memory_space::managed:
      name = "cudaMallocManaged";
      code = try_call<&rt::cudaMallocManaged>(&pointer, bytes, unsigned{cudaMemAttachGlobal});
      break;
    default:
      name = "cudaMalloc";
      code = try_call<&rt::cudaMalloc>(&pointer, bytes);
  }
  if (code == cudaSuccess) return pointer;
  if (code == cudaErrorMemoryAllocation) return nullptr;
  throw_cuda_error(name, code, fmt::format("allocating {} bytes of {} memory", bytes, name_).c_str());
}

void space_upstream::deallocate(void* pointer, std::size_t) noexcept {
  if (is_lost(device_)) return;
  // At exit the driver may be gone already (cudaErrorCudartUnloading), and the memory with it.
  if (space_ == memory_space::pinned || space_ == memory_space::mapped) try_call<&rt::cudaFreeHost>(pointer);
  else try_call<&rt::cudaFree>(pointer);
}

std::size_t space_upstream::range_bytes() const noexcept {
  return space_ == memory_space::device ? pages_.range_bytes() : 0;
}

std::optional<std::size_t> space_upstream::available() const noexcept {
  if (space_ != memory_space::device || is_lost(device_)) return std::nullopt;
  int current = 0;
  std::size_t free = 0, total = 0;
  if (try_call<&rt::cudaGetDevice>(&current) != cudaSuccess) return std::nullopt;
  if (current != device_ && try_call<&rt::cudaSetDevice>(device_) != cudaSuccess) return std::nullopt;
  if (try_call<&rt::cudaMemGetInfo>(&free, &total) != cudaSuccess) return std::nullopt;
  return free;
}

device_events::~device_events() {
  if (is_lost(device_)) return;
  for (void* event : idle_) try_call<&rt::cudaEventDestroy>(static_cast<cudaEvent_t>(event));
}

void* device_events::take() {
  {
    const std::lock_guard guard(lock_);
    if (!idle_.empty()) {
      void* event = idle_.back();
      idle_.pop_back();
      return event;
    }
  }
  cudaEvent_t event = nullptr;
  call<&rt::cudaEventCreateWithFlags>("creating an event", &event, unsigned{cudaEventDisableTiming});
  return event;
}

void* device_events::record(stream_handle stream) {
  use_device(device_);
  // An event recorded during capture belongs to the graph and cannot be asked whether it is done.
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t asked = try_call<&rt::cudaStreamIsCapturing>(stream_of(stream), &status);
  if (asked == cudaErrorStreamCaptureImplicit || status != cudaStreamCaptureStatusNone) return nullptr;
  void* event = take();
  const cudaError_t code = try_call<&rt::cudaEventRecord>(static_cast<cudaEvent_t>(event), stream_of(stream));
  if (code == cudaSuccess) return event;
  release(event);
  throw_cuda_error("cudaEventRecord", code, "recording when freed memory may be used again",
                   stream_of(stream));
}

bool device_events::done(void* event) {
  use_device(device_);
  const cudaError_t code = try_call<&rt::cudaEventQuery>(static_cast<cudaEvent_t>(event));
  if (code == cudaSuccess) return true;
  if (code == cudaErrorNotReady) return false;
  throw_cuda_error("cudaEventQuery", code, "asking whether freed memory may be used again");
}

void device_events::wait(void* event) noexcept {
  if (!is_lost(device_)) try_call<&rt::cudaEventSynchronize>(static_cast<cudaEvent_t>(event));
}

void device_events::release(void* event) noexcept {
  const std::lock_guard guard(lock_);
  try {
    idle_.push_back(event);
  } catch (...) {  // no memory for the list: one event less to reuse
    if (!is_lost(device_)) try_call<&rt::cudaEventDestroy>(static_cast<cudaEvent_t>(event));
  }
}

device_memory::device_memory(int device)
    : events_(device),
      pinned_(memory_space::pinned, device, host_events_),
      mapped_(memory_space::mapped, device, host_events_),
      device_(memory_space::device, device, events_),
      managed_(memory_space::managed, device, events_) {}

memory_pool* device_memory::pool(memory_space space) {
  switch (space) {
    case memory_space::pinned:
      return &pinned_.pool;
    case memory_space::mapped:
      return &mapped_.pool;
    case memory_space::device:
      return &device_.pool;
    case memory_space::managed:
      return &managed_.pool;
    default:
      return nullptr;
  }
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
