// Counters by which the blocks of one launch find out which of them is last.
#pragma once
#include <mutex>
#include <unordered_map>

#include <cuda/runtime/runtime.hpp>
#include <cuda/runtime/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Each stream keeps zeroed counters, which every launch leaves at zero again; so a reduction is a single
/// launch.
class counter_store {
 public:
  counter_store(int device, memory_pool& pool) : device_(device), pool_(pool) {}

  /// `count` zeroed counters for one launch on the stream; `own` keeps them alive if they are not the
  /// stream's: there are too many, or the program captures the launch into a graph that may run on any
  /// stream. A graph of ours has counters of its own.
  unsigned* get(std::size_t count, void* stream, scratch& own);
  /// Before a stream is destroyed.
  void forget(void* stream) noexcept;

  static constexpr std::size_t per_stream = 16384;

 private:
  scratch zeroed(std::size_t count, void* stream);

  int device_;
  memory_pool& pool_;
  std::mutex lock_;
  std::unordered_map<void*, scratch> of_streams_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
