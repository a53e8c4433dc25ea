// Recordings of a device's work into a graph: which thread records, what they keep alive, and what is refused
// meanwhile.
#include <algorithm>

#include <core/runtime/pending.hpp>
#include <core/runtime/storage.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/recording.hpp>
#include <support/errors.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

constinit std::atomic<int> recordings_under_way{0};

namespace {

thread_local constinit lasting<recording*> this_thread = nullptr;

graph_engine& engine_of(device on_device) {
  if (this_thread)
    throw value_error(
        "capture: this thread is capturing a graph already; call the inner function directly instead");
  graph_engine* engine = backend_of(on_device).graphs();
  if (!engine) fail<device_error>("capture: device {} cannot record graphs", on_device.str());
  return *engine;
}

}  // namespace

recording* this_threads_recording(int device) noexcept {
  const bool same = this_thread && (device == any_device || this_thread->on_device().index() == device);
  return same ? this_thread : nullptr;
}

void refuse_while_recording(const char* operation, int device) {
  if (!recording_on(device)) return;
  fail<value_error>(
      "{}: a graph is being captured, whose work runs only when the graph is launched, so nothing can wait "
      "for it (item, to_vector, printing, asnumpy to pageable memory, synchronize); do that after launch(), "
      "or copy to pinned memory",
      operation);
}

void check_recorded(queue q) {
  recording* r = recording_on(q.device);
  if (!r || q.stream == cpu_order || r->engine().is_captured(q)) return;
  throw value_error(
      "capture: this stream is no part of the graph that is being captured, so its work would run now; call "
      "stream.wait(gparray::current_stream()) first, and let the current stream wait for it in the end");
}

kept_memory::~kept_memory() {
  for (storage* s : storages_) release(s);
  for (block* b : blocks_) b->pool->deallocate(b);
}

void kept_memory::keep(storage* s) {
  if (storages_.insert(s).second) retain(s);
}

void kept_memory::keep(block* b) {
  try {
    blocks_.push_back(b);
  } catch (...) {
    b->pool->deallocate(b);
    throw;
  }
}

void kept_memory::record_use(queue q) {
  for (storage* s : storages_) core::record_use(s, q);
  for (block* b : blocks_) b->pool->record_use(b, q.stream);
}

void kept_memory::compute_readers() const {
  for (storage* s : storages_) core::compute_readers(s);
}

recording::recording(device on_device) : device_(on_device), engine_(engine_of(on_device)) {
  origin_ = add_queue();
  try {
    arena = std::make_shared<graph_arena>(pool_of(memory_space::device, on_device), origin_.stream);
  } catch (...) {
    engine_.release_stream(on_device.index(), origin_.stream);
    throw;
  }
}

recording::~recording() {
  end();
  for (const stream_handle stream : own_streams_) engine_.release_stream(device_.index(), stream);
}

queue recording::add_queue() {
  own_streams_.reserve(own_streams_.size() + 1);
  own_streams_.push_back(engine_.acquire_stream(device_.index()));
  return {device_.index(), own_streams_.back()};
}

void recording::begin() {
  this_thread = this;
  recordings_under_way.fetch_add(1, std::memory_order_relaxed);
  entered_ = true;
  engine_.begin_capture(origin_);
  begun_ = true;
}

std::unique_ptr<recorded_graph> recording::finish() {
  begun_ = false;
  auto graph = engine_.end_capture(origin_);
  end();
  backend& b = backend_of(device_);
  for (const zeroed_memory& z : zeroed_) b.fill_zero(z.data, z.bytes, origin_);
  if (!zeroed_.empty()) b.synchronize_stream(origin_);
  return graph;
}

void recording::end() noexcept {
  if (std::exchange(begun_, false)) engine_.abandon(origin_, false);
  if (std::exchange(entered_, false)) {
    this_thread = nullptr;
    recordings_under_way.fetch_sub(1, std::memory_order_relaxed);
  }
  for (const stream_handle stream : dead_streams_) destroy_stream({device_.index(), stream});
  dead_streams_.clear();
  if (arena) arena->close();
}

void recording::destroy_later(stream_handle stream) { dead_streams_.push_back(stream); }

void recording::record_use(storage* s, queue q) {
  if (s->arena == arena) return s->memory->pool->record_use(s->memory, q.stream);
  kept.keep(s);
}

void* recording::zeroed(std::size_t bytes, stream_handle stream) {
  const auto same =
      std::ranges::find_if(zeroed_, [=](const auto& z) { return z.stream == stream && z.bytes >= bytes; });
  if (same != zeroed_.end()) return same->data;
  // Not from the arena: memory of this graph's temporaries would not stay at zero until the next launch.
  block* b = pool_of(memory_space::device, device_).allocate(bytes, origin_.stream);
  kept.keep(b);
  zeroed_.push_back({stream, b->pointer, bytes});
  return b->pointer;
}

}  // namespace core
GPARRAY_END_NAMESPACE
