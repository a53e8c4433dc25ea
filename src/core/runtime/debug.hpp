// What is to be looked at of each operation. GPARRAY_DEBUG: messages that say where a program computes
// something wrong, or accesses memory outside of its arrays. GPARRAY_NVTX and GPARRAY_TRACE: when it does
// what.
#pragma once
#include <string_view>

#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct storage;
class timeline;

struct debug_settings {
  bool sync =
      false;         ///< wait behind each operation, so that a fault of a GPU is reported by the one at fault
  bool nan = false;  ///< throw floating_point_error where a NaN appears among numbers that were none
  bool poison = false;        ///< memory that nothing has written holds NaN, -1 and 255
  bool ranges = false;        ///< an NVTX range for each operation
  timeline* trace = nullptr;  ///< where operations are noted, if anywhere
  bool in_use = false;        ///< whether any of them is set: the one thing that each operation asks
  bool any() const noexcept { return in_use; }
};

/// Of names with commas between them. Throws value_error for another name.
debug_settings parse_debug_settings(std::string_view names);
/// What these variables say, read once. Throws value_error, each time, if it says something else.
const debug_settings& debug();
/// The backend with these checks behind each of its operations. It must stay.
std::unique_ptr<backend> debugged(backend& real, const debug_settings& settings, bool is_host);
/// Writes what the settings say into new or freed memory.
void poison_memory(const storage& s, queue q);

}  // namespace core
GPARRAY_END_NAMESPACE
