// The caching memory pool: best fit, split and joined blocks, freed memory ordered by stream.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "accounts.hpp"
#include "bins.hpp"
#include "block.hpp"
#include "hooks.hpp"
#include "upstream.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What a stream has free, and how far its work is known to be done. Events are counted: memory freed when
/// the counter stood at n may be used elsewhere as soon as an event after the n-th is done.
struct pool_stream {
  explicit pool_stream(stream_handle h) noexcept : handle(h) {}
  stream_handle handle;
  size_bins bins[2];           // [0] pieces of large chunks, [1] pieces of small chunks
  std::uint64_t recorded = 0;  // events recorded so far
  std::uint64_t completed = 0;
  void* event = nullptr;  // the last one recorded, while it is not known to be done
  std::size_t n_chunks = 0;
  std::atomic<bool> retired = false;  // the stream is gone: nothing can be recorded on it
};

/// Small requests (up to 1 MiB) and larger ones have memory of their own; neighbours that are free are joined
/// at once. Where an upstream can map pages of 2 MiB, each stream has a range of addresses for either, and
/// free pages go where they are needed: the pool holds at most an eighth more than the most that was ever in
/// use, or two pages a stream, but for parts of pages and what other streams' unfinished work still uses.
/// From other upstreams small requests get chunks of 2 MiB, larger ones chunks of their own size rounded up
/// to that.
///
/// A freed block is at once available on its stream. Other streams get it only as pages, or as part of a
/// chunk that is wholly free, after an event that the pool records when they ask: recording at every free
/// would cost the program with one stream, which is nearly every program, more than the rest of the pool
/// does.
///
/// All functions may be called by any thread at any time, also in the child of a fork. The host waits for the
/// device only in free_all_blocks, and in allocate: for the stream that asks, when the pool would come to
/// hold too much, and for all when the upstream or the limit has no memory left.
class memory_pool {
 public:
  /// Both must outlive the pool. Pools for arrays are never destroyed, so that static destruction is safe.
  memory_pool(upstream& source, event_source& events);
  /// Every block must have been given back.
  ~memory_pool();
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;

  /// A block of at least `bytes`, for work on `stream`. Zero bytes is a block with a null pointer.
  /// Throws out_of_memory; what a hook or the event source throws; what a hook threw in deallocate.
  block* allocate(std::size_t bytes, stream_handle stream);

  /// Gives the block back in the order of its stream: work already enqueued there may still use it.
  /// What a hook throws here is thrown by the next allocate or free_all_blocks. Null is allowed.
  void deallocate(block* b) noexcept;

  /// The block is also used by work on `other`; when freed it is kept back until that work is done.
  void record_use(block* b, stream_handle other) noexcept;

  /// To be called before a stream is destroyed. Its memory goes to other streams once its work is done;
  /// blocks of it that are alive stay valid.
  void release_stream(stream_handle stream) noexcept;

  statistics stats() const;

  /// Bounds the bytes held from the upstream, 0: no bound. What is held already stays.
  void set_limit(std::size_t bytes);
  std::size_t limit() const;

  /// Waits for the work on freed memory, then returns every chunk that is wholly free to the upstream.
  void free_all_blocks();

  /// A hook that throws in on_allocate or on_upstream_allocate makes allocate give the block back and throw
  /// that.
  void add_hook(std::shared_ptr<memory_hook> hook);
  void remove_hook(const memory_hook* hook);

 private:
  friend class fork_guard;
  using lock_type = std::unique_lock<std::mutex>;
  enum class patience { none, wait };
  struct growth {  // what the upstream gave in the course of an allocation
    void* pointer = nullptr;
    std::size_t bytes = 0;
  };

  // pool.cpp: the warm path. All but take() and put_back() are called with lock_ held.
  block* take(std::size_t bytes, stream_handle stream, growth& grown);
  void put_back(block* b) noexcept;
  block* opened(block* b) noexcept;
  void close(block* b) noexcept;
  block* empty_block();
  block* carve(block* b, std::size_t bytes);
  void split(block* b, std::size_t bytes, block* right) noexcept;
  void free_recent() noexcept;
  void free_block(block* b) noexcept;
  void make_available(block* b) noexcept;
  block* join(block* left, block* right) noexcept;
  void insert_free(block* b) noexcept;
  void remove_free(block* b) noexcept;
  pool_stream* stream_of(stream_handle stream);

  // grow.cpp: the cache has nothing. Called with growth_lock_ and, through `lock`, lock_ held.
  block* grow(std::size_t bytes, std::size_t rounded, stream_handle stream, growth& grown);
  block* find_elsewhere(std::size_t rounded, pool_stream* to);
  block* find_any_kind(std::size_t rounded, pool_stream* from);
  block* add_chunk(std::size_t bytes, bool small, pool_stream* to, lock_type& lock, bool& limited);
  block* new_chunk(std::size_t bytes, bool is_range, bool small, pool_stream* to, lock_type& lock);
  void release_chunks(lock_type& lock, patience how);

  // pages.cpp: ranges of addresses, and memory for pages of them. Called as the functions above.
  struct gap {
    block* bare = nullptr;
    std::size_t bytes = 0;  // to be mapped at its beginning
  };
  block* map_block(std::size_t rounded, pool_stream* to, lock_type& lock, bool& limited, growth& grown);
  gap smallest_gap(std::size_t rounded, const pool_stream* to) const noexcept;
  block* add_range(std::size_t rounded, pool_stream* to, lock_type& lock);
  bool map_pages(block* bare, std::size_t bytes, lock_type& lock);
  void unmap_free(std::size_t bytes, const block* kept, lock_type& lock);
  block* unmap_pages(block* b, std::size_t bytes, lock_type& lock);
  block* make_bare(block* b) noexcept;

  // events.cpp: what other streams still do with freed memory. Called with lock_ held.
  bool finished(pool_stream* s, std::uint64_t freed_at);
  void forget_event(pool_stream* s) noexcept;
  bool use_finished(stream_use* use);
  bool uses_finished(block* b);
  void record_uses(block* b) noexcept;
  void lose(block* b) noexcept;
  void add_pending(block* b) noexcept;
  void end_pending(block* b) noexcept;
  void reclaim_first_pending();
  void reclaim_all_pending(lock_type& lock, patience how);
  void wait_for_chunks(lock_type& lock);
  void wait_for(pool_stream* s, lock_type& lock);
  void retire(pool_stream* s) noexcept;
  void retire_uses(chunk* c, stream_handle stream) noexcept;

  // Growing, shrinking and waiting happen under growth_lock_, without lock_ during calls that may be slow, so
  // that other threads keep allocating from the cache meanwhile. Order: growth_lock_, then lock_.
  mutable std::mutex growth_lock_;
  mutable std::mutex lock_;
  upstream& source_;
  event_source& events_;

  accounts accounts_;
  pool_stream* last_stream_ = nullptr;
  block* first_pending_ = nullptr;
  block* last_pending_ = nullptr;
  node_store<block> blocks_;
  std::unordered_map<stream_handle, std::unique_ptr<pool_stream>> streams_;
  std::vector<std::unique_ptr<pool_stream>> retired_;
  chunk* chunks_ = nullptr;  // changed only with both locks held
  node_store<chunk> chunk_nodes_;
  node_store<stream_use> uses_;
  hook_list hooks_;
  // Freed last, and still counted as used: a program that makes one temporary after the other wants it again,
  // as it is, and gets it without the lock.
  std::atomic<block*> recent_{nullptr};
  std::atomic<std::uint64_t> recent_hits_{0};
};

}  // namespace core
GPARRAY_END_NAMESPACE
