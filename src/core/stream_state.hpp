// The current stream of each device in this thread.
#pragma once
#include <core/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The queue that this thread's work for a device goes to.
queue current_queue(device d);
/// Sets it; the previous handle is returned.
stream_handle exchange_current_stream(device d, stream_handle stream);

}  // namespace core
GPARRAY_END_NAMESPACE
