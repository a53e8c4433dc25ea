// Ranges of addresses that get memory page by page: free memory in the middle of blocks in use is not lost to
// requests that it is too short for, since its pages can be put somewhere else.
#include <algorithm>

#include "pool.hpp"
#include "sanitizer.hpp"
#include "sizes.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A free block of at least `rounded` bytes: what is missing beside free memory of the stream is mapped
/// there. Where the pool would come to hold too much, pages that are free elsewhere are unmapped before.
block* memory_pool::map_block(std::size_t rounded, pool_stream* to, lock_type& lock, bool& limited,
                              growth& grown) {
  for (;;) {  // while the lock was open another thread may have taken what is beside the pages
    gap g = smallest_gap(rounded, to);
    if (!g.bare) {
      block* added = add_range(rounded, to, lock);
      if (!added) return nullptr;
      g = {added, round_up(rounded, chunk_granularity)};
    }
    // Each stream has two pages of which a part is free.
    const std::size_t least = streams_.size() * 2 * chunk_granularity;
    if (const std::size_t surplus = accounts_.surplus(g.bytes, rounded, least)) {
      unmap_free(surplus, g.bare, lock);
      if (const std::size_t more = accounts_.surplus(g.bytes, rounded, least)) {
        // Only for the stream that asks: streams that work side by side must not wait for each other.
        wait_for(to, lock);
        reclaim_all_pending(lock, patience::none);
        unmap_free(more, g.bare, lock);
      }
      if (block* b = to->bins[is_small(rounded)].find(rounded)) return b;
      g = smallest_gap(rounded, to);
      if (!g.bare) continue;
    }
    limited = !accounts_.allows(g.bytes);
    if (limited) return nullptr;
    void* const address = g.bare->pointer;
    if (!map_pages(g.bare, g.bytes, lock)) return nullptr;
    grown = {address, g.bytes};
    if (block* b = to->bins[is_small(rounded)].find(rounded)) return b;
  }
}

/// Where the fewest pages make a free block of `rounded` bytes, with what is free beside them.
memory_pool::gap memory_pool::smallest_gap(std::size_t rounded, const pool_stream* to) const noexcept {
  gap best;
  for (const chunk* c = chunks_; c; c = c->next) {
    if (!c->is_range || c->stream != to || c->small != is_small(rounded)) continue;
    for (block* b = c->first; b; b = b->after) {
      if (b->state != block_state::bare) continue;
      const auto free_bytes = [](const block* side) {
        return side && side->state == block_state::available ? side->bytes : 0;
      };
      const std::size_t left = free_bytes(b->before), right = free_bytes(b->after);
      std::size_t bytes = b->bytes;
      if (left + b->bytes >= rounded) {
        bytes = round_up(rounded > left ? rounded - left : 1, chunk_granularity);
      } else if (left + b->bytes + right < rounded) {
        continue;
      }
      if (!best.bare || bytes < best.bytes) best = {b, bytes};
    }
  }
  return best;
}

/// A range that is all bare, new or another stream's; null if the upstream has no addresses for it.
block* memory_pool::add_range(std::size_t rounded, pool_stream* to, lock_type& lock) {
  for (chunk* c = chunks_; c; c = c->next) {
    if (!c->wholly_bare() || c->bytes < rounded) continue;
    --c->stream->n_chunks;
    ++to->n_chunks;
    c->stream = to;
    c->small = is_small(rounded);
    return c->first;
  }
  const std::size_t bytes = round_up(std::max(rounded, source_.range_bytes()), chunk_granularity);
  block* b = new_chunk(bytes, true, is_small(rounded), to, lock);
  if (b) b->state = block_state::bare;
  return b;
}

/// Memory for the first `bytes` of a bare block, which become free memory.
bool memory_pool::map_pages(block* bare, std::size_t bytes, lock_type& lock) {
  if (bytes < bare->bytes) {
    block* rest = blocks_.get();
    split(bare, bytes, rest);
    rest->state = block_state::bare;
  }
  bare->state = block_state::used;  // no other thread touches it while the lock is open
  bool mapped = false;
  lock.unlock();
  try {
    mapped = source_.map_memory(bare->pointer, bytes);
    if constexpr (address_sanitizer)
      if (mapped) source_.forbid(bare->pointer, bytes);
  } catch (...) {
    lock.lock();
    make_bare(bare);
    throw;
  }
  lock.lock();
  if (!mapped) {
    make_bare(bare);
    return false;
  }
  accounts_.grow(bytes);
  make_available(bare);
  return true;
}

/// Unmaps free pages that no work uses any more until `bytes` are or no more are left; what is free beside
/// `kept` stays.
void memory_pool::unmap_free(std::size_t bytes, const block* kept, lock_type& lock) {
  std::size_t done = 0;
  for (chunk* c = chunks_; c; c = c->next) {
    if (!c->is_range) continue;
    for (block* b = c->first; b && done < bytes; b = b->after) {
      if (b->state != block_state::available) continue;
      if (kept && (b->after == kept || b->before == kept)) continue;
      if (!finished(c->stream, b->freed_at)) continue;
      const std::size_t before = accounts_.read().total_bytes;
      b = unmap_pages(b, bytes - done, lock);
      done += before - accounts_.read().total_bytes;
    }
  }
}

/// Unmaps whole pages of a free block, as many as `bytes` need. Returns the bare block, or b if it has none.
block* memory_pool::unmap_pages(block* b, std::size_t bytes, lock_type& lock) {
  const auto begin = reinterpret_cast<std::uintptr_t>(b->pointer);
  const std::size_t head = round_up(begin, chunk_granularity) - begin;
  if (b->bytes < head + chunk_granularity) return b;
  const std::size_t whole = (b->bytes - head) / chunk_granularity * chunk_granularity;
  bytes = std::min(round_up(bytes, chunk_granularity), whole);
  block* middle = head > 0 ? blocks_.get() : nullptr;
  block* tail = nullptr;
  if (head + bytes < b->bytes) {
    try {
      tail = blocks_.get();
    } catch (...) {
      if (middle) blocks_.put(middle);
      throw;
    }
  }
  remove_free(b);
  if (middle) {
    split(b, head, middle);
    insert_free(b);
    b = middle;
  }
  if (tail) {
    split(b, bytes, tail);
    insert_free(tail);
  }
  b->state = block_state::used;
  lock.unlock();
  if constexpr (address_sanitizer) source_.allow(b->pointer, bytes);
  source_.unmap_memory(b->pointer, bytes);
  lock.lock();
  accounts_.shrink(bytes);
  return make_bare(b);
}

/// Returns the block that b became part of.
block* memory_pool::make_bare(block* b) noexcept {
  if (b->after && b->after->state == block_state::bare) join(b, b->after);
  if (b->before && b->before->state == block_state::bare) b = join(b->before, b);
  b->state = block_state::bare;
  return b;
}

}  // namespace core
GPARRAY_END_NAMESPACE
