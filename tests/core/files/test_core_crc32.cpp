// The checksum of archives: of any length, from any place on, and in pieces.
#include <string>

#include <core/files/zip_format.hpp>

#include "support/error_text.hpp"

using gparray::core::zip::crc32;

namespace {

/// Bit by bit, as the polynomial says.
std::uint32_t remainder_of(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

}  // namespace

TEST_CASE("checksums of any length from any place on") {
  CHECK(crc32("") == 0);
  CHECK(crc32("123456789") == 0xcbf43926u);  // of every catalogue of checksums
  std::string text(1500, '\0');
  std::uint32_t number = 1;
  for (char& c : text) c = static_cast<char>((number = number * 1664525 + 1013904223) >> 24);
  const std::string_view all = text;
  for (std::size_t n = 0; n < 330; ++n)
    for (const std::size_t at : {0, 1, 7, 16}) {
      CAPTURE(n);
      CAPTURE(at);
      const std::string_view part = all.substr(at, n);
      const std::uint32_t wanted = remainder_of(part);
      CHECK(crc32(part) == wanted);
      // What has been in front counts, wherever the cut is.
      for (const std::size_t cut : {n / 3, n / 2, n})
        CHECK(crc32(part.substr(cut), crc32(part.substr(0, cut))) == wanted);
    }
  CHECK(crc32(all) == remainder_of(all));
  CHECK(crc32(std::string(1000, '\0')) == remainder_of(std::string(1000, '\0')));
}
