// Handles of a library, which one thread at a time may use: so every thread has its own.
#pragma once
#include <cstddef>
#include <gparray/config.hpp>
#include <vector>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// This thread's, one for each device; Destroy(handle) gives them back when it ends. At exit the driver may
/// be gone, and then that fails harmlessly.
template<class Handle, auto Destroy>
class thread_handles {
 public:
  /// Value-initialised until the caller has made it.
  static Handle& of_device(int device) {
    static thread_local thread_handles mine;
    const auto i = static_cast<std::size_t>(device);
    if (mine.handles_.size() <= i) mine.handles_.resize(i + 1);
    return mine.handles_[i];
  }

 private:
  thread_handles() = default;
  ~thread_handles() {
    for (const Handle& handle : handles_) Destroy(handle);
  }
  std::vector<Handle> handles_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
