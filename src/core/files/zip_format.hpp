// Numbers that writer and reader of zip archives share (PKWARE's APPNOTE.TXT 6.3, sections 4.3 to 4.5).
#pragma once
#include <cstdint>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::zip {

inline constexpr std::uint32_t local_signature = 0x04034b50, entry_signature = 0x02014b50,
                               end_signature = 0x06054b50, zip64_end_signature = 0x06064b50,
                               locator_signature = 0x07064b50;
/// Bytes of each record without what is of any length.
inline constexpr std::uint64_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, zip64_end_bytes = 56,
                               locator_bytes = 20;
/// Says that the number is in a record of 64 bits.
inline constexpr std::uint64_t elsewhere = 0xffffffff, count_elsewhere = 0xffff;
inline constexpr std::uint64_t zip64_field = 1;
inline constexpr std::uint64_t stored = 0, deflated = 8;
/// Bits of an entry's flags.
inline constexpr std::uint64_t encrypted = 1, sizes_behind = 1 << 3, patch = 1 << 5,
                               strongly_encrypted = 1 << 6, utf8_name = 1 << 11;

std::uint32_t crc32(std::string_view bytes);

}  // namespace core::zip
GPARRAY_END_NAMESPACE
