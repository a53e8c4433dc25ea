// The name of the last kernel of a user's own that was launched: when the GPU reports a fault, long after the
// launch, it does not say which kernel it was.
#pragma once
#include <atomic>
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A copy that is never freed, for note_raw_kernel; equal names share one.
const char* lasting_name(const std::string& name);

extern std::atomic<const char*> last_raw_kernel_name;

inline void note_raw_kernel(const char* name) noexcept {
  last_raw_kernel_name.store(name, std::memory_order_relaxed);
}
/// Null before the first launch.
inline const char* last_raw_kernel() noexcept { return last_raw_kernel_name.load(std::memory_order_relaxed); }

}  // namespace core
GPARRAY_END_NAMESPACE
