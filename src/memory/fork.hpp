// Memory pools across fork.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

class memory_pool;

/// While a pool is registered its locks are held across every fork, so that the child finds it whole and
/// unlocked.
class fork_guard {
 public:
  static void add(memory_pool* pool);
  static void remove(memory_pool* pool) noexcept;

 private:
  struct registry;
  static registry& pools();
  static void lock_all();
  static void unlock_all();
};

}  // namespace core
GPARRAY_END_NAMESPACE
