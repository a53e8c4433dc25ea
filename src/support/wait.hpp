// Waiting for a condition variable.
#pragma once
#include <condition_variable>
#include <mutex>
#include <pthread.h>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// variable.wait(lock). That is another function since g++ 12, although it does the same, and a library that
/// calls it does not load with the libstdc++ of an older one.
inline void wait(std::condition_variable& variable, std::unique_lock<std::mutex>& lock) {
  pthread_cond_wait(variable.native_handle(), lock.mutex()->native_handle());
}

/// Until the condition holds.
template<class Condition>
void wait(std::condition_variable& variable, std::unique_lock<std::mutex>& lock, Condition condition) {
  while (!condition()) wait(variable, lock);
}

}  // namespace core
GPARRAY_END_NAMESPACE
