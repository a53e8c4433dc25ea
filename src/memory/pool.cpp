#include "pool.hpp"

#include <algorithm>
#include <utility>

#include <support/log.hpp>

#include "error.hpp"
#include "fork.hpp"
#include "sanitizer.hpp"
#include "sizes.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

memory_pool::memory_pool(upstream& source, event_source& events) : source_(source), events_(events) {
  fork_guard::add(this);
}

memory_pool::~memory_pool() {
  fork_guard::remove(this);
  try {
    const std::lock_guard growing(growth_lock_);
    lock_type lock(lock_);
    reclaim_all_pending(lock, patience::wait);
    release_chunks(lock, patience::wait);
  } catch (...) {  // the device is gone, and its memory with it
  }
  for (auto& [handle, s] : streams_) forget_event(s.get());
  for (auto& s : retired_) forget_event(s.get());
}

block* memory_pool::allocate(std::size_t bytes, stream_handle stream) {
  growth grown;
  if (!hooks_.active()) [[likely]]
    return opened(take(bytes, stream, grown));
  hooks_.rethrow_kept();
  block* b = opened(take(bytes, stream, grown));
  try {
    if (grown.pointer) hooks_.upstream_allocated(grown.pointer, grown.bytes);
    hooks_.allocated({b->pointer, bytes, b->bytes, stream});
  } catch (...) {
    put_back(b);
    throw;
  }
  return b;
}

/// What the block was rounded up by stays closed, and so does all of a free one.
block* memory_pool::opened(block* b) noexcept {
  if constexpr (address_sanitizer)
    if (b->pointer) source_.allow(b->pointer, b->requested);
  return b;
}

void memory_pool::close(block* b) noexcept {
  if constexpr (address_sanitizer)
    if (b->pointer) source_.forbid(b->pointer, b->bytes);
}

void memory_pool::deallocate(block* b) noexcept {
  if (!b) return;
  if (!hooks_.active()) [[likely]]
    return put_back(b);
  const allocation freed{b->pointer, b->requested, b->bytes, b->owner ? b->owner->stream->handle : nullptr};
  put_back(b);
  hooks_.deallocated(freed);
}

namespace {

bool was_made_for(const block& b, std::size_t rounded, stream_handle stream) noexcept {
  const pool_stream& s = *b.owner->stream;
  return round_up(b.requested, block_granularity) == rounded && s.handle == stream &&
         !s.retired.load(std::memory_order_relaxed);
}

}  // namespace

block* memory_pool::take(std::size_t bytes, stream_handle stream, growth& grown) {
  if (bytes > largest_request) [[unlikely]] {
    throw_out_of_memory({source_.name(), bytes, stats(), source_.available(), limit(), false});
  }
  const std::size_t rounded = round_up(bytes, block_granularity);
  block* recent = recent_.load(std::memory_order_relaxed);
  if (recent) recent = recent_.exchange(nullptr, std::memory_order_acq_rel);
  if (recent && was_made_for(*recent, rounded, stream)) {
    recent->requested = bytes;
    recent_hits_.fetch_add(1, std::memory_order_relaxed);
    return recent;
  }
  {
    const lock_type lock(lock_);
    if (recent) free_block(recent);
    if (first_pending_) [[unlikely]]
      reclaim_first_pending();
    if (bytes == 0) [[unlikely]]
      return empty_block();
    if (block* b = stream_of(stream)->bins[is_small(rounded)].find(rounded)) [[likely]] {
      b = carve(b, rounded);
      b->requested = bytes;
      accounts_.hit();
      return b;
    }
  }
  block* const b = grow(bytes, rounded, stream, grown);
  if (grown.pointer)
    log(log_category::memory, "{}: took {} bytes for an array of {}", source_.name(), grown.bytes, bytes);
  return b;
}

void memory_pool::put_back(block* b) noexcept {
  close(b);
  if (b->owner && !b->uses && !b->lost) [[likely]] {
    b = recent_.exchange(b, std::memory_order_acq_rel);
    if (!b) return;
    const lock_type lock(lock_);
    return free_block(b);
  }
  const lock_type lock(lock_);
  accounts_.give_back(b->bytes);
  if (!b->owner) return blocks_.put(b);
  record_uses(b);
  add_pending(b);
}

