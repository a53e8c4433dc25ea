#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>

#include <host/support/thread_pool.hpp>
#include <support/environment.hpp>
#include <support/pause.hpp>
#include <support/wait.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Long enough to catch the next operation of a program that computes without pause.
constexpr std::chrono::microseconds spin_time{50};

template<class Condition>
bool spin_until(Condition&& done) {
  const auto end = std::chrono::steady_clock::now() + spin_time;
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      core::cpu_pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

// The parts are dealt out in runs of neighbours, the same to each thread for the same number of parts: what
// one operation left in a core's own cache, the next one finds there. A thread that is done helps the others.
class job {
 public:
  job(std::int64_t parts, int threads, detail::part_body body, void* context)
      : body_(body), context_(context), n_runs_(std::min(threads, max_runs)) {
    for (int r = 0; r < n_runs_; ++r) {
      runs_[r].next.store(parts * r / n_runs_, std::memory_order_relaxed);
      runs_[r].end = parts * (r + 1) / n_runs_;
    }
  }

  /// Member 0 is the caller, others are the pool's workers.
  void work(int member) {
    for (int i = 0; i < n_runs_; ++i) {
      run& r = runs_[(member + i) % n_runs_];
      while (r.next.load(std::memory_order_relaxed) < r.end) {
        const std::int64_t part = r.next.fetch_add(1, std::memory_order_relaxed);
        if (part >= r.end) break;
        try {
          body_(context_, part);
        } catch (...) {
          fail();
        }
      }
    }
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr int max_runs = 64;
  struct alignas(64) run {
    std::atomic<std::int64_t> next;
    std::int64_t end;
  };

  void fail() {
    for (int r = 0; r < n_runs_; ++r) runs_[r].next.store(runs_[r].end, std::memory_order_relaxed);
    const std::lock_guard lock(failure_lock_);
    if (!failure_) failure_ = std::current_exception();
  }

  detail::part_body body_;
  void* context_;
  int n_runs_;
  std::mutex failure_lock_{};
  std::exception_ptr failure_{};
  run runs_[max_runs];
};

class thread_pool {
 public:
  /// For the end of the process. If a parallel loop is running, on a thread that outlives this call or on the
  /// one that has called exit() from within a body, all stays as it is.
  void stop() noexcept {
    if (busy_.exchange(true, std::memory_order_acquire)) return;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    for (std::thread& t : workers_) t.join();
  }

  /// False if another thread, or a caller further up this one, has the pool.
  bool try_run(job& work, int threads) {
    if (busy_.exchange(true, std::memory_order_acquire)) return false;
    start_workers(threads - 1);
    {
      const std::lock_guard lock(mutex_);
      current_ = &work;
      wanted_ = threads - 1;
      generation_.fetch_add(1, std::memory_order_release);
    }
    // Only as many as there is work for: the others would take turns at the lock for nothing.
    for (int i = 1; i < threads; ++i) wake_.notify_one();
    work.work(0);
    {
      // No worker can join from here on, so the job may leave the caller's stack once those inside are out.
      const std::lock_guard lock(mutex_);
      current_ = nullptr;
    }
    if (!spin_until([&] { return active_.load(std::memory_order_acquire) == 0; })) {
      std::unique_lock lock(mutex_);
      core::wait(finished_, lock, [&] { return active_.load(std::memory_order_acquire) == 0; });
    }
    busy_.store(false, std::memory_order_release);
    return true;
  }

 private:
  void start_workers(int count) {
    try {
      while (static_cast<int>(workers_.size()) < count) {
        const int member = static_cast<int>(workers_.size()) + 1;
        workers_.emplace_back([this, member] { serve(member); });
      }
    } catch (const std::exception&) {
      // The system gives no more threads, or no memory for them: work with those there are.
    }
  }

  void serve(int member) {
    std::uint64_t seen = 0;
    for (;;) {
      const auto changed = [&] { return generation_.load(std::memory_order_acquire) != seen; };
      const bool soon = spin_until(changed);
      job* work = nullptr;
      {
        std::unique_lock lock(mutex_);
        if (!soon) core::wait(wake_, lock, changed);
        if (stop_) return;
        seen = generation_.load(std::memory_order_acquire);
        if (current_ && wanted_ > 0) {
          --wanted_;
          work = current_;
          active_.fetch_add(1, std::memory_order_relaxed);
        }
      }
      if (!work) continue;
      work->work(member);
      const std::lock_guard lock(mutex_);
      if (active_.fetch_sub(1, std::memory_order_acq_rel) == 1) finished_.notify_one();
    }
  }

  std::atomic<bool> busy_{false};
  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> active_{0};
  job* current_ = nullptr;
  int wanted_ = 0;
  bool stop_ = false;
  std::vector<std::thread> workers_;
};

int initial_threads() {
  if (const char* text = core::environment("GPARRAY_NUM_THREADS")) {
    if (const int count = std::atoi(text); count > 0) return count;
  }
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::atomic<int>& thread_count() {
  static std::atomic<int> count{initial_threads()};
  return count;
}

std::atomic<thread_pool*> pool_instance{nullptr};
std::atomic<bool> exiting{false};

// A forked child has none of the threads; its copy of the pool, locks and all, is left behind and a new one
// is made.
void forget_pool() { pool_instance.store(nullptr); }

/// The pool itself stays: other threads may be about to ask it.
void stop_pool() {
  exiting.store(true);
  if (thread_pool* const running = pool_instance.load()) running->stop();
}

thread_pool* pool() {
  [[maybe_unused]] static const bool prepared = [] {
    pthread_atfork(nullptr, nullptr, forget_pool);
    return std::atexit(stop_pool) == 0;
  }();
  if (exiting.load(std::memory_order_relaxed)) return nullptr;
  thread_pool* existing = pool_instance.load(std::memory_order_acquire);
  if (existing) return existing;
  auto* made = new thread_pool;
  if (pool_instance.compare_exchange_strong(existing, made)) return made;
  delete made;
  return existing;
}

}  // namespace

int num_threads() { return thread_count().load(std::memory_order_relaxed); }

void set_num_threads(int count) { thread_count().store(std::max(1, count), std::memory_order_relaxed); }

void detail::run_parts(std::int64_t parts, part_body body, void* context) {
  const int threads = static_cast<int>(std::min<std::int64_t>(num_threads(), parts));
  job work(parts, threads, body, context);
  thread_pool* const workers = pool();
  if (!workers || !workers->try_run(work, threads)) work.work(0);
  work.rethrow();
}

}  // namespace host
GPARRAY_END_NAMESPACE
