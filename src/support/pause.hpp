// Waiting for memory to change.
#pragma once
#include <thread>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Between two looks at what a spinning thread waits for: leaves the core to its other hardware thread.
inline void cpu_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace core
GPARRAY_END_NAMESPACE
