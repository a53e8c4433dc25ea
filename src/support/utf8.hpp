// UTF-8 as Python decodes and encodes it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The number of characters; none if the bytes are not UTF-8: cut off, longer than need be, a surrogate, or
/// beyond Unicode.
inline std::optional<std::size_t> utf8_characters(std::string_view bytes) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bytes.size(); ++count) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || length > bytes.size() - i) return std::nullopt;
    std::uint32_t point = length == 1 ? first : first & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i + k]);
      if ((next & 0xc0) != 0x80) return std::nullopt;
      point = point << 6 | (next & 63);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (point < least[length] || point > 0x10ffff || (point >= 0xd800 && point < 0xe000)) return std::nullopt;
    i += length;
  }
  return count;
}

/// The bytes of a character.
inline void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
  if (point < 0x80) return put(point);
  const int further = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr std::uint32_t first[] = {0, 0xc0, 0xe0, 0xf0};
  put(first[further] | point >> (6 * further));
  for (int i = further; i-- > 0;) put(0x80 | (point >> (6 * i) & 63));
}

}  // namespace core
GPARRAY_END_NAMESPACE
