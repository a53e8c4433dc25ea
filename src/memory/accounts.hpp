// What a memory pool counts, and the limit it keeps to.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct statistics {
  std::size_t used_bytes = 0;     // handed out, after rounding
  std::size_t total_bytes = 0;    // held from the upstream
  std::size_t free_bytes = 0;     // total - used; includes the pending bytes
  std::size_t pending_bytes = 0;  // freed, but work on another stream may still touch it
  std::size_t peak_bytes = 0;     // the largest used_bytes so far
  std::uint64_t hits = 0;         // allocations served from the cache
  std::uint64_t misses = 0;       // allocations that went to the upstream
  std::size_t n_free_blocks = 0;
};

/// The counts behind `statistics`. Not thread-safe by itself: the pool's lock protects it.
class accounts {
 public:
  void take(std::size_t bytes) noexcept {
    counts_.used_bytes += bytes;
    counts_.peak_bytes = std::max(counts_.peak_bytes, counts_.used_bytes);
  }
  void give_back(std::size_t bytes) noexcept { counts_.used_bytes -= bytes; }
  void add_pending(std::size_t bytes) noexcept { counts_.pending_bytes += bytes; }
  void remove_pending(std::size_t bytes) noexcept { counts_.pending_bytes -= bytes; }
  void grow(std::size_t bytes) noexcept { counts_.total_bytes += bytes; }
  void shrink(std::size_t bytes) noexcept { counts_.total_bytes -= bytes; }
  void hit() noexcept { ++counts_.hits; }
  void miss() noexcept { ++counts_.misses; }
  void add_free_block() noexcept { ++counts_.n_free_blocks; }
  void remove_free_block() noexcept { --counts_.n_free_blocks; }

  statistics read() const noexcept {
    statistics s = counts_;
    s.free_bytes = s.total_bytes - s.used_bytes;
    return s;
  }

  /// Of total_bytes; 0 is no limit. Lowering it below what is held stops growth and takes nothing back.
  std::size_t limit = 0;
  bool allows(std::size_t more) const noexcept {
    return limit == 0 || (counts_.total_bytes <= limit && more <= limit - counts_.total_bytes);
  }

  /// By how much `more` would make the pool hold too much for a request of `rounded` bytes: above the most
  /// that was ever in use it may hold an eighth, and `least` bytes, so that it neither wastes memory nor
  /// remaps it all the time.
  std::size_t surplus(std::size_t more, std::size_t rounded, std::size_t least) const noexcept {
    const std::size_t needed = std::max(counts_.peak_bytes, counts_.used_bytes + rounded);
    const std::size_t held = counts_.total_bytes + more, enough = needed + std::max(needed / 8, least);
    return held > enough ? held - enough : 0;
  }

 private:
  statistics counts_;
};

}  // namespace core
GPARRAY_END_NAMESPACE
