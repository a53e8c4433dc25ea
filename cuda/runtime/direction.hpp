// Which way kernels of many bytes go through their arrays: what one has touched last is in the second-level
// cache, and would be gone from it before a kernel that begins where that one has begun comes there.
#pragma once
#include <atomic>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr std::int64_t fewest_large_bytes = std::int64_t{8} << 20;
/// The last kernel of many bytes, of whatever stream: a guess that no result depends on.
inline std::atomic<bool> last_went_backwards{true};

/// Whether a kernel that may go either way begins at the ends of its arrays. `bytes`: what a map leaves, all
/// that a chain reads and leaves, what a reduction of rows reads.
inline bool goes_backwards(std::int64_t bytes) {
  if (bytes < fewest_large_bytes) return false;
  const bool backwards = !last_went_backwards.load(std::memory_order_relaxed);
  last_went_backwards.store(backwards, std::memory_order_relaxed);
  return backwards;
}

/// A kernel that goes forwards, as what it adds up has an order.
inline void note_forwards(std::int64_t bytes) {
  if (bytes >= fewest_large_bytes) last_went_backwards.store(false, std::memory_order_relaxed);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
