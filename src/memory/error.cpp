#include "error.hpp"

#include <fmt/format.h>

#include <gparray/error.hpp>
#include <support/bytes_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

const char* remedy(const memory_shortage& s) {
  if (s.limited) return "raise the limit with set_limit, or drop arrays that are no longer needed";
  if (s.counts.free_bytes >= s.asked)
    return "the cached memory lies in pieces between arrays that are alive: drop some of them and call "
           "free_all_blocks, or allocate the large arrays first";
  return "drop arrays that are no longer needed, work in smaller pieces, or free memory that other programs "
         "hold";
}

}  // namespace

void throw_out_of_memory(const memory_shortage& s) {
  throw out_of_memory(fmt::format(
      "out of {} memory: asked for {} ({} bytes); the pool has {} in use and {} cached; free outside the "
      "pool: {}; "
      "limit: {}. Remedy: {}",
      s.memory, bytes_text(s.asked), s.asked, bytes_text(s.counts.used_bytes),
      bytes_text(s.counts.free_bytes), s.available ? bytes_text(*s.available) : "unknown",
      s.limit ? bytes_text(s.limit) : "none", remedy(s)));
}

}  // namespace core
GPARRAY_END_NAMESPACE
