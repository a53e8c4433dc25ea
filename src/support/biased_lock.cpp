#include <cerrno>
#include <chrono>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

#include <linux/membarrier.h>

#include <support/biased_lock.hpp>
#include <support/pause.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

bool membarrier(membarrier_cmd command) noexcept { return syscall(SYS_membarrier, command, 0, 0) == 0; }
bool announce() noexcept { return membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

// When the library is loaded: of a process with one thread it takes 3 us, with several 13 ms.
#if defined(__SANITIZE_THREAD__)
constexpr bool is_announced = false;
#else
const bool is_announced = announce();
#endif

/// Every thread of this process that runs passes a memory barrier before this returns.
void pass_barriers() noexcept {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  if (errno == EPERM && announce() && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // The program has forbidden itself the call since. A store reaches memory within a microsecond.
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

bool biased_lock::may_be_biased() noexcept { return is_announced; }

void biased_lock::lock() noexcept {
  while (locked_.test_and_set(std::memory_order_acquire)) cpu_pause();
  n_owners_locks_ = 0;
  if (!is_biased_.load(std::memory_order_relaxed)) return;
  is_biased_.store(false, std::memory_order_relaxed);
  pass_barriers();
  while (is_inside_.load(std::memory_order_acquire)) cpu_pause();
}

void biased_lock::lock_among_others() noexcept {
  is_inside_.store(false, std::memory_order_release);
  while (locked_.test_and_set(std::memory_order_acquire)) cpu_pause();
  if (is_announced && ++n_owners_locks_ == locks_until_biased)
    is_biased_.store(true, std::memory_order_relaxed);
}

}  // namespace core
GPARRAY_END_NAMESPACE
