// The stream that a caller names for one call.
#pragma once
#include <core/runtime/stream_state.hpp>
#include <gparray/stream.hpp>
#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Makes `on`, if there is one, the current stream of its device for one call on arrays that have been
/// computed.
class on_stream {
 public:
  explicit on_stream(const stream_view* on)
      : scope_(on ? on->device() : device::cpu(), on ? queue_of(*on).stream : nullptr) {
    if (on) check_recorded(queue_of(*on));
  }

 private:
  current_stream_scope scope_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
