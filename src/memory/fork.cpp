#include "fork.hpp"

#include <algorithm>
#include <pthread.h>

#include "pool.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct fork_guard::registry {
  std::mutex lock;
  std::vector<memory_pool*> pools;
};

fork_guard::registry& fork_guard::pools() {
  static auto* all = [] {
    auto* made = new registry;  // never destroyed: a fork may come during static destruction
    pthread_atfork(&lock_all, &unlock_all, &unlock_all);
    return made;
  }();
  return *all;
}

void fork_guard::add(memory_pool* pool) {
  registry& all = pools();
  const std::lock_guard guard(all.lock);
  all.pools.push_back(pool);
}

void fork_guard::remove(memory_pool* pool) noexcept {
  registry& all = pools();
  const std::lock_guard guard(all.lock);
  std::erase(all.pools, pool);
}

void fork_guard::lock_all() {
  registry& all = pools();
  all.lock.lock();
  // A pool that takes its memory from another one calls it under its own lock, and is the younger of them.
  for (auto pool = all.pools.rbegin(); pool != all.pools.rend(); ++pool) {
    (*pool)->growth_lock_.lock();
    (*pool)->lock_.lock();
    (*pool)->hooks_.lock().lock();
  }
}

void fork_guard::unlock_all() {
  registry& all = pools();
  for (memory_pool* pool : all.pools) {
    pool->hooks_.lock().unlock();
    pool->lock_.unlock();
    pool->growth_lock_.unlock();
  }
  all.lock.unlock();
}

std::vector<allocation> fork_guard::used_blocks(memory_pool& pool) {
  std::vector<allocation> used;
  const std::lock_guard guard(pool.lock_);
  pool.free_recent();
  for (const chunk* c = pool.chunks_; c; c = c->next)
    for (const block* b = c->first; b; b = b->after)
      if (b->state == block_state::used)
        used.push_back({b->pointer, b->requested, b->bytes, c->stream->handle});
  return used;
}

}  // namespace core
GPARRAY_END_NAMESPACE
