// One number on its way from a GPU to the host.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Memory in which work that is about to be enqueued stores its one result, so that the host needs no copy to
/// get it.
class result_slot {
 public:
  /// For work on the current stream of the device.
  result_slot(device on_device, std::size_t bytes);
  ~result_slot();
  result_slot(const result_slot&) = delete;
  result_slot& operator=(const result_slot&) = delete;

  /// False if the backend has no such memory now.
  explicit operator bool() const noexcept { return memory_; }
  /// For the work that is enqueued next.
  std::byte* data() noexcept {
    awaited_ = true;
    return static_cast<std::byte*>(memory_);
  }
  /// Waits for the result; once. Throws cuda_error, also for what ran before on the stream.
  void take(void* to);

 private:
  backend& backend_;
  const queue queue_;
  const std::size_t bytes_;
  void* memory_;
  bool awaited_ = false;
};

}  // namespace core
GPARRAY_END_NAMESPACE
