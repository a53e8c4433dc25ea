#include <core/errors.hpp>
#include <core/storage.hpp>

#include <memory>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

memory_pool& pool_of(memory_space space, device place) {
  // Pinned and mapped memory is the CUDA driver's, whichever processor the array computes on.
  const bool host_pool = space == memory_space::host;
  backend& b = host_pool ? host_backend() : backend_of(device::cuda(place.is_cuda() ? place.index() : 0));
  memory_pool* pool = b.pool(space, place.is_cuda() ? place.index() : 0);
  if (!pool) fail<device_error>("{} has no {} memory", place.str(), name(space));
  return *pool;
}

}  // namespace

storage* new_storage(std::size_t bytes, memory_space space, device place, queue q) {
  auto s = std::make_unique<storage>();
  s->place = place;
  s->space = space;
  s->bytes = bytes;
  s->stream = q.stream;
  s->memory = pool_of(space, place).allocate(bytes, q.stream);
  s->data = s->memory->pointer;
  return s.release();
}

storage* new_borrowed(void* data, std::size_t bytes, memory_space space, device place, std::function<void()> release) {
  auto s = std::make_unique<storage>();
  s->place = place;
  s->space = space;
  s->bytes = bytes;
  s->data = data;
  s->on_release = std::move(release);
  return s.release();
}

void release(storage* s) noexcept {
  if (s->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (s->memory) s->memory->pool->deallocate(s->memory);
  if (s->on_release) s->on_release();  // a throwing deleter terminates, as one in a smart pointer does
  delete s;
}

void record_other_stream(storage* s, queue q) { s->memory->pool->record_use(s->memory, q.stream); }

}  // namespace core
GPARRAY_END_NAMESPACE
