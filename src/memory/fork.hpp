// Memory pools across fork, and what is in them.
#pragma once
#include <vector>

#include <gparray/memory.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class memory_pool;

/// While a pool is registered its locks are held across every fork, so that the child finds it whole and
/// unlocked. It is also what looks into a pool from outside.
class fork_guard {
 public:
  static void add(memory_pool* pool);
  static void remove(memory_pool* pool) noexcept;

  /// The blocks that a pool has handed out, in no order.
  static std::vector<allocation> used_blocks(memory_pool& pool);

 private:
  struct registry;
  static registry& pools();
  static void lock_all();
  static void unlock_all();
};

}  // namespace core
GPARRAY_END_NAMESPACE
