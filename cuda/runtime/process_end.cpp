#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <unistd.h>

#include <cuda/runtime/process_end.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The thread that has called exit(), or returned from main; 0 before that.
std::atomic<pid_t> ending_thread{0};

void note_end() { ending_thread = gettid(); }

}  // namespace

void watch_for_process_end() {
  [[maybe_unused]] static const bool watching = [] {
    // Before the static objects of CUDA's libraries end, which are loaded later.
    if (gettid() == getpid()) before_static_objects_end(&note_end);
    return std::atexit(&note_end) == 0;
  }();
}

void wait_if_process_ends() {
  const pid_t ending = ending_thread;
  if (ending != 0 && ending != gettid()) std::this_thread::sleep_for(std::chrono::seconds(10));
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
