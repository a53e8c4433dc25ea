// Storage: one allocation, shared by all views of it, returned to its pool with the last of them.
#pragma once
#include <core/backend.hpp>

#include <atomic>
#include <functional>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct storage {
  std::atomic<int> references{1};
  device place;
  memory_space space = memory_space::host;
  void* data = nullptr;
  std::size_t bytes = 0;
  block* memory = nullptr;           // from a pool, or
  std::function<void()> on_release;  // borrowed
  stream_handle stream = nullptr;    // the stream it was allocated on
};

/// Memory from the pool of a space for use on queue q. Throws out_of_memory.
storage* new_storage(std::size_t bytes, memory_space space, device place, queue q);
storage* new_borrowed(void* data, std::size_t bytes, memory_space space, device place, std::function<void()> release);

inline void retain(storage* s) noexcept { s->references.fetch_add(1, std::memory_order_relaxed); }
void release(storage* s) noexcept;

void record_other_stream(storage* s, queue q);
/// Tells the pool that work on q uses s, so that it is not handed out again before that work is done.
inline void record_use(storage* s, queue q) {
  if (q.stream != s->stream && s->memory) record_other_stream(s, q);
}

/// The space that a device's arrays live in by default.
inline memory_space default_space(device d) { return d.is_cpu() ? memory_space::host : memory_space::device; }

}  // namespace core
GPARRAY_END_NAMESPACE
