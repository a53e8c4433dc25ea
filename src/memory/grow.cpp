// Getting memory when the cache of the stream has none: from other streams, from the upstream, and when that
// is out of memory from what the cache can give back.
#include <utility>

#include "error.hpp"
#include "pool.hpp"
#include "sanitizer.hpp"
#include "sizes.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

block* memory_pool::grow(std::size_t bytes, std::size_t rounded, stream_handle stream, growth& grown) {
  const std::lock_guard growing(growth_lock_);
  lock_type lock(lock_);
  const bool small = is_small(rounded);
  const std::size_t usual = round_up(rounded, chunk_granularity);
  const bool in_pages = source_.range_bytes() > 0;
  bool limited = false;

  const auto cached = [&]() -> block* {
    // Looked up each time: release_stream cannot run meanwhile, but the map may have moved on without the
    // lock.
    pool_stream* s = stream_of(stream);
    if (block* b = s->bins[small].find(rounded)) return b;
    return find_elsewhere(rounded, s);
  };
  const auto fresh = [&](std::size_t size) -> block* {
    if (in_pages) return map_block(rounded, stream_of(stream), lock, limited, grown);
    block* b = add_chunk(size, small, stream_of(stream), lock, limited);
    if (b) grown = {b->pointer, b->bytes};
    return b;
  };

  reclaim_all_pending(lock, patience::none);
  block* b = cached();
  if (!b) b = fresh(usual);
  for (const patience how : {patience::none, patience::wait}) {
    if (b) break;
    reclaim_all_pending(lock, how);
    b = cached();
    if (b) break;
    release_chunks(lock, how);
    b = fresh(usual);
  }
  if (!b && rounded < usual && !in_pages)
    b = fresh(rounded);  // what is left, or the limit, may be less than a usual chunk
  if (!b) b = find_any_kind(rounded, stream_of(stream));
  if (!b) {
    const statistics counts = accounts_.read();
    const std::size_t bound = accounts_.limit;
    lock.unlock();
    throw_out_of_memory({source_.name(), bytes, counts, source_.available(), bound, limited});
  }
  b = carve(b, rounded);
  b->requested = bytes;
  if (grown.pointer) accounts_.miss();
  else accounts_.hit();
  return b;
}

/// The best wholly free chunk of another stream whose work on it is done; it changes its stream.
block* memory_pool::find_elsewhere(std::size_t rounded, pool_stream* to) {
  const bool small = is_small(rounded);
  // Taking a far larger chunk would make its stream ask the upstream for it again.
  const std::size_t most = small ? chunk_granularity : 2 * round_up(rounded, chunk_granularity);
  chunk* best = nullptr;
  for (chunk* c = chunks_; c; c = c->next) {
    if (c->small != small || c->stream == to || !c->wholly_free()) continue;
    if (c->bytes < rounded || c->bytes > most || (best && c->bytes >= best->bytes)) continue;
    if (finished(c->stream, c->first->freed_at)) best = c;
  }
  if (!best) return nullptr;
  remove_free(best->first);
  --best->stream->n_chunks;
  ++to->n_chunks;
  best->stream = to;
  best->first->freed_at = to->recorded;
  insert_free(best->first);
  return best->first;
}

/// The last resort: a block of the stream that was meant for requests of the other kind.
block* memory_pool::find_any_kind(std::size_t rounded, pool_stream* from) {
  return from->bins[!is_small(rounded)].find(rounded);
}

/// A free block that is a whole new chunk; null if the limit or the upstream refuses.
block* memory_pool::add_chunk(std::size_t bytes, bool small, pool_stream* to, lock_type& lock,
                              bool& limited) {
  limited = !accounts_.allows(bytes);
  if (limited) return nullptr;
  block* b = new_chunk(bytes, false, small, to, lock);
  if (!b) return nullptr;
  b->freed_at = to->recorded;
  accounts_.grow(bytes);
  insert_free(b);
  return b;
}

/// The one block of a new chunk, in no bin: a piece of memory, or a range of addresses. Null if the upstream
/// has none.
block* memory_pool::new_chunk(std::size_t bytes, bool is_range, bool small, pool_stream* to,
                              lock_type& lock) {
  block* b = blocks_.get();
  chunk* c = nullptr;
  try {
    c = chunk_nodes_.get();
    lock.unlock();
    b->pointer = is_range ? source_.reserve(bytes) : source_.allocate(bytes);
    if constexpr (address_sanitizer)
      if (b->pointer && !is_range) source_.forbid(b->pointer, bytes);
    lock.lock();
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    blocks_.put(b);
    if (c) chunk_nodes_.put(c);
    throw;
  }
  if (!b->pointer) {
    blocks_.put(b);
    chunk_nodes_.put(c);
    return nullptr;
  }
  b->pool = this;
  b->owner = c;
  b->bytes = bytes;
  c->first = b;
  c->stream = to;
  c->bytes = bytes;
  c->small = small;
  c->is_range = is_range;
  c->next = chunks_;
  if (chunks_) chunks_->previous = c;
  chunks_ = c;
  ++to->n_chunks;
  return b;
}

/// Returns to the upstream every chunk and page that is wholly free and that no work uses any more, and
/// ranges without memory.
void memory_pool::release_chunks(lock_type& lock, patience how) {
  if (how == patience::wait) wait_for_chunks(lock);
  unmap_free(largest_request, nullptr, lock);
  // The queries may throw, so they come before anything is taken apart.
  for (const chunk* c = chunks_; c; c = c->next)
    if (c->wholly_free()) finished(c->stream, c->first->freed_at);
  chunk* leaving = nullptr;
  for (chunk* c = chunks_; c;) {
    chunk* const next = c->next;
    const bool leaves = c->wholly_free() && c->stream->completed > c->first->freed_at;
    if (leaves || c->wholly_bare()) {
      if (leaves) {
        remove_free(c->first);
        accounts_.shrink(c->bytes);
      }
      if (c->previous) c->previous->next = c->next;
      else chunks_ = c->next;
      if (c->next) c->next->previous = c->previous;
      --c->stream->n_chunks;
      c->next = std::exchange(leaving, c);
    }
    c = next;
  }
  lock.unlock();
  for (chunk* c = leaving; c; c = c->next) {
    if (c->is_range) {
      source_.release(c->first->pointer, c->bytes);
      continue;
    }
    if constexpr (address_sanitizer) source_.allow(c->first->pointer, c->bytes);
    source_.deallocate(c->first->pointer, c->bytes);
  }
  lock.lock();
  while (leaving) {
    chunk* c = std::exchange(leaving, leaving->next);
    blocks_.put(c->first);
    chunk_nodes_.put(c);
  }
  std::erase_if(retired_, [this](const auto& s) {
    if (s->n_chunks) return false;
    forget_event(s.get());
    return true;
  });
}

}  // namespace core
GPARRAY_END_NAMESPACE
