// Strings of JSON.
#pragma once
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A string of JSON, in quotation marks; bytes that are not UTF-8 are taken for Latin-1, as a path may be any
/// bytes.
inline std::string json_text(std::string_view text) {
  const bool is_utf8 = utf8_characters(text).has_value();
  std::string result = "\"";
  for (const char c : text)
    if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || (byte >= 0x80 && !is_utf8))
      result += fmt::format("\\u{:04x}", byte);
    else if (c == '"' || c == '\\') result += fmt::format("\\{}", c);
    else result += c;
  return result + "\"";
}

}  // namespace core
GPARRAY_END_NAMESPACE
