// What the backend keeps for each GPU.
#pragma once
#include <mutex>
#include <set>
#include <utility>

#include <cuda/runtime/counters.hpp>
#include <cuda/runtime/memory.hpp>
#include <cuda/runtime/staging.hpp>
#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct device_state {
  explicit device_state(int device)
      : index(device), memory(device), stage(device), counters(device, *memory.pool(memory_space::device)) {}

  /// For temporaries of one operation; a graph that is being recorded has its own memory.
  memory_pool& scratch_pool() {
    recording* r = recording_on(index);
    return r ? r->pool() : *memory.pool(memory_space::device);
  }

  int index;
  device_memory memory;
  staging stage;
  counter_store counters;
};

/// Lets GPUs read each other's memory directly, where the machine can; copies are slower but right where it
/// cannot.
class peer_access {
 public:
  /// Once for each pair.
  void enable(int from, int to);

 private:
  std::mutex lock_;
  std::set<std::pair<int, int>> tried_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
