// The current stream of each device in this thread.
#pragma once
#include <atomic>
#include <cstdint>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// How many streams of GPUs the program has beside the default ones. A borrowed one is counted for good.
/// Without one all work of a GPU is in order, so that it does not matter when it is enqueued.
inline constinit std::atomic<std::int64_t> streams_beside_default{0};
inline bool has_streams() noexcept { return streams_beside_default.load(std::memory_order_relaxed) > 0; }

/// The queue that this thread's work for a device goes to.
queue current_queue(device d);
/// Sets it; the previous handle is returned. Callers call effect() first.
stream_handle exchange_current_stream(device d, stream_handle stream) noexcept;

/// Another current stream for the length of one call of the library.
class current_stream_scope {
 public:
  current_stream_scope(device d, stream_handle stream) noexcept
      : device_(d), previous_(exchange_current_stream(d, stream)) {}
  ~current_stream_scope() { exchange_current_stream(device_, previous_); }
  current_stream_scope(const current_stream_scope&) = delete;
  current_stream_scope& operator=(const current_stream_scope&) = delete;

 private:
  device device_;
  stream_handle previous_;
};

/// Destroys a stream of a GPU, of which no thread makes use; the pools keep track of its work.
void destroy_stream(queue q) noexcept;

/// Work enqueued on `later` from now on begins after everything on `earlier`; of any two GPUs.
void order_queues(queue earlier, queue later);

}  // namespace core
GPARRAY_END_NAMESPACE
