// What this thread has left pending.
#pragma once
#include <gparray/device.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct queue;
struct storage;

/// Called before anything this thread does that pending expressions must not see: computes them all.
void effect();
/// The same before the host waits for work or reads elements, which changes nothing: names that something
/// computed has used may stay pending (core/array/unstored_names.hpp). Not if there are several streams: what
/// is enqueued after an event or a wait is not before what another stream does after it.
void effect_of_waiting();
/// Computes what other threads have left pending on a stream, if there are several, or on all of a device:
/// what has been written before an event or a wait of that stream is enqueued before it. Whether there was
/// any.
bool compute_left_on(queue q);
bool compute_left_on(device d);
/// Computes what other threads have left pending on the storage.
void compute_readers(storage* s);
/// Whether effect() would compute anything.
bool anything_is_pending() noexcept;

/// Elements of an array of `on_device` have been written where they cannot be, by a call that cannot throw:
/// this thread's next effect() throws device_error.
void refuse_at_next_effect(device on_device) noexcept;
[[noreturn]] void throw_refused_write(device on_device);

}  // namespace core
GPARRAY_END_NAMESPACE
