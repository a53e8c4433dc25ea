#include <core/runtime/pending.hpp>
#include <core/runtime/stream_state.hpp>
#include <gparray/stream.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE

event::event() : event(default_device()) {}

event::event(gparray::device place, const event_options& options) : place_(place), timing_(options.timing) {
  core::backend& b = core::backend_of(place);
  core::effect();
  handle_ = b.create_event(place.index(), timing_);
}

event::~event() {
  if (!handle_) return;
  try {
    core::backend_of(place_).destroy_event(place_.index(), handle_);
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

void event::record() { record(current_stream(place_)); }

void event::record(const stream_view& on) {
  check_usable();
  if (on.device() != place_)
    core::fail<device_error>(
        "event.record: the event is of {} and the stream of {}; make the event with event(device(\"{}\"))",
        place_.str(), on.device().str(), on.device().str());
  core::effect();
  core::backend_of(place_).record_event(handle_, core::queue_of(on));
  recorded_ = true;
}

void event::synchronize() const {
  check_usable();
  core::effect();
  if (recorded_) core::backend_of(place_).synchronize_event(place_.index(), handle_);
}

bool event::done() const {
  check_usable();
  core::effect();
  return !recorded_ || core::backend_of(place_).event_done(place_.index(), handle_);
}

double elapsed_time(const event& start, const event& end) {
  if (start.place_ != end.place_)
    core::fail<device_error>(
        "elapsed_time: the events are of two devices, {} and {}, which have no common clock",
        start.place_.str(), end.place_.str());
  for (const event* e : {&start, &end}) {
    const char* which = e == &start ? "start" : "end";
    e->check_usable();
    if (!e->timing_)
      core::fail<value_error>("elapsed_time: the {} event was made with {{.timing = false}}", which);
    if (!e->recorded_)
      core::fail<value_error>("elapsed_time: the {} event has not been recorded; call record() first", which);
  }
  core::effect();
  core::backend& b = core::backend_of(start.place_);
  b.synchronize_event(start.place_.index(), start.handle_);
  b.synchronize_event(end.place_.index(), end.handle_);
  return b.elapsed_ms(start.place_.index(), start.handle_, end.handle_);
}

GPARRAY_END_NAMESPACE
