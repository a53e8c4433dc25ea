// A CUDA runtime that is only bookkeeping: host memory stands for device memory, copies happen at once,
// launches are written down and do nothing, and the k-th call can be made to fail.
#pragma once
#include <cstdlib>
#include <cstring>
#include <cuda/runtime.hpp>
#include <gparray/explain.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fake_cuda {

using gparray::core::cuda::runtime;
using gparray::core::cuda::runtime_table;

struct launch_record {
  const void* kernel;
  unsigned blocks, threads;
  cudaStream_t stream;
  const void* params;  // valid during the launch only: see on_launch
};

struct device_model {
  std::map<void*, std::size_t> memory;       // cudaMalloc and cudaMallocManaged
  std::map<void*, std::size_t> host_memory;  // cudaHostAlloc
  std::set<void*> events, streams;
  std::vector<launch_record> launches;
  std::vector<std::string> calls;
  int fail_at = 0;  // the number of the call that fails, counted from 1; 0: none
  cudaError_t error = cudaErrorUnknown;
  std::size_t capacity = std::size_t{1} << 30, used = 0;
  cudaError_t device_count_error = cudaSuccess;
  void (*on_launch)(const launch_record&) = nullptr;

  bool is_empty() const { return memory.empty() && host_memory.empty() && events.empty() && streams.empty(); }
  int count(const std::string& name) const {
    int n = 0;
    for (const std::string& call : calls) n += call == name;
    return n;
  }
};

inline device_model model;

/// Writes the call down; true if it is the one that is to fail.
inline bool fails(const char* name) {
  model.calls.emplace_back(name);
  return model.fail_at == static_cast<int>(model.calls.size());
}

inline bool inside(const std::map<void*, std::size_t>& blocks, const void* pointer) {
  auto next = blocks.upper_bound(const_cast<void*>(pointer));
  if (next == blocks.begin()) return false;
  --next;
  return pointer < static_cast<char*>(next->first) + next->second;
}

inline cudaError_t allocate(std::map<void*, std::size_t>& blocks, void** pointer, std::size_t bytes) {
  if (model.used + bytes > model.capacity) return cudaErrorMemoryAllocation;
  *pointer = std::aligned_alloc(512, (bytes + 511) / 512 * 512);
  blocks[*pointer] = bytes;
  model.used += bytes;
  return cudaSuccess;
}

inline cudaError_t release(std::map<void*, std::size_t>& blocks, void* pointer) {
  const auto found = blocks.find(pointer);
  if (found == blocks.end()) return cudaErrorInvalidValue;
  model.used -= found->second;
  std::free(pointer);
  blocks.erase(found);
  return cudaSuccess;
}

template<class Handle>
cudaError_t make_handle(std::set<void*>& handles, Handle* handle) {
  void* made = std::malloc(1);
  handles.insert(made);
  *handle = static_cast<Handle>(made);
  return cudaSuccess;
}

inline cudaError_t drop_handle(std::set<void*>& handles, void* handle) {
  if (handles.erase(handle) == 0) return cudaErrorInvalidResourceHandle;
  std::free(handle);
  return cudaSuccess;
}

