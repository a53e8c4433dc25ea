// What a memory pool hands out and how it keeps track of it: chunks from the upstream, split into blocks.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "upstream.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

class memory_pool;
struct block;
struct pool_stream;

/// A use of a block on another stream than its own. The event is recorded when the block is freed.
struct stream_use {
  stream_handle stream = nullptr;
  void* event = nullptr;
  stream_use* next = nullptr;
};

/// Bare: addresses of a range, whole pages without memory.
enum class block_state : std::uint8_t { used, pending, available, bare };

/// One piece of upstream memory, or a range of addresses whose pages have memory where it is needed. All of
/// it belongs to one stream, so neighbours can always be joined.
struct chunk {
  block* first = nullptr;
  pool_stream* stream = nullptr;
  std::size_t bytes = 0;
  chunk* previous = nullptr;
  chunk* next = nullptr;
  bool small = false;
  bool is_range = false;

  /// A piece that can be given back, or to another stream.
  bool wholly_free() const noexcept { return !is_range && nothing_but(block_state::available); }
  /// A range without memory.
  bool wholly_bare() const noexcept { return is_range && nothing_but(block_state::bare); }

 private:
  bool nothing_but(block_state s) const noexcept;
};

/// An allocation. It leads back to its pool and its neighbours in O(1): freeing needs no look-up by pointer.
struct block {
  void* pointer = nullptr;    // null if bytes is 0
  std::size_t bytes = 0;      // what the block holds: `requested`, rounded up
  std::size_t requested = 0;  // what was asked for
  memory_pool* pool = nullptr;

  // The rest is the pool's own.
  chunk* owner = nullptr;  // null if bytes is 0
  block* before = nullptr;
  block* after = nullptr;
  block* previous_free = nullptr;
  block* next_free = nullptr;  // also links the blocks that wait for events
  stream_use* uses = nullptr;
  std::uint64_t freed_at = 0;  // value of the stream's event counter when some of it was last freed
  block_state state = block_state::used;
  bool lost = false;  // a use on another stream can no longer be followed: never reuse
};

inline bool chunk::nothing_but(block_state s) const noexcept { return first->state == s && !first->after; }

/// Nodes are recycled, so that a warm pool never calls malloc. Given back only with the pool.
template<class Node>
class node_store {
 public:
  Node* get() {
    if (free_.empty()) grow();
    Node* node = free_.back();
    free_.pop_back();
    *node = Node{};
    return node;
  }
  /// Cannot fail: grow() reserved room for every node there is.
  void put(Node* node) noexcept { free_.push_back(node); }

 private:
  static constexpr std::size_t nodes_per_slab = 64;

  void grow() {
    auto slab = std::make_unique<Node[]>(nodes_per_slab);
    free_.reserve((slabs_.size() + 1) * nodes_per_slab);
    slabs_.push_back(std::move(slab));
    for (std::size_t i = nodes_per_slab; i-- > 0;) free_.push_back(&slabs_.back()[i]);
  }

  std::vector<Node*> free_;
  std::vector<std::unique_ptr<Node[]>> slabs_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
