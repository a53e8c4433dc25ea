// Host memory for a memory pool: pages from the kernel, huge ones where they pay, and work that is always
// done.
#pragma once
#include "pool.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Anonymous mappings. From 2 MiB on they are aligned to 2 MiB and ask for huge pages; smaller ones are
/// aligned to a page. The memory is zero when it is new.
class host_upstream final : public upstream {
 public:
  void* allocate(std::size_t bytes) override;
  void deallocate(void* pointer, std::size_t bytes) noexcept override;
  void forbid(void* pointer, std::size_t bytes) noexcept override;
  void allow(void* pointer, std::size_t bytes) noexcept override;
  std::optional<std::size_t> available() const noexcept override;
  const char* name() const noexcept override { return "host"; }
};

/// The host computes at once: whatever used a freed block has finished.
class host_events final : public event_source {
 public:
  void* record(stream_handle) override { return this; }
  bool done(void*) override { return true; }
  void wait(void*) noexcept override {}
  void release(void*) noexcept override {}
};

/// The pool of pageable host memory. Never destroyed, so arrays in static storage can outlive main.
memory_pool& host_pool();

}  // namespace core
GPARRAY_END_NAMESPACE
