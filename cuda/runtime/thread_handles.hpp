// Handles of a library, which one thread at a time may use: so every thread has its own.
#pragma once
#include <cstddef>
#include <vector>

#include <cuda/runtime/runtime.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// This thread's, one for each device; Destroy(handle) gives them back when it ends. Those of the thread that
/// ends the program go with the driver.
template<class Handle, auto Destroy>
class thread_handles {
 public:
  /// Value-initialised until the caller has made it.
  static Handle& of_device(int device) {
    auto& handles = of_this_thread<thread_handles>().handles_;
    const auto i = static_cast<std::size_t>(device);
    if (handles.size() <= i) handles.resize(i + 1);
    return handles[i];
  }

  thread_handles() = default;
  ~thread_handles() {
    for (std::size_t device = 0; device < handles_.size(); ++device)
      if (!is_gone(static_cast<int>(device))) Destroy(handles_[device]);
  }
  thread_handles(const thread_handles&) = delete;
  thread_handles& operator=(const thread_handles&) = delete;

 private:
  std::vector<Handle> handles_;
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
