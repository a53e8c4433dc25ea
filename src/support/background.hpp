// One thread for work that no caller waits for.
#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Runs jobs one after the other. The thread starts with the first job. Safe from several threads. Jobs must
/// not throw.
class background_worker {
 public:
  explicit background_worker(std::size_t queue_limit) : queue_limit_(queue_limit) {}
  ~background_worker() { stop(std::chrono::hours(1)); }
  background_worker(const background_worker&) = delete;
  background_worker& operator=(const background_worker&) = delete;

  /// False if the queue is full, or the worker has been stopped.
  bool enqueue(std::function<void()> job);
  /// Returns when nothing is queued or running.
  void wait_idle();
  /// Drops what is queued and lets the running job end, but waits for it no longer than `patience`: then the
  /// thread is left to itself, and the worker must never be destroyed.
  void stop(std::chrono::milliseconds patience) noexcept;

 private:
  void run();

  const std::size_t queue_limit_;
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  bool busy_ = false, stopping_ = false, ended_ = true;
  std::thread thread_;
};

/// The one that compiles kernels. Stopped when the program exits; a forked child starts with a new one.
background_worker& kernel_worker();
/// To be called after the compiler was loaded: the worker is to be stopped before exit() destroys what the
/// compiler has made so far. It need not be the worker that loads it first, for that may find every kernel on
/// disk.
void stop_kernel_worker_before_compiler();

}  // namespace core
GPARRAY_END_NAMESPACE
