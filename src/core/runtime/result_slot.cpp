#include <utility>

#include <core/runtime/result_slot.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

result_slot::result_slot(device on_device, std::size_t bytes)
    : backend_(backend_of(on_device)),
      queue_(current_queue(on_device)),
      bytes_(bytes),
      memory_(backend_.slot_for_result(bytes, queue_)) {}

result_slot::~result_slot() {
  if (memory_) backend_.drop_result(memory_, queue_, awaited_);
}

void result_slot::take(void* to) {
  backend_.take_result(to, std::exchange(memory_, nullptr), bytes_, queue_);
}

}  // namespace core
GPARRAY_END_NAMESPACE
