// Numbers of bytes for people.
#pragma once
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// "12 bytes", "1.50 KiB", "762.94 MiB".
inline std::string bytes_text(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  int i = 0;
  for (; value >= 1024; ++i) value /= 1024;
  return fmt::format("{:.2f} {}", value, units[i]);
}

}  // namespace core
GPARRAY_END_NAMESPACE
