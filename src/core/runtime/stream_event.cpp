// Events: marks in a stream, waited for by the host or by other streams, and timed.
#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/stream.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

event::event() : event(default_device()) {}

event::event(gparray::device on_device, const event_options& options)
    : device_(on_device), timing_(options.timing) {
  core::backend& b = core::backend_of(on_device);
  core::effect_of_waiting();
  handle_ = b.create_event(on_device.index(), timing_);
}

event::~event() {
  if (!handle_) return;
  try {
    core::backend_of(device_).destroy_event(device_.index(), handle_);
  } catch (...) {  // the device is gone, and the event with it
  }
}

void event::check_usable() const {
  if (!handle_) throw value_error("event: this event was moved from; make a new one");
}

void* event::native_handle() const {
  core::effect();
  return handle_;
}

void event::record() { record(current_stream(device_)); }

void event::record(const stream_view& on) {
  check_usable();
  if (on.device() != device_)
    core::fail<device_error>(
        "event.record: the event is of {} and the stream of {}; make the event with event(device(\"{}\"))",
        device_.str(), on.device().str(), on.device().str());
  core::effect_of_waiting();
  if (device_.is_cuda()) core::compute_left_on(core::queue_of(on));
  core::backend_of(device_).record_event(handle_, core::queue_of(on));
  recorded_ = true;
}

void event::synchronize() const {
  check_usable();
  core::effect_of_waiting();
  if (recorded_) core::backend_of(device_).synchronize_event(device_.index(), handle_);
}

bool event::done() const {
  check_usable();
  core::effect_of_waiting();
  return !recorded_ || core::backend_of(device_).event_done(device_.index(), handle_);
}

double elapsed_time(const event& start, const event& end) {
  if (start.device_ != end.device_)
    core::fail<device_error>(
        "elapsed_time: the events are of two devices, {} and {}, which have no common clock",
        start.device_.str(), end.device_.str());
  for (const event* e : {&start, &end}) {
    const char* which = e == &start ? "start" : "end";
    e->check_usable();
    if (!e->timing_)
      core::fail<value_error>("elapsed_time: the {} event was made with {{.timing = false}}", which);
    if (!e->recorded_)
      core::fail<value_error>("elapsed_time: the {} event has not been recorded; call record() first", which);
  }
  core::effect_of_waiting();
  core::backend& b = core::backend_of(start.device_);
  b.synchronize_event(start.device_.index(), start.handle_);
  b.synchronize_event(end.device_.index(), end.handle_);
  return b.elapsed_ms(start.device_.index(), start.handle_, end.handle_);
}

GPARRAY_END_NAMESPACE
