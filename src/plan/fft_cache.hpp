// What backends prepare for transforms, kept for the next transform of the same description.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <support/fork.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A library's plan, made once and executed any number of times.
struct prepared_fft {
  virtual ~prepared_fft() = default;
  /// Of tables and of the work area that an execution asks for.
  std::size_t bytes = 0;
};

/// While it lives, holds all plans that this thread's transforms use.
class fft_plan_holder {
 public:
  fft_plan_holder() noexcept;
  ~fft_plan_holder();
  fft_plan_holder(const fft_plan_holder&) = delete;
  fft_plan_holder& operator=(const fft_plan_holder&) = delete;
  std::vector<std::shared_ptr<prepared_fft>> plans;

 private:
  fft_plan_holder* outer_;
};

/// The plans used last, within two limits. A plan that is in use is never dropped, limits or not. Safe for
/// several threads.
class fft_cache {
 public:
  using key = std::vector<std::int64_t>;
  using handle = std::shared_ptr<prepared_fft>;

  struct statistics {
    std::int64_t hits = 0, misses = 0, n_plans = 0;
    std::size_t bytes = 0, largest_work = 0;
    std::int64_t max_plans = 64;
    std::size_t max_bytes = std::size_t{1} << 30;
  };

  /// For a cache that is never destroyed: it can be used in the children of this process.
  void keep_across_fork() { hold_across_fork(lock_); }

  /// `make` runs without a lock, so that planning a large transform stops no other thread.
  handle find_or_make(const key& description, const std::function<handle()>& make);
  statistics info() const;
  /// Limits of 0 keep nothing.
  void set_max_plans(std::int64_t count);
  void set_max_bytes(std::size_t bytes);
  /// Drops all plans that are not in use, and counts from 0 again.
  void clear();

 private:
  struct entry {
    key description;
    handle plan;
  };
  using list = std::list<entry>;

  /// What is dropped leaves through `gone`: destructors, which may call libraries, run without the lock.
  void shrink(list& gone, std::int64_t max_plans, std::size_t max_bytes);

  mutable std::mutex lock_;
  list entries_;  // the latest used first
  std::map<key, list::iterator> index_;
  statistics numbers_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
