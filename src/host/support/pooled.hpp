// Memory for the time of one operation, from the pool of arrays: its pages are there already.
#pragma once
#include <utility>

#include <memory/host.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Room for elements that start out undefined; none takes no memory. Throws out_of_memory.
template<class T>
class pooled {
 public:
  explicit pooled(std::int64_t count)
      : block_(count ? core::host_pool().allocate(static_cast<std::size_t>(count) * sizeof(T), nullptr)
                     : nullptr) {}
  ~pooled() {
    if (block_) core::host_pool().deallocate(block_);
  }
  pooled(pooled&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  pooled& operator=(pooled&&) = delete;

  /// The caller's from now on.
  core::block* release() { return std::exchange(block_, nullptr); }
  T* get() const { return block_ ? static_cast<T*>(block_->pointer) : nullptr; }

 private:
  core::block* block_;
};

}  // namespace host
GPARRAY_END_NAMESPACE
