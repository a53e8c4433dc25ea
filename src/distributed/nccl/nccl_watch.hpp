// The thread that looks at all communicators of NCCL.
#pragma once
#include <chrono>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

class nccl_communicator;

/// From now on the watch looks at it, at least eight times within its timeout.
void begin_watching(nccl_communicator& c, std::chrono::milliseconds timeout);
/// Returns when the watch does not look at it any more.
void end_watching(nccl_communicator& c) noexcept;

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
