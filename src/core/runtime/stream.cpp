// Streams: made, waited for, made current, and ordered with the pools and with what is pending.
#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/stream.hpp>
#include <plan/recording.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace core {

queue queue_of(const stream_view& stream) noexcept {
  if (stream.device_.is_cpu()) return {0, cpu_order};
  return {stream.device_.index(), stream.handle_};
}

namespace {

/// Destructors compute what is pending; using an array that could not be computed throws the error later.
void effect_without_error() noexcept {
  try {
    effect();
  } catch (...) {
  }
}

void end_stream() noexcept { streams_beside_default.fetch_sub(1, std::memory_order_relaxed); }

/// Counts a stream beside the default ones. What was left pending by events and waits before the first one is
/// computed now, behind them: the host waits for it, so that no work of the new stream can be earlier.
void begin_stream(device d) {
  if (streams_beside_default.fetch_add(1, std::memory_order_relaxed) > 0 || recording_on(any_device)) return;
  try {
    const bool was_pending = anything_is_pending();
    effect();
    if (compute_left_on(d) || was_pending) backend_of(d).synchronize_stream({d.index(), nullptr});
  } catch (...) {
    end_stream();
    throw;
  }
}

/// The pools must know before the handle is another stream's.
void release_from_pools(backend& b, queue q) noexcept {
  for (memory_space space :
       {memory_space::device, memory_space::managed, memory_space::pinned, memory_space::mapped}) {
    try {
      if (memory_pool* pool = b.pool(space, q.device)) pool->release_stream(q.stream);
    } catch (...) {  // a pool that cannot be made has nothing to release
    }
  }
}

}  // namespace

void destroy_stream(queue q) noexcept {
  try {
    backend& b = backend_of(device::cuda(q.device));
    release_from_pools(b, q);
    b.destroy_stream(q.device, q.stream);
  } catch (...) {  // the device is gone, and the stream with it
  }
}

}  // namespace core

void* stream_view::native_handle() const {
  core::effect();
  return handle_;
}

void stream_view::synchronize() const {
  core::backend& b = core::backend_of(device_);
  core::effect_of_waiting();
  if (device_.is_cuda()) core::compute_left_on(core::queue_of(*this));
  b.synchronize_stream(core::queue_of(*this));
}

bool stream_view::done() const {
  core::backend& b = core::backend_of(device_);
  core::effect_of_waiting();
  if (device_.is_cuda()) core::compute_left_on(core::queue_of(*this));
  return b.stream_done(core::queue_of(*this));
}

void stream_view::wait(const event& e) const {
  e.check_usable();
  core::effect();
  if (!e.recorded_) return;
  if (device_.is_cuda() && e.device_.is_cuda()) {
    core::backend_of(device_).wait_event(core::queue_of(*this), e.handle_);
  } else if (device_.is_cpu()) {
    e.synchronize();  // the CPU's work begins when it is enqueued
  }
}

void stream_view::wait(const stream_view& other) const { wait(other.record({.timing = false})); }

event stream_view::record(const event_options& options) const {
  event e(device_, options);
  e.record(*this);
  return e;
}

stream::stream() : stream(default_device()) {}

stream::stream(gparray::device on_device, const stream_options& options) : stream_view(on_device, nullptr) {
  core::backend& b = core::backend_of(on_device);
  if (on_device.is_cpu()) {
    core::effect();
    return;
  }
  core::begin_stream(on_device);
  try {
    core::effect();
    handle_ = b.create_stream(on_device.index(), options.non_blocking, options.priority);
  } catch (...) {
    core::end_stream();
    throw;
  }
}

stream::~stream() {
  if (!handle_) return;
  core::effect_without_error();
  const core::queue q = core::queue_of(*this);
  if (core::current_queue(device_).stream == handle_) core::exchange_current_stream(device_, nullptr);
  core::recording* const r = core::recording_on(q.device);
  if (r) r->destroy_later(q.stream);
  else core::destroy_stream(q);
  core::end_stream();
}

stream_view stream::borrow(void* native_handle, gparray::device on_device) {
  core::backend_of(on_device);
  if (on_device.is_cpu() && native_handle)
    throw value_error("stream::borrow: the CPU has no native streams, pass nullptr or a cuda device");
  if (native_handle) core::begin_stream(on_device);
  return {on_device, native_handle};
}

stream_view default_stream(device d) {
  core::backend_of(d);
  return {d, nullptr};
}

stream_view current_stream(device d) {
  core::backend_of(d);
  return {d, d.is_cpu() ? nullptr : core::current_queue(d).stream};
}

stream_guard::stream_guard(const stream_view& s) : previous_(current_stream(s.device())) {
  core::effect();
  core::check_recorded(core::queue_of(s));
  core::exchange_current_stream(s.device(), core::queue_of(s).stream);
}

stream_guard::~stream_guard() {
  core::effect_without_error();
  core::exchange_current_stream(previous_.device(), core::queue_of(previous_).stream);
}

void synchronize() { default_device().synchronize(); }

GPARRAY_END_NAMESPACE
