#include <memory>

#include <core/runtime/stream_state.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr std::size_t max_gpus = 64;
thread_local constinit lasting<stream_handle[max_gpus]> current_streams = {};  // null is the default stream

stream_handle& slot(device d) noexcept {
  return current_streams[static_cast<std::size_t>(d.index()) % max_gpus];
}

}  // namespace

queue current_queue(device d) {
  if (d.is_cpu()) return {0, cpu_order};
  return {d.index(), slot(d)};
}

stream_handle exchange_current_stream(device d, stream_handle stream) noexcept {
  if (d.is_cpu()) return nullptr;
  return std::exchange(slot(d), stream);
}

void order_queues(queue earlier, queue later) {
  backend& from = backend_of(device::cuda(earlier.device));
  const event_handle event = from.create_event(earlier.device, false);
  try {
    from.record_event(event, earlier);
    from.wait_event(later, event);
  } catch (...) {
    from.destroy_event(earlier.device, event);
    throw;
  }
  from.destroy_event(earlier.device, event);
}

}  // namespace core
GPARRAY_END_NAMESPACE
