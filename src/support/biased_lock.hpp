// A spin lock that mostly one thread takes.
//
// A locked instruction costs some twenty cycles: two of them were a ninth of what a step of a logged loop
// takes. A lock whose owner has been the only one to take it for a while is biased: its owner stores that it
// is inside, and looks whether the bias is still there, which a core may do the other way round. So another
// thread that comes to a biased lock ends the bias, has all cores that run this process pass a memory barrier
// (membarrier(2), some 20 us), and waits until the owner is outside. From then on the owner takes it as the
// others do, until they have stayed away for a while again. Known as biased locking, of an asymmetric fence:
// D. Dice, M. Moir, W. Scherer, "Quickly Reacquirable Locks", 2003.
#pragma once
#include <atomic>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class biased_lock {
 public:
  /// So many locks of its owner's in a row make it biased: those take far more time than to end that.
  static constexpr int locks_until_biased = 1 << 14;

  /// By any thread.
  void lock() noexcept;
  void unlock() noexcept { locked_.clear(std::memory_order_release); }

  /// By its owner, which may also do the above. Returns whether it is biased, for unlock().
  [[gnu::always_inline]] bool lock_as_owner() noexcept {
    is_inside_.store(true, std::memory_order_relaxed);
    // The compiler leaves these two in their order, the barrier of who ends the bias the core.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (is_biased_.load(std::memory_order_relaxed)) [[likely]]
      return true;
    lock_among_others();
    return false;
  }
  [[gnu::always_inline]] void unlock(bool was_biased) noexcept {
    if (was_biased) [[likely]]
      is_inside_.store(false, std::memory_order_release);
    else unlock();
  }

  /// Whether this system has the barrier. ThreadSanitizer does not know what it does.
  static bool may_be_biased() noexcept;

 private:
  void lock_among_others() noexcept;

  std::atomic_flag locked_;
  std::atomic<bool> is_inside_{false};  // the owner is, or is about to find out that it may not be
  std::atomic<bool> is_biased_{false};  // changed by who has locked_: to true by the owner alone
  int n_owners_locks_ = 0;              // since another thread's; while locked_
};

}  // namespace core
GPARRAY_END_NAMESPACE
