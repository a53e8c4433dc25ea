// The memory that recorded work allocates: reused within one graph, and for nothing else while the graph
// lives.
#pragma once
#include <atomic>
#include <mutex>
#include <vector>

#include <memory/pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pool on top of the device's pool. A graph's nodes keep their addresses, so what is freed while it is
/// recorded may serve later nodes of the same stream and nothing else. Shared by the graph and the arrays
/// made in it: the memory goes back to the device's pool with the last of them.
class graph_arena {
 public:
  /// `home` is a stream of the device's pool on which nothing ever runs: what the pool hands out for it is no
  /// longer used by any other.
  graph_arena(memory_pool& device_pool, stream_handle home) : chunks_(device_pool, home) {}

  memory_pool& pool() noexcept { return pool_; }
  /// The recording is over: nothing is allocated from now on.
  void close() noexcept { order_.closed.store(true, std::memory_order_release); }
  /// Work on the stream, outside of any recording, uses the memory.
  void record_use(stream_handle stream) noexcept;

 private:
  class chunk_source final : public upstream {
   public:
    chunk_source(memory_pool& pool, stream_handle home) : pool_(pool), home_(home) {}
    ~chunk_source() override;
    void* allocate(std::size_t bytes) override;
    void deallocate(void* pointer, std::size_t bytes) noexcept override;
    void record_use(stream_handle stream) noexcept;

   private:
    memory_pool& pool_;
    stream_handle home_;
    std::mutex lock_;
    std::vector<block*> blocks_;
  };

  /// Recorded work is done when no more can be recorded: never before, so no stream takes another's memory.
  struct recording_order final : event_source {
    void* record(stream_handle) override { return this; }
    bool done(void*) override { return closed.load(std::memory_order_acquire); }
    void wait(void*) noexcept override {}
    void release(void*) noexcept override {}
    std::atomic<bool> closed{false};
  };

  chunk_source chunks_;
  recording_order order_;
  memory_pool pool_{chunks_, order_};
};

}  // namespace core
GPARRAY_END_NAMESPACE
