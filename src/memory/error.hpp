// The text of a memory pool's out_of_memory.
#pragma once
#include <optional>

#include "accounts.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct memory_shortage {
  const char* memory = "";               // which memory
  std::size_t asked = 0;                 // bytes
  statistics counts;                     // at the time of the failure
  std::optional<std::size_t> available;  // in the upstream
  std::size_t limit = 0;                 // 0: none
  bool limited = false;                  // the limit refused, not the upstream
};

[[noreturn]] void throw_out_of_memory(const memory_shortage& shortage);

}  // namespace core
GPARRAY_END_NAMESPACE
