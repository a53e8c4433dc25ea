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
/// A field of a record: its offset there, and its length.
struct field {
  std::uint64_t at, bytes;
};

// The records, and in `bytes` their lengths without what is of any length. An entry has a header in front of
// its data and a row in the directory, which have a description in common.
namespace description {
inline constexpr field version{0, 2}, flags{2, 2}, method{4, 2}, time{6, 2}, date{8, 2}, crc{10, 4},
    packed{14, 4}, size{18, 4}, name_length{22, 2}, extra_length{24, 2};
inline constexpr std::uint64_t in_header = 4, in_row = 6;  // where it begins
}  // namespace description
namespace header {
inline constexpr field signature{0, 4};
inline constexpr std::uint64_t bytes = 30;
}  // namespace header
namespace row {
inline constexpr field signature{0, 4}, made_by{4, 2}, comment_length{32, 2}, disk{34, 2},
    internal_attributes{36, 2}, external_attributes{38, 4}, header{42, 4};
inline constexpr std::uint64_t bytes = 46;
}  // namespace row
namespace end {
inline constexpr field signature{0, 4}, disk{4, 2}, directory_disk{6, 2}, count_on_disk{8, 2}, count{10, 2},
    size{12, 4}, directory{16, 4}, comment_length{20, 2};
inline constexpr std::uint64_t bytes = 22;
}  // namespace end
namespace zip64_end {
inline constexpr field signature{0, 4}, length{4, 8}, made_by{12, 2}, version{14, 2}, disk{16, 4},
    directory_disk{20, 4}, count_on_disk{24, 8}, count{32, 8}, size{40, 8}, directory{48, 8};
inline constexpr std::uint64_t bytes = 56;
}  // namespace zip64_end
namespace locator {
inline constexpr field signature{0, 4}, end_disk{4, 4}, end{8, 8}, n_disks{16, 4};
inline constexpr std::uint64_t bytes = 20;
}  // namespace locator
namespace extra {
inline constexpr field id{0, 2}, length{2, 2};
inline constexpr std::uint64_t bytes = 4;
}  // namespace extra

/// Says that the number is in a record of 64 bits.
inline constexpr std::uint64_t elsewhere = 0xffffffff, count_elsewhere = 0xffff;
inline constexpr std::uint64_t zip64_field = 1;
/// The version of the format that a reader must know: 2.0 has deflate, 4.5 records of 64 bits.
inline constexpr std::uint64_t version_20 = 20, version_45 = 45;
/// Days, months and years since 1980, as MS-DOS has them.
inline constexpr std::uint64_t midnight = 0, january_1_1980 = 1 | 1 << 5;
inline constexpr std::uint64_t first_disk = 0, one_disk = 1, no_comment = 0, no_attributes = 0;
inline constexpr std::uint64_t stored = 0, deflated = 8;
/// Bits of an entry's flags.
inline constexpr std::uint64_t encrypted = 1, sizes_behind = 1 << 3, patch = 1 << 5,
                               strongly_encrypted = 1 << 6, utf8_name = 1 << 11;

/// `before`: that of the bytes in front of these.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

}  // namespace core::zip
GPARRAY_END_NAMESPACE
