#include "error.hpp"

#include <fmt/format.h>

#include <gparray/error.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string readable(std::size_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  int i = 0;
  for (; value >= 1024; ++i) value /= 1024;
  return fmt::format("{:.2f} {}", value, units[i]);
}

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
      s.memory, readable(s.asked), s.asked, readable(s.counts.used_bytes), readable(s.counts.free_bytes),
      s.available ? readable(*s.available) : "unknown", s.limit ? readable(s.limit) : "none", remedy(s)));
}

}  // namespace core
GPARRAY_END_NAMESPACE
