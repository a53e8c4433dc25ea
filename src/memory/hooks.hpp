// The hooks of one memory pool, and calling them.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include <gparray/memory.hpp>

#include "upstream.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Hooks are called with no lock held; what they allocate themselves is not reported.
class hook_list {
 public:
  void add(std::shared_ptr<memory_hook> hook);
  /// Another thread may be inside the hook when this returns; it is destroyed after that call.
  void remove(const memory_hook* hook);

  /// False in nearly every program: the one thing that the hot path looks at.
  bool active() const noexcept { return active_.load(std::memory_order_relaxed); }

  /// If a hook throws, those called before it get the deallocation, and the exception is passed on.
  void allocated(const allocation& a);
  void upstream_allocated(void* pointer, std::size_t bytes);
  /// The caller is a destructor: the first exception is kept, for rethrow_kept().
  void deallocated(const allocation& a) noexcept;
  /// Throws what a hook threw in deallocated(), once.
  void rethrow_kept();

  /// For fork: in the child no thread may hold the lock.
  std::mutex& lock() noexcept { return lock_; }

 private:
  using hooks = std::vector<std::shared_ptr<memory_hook>>;
  std::shared_ptr<const hooks> current() const noexcept;
  void keep(std::exception_ptr error) noexcept;
  void refresh_active() noexcept;

  mutable std::mutex lock_;
  std::shared_ptr<const hooks> hooks_;
  std::exception_ptr kept_;
  std::atomic<bool> active_{false};
};

}  // namespace core
GPARRAY_END_NAMESPACE
