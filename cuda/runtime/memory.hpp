// What the memory pools of a GPU are built on: upstreams for its spaces, and events that mark the end of
// work.
#pragma once
#include <mutex>
#include <string>
#include <vector>

#include <cuda/runtime/page_source.hpp>
#include <cuda/runtime/runtime.hpp>
#include <gparray/device.hpp>
#include <memory/cpu_order.hpp>
#include <memory/pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Memory of one space, allocated with `device` current; that of memory_space::device in pages, if it can be.
/// No memory is nullptr; any other failure is cuda_error.
class space_upstream final : public upstream {
 public:
  space_upstream(memory_space space, int device);
  void* allocate(std::size_t bytes) override;
  void deallocate(void* pointer, std::size_t bytes) noexcept override;
  std::size_t range_bytes() const noexcept override;
  void* reserve(std::size_t bytes) override { return pages_.reserve(bytes); }
  void release(void* pointer, std::size_t bytes) noexcept override { pages_.release(pointer, bytes); }
  bool map_memory(void* pointer, std::size_t bytes) override { return pages_.map(pointer, bytes); }
  void unmap_memory(void* pointer, std::size_t bytes) noexcept override { pages_.unmap(pointer, bytes); }
  std::optional<std::size_t> available() const noexcept override;
  const char* name() const noexcept override { return name_.c_str(); }

 private:
  memory_space space_;
  int device_;
  page_source pages_;
  std::string name_;
};

/// CUDA events of one device, without timing, used again and again: creating one costs more than recording
/// one.
class device_events final : public event_source {
 public:
  explicit device_events(int device) : device_(device) {}
  ~device_events() override;
  void* record(stream_handle stream) override;
  bool done(void* event) override;
  void wait(void* event) noexcept override;
  void release(void* event) noexcept override;

 private:
  void* take();

  int device_;
  std::mutex lock_;
  std::vector<void*> idle_;
};

/// The pools of one device.
class device_memory {
 public:
  explicit device_memory(int device);
  /// Null for memory_space::host, which is the host backend's.
  memory_pool* pool(memory_space space);

 private:
  struct space_pool {
    space_pool(memory_space space, int device, event_source& events)
        : source(space, device), pool(source, events) {}
    space_upstream source;
    memory_pool pool;
  };
  device_events events_;
  cpu_ordered_events host_events_{events_};  // the CPU uses pinned and mapped memory too
  space_pool pinned_, mapped_, device_, managed_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
