// What the backend keeps for each GPU.
#pragma once
#include <mutex>
#include <set>
#include <utility>

#include "memory.hpp"
#include "staging.hpp"
#include "tickets.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct device_state {
  explicit device_state(int device)
      : memory(device), stage(device), tickets(*memory.pool(memory_space::device)) {}

  memory_pool& scratch_pool() { return *memory.pool(memory_space::device); }

  device_memory memory;
  staging stage;
  ticket_store tickets;
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
