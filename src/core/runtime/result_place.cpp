#include <utility>

#include <core/runtime/result_place.hpp>
#include <core/runtime/stream_state.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

result_place::result_place(device place, std::size_t bytes)
    : backend_(backend_of(place)),
      queue_(current_queue(place)),
      bytes_(bytes),
      memory_(backend_.place_for_result(bytes, queue_)) {}

result_place::~result_place() {
  if (memory_) backend_.drop_result(memory_, queue_, awaited_);
}

void result_place::take(void* to) {
  backend_.take_result(to, std::exchange(memory_, nullptr), bytes_, queue_);
}

}  // namespace core
GPARRAY_END_NAMESPACE
