// The engine of ranks that are threads of one process.
#pragma once
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <distributed/runtime/engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// What all groups of one spawn share: one lock, and whether all is over.
class common_fate {
 public:
  explicit common_fate(std::chrono::milliseconds patience) : timeout(patience) {}

  /// From now on every call throws. The first reason stays.
  void fail(const std::string& reason, int rank);
  /// The same with the lock held.
  void fail_locked(const std::string& reason, int rank);
  /// Throws if it has failed; with the lock held.
  void check() const;
  /// Waits until `done`, which throws if that does not come; with the lock held.
  template<class Done, class Missing>
  void wait(std::unique_lock<std::mutex>& held, const Done& done, const Missing& missing) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!done()) {
      check();
      if (changed.wait_until(held, deadline) == std::cv_status::timeout && !done() && reason_.empty()) {
        const auto [text, rank] = missing();
        fail_locked(text, rank);
      }
    }
    check();
  }

  const std::chrono::milliseconds timeout;
  std::mutex lock;
  std::condition_variable changed;

 private:
  std::string reason_;
  int rank_ = -1;
};

/// The engines of so many ranks, for the threads that will be they.
std::vector<std::shared_ptr<engine>> thread_team(int ranks, const std::shared_ptr<common_fate>& fate);
/// The engine of a rank that is alone.
std::shared_ptr<engine> alone();

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