/// To be called before anything looks at what is free.
void memory_pool::free_recent() noexcept {
  if (block* b = recent_.exchange(nullptr, std::memory_order_acq_rel)) free_block(b);
}

void memory_pool::free_block(block* b) noexcept {
  accounts_.give_back(b->bytes);
  make_available(b);
}

block* memory_pool::empty_block() {
  block* b = blocks_.get();
  b->pool = this;
  return b;
}

/// Takes a free block out of its bin and hands out its first `bytes`.
block* memory_pool::carve(block* b, std::size_t bytes) {
  const std::size_t rest = b->bytes - bytes;
  block* right = rest > 0 ? blocks_.get() : nullptr;
  remove_free(b);
  if (right) {
    split(b, bytes, right);
    insert_free(right);
  }
  b->state = block_state::used;
  accounts_.take(b->bytes);
  return b;
}

/// What follows the first `bytes` of a block in no bin becomes `right`, a new node.
void memory_pool::split(block* b, std::size_t bytes, block* right) noexcept {
  right->pool = this;
  right->owner = b->owner;
  right->pointer = static_cast<char*>(b->pointer) + bytes;
  right->bytes = b->bytes - bytes;
  right->freed_at = b->freed_at;
  right->before = b;
  right->after = b->after;
  if (b->after) b->after->before = right;
  b->after = right;
  b->bytes = bytes;
}

void memory_pool::make_available(block* b) noexcept {
  pool_stream* s = b->owner->stream;
  // On a stream that is gone the last event came after all of its work.
  b->freed_at = s->retired ? s->recorded - 1 : s->recorded;
  if (b->after && b->after->state == block_state::available) b = join(b, b->after);
  if (b->before && b->before->state == block_state::available) b = join(b->before, b);
  insert_free(b);
}

/// Either side may be in a bin; the joined block is in none.
block* memory_pool::join(block* left, block* right) noexcept {
  if (left->state == block_state::available) remove_free(left);
  if (right->state == block_state::available) remove_free(right);
  left->state = block_state::used;
  left->bytes += right->bytes;
  left->freed_at = std::max(left->freed_at, right->freed_at);
  left->after = right->after;
  if (left->after) left->after->before = left;
  blocks_.put(right);
  return left;
}

void memory_pool::insert_free(block* b) noexcept {
  b->state = block_state::available;
  b->owner->stream->bins[b->owner->small].insert(b);
  accounts_.add_free_block();
}

void memory_pool::remove_free(block* b) noexcept {
  b->owner->stream->bins[b->owner->small].remove(b);
  accounts_.remove_free_block();
}

pool_stream* memory_pool::stream_of(stream_handle stream) {
  if (last_stream_ && last_stream_->handle == stream) [[likely]]
    return last_stream_;
  auto found = streams_.find(stream);
  if (found == streams_.end()) {
    retired_.reserve(retired_.size() + streams_.size() + 1);  // release_stream must not fail
    found = streams_.emplace(stream, std::make_unique<pool_stream>(stream)).first;
  }
  return last_stream_ = found->second.get();
}

statistics memory_pool::stats() const {
  const lock_type lock(lock_);
  const_cast<memory_pool*>(this)->free_recent();  // the counts are those of a pool without it
  statistics counts = accounts_.read();
  counts.hits += recent_hits_.load(std::memory_order_relaxed);
  return counts;
}

void memory_pool::set_limit(std::size_t bytes) {
  const lock_type lock(lock_);
  accounts_.limit = bytes;
}

std::size_t memory_pool::limit() const {
  const lock_type lock(lock_);
  return accounts_.limit;
}

void memory_pool::free_all_blocks() {
  hooks_.rethrow_kept();
  std::size_t before = 0, left = 0;
  {
    const std::lock_guard growing(growth_lock_);
    lock_type lock(lock_);
    before = accounts_.read().total_bytes;
    reclaim_all_pending(lock, patience::wait);
    release_chunks(lock, patience::wait);
    left = accounts_.read().total_bytes;
  }
  log(log_category::memory, "{}: gave back {} of {} bytes", source_.name(), before - left, before);
}

void memory_pool::add_hook(std::shared_ptr<memory_hook> hook) { hooks_.add(std::move(hook)); }
void memory_pool::remove_hook(const memory_hook* hook) { hooks_.remove(hook); }

}  // namespace core
GPARRAY_END_NAMESPACE
