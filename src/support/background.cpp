#include <atomic>
#include <csignal>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

#include <support/background.hpp>
#include <support/thread_lifetime.hpp>
#include <support/wait.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

bool background_worker::enqueue(std::function<void()> job) {
  const std::lock_guard hold(lock_);
  if (stopping_ || jobs_.size() >= queue_limit_) return false;
  jobs_.push_back(std::move(job));
  if (!thread_.joinable()) {
    // Signals are for the threads of the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      thread_ = std::thread([this] { run(); });
      ended_ = false;
    } catch (const std::exception&) {  // no thread, or no memory for one
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      jobs_.pop_back();
      return false;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
  changed_.notify_all();
  return true;
}

void background_worker::wait_idle() {
  std::unique_lock hold(lock_);
  wait(changed_, hold, [this] { return (jobs_.empty() && !busy_) || ended_; });
}

void background_worker::stop(std::chrono::milliseconds patience) noexcept {
  std::unique_lock hold(lock_);
  stopping_ = true;
  jobs_.clear();
  changed_.notify_all();
  if (!thread_.joinable()) return;
  if (changed_.wait_for(hold, patience, [this] { return ended_; })) {
    hold.unlock();
    thread_.join();
  } else {
    thread_.detach();
  }
}

void background_worker::run() {
  std::unique_lock hold(lock_);
  while (!stopping_) {
    busy_ = false;
    changed_.notify_all();
    wait(changed_, hold, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) break;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    busy_ = true;
    hold.unlock();
    job();
    hold.lock();
  }
  busy_ = false;
  ended_ = true;
  changed_.notify_all();
}

namespace {

std::atomic<background_worker*> worker{nullptr};

void stop_at_exit() {
  if (background_worker* running = worker.load()) running->stop(std::chrono::seconds(10));
}

/// A compilation makes static objects inside of the compiler, which exit() destroys before everything that
/// was registered earlier: too early for the thread that is still compiling. Loading the library is the main
/// thread's work, nearly always; atexit is for the other programs.
[[maybe_unused]] const bool exit_of_main_is_guarded = [] {
  if (getpid() != gettid()) return false;
  before_static_objects_end(&stop_at_exit);
  return true;
}();

background_worker* new_worker() { return new background_worker(64); }

}  // namespace

background_worker& kernel_worker() {
  [[maybe_unused]] static const bool made = [] {
    worker = new_worker();
    std::atexit(stop_at_exit);
    // A child has none of the threads; what it inherits, locks and all, is left behind.
    pthread_atfork(nullptr, nullptr, [] { worker = new_worker(); });
    return true;
  }();
  return *worker.load();
}

void stop_kernel_worker_before_compiler() { std::atexit(stop_at_exit); }

}  // namespace core
GPARRAY_END_NAMESPACE
