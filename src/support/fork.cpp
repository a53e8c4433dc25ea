#include <pthread.h>
#include <vector>

#include <support/fork.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

struct registry {
  std::mutex lock;
  std::vector<std::mutex*> held;
};

registry& all_locks();

void lock_all() {
  registry& all = all_locks();
  all.lock.lock();
  for (std::mutex* m : all.held) m->lock();
}

void unlock_all() {
  registry& all = all_locks();
  for (std::mutex* m : all.held) m->unlock();
  all.lock.unlock();
}

registry& all_locks() {
  static registry& all = [&]() -> registry& {
    auto* made = new registry;  // never destroyed: a fork may come during static destruction
    pthread_atfork(&lock_all, &unlock_all, &unlock_all);
    return *made;
  }();
  return all;
}

}  // namespace

void hold_across_fork(std::mutex& lock) {
  registry& all = all_locks();
  const std::lock_guard guard(all.lock);
  all.held.push_back(&lock);
}

}  // namespace core
GPARRAY_END_NAMESPACE