/// The table of fakes. Calls that clean up never fail, as they do not on a device that works.
inline runtime_table table() {
  runtime_table t{};
#define FAKE(name) \
  if (fails(#name)) return model.error
  t.cudaGetDeviceCount = [](int* n) {
    FAKE(cudaGetDeviceCount);
    *n = model.device_count_error == cudaSuccess ? 1 : 0;
    return model.device_count_error;
  };
  t.cudaDriverGetVersion = [](int* version) { return *version = 11040, cudaSuccess; };
  t.cudaGetDevice = [](int* device) { return *device = 0, cudaSuccess; };
  t.cudaSetDevice = [](int) { return cudaSuccess; };
  t.cudaGetDeviceProperties = [](cudaDeviceProp* p, int) {
    return std::strcpy(p->name, "fake"), cudaSuccess;
  };
  t.cudaDeviceGetAttribute = [](int* value, cudaDeviceAttr, int) { return *value = 9, cudaSuccess; };
  t.cudaDeviceSynchronize = [] { return cudaSuccess; };
  t.cudaDeviceCanAccessPeer = [](int* can, int, int) { return *can = 0, cudaSuccess; };
  t.cudaDeviceEnablePeerAccess = [](int, unsigned) { return cudaSuccess; };
  t.cudaGetLastError = [] { return cudaSuccess; };
  t.cudaMemGetInfo = [](std::size_t* free, std::size_t* total) {
    *total = model.capacity;
    *free = model.capacity - model.used;
    return cudaSuccess;
  };
  t.cudaMalloc = [](void** pointer, std::size_t bytes) {
    FAKE(cudaMalloc);
    return allocate(model.memory, pointer, bytes);
  };
  t.cudaFree = [](void* pointer) { return release(model.memory, pointer); };
  t.cudaHostAlloc = [](void** pointer, std::size_t bytes, unsigned) {
    FAKE(cudaHostAlloc);
    return allocate(model.host_memory, pointer, bytes);
  };
  t.cudaFreeHost = [](void* pointer) { return release(model.host_memory, pointer); };
  t.cudaMallocManaged = [](void** pointer, std::size_t bytes, unsigned) {
    FAKE(cudaMallocManaged);
    return allocate(model.memory, pointer, bytes);
  };
  t.cudaPointerGetAttributes = [](cudaPointerAttributes* attributes, const void* pointer) {
    FAKE(cudaPointerGetAttributes);
    attributes->type = inside(model.memory, pointer)        ? cudaMemoryTypeDevice
                       : inside(model.host_memory, pointer) ? cudaMemoryTypeHost
                                                            : cudaMemoryTypeUnregistered;
    attributes->device = 0;
    return cudaSuccess;
  };
  t.cudaMemcpyAsync = [](void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
    FAKE(cudaMemcpyAsync);
    std::memcpy(to, from, bytes);
    return cudaSuccess;
  };
  t.cudaMemsetAsync = [](void* to, int value, std::size_t bytes, cudaStream_t) {
    FAKE(cudaMemsetAsync);
    std::memset(to, value, bytes);
    return cudaSuccess;
  };
  t.cudaStreamCreateWithPriority = [](cudaStream_t* stream, unsigned, int) {
    FAKE(cudaStreamCreateWithPriority);
    return make_handle(model.streams, stream);
  };
  t.cudaStreamDestroy = [](cudaStream_t stream) { return drop_handle(model.streams, stream); };
  t.cudaStreamSynchronize = [](cudaStream_t) {
    FAKE(cudaStreamSynchronize);
    return cudaSuccess;
  };
  t.cudaStreamQuery = [](cudaStream_t) {
    FAKE(cudaStreamQuery);
    return cudaSuccess;
  };
  t.cudaStreamWaitEvent = [](cudaStream_t, cudaEvent_t, unsigned) {
    FAKE(cudaStreamWaitEvent);
    return cudaSuccess;
  };
  t.cudaStreamIsCapturing = [](cudaStream_t, cudaStreamCaptureStatus* status) {
    FAKE(cudaStreamIsCapturing);
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  };
  t.cudaEventCreateWithFlags = [](cudaEvent_t* event, unsigned) {
    FAKE(cudaEventCreateWithFlags);
    return make_handle(model.events, event);
  };
  t.cudaEventDestroy = [](cudaEvent_t event) { return drop_handle(model.events, event); };
  t.cudaEventRecord = [](cudaEvent_t, cudaStream_t) {
    FAKE(cudaEventRecord);
    return cudaSuccess;
  };
  t.cudaEventSynchronize = [](cudaEvent_t) {
    FAKE(cudaEventSynchronize);
    return cudaSuccess;
  };
  t.cudaEventQuery = [](cudaEvent_t) {
    FAKE(cudaEventQuery);
    return cudaSuccess;
  };
  t.cudaEventElapsedTime = [](float* ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; };
  t.cudaLaunchKernel = [](const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t,
                          cudaStream_t stream) {
    FAKE(cudaLaunchKernel);
    const launch_record record{kernel, grid.x, block.x, stream, arguments[0]};
    if (model.on_launch) model.on_launch(record);
    model.launches.push_back(record);
    return cudaSuccess;
  };
#undef FAKE
  return t;
}

/// Puts the fake device in the place of the real one for its lifetime.
class session {
 public:
  session() : real_(runtime), mode_(gparray::jit_mode()) {
    model = {};
    runtime = table();
    gparray::set_jit_mode(gparray::jit::off);  // unless a test wants generated kernels
  }
  ~session() {
    runtime = real_;
    gparray::set_jit_mode(mode_);
  }

 private:
  runtime_table real_;
  gparray::jit mode_;
};

}  // namespace fake_cuda
