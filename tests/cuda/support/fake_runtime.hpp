// A CUDA runtime that is only bookkeeping: host memory stands for device memory, copies happen at once,
// launches are written down and do nothing but post bytes to the host, and the k-th call can be made to fail.
// Work given to a stream that is captured is counted as a node of its graph; waiting for such a stream spoils
// the capture, as on a GPU.
#pragma once
#include <atomic>
#include <cstdio>
#include <string>
#include <vector>

#include <cuda/runtime/launch.hpp>
#include <gparray/runtime/jit.hpp>

#include "cuda/support/fake_driver.hpp"
#include "cuda/support/fake_model.hpp"

namespace fake_cuda {

/// Work on a stream: a node if the stream is captured, and the result true.
inline bool recorded(cudaStream_t stream) {
  const auto found = model.captures.find(stream);
  if (found == model.captures.end()) return false;
  ++found->second.graph->n_nodes;
  found->second.joined = false;
  return true;
}

/// The host waits for captured work.
inline cudaError_t spoil(cudaStream_t stream) {
  const auto found = model.captures.find(stream);
  if (found == model.captures.end()) return cudaSuccess;
  for (auto& [s, c] : model.captures) c.spoilt |= c.graph == found->second.graph;
  return cudaErrorStreamCaptureUnsupported;
}

inline void deliver_posts() {
  for (const auto& p : model.posts) {
    if (model.loses_posts) continue;
    for (std::uint32_t i = 0; i < p.bytes; i += 4) {
      std::uint32_t value = 0;
      std::memcpy(&value, p.from + i, std::min(4u, p.bytes - i));
      std::atomic_ref(p.words[i / 4]).store(std::uint64_t{p.stamp} << 32 | value);
    }
  }
  model.posts.clear();
}

inline void post(const void* params) {
  model.posts.push_back(*static_cast<const gparray::core::cuda::post_params*>(params));
  if (model.post_delay == 0) deliver_posts();
}

inline graph_model* graph_of(cudaGraph_t g) { return reinterpret_cast<graph_model*>(g); }

/// Adds the calls for graphs and captures.
inline void add_graph_calls(runtime_table& t);
inline void add_program_calls(runtime_table& t);

/// A call that the fake device does not have.
template<class... Arguments>
constexpr auto missing(cudaError_t (*)(Arguments...)) {
  return +[](Arguments...) { return cudaErrorNotSupported; };
}

inline void launched(const launch_record& record) {
  if (model.on_launch) model.on_launch(record);
  model.launches.push_back(record);
  if (!recorded(record.stream) && record.kernel == gparray::core::cuda::find_post_kernel())
    post(record.params);
}

/// The table of fakes. Calls that clean up never fail, as they do not on a device that works.
inline runtime_table table() {
  runtime_table t{};
#define GPARRAY_CUDA_CALL(name, parameters) t.name = missing(t.name);
#include <cuda/runtime/runtime_calls.def>
#undef GPARRAY_CUDA_CALL
#define FAKE(name) \
  if (const cudaError_t failed = failure(#name)) return failed
  t.cudaGetDeviceCount = [](int* n) {
    FAKE(cudaGetDeviceCount);
    *n = model.device_count_error == cudaSuccess ? 1 : 0;
    return model.device_count_error;
  };
  t.cudaDriverGetVersion = [](int* version) { return *version = 11040, cudaSuccess; };
  t.cudaGetDevice = [](int* device) {
    ++model.device_questions;
    if (const auto lost = model.lost.find(current_device); lost != model.lost.end()) return lost->second;
    return *device = current_device, cudaSuccess;
  };
  t.cudaSetDevice = [](int device) { return current_device = device, cudaSuccess; };
  t.cudaGetDeviceProperties = [](cudaDeviceProp* p, int) {
    return std::strcpy(p->name, "fake"), cudaSuccess;
  };
  t.cudaDeviceGetAttribute = [](int* value, cudaDeviceAttr attribute, int) {
    *value = attribute == cudaDevAttrMultiProcessorCount ? model.multiprocessors
             : attribute == cudaDevAttrCooperativeLaunch ? model.cooperative
                                                         : model.compute_capability;
    return cudaSuccess;
  };
  t.cudaDeviceSynchronize = [] {
    FAKE(cudaDeviceSynchronize);
    return cudaSuccess;
  };
  t.cudaDeviceCanAccessPeer = [](int* can, int, int) { return *can = 0, cudaSuccess; };
  t.cudaDeviceEnablePeerAccess = [](int, unsigned) { return cudaSuccess; };
  t.cudaGetLastError = [] { return cudaSuccess; };
  t.cudaMemGetInfo = [](std::size_t* free, std::size_t* total) {
    if (const cudaError_t lost = fault()) return lost;
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
    const auto home = model.homes.find(const_cast<void*>(pointer));
    attributes->device = home == model.homes.end() ? 0 : home->second;
    return cudaSuccess;
  };
  t.cudaMemcpyAsync = [](void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
    FAKE(cudaMemcpyAsync);
    if (!recorded(stream)) std::memcpy(to, from, bytes);
    return cudaSuccess;
  };
  t.cudaMemcpy2DAsync = [](void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                           std::size_t bytes, std::size_t rows, cudaMemcpyKind, cudaStream_t stream) {
    FAKE(cudaMemcpy2DAsync);
    for (std::size_t i = 0; i < rows && !recorded(stream); ++i)
      std::memcpy(static_cast<char*>(to) + i * to_pitch, static_cast<const char*>(from) + i * from_pitch,
                  bytes);
    return cudaSuccess;
  };
  t.cudaMemsetAsync = [](void* to, int value, std::size_t bytes, cudaStream_t stream) {
    FAKE(cudaMemsetAsync);
    if (!recorded(stream)) std::memset(to, value, bytes);
    return cudaSuccess;
  };
  t.cudaStreamCreateWithPriority = [](cudaStream_t* stream, unsigned, int) {
    FAKE(cudaStreamCreateWithPriority);
    return make_handle(model.streams, stream);
  };
  t.cudaStreamDestroy = [](cudaStream_t stream) { return drop_handle(model.streams, stream); };
  t.cudaStreamSynchronize = [](cudaStream_t stream) {
    FAKE(cudaStreamSynchronize);
    deliver_posts();
    return spoil(stream);
  };
  t.cudaStreamQuery = [](cudaStream_t stream) {
    FAKE(cudaStreamQuery);
    if (!model.posts.empty() && --model.post_delay > 0) return cudaErrorNotReady;
    deliver_posts();
    return spoil(stream);
  };
  t.cudaStreamWaitEvent = [](cudaStream_t stream, cudaEvent_t event, unsigned) {
    FAKE(cudaStreamWaitEvent);
    const auto mark = model.marks.find(event);
    if (mark == model.marks.end()) return cudaSuccess;
    capture_model& from = model.captures.at(mark->second);
    if (model.captures.count(stream)) from.joined = true;
    else model.captures[stream] = {from.graph, false};
    return cudaSuccess;
  };
  t.cudaStreamIsCapturing = [](cudaStream_t stream, cudaStreamCaptureStatus* status) {
    FAKE(cudaStreamIsCapturing);
    *status = model.captures.count(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
  };
  t.cudaEventCreateWithFlags = [](cudaEvent_t* event, unsigned) {
    FAKE(cudaEventCreateWithFlags);
    return make_handle(model.events, event);
  };
  t.cudaEventDestroy = [](cudaEvent_t event) {
    model.marks.erase(event);
    return drop_handle(model.events, event);
  };
  t.cudaEventRecord = [](cudaEvent_t event, cudaStream_t stream) {
    FAKE(cudaEventRecord);
    model.marks.erase(event);
    if (model.captures.count(stream)) model.marks[event] = stream;
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
    if (refused != cudaSuccess) return refused;
    FAKE(cudaLaunchKernel);
    launched({kernel, grid.x, block.x, stream, arguments[0], false});
    return cudaSuccess;
  };
  t.cudaMallocAsync = [](void** pointer, std::size_t bytes, cudaStream_t) {
    FAKE(cudaMallocAsync);
    return allocate(model.async_memory, pointer, bytes);
  };
  t.cudaFreeAsync = [](void* pointer, cudaStream_t) { return release(model.async_memory, pointer); };
  t.cudaDeviceGetDefaultMemPool = [](cudaMemPool_t* pool, int) {
    FAKE(cudaDeviceGetDefaultMemPool);
    return *pool = nullptr, cudaSuccess;
  };
  t.cudaMemPoolGetAttribute = [](cudaMemPool_t, cudaMemPoolAttr what, void* value) {
    FAKE(cudaMemPoolGetAttribute);
    std::uint64_t bytes = what == cudaMemPoolAttrReservedMemCurrent ? 1 << 20 : 0;  // it caches 1 MiB
    for (const auto& [pointer, size] : model.async_memory) bytes += size;
    std::memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
  };
  add_graph_calls(t);
  add_program_calls(t);
  add_driver_calls(t);
  return t;
}

inline void add_program_calls(runtime_table& t) {
  t.cudaLibraryLoadData = [](cudaLibrary_t* library, const void*, cudaJitOption*, void**, unsigned,
                             cudaLibraryOption*, void**, unsigned) {
    FAKE(cudaLibraryLoadData);
    return make_handle(model.libraries, library);
  };
  t.cudaLibraryUnload = [](cudaLibrary_t library) { return drop_handle(model.libraries, library); };
  t.cudaLibraryGetKernel = [](cudaKernel_t* kernel, cudaLibrary_t library, const char*) {
    FAKE(cudaLibraryGetKernel);
    *kernel = reinterpret_cast<cudaKernel_t>(library);
    return cudaSuccess;
  };
  t.cudaLibraryGetGlobal = [](void** address, std::size_t* bytes, cudaLibrary_t, const char*) {
    FAKE(cudaLibraryGetGlobal);
    *address = &model;
    *bytes = 16;
    return cudaSuccess;
  };
}

inline void add_graph_calls(runtime_table& t) {
  t.cudaStreamBeginCapture = [](cudaStream_t stream, cudaStreamCaptureMode) {
    FAKE(cudaStreamBeginCapture);
    auto* graph = new graph_model;
    model.captures[stream] = {graph};
    return cudaSuccess;
  };
  t.cudaStreamBeginCaptureToGraph = [](cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t*,
                                       const cudaGraphEdgeData*, std::size_t, cudaStreamCaptureMode) {
    FAKE(cudaStreamBeginCaptureToGraph);
    model.captures[stream] = {graph_of(graph), true, true};
    return cudaSuccess;
  };
  // Ends the capture also when it is the call that fails, as a capture that was spoilt does.
  t.cudaStreamEndCapture = [](cudaStream_t stream, cudaGraph_t* graph) {
    const cudaError_t failed = failure("cudaStreamEndCapture");
    *graph = nullptr;
    const auto found = model.captures.find(stream);
    if (found == model.captures.end()) return cudaErrorIllegalState;
    const capture_model own = found->second;
    cudaError_t result = failed != cudaSuccess ? failed
                         : own.spoilt          ? cudaErrorStreamCaptureInvalidated
                                               : cudaSuccess;
    for (const auto& [s, c] : model.captures)
      if (c.graph == own.graph && !c.origin && !c.joined) result = cudaErrorStreamCaptureUnjoined;
    std::erase_if(model.captures, [&](const auto& c) { return c.second.graph == own.graph; });
    std::erase_if(model.marks, [&](const auto& m) { return !model.captures.count(m.second); });
    if (own.body) *graph = reinterpret_cast<cudaGraph_t>(own.graph);
    else if (result != cudaSuccess) delete own.graph;
    else *graph = reinterpret_cast<cudaGraph_t>(*model.graphs.insert(own.graph).first);
    return result;
  };
  t.cudaStreamGetCaptureInfo = [](cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*,
                                  cudaGraph_t* graph, const cudaGraphNode_t** before,
                                  const cudaGraphEdgeData** edges, std::size_t* n) {
    FAKE(cudaStreamGetCaptureInfo);
    *status = cudaStreamCaptureStatusActive;
    *graph = reinterpret_cast<cudaGraph_t>(model.captures.at(stream).graph);
    static const cudaGraphNode_t last = reinterpret_cast<cudaGraphNode_t>(&model);
    *before = &last;
    *edges = nullptr;
    *n = model.captures.at(stream).graph->n_nodes > 0;
    return cudaSuccess;
  };
  t.cudaStreamUpdateCaptureDependencies = [](cudaStream_t, cudaGraphNode_t*, const cudaGraphEdgeData*,
                                             std::size_t, unsigned) {
    FAKE(cudaStreamUpdateCaptureDependencies);
    return cudaSuccess;
  };
  t.cudaGraphKernelNodeSetParams = [](cudaGraphNode_t, const cudaKernelNodeParams* p) {
    FAKE(cudaGraphKernelNodeSetParams);
    model.changed_nodes.push_back(p->gridDim.x);
    return cudaSuccess;
  };
  t.cudaKernelSetAttributeForDevice = [](cudaKernel_t, cudaFuncAttribute, int, int) {
    FAKE(cudaKernelSetAttributeForDevice);
    return cudaSuccess;
  };
  t.cudaOccupancyMaxActiveClusters = [](int* n, const void*, const cudaLaunchConfig_t* c) {
    FAKE(cudaOccupancyMaxActiveClusters);
    *n = c->attrs[0].val.clusterDim.x <= model.largest_cluster;
    return cudaSuccess;
  };
  t.cudaLaunchKernelExC = [](const cudaLaunchConfig_t* c, const void* kernel, void** arguments) {
    if (refused != cudaSuccess) return refused;
    FAKE(cudaLaunchKernelExC);
    if (c->attrs[0].id == cudaLaunchAttributeProgrammaticStreamSerialization) {
      launched({kernel, c->gridDim.x, c->blockDim.x, c->stream, arguments[0],
                c->attrs[0].val.programmaticStreamSerializationAllowed == 1});
      return cudaSuccess;
    }
    const char* bytes = static_cast<const char*>(arguments[0]);
    const bool is_cluster = c->attrs[0].id == cudaLaunchAttributeClusterDimension;
    model.cluster_launches.push_back({kernel,
                                      c->gridDim.x,
                                      c->blockDim.x,
                                      is_cluster ? c->attrs[0].val.clusterDim.x : 0,
                                      {bytes, bytes + model.cluster_param_bytes}});
    recorded(c->stream);
    return cudaSuccess;
  };
  t.cudaGraphConditionalHandleCreate = [](cudaGraphConditionalHandle* handle, cudaGraph_t, unsigned,
                                          unsigned) {
    FAKE(cudaGraphConditionalHandleCreate);
    return *handle = 77, cudaSuccess;
  };
  t.cudaGraphAddNode = [](cudaGraphNode_t*, cudaGraph_t graph, const cudaGraphNode_t*,
                          const cudaGraphEdgeData*, std::size_t, cudaGraphNodeParams* params) {
    FAKE(cudaGraphAddNode);
    graph_model& g = *graph_of(graph);
    g.bodies.push_back(std::make_unique<graph_model>());
    g.body_handles = {reinterpret_cast<cudaGraph_t>(g.bodies.back().get())};
    params->conditional.phGraph_out = g.body_handles.data();
    ++g.n_nodes;
    return cudaSuccess;
  };
  t.cudaGraphDestroy = [](cudaGraph_t graph) {
    if (const cudaError_t lost = fault()) return lost;
    if (model.graphs.erase(graph_of(graph)) == 0) return cudaErrorInvalidValue;
    delete graph_of(graph);
    return cudaSuccess;
  };
  t.cudaGraphInstantiate = [](cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
    FAKE(cudaGraphInstantiate);
    void* made = std::malloc(1);
    model.executables[made] = graph_of(graph)->n_nodes;
    *executable = static_cast<cudaGraphExec_t>(made);
    return cudaSuccess;
  };
  t.cudaGraphExecUpdate = [](cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo*) {
    FAKE(cudaGraphExecUpdate);
    return model.executables.at(executable) == graph_of(graph)->n_nodes ? cudaSuccess
                                                                        : cudaErrorGraphExecUpdateFailure;
  };
  t.cudaGraphExecDestroy = [](cudaGraphExec_t executable) {
    if (const cudaError_t lost = fault()) return lost;
    if (model.executables.erase(executable) == 0) return cudaErrorInvalidValue;
    std::free(executable);
    return cudaSuccess;
  };
  t.cudaGraphLaunch = [](cudaGraphExec_t executable, cudaStream_t stream) {
    FAKE(cudaGraphLaunch);
    model.graph_launches.emplace_back(executable, stream);
    return cudaSuccess;
  };
  t.cudaGraphGetNodes = [](cudaGraph_t graph, cudaGraphNode_t*, std::size_t* n) {
    FAKE(cudaGraphGetNodes);
    return *n = graph_of(graph)->n_nodes, cudaSuccess;
  };
  t.cudaGraphDebugDotPrint = [](cudaGraph_t, const char* path, unsigned) {
    FAKE(cudaGraphDebugDotPrint);
    std::FILE* file = std::fopen(path, "w");
    std::fputs("digraph dot {}\n", file);
    std::fclose(file);
    return cudaSuccess;
  };
}
#undef FAKE

/// Puts the fake device in the place of the real one for its lifetime.
class session {
 public:
  session() : real_(runtime), mode_(gparray::jit_mode()) {
    model = {};
    current_device = 0;
    driver.reset();
    refused = cudaSuccess;
    runtime = table();
    gparray::core::cuda::forget_devices();
    gparray::set_jit_mode(gparray::jit::off);  // unless a test wants generated kernels
  }
  ~session() {
    free_what_was_lost();
    gparray::core::forget_lost_devices();
    runtime = real_;
    gparray::core::cuda::forget_devices();
    gparray::set_jit_mode(mode_);
  }

 private:
  /// The memory of tests; what they look at is the model.
  static void free_what_was_lost() {
    for (auto* blocks : {&model.memory, &model.host_memory, &model.async_memory, &model.executables})
      for (const auto& [pointer, size] : *blocks) std::free(pointer);
    for (auto* handles : {&model.events, &model.streams, &model.libraries})
      for (void* handle : *handles) std::free(handle);
    for (graph_model* graph : model.graphs) delete graph;
    for (const auto& [stream, capture] : model.captures)  // that were never ended
      if (capture.origin && !capture.body) delete capture.graph;
    model = {};
  }

  runtime_table real_;
  gparray::jit mode_;
};

}  // namespace fake_cuda
