// Text measured as Python does: in code points.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Code points of UTF-8 text; infstr may well be the infinity sign.
inline std::int64_t text_width(std::string_view text) {
  std::int64_t width = 0;
  for (const char unit : text) width += (static_cast<unsigned char>(unit) & 0xc0u) != 0x80u;
  return width;
}

inline std::string_view without_trailing_space(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\n\r\f\v");
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

inline std::string pad_left(std::string_view text, std::int64_t width) {
  std::string padded;
  if (const std::int64_t missing = width - text_width(text); missing > 0)
    padded.append(static_cast<std::size_t>(missing), ' ');
  return padded.append(text);
}

}  // namespace core
GPARRAY_END_NAMESPACE
