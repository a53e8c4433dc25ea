#include <cuda/runtime/counters.hpp>
#include <plan/recording.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

scratch counter_store::zeroed(std::size_t count, void* stream) {
  recording* r = recording_on(device_);
  scratch memory(r ? r->pool() : pool_, count * sizeof(unsigned), stream);
  call<&rt::cudaMemsetAsync>("zeroing counters", memory.data(), 0, count * sizeof(unsigned),
                             stream_of(stream));
  return memory;
}

unsigned* counter_store::get(std::size_t count, void* stream, scratch& own) {
  if (recording* r = count <= per_stream ? recording_on(device_) : nullptr)
    return static_cast<unsigned*>(r->zeroed(per_stream * sizeof(unsigned), stream));
  if (count > per_stream || is_captured(stream_of(stream))) {
    own = zeroed(count, stream);
    return static_cast<unsigned*>(own.data());
  }
  const std::lock_guard guard(lock_);
  auto found = of_streams_.find(stream);
  if (found == of_streams_.end()) found = of_streams_.emplace(stream, zeroed(per_stream, stream)).first;
  return static_cast<unsigned*>(found->second.data());
}

void counter_store::forget(void* stream) noexcept {
  const std::lock_guard guard(lock_);
  of_streams_.erase(stream);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
