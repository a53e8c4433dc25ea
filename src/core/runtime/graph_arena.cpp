// Where a graph's arena gets its chunks from: blocks of the device's pool.
#include <algorithm>

#include <plan/graph_arena.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

graph_arena::chunk_source::~chunk_source() {
  for (block* b : blocks_) pool_.deallocate(b);
}

void* graph_arena::chunk_source::allocate(std::size_t bytes) {
  block* b = pool_.allocate(bytes, home_);
  const std::lock_guard guard(lock_);
  try {
    blocks_.push_back(b);
  } catch (...) {
    pool_.deallocate(b);
    throw;
  }
  return b->pointer;
}

void graph_arena::chunk_source::deallocate(void* pointer, std::size_t) noexcept {
  const std::lock_guard guard(lock_);
  const auto found = std::ranges::find(blocks_, pointer, &block::pointer);
  pool_.deallocate(*found);
  blocks_.erase(found);
}

void graph_arena::chunk_source::record_use(stream_handle stream) noexcept {
  const std::lock_guard guard(lock_);
  for (block* b : blocks_) pool_.record_use(b, stream);
}

void graph_arena::record_use(stream_handle stream) noexcept { chunks_.record_use(stream); }

}  // namespace core
GPARRAY_END_NAMESPACE
