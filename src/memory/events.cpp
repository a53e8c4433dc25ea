// Knowing when the work on freed memory is done, across streams.
#include <utility>

#include "pool.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

// In a destructor's path an event that cannot be recorded is one that never comes.
void* try_record(event_source& events, stream_handle stream) noexcept {
  try {
    return events.record(stream);
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

/// Whether all work of the stream on what was freed there by then is known to be done.
bool memory_pool::finished(pool_stream* s, std::uint64_t freed_at) {
  for (;;) {
    if (s->completed > freed_at) return true;
    if (!s->event) {
      if (s->retired || !(s->event = events_.record(s->handle))) return false;
      ++s->recorded;
    }
    if (!events_.done(s->event)) return false;
    forget_event(s);
    s->completed = s->recorded;
  }
}

void memory_pool::forget_event(pool_stream* s) noexcept {
  if (void* event = std::exchange(s->event, nullptr)) events_.release(event);
}

/// Afterwards release_chunks finds everything finished that was free at the start.
void memory_pool::wait_for_chunks(lock_type& lock) {
  for (chunk* c = chunks_; c; c = c->next)
    if (c->is_range || c->wholly_free()) wait_for(c->stream, lock);
}

/// Until the work on what the stream has freed so far is done.
void memory_pool::wait_for(pool_stream* s, lock_type& lock) {
  const std::uint64_t last = s->retired ? s->recorded - 1 : s->recorded;
  // The first event may be older than the last free; the second cannot be.
  for (int i = 0; i < 2 && !finished(s, last) && s->event; ++i) {
    lock.unlock();  // a thread that waits for the device must not stop those that only need the cache
    events_.wait(s->event);
    lock.lock();
    forget_event(s);
    s->completed = s->recorded;
  }
}

void memory_pool::record_use(block* b, stream_handle other) noexcept {
  const lock_type lock(lock_);
  if (!b->owner || b->lost || (b->owner->stream->handle == other && !b->owner->stream->retired)) return;
  for (const stream_use* use = b->uses; use; use = use->next)
    if (use->stream == other && !use->event) return;
  try {
    stream_use* use = uses_.get();
    use->stream = other;
    use->next = std::exchange(b->uses, use);
  } catch (...) {
    lose(b);
  }
}

/// It is no longer known when its work is done, so the block is never handed out again.
void memory_pool::lose(block* b) noexcept {
  b->lost = true;
  while (stream_use* use = b->uses) {
    if (use->event) events_.release(use->event);
    b->uses = use->next;
    uses_.put(use);
  }
}

void memory_pool::record_uses(block* b) noexcept {
  for (stream_use* use = b->uses; use; use = use->next)
    if (!use->event) use->event = try_record(events_, use->stream);
}

bool memory_pool::use_finished(stream_use* use) {
  if (!use->event) use->event = events_.record(use->stream);
  return use->event && events_.done(use->event);
}

bool memory_pool::uses_finished(block* b) {
  if (b->lost) return false;
  while (stream_use* use = b->uses) {
    if (!use_finished(use)) return false;
    events_.release(use->event);
    b->uses = use->next;
    uses_.put(use);
  }
  return true;
}

void memory_pool::add_pending(block* b) noexcept {
  if (b->state != block_state::pending) accounts_.add_pending(b->bytes);
  b->state = block_state::pending;
  b->next_free = nullptr;
  (last_pending_ ? last_pending_->next_free : first_pending_) = b;
  last_pending_ = b;
}

void memory_pool::end_pending(block* b) noexcept {
  accounts_.remove_pending(b->bytes);
  make_available(b);
}

/// One query an allocation: the blocks were freed in this order, so the first is the likeliest to be done.
void memory_pool::reclaim_first_pending() {
  while (first_pending_ && uses_finished(first_pending_)) {
    block* b = first_pending_;
    first_pending_ = b->next_free;
    if (!first_pending_) last_pending_ = nullptr;
    end_pending(b);
  }
}

void memory_pool::reclaim_all_pending(lock_type& lock, patience how) {
  if (how == patience::wait) {
    std::size_t n = 0;
    for (const block* b = first_pending_; b; b = b->next_free) ++n;
    for (; n > 0 && first_pending_; --n) {
      block* b = first_pending_;  // once out of the list, no other thread touches it while the lock is open
      first_pending_ = b->next_free;
      if (!first_pending_) last_pending_ = nullptr;
      record_uses(b);
      lock.unlock();
      for (const stream_use* use = b->uses; use; use = use->next)
        if (use->event) events_.wait(use->event);
      lock.lock();
      add_pending(b);
    }
  }
  free_recent();
  block* kept = nullptr;
  for (block* b = first_pending_; b;) {
    block* const next = b->next_free;
    if (uses_finished(b)) {
      (kept ? kept->next_free : first_pending_) = next;
      if (b == last_pending_) last_pending_ = kept;
      end_pending(b);
    } else {
      kept = b;
    }
    b = next;
  }
}

void memory_pool::release_stream(stream_handle stream) noexcept {
  const std::lock_guard growing(growth_lock_);
  const lock_type lock(lock_);
  for (chunk* c = chunks_; c; c = c->next) retire_uses(c, stream);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  if (last_stream_ == found->second.get()) last_stream_ = nullptr;
  retire(found->second.get());
  if (found->second->n_chunks) {
    retired_.push_back(std::move(found->second));  // stream_of reserved the room
  } else {
    forget_event(found->second.get());
  }
  streams_.erase(found);
}

void memory_pool::retire(pool_stream* s) noexcept {
  forget_event(s);
  s->event = try_record(events_, s->handle);
  ++s->recorded;  // also without an event: then the stream's memory is never known to be free of work
  s->retired = true;
}

void memory_pool::retire_uses(chunk* c, stream_handle stream) noexcept {
  for (block* b = c->first; b; b = b->after) {
    bool failed = false;
    for (stream_use* use = b->uses; use; use = use->next)
      if (use->stream == stream && !use->event) failed |= !(use->event = try_record(events_, stream));
    if (failed) lose(b);
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
