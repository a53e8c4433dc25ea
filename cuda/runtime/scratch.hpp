// Device memory for the length of one operation.
#pragma once
#include <utility>

#include <memory/pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Freed in the order of the stream: the kernels that use it need only be enqueued before.
class scratch {
 public:
  scratch() = default;
  scratch(memory_pool& pool, std::size_t bytes, stream_handle stream)
      : pool_(&pool), block_(pool.allocate(bytes, stream)) {}
  ~scratch() { release(); }
  scratch(scratch&& other) noexcept : pool_(other.pool_), block_(std::exchange(other.block_, nullptr)) {}
  scratch& operator=(scratch&& other) noexcept {
    release();
    pool_ = other.pool_;
    block_ = std::exchange(other.block_, nullptr);
    return *this;
  }

  void* data() const { return block_ ? block_->pointer : nullptr; }
  void release() noexcept {
    if (block_) pool_->deallocate(std::exchange(block_, nullptr));
  }

 private:
  memory_pool* pool_ = nullptr;
  block* block_ = nullptr;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
