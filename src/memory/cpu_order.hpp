// Events for memory that the CPU and the streams of a GPU use alike: pinned and mapped.
#pragma once
#include "upstream.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What the CPU did (cpu_order) is done; the work of streams is asked of the GPU's events.
class cpu_ordered_events final : public event_source {
 public:
  explicit cpu_ordered_events(event_source& gpu) noexcept : gpu_(gpu) {}
  void* record(stream_handle stream) override { return stream == cpu_order ? this : gpu_.record(stream); }
  bool done(void* event) override { return event == this || gpu_.done(event); }
  void wait(void* event) noexcept override {
    if (event != this) gpu_.wait(event);
  }
  void release(void* event) noexcept override {
    if (event != this) gpu_.release(event);
  }

 private:
  event_source& gpu_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
