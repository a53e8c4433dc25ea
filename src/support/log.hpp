// Messages about what the library does inside. They stand on rare paths only; one that nobody wants costs a
// relaxed load.
#pragma once
#include <atomic>

#include <fmt/format.h>

#include <gparray/runtime/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A bit for each category, one for each category's warnings, and one that the variable has not been read.
inline constinit std::atomic<unsigned> log_mask{~0u};

constexpr unsigned log_bit(log_category c, log_level level) noexcept {
  return 1u << (2 * static_cast<unsigned>(c) + static_cast<unsigned>(level));
}
/// Reads the variable if that has not been done.
bool logs_now(log_category c, log_level level) noexcept;

/// Whether messages about a category are wanted.
inline bool logs(log_category c, log_level level = log_level::info) noexcept {
  return (log_mask.load(std::memory_order_relaxed) & log_bit(c, level)) != 0 && logs_now(c, level);
}

/// Gives a message, wanted or not.
void give_message(log_category c, log_level level, std::string_view text) noexcept;

/// Gives a message if it is wanted. What goes wrong in doing so is dropped.
template<class... Args>
void log(log_category c, fmt::format_string<Args...> format, Args&&... args) noexcept {
  if (!logs(c)) [[likely]]
    return;
  try {
    give_message(c, log_level::info, fmt::format(format, std::forward<Args>(args)...));
  } catch (...) {  // no memory for the text
  }
}

/// What has been warned of: a static variable at the place that warns.
using warned = std::atomic<bool>;

/// Gives a warning the first time that it is wanted, and a message each further time.
template<class... Args>
void warn(warned& before, log_category c, fmt::format_string<Args...> format, Args&&... args) noexcept {
  const log_level level = before.load(std::memory_order_relaxed) ? log_level::info : log_level::warning;
  if (!logs(c, level)) [[likely]]
    return;
  try {
    give_message(c, before.exchange(true) ? log_level::info : log_level::warning,
                 fmt::format(format, std::forward<Args>(args)...));
  } catch (...) {  // no memory for the text
  }
}

}  // namespace core
GPARRAY_END_NAMESPACE
