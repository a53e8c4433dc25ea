#include <host/thread_pool.hpp>

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Long enough to catch the next operation of a program that computes without pause.
constexpr std::chrono::microseconds spin_time{50};

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

template<class Condition>
bool spin_until(Condition&& done) {
  const auto end = std::chrono::steady_clock::now() + spin_time;
  do {
    for (int i = 0; i < 64; ++i) {
      if (done()) return true;
      relax();
    }
  } while (std::chrono::steady_clock::now() < end);
  return done();
}

struct job {
  std::int64_t parts;
  detail::part_body body;
  void* context;
  std::atomic<std::int64_t> next{0};
  std::mutex failure_lock{};
  std::exception_ptr failure{};

  void work() {
    for (;;) {
      const std::int64_t part = next.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts) return;
      try {
        body(context, part);
      } catch (...) {
        next.store(parts, std::memory_order_relaxed);
        const std::lock_guard lock(failure_lock);
        if (!failure) failure = std::current_exception();
      }
    }
  }
};

class thread_pool {
 public:
  ~thread_pool() {
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
    wake_.notify_all();
    work.work();
    {
      // No worker can join from here on, so the job may leave the caller's stack once those inside are out.
      const std::lock_guard lock(mutex_);
      current_ = nullptr;
    }
    if (!spin_until([&] { return active_.load(std::memory_order_acquire) == 0; })) {
      std::unique_lock lock(mutex_);
      finished_.wait(lock, [&] { return active_.load(std::memory_order_acquire) == 0; });
    }
    busy_.store(false, std::memory_order_release);
    return true;
  }

 private:
  void start_workers(int count) {
    try {
      while (static_cast<int>(workers_.size()) < count) workers_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {
      // The system gives no more threads: work with those there are.
    }
  }

  void serve() {
    std::uint64_t seen = 0;
    for (;;) {
      const auto changed = [&] { return generation_.load(std::memory_order_acquire) != seen; };
      const bool soon = spin_until(changed);
      job* work = nullptr;
      {
        std::unique_lock lock(mutex_);
        if (!soon) wake_.wait(lock, changed);
        if (stop_) return;
        seen = generation_.load(std::memory_order_acquire);
        if (current_ && wanted_ > 0) {
          --wanted_;
          work = current_;
          active_.fetch_add(1, std::memory_order_relaxed);
        }
      }
      if (!work) continue;
      work->work();
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
  if (const char* text = std::getenv("GPARRAY_NUM_THREADS")) {
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

struct pool_owner {
  pool_owner() { pthread_atfork(nullptr, nullptr, forget_pool); }
  ~pool_owner() {
    exiting.store(true);
    delete pool_instance.exchange(nullptr);
  }
};

thread_pool* pool() {
  static pool_owner owner;
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
  job work{parts, body, context};
  const int threads = static_cast<int>(std::min<std::int64_t>(num_threads(), parts));
  thread_pool* const workers = threads > 1 ? pool() : nullptr;
  if (!workers || !workers->try_run(work, threads)) work.work();
  if (work.failure) std::rethrow_exception(work.failure);
}

}  // namespace host
GPARRAY_END_NAMESPACE
