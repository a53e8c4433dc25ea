// What the fake CUDA runtime knows of its devices: memory, handles, captures, the calls that were made; and
// which of them fail. A call that fails with a kernel's fault takes its device away, as on a GPU: all later
// calls there fail, too.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <cuda/runtime/mailbox_params.hpp>
#include <cuda/runtime/runtime.hpp>
#include <plan/lost_device.hpp>

namespace fake_cuda {

using gparray::core::cuda::runtime;
using gparray::core::cuda::runtime_table;

struct launch_record {
  const void* kernel;
  unsigned blocks, threads;
  cudaStream_t stream;
  const void* params;  // valid during the launch only: see on_launch
  bool programmatic;   // may start before what is in front of it ends
};

struct graph_model {
  std::size_t n_nodes = 0;
  std::vector<std::unique_ptr<graph_model>> bodies;
  std::vector<cudaGraph_t> body_handles;  // conditional nodes hand out an array of these
};

struct capture_model {
  graph_model* graph;
  bool origin = true, body = false, joined = false, spoilt = false;
};

struct device_model {
  std::map<void*, std::size_t> memory;       // cudaMalloc and cudaMallocManaged
  std::map<void*, int> homes;                // the devices of that
  std::map<void*, std::size_t> host_memory;  // cudaHostAlloc
  std::set<void*> events, streams, libraries;
  std::map<void*, std::size_t> async_memory;  // cudaMallocAsync
  std::set<graph_model*> graphs;
  std::map<void*, std::size_t> executables;  // nodes
  std::map<cudaStream_t, capture_model> captures;
  std::map<void*, cudaStream_t> marks;  // events recorded in captures
  std::vector<std::pair<void*, cudaStream_t>> graph_launches;
  std::vector<launch_record> launches;
  struct cluster_record {
    const void* kernel;
    unsigned blocks, threads, cluster;  // 0: a cooperative launch
    std::vector<char> params;
  };
  std::vector<cluster_record> cluster_launches;
  std::size_t cluster_param_bytes = 0;     // what to write down of a launch's parameters
  unsigned largest_cluster = 16;           // that there is room for
  std::vector<std::size_t> changed_nodes;  // kernel nodes whose parameters were set again, by block count
  int compute_capability = 9, multiprocessors = 132;
  bool cooperative = true;
  std::vector<std::string> calls;
  int device_questions = 0;  // cudaGetDevice, which is not among the calls
  int fail_at = 0;           // the number of the call that fails, counted from 1; 0: none
  cudaError_t error = cudaErrorUnknown;
  std::map<int, cudaError_t> lost;  // devices, and by which fault
  int asked_in_vain = 0;            // calls for a device that the library knows to be lost
  std::size_t capacity = std::size_t{1} << 30, used = 0;
  cudaError_t device_count_error = cudaSuccess;
  void (*on_launch)(const launch_record&) = nullptr;
  // Posts arrive at once, unless they are to wait for so many questions whether the stream is done, or to get
  // lost.
  int post_delay = 0;
  bool loses_posts = false;
  std::vector<gparray::core::cuda::post_params> posts;  // that are on their way

  bool is_empty() const {
    return memory.empty() && host_memory.empty() && events.empty() && streams.empty() && libraries.empty() &&
           async_memory.empty() && graphs.empty() && executables.empty() && captures.empty();
  }
  int count(const std::string& name) const {
    int n = 0;
    for (const std::string& call : calls) n += call == name;
    return n;
  }
};

inline device_model model;

inline thread_local int current_device = 0;

/// Of the current device. Every call of work asks.
inline cudaError_t fault() {
  if (gparray::core::is_lost(current_device)) ++model.asked_in_vain;
  const auto found = model.lost.find(current_device);
  return found == model.lost.end() ? cudaSuccess : found->second;
}

/// Writes the call down, and answers with its error, if it is to fail.
inline cudaError_t failure(const char* name) {
  model.calls.emplace_back(name);
  if (const cudaError_t lost = fault()) return lost;
  if (model.fail_at != static_cast<int>(model.calls.size())) return cudaSuccess;
  if (gparray::core::cuda::is_kernel_fault(model.error)) model.lost[current_device] = model.error;
  return model.error;
}

/// As in a new process.
inline void bring_back_devices() {
  model.lost.clear();
  gparray::core::forget_lost_devices();
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
  model.homes[*pointer] = current_device;
  model.used += bytes;
  return cudaSuccess;
}

inline cudaError_t release(std::map<void*, std::size_t>& blocks, void* pointer) {
  if (const cudaError_t lost = fault()) return lost;
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
  if (const cudaError_t lost = fault()) return lost;
  if (handles.erase(handle) == 0) return cudaErrorInvalidResourceHandle;
  std::free(handle);
  return cudaSuccess;
}

}  // namespace fake_cuda
