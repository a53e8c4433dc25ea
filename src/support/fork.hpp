// Locks across fork: the child has none of the threads that may hold them.
#pragma once
#include <mutex>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// From now on the lock, which is never destroyed, is held across every fork, so that what it protects is
/// complete in the child. A thread that holds it may not wait for another thread, or for a lock that is held
/// so too.
void hold_across_fork(std::mutex& lock);

}  // namespace core
GPARRAY_END_NAMESPACE
