// Zip archives as NumPy writes them, with records of 64 bits where they are needed.
#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include <core/files/files.hpp>
#include <core/files/zip_format.hpp>
#include <support/errors.hpp>
#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace zip {

namespace {

/// tables[k][byte]: what a byte leaves of the remainder when k more have followed it.
using crc_tables = std::array<std::array<std::uint32_t, 256>, 8>;
crc_tables make_crc_tables() {
  crc_tables t{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    t[0][i] = i;
    for (int bit = 0; bit < 8; ++bit) t[0][i] = t[0][i] >> 1 ^ (t[0][i] & 1 ? 0xedb88320u : 0);
  }
  for (std::size_t k = 1; k < t.size(); ++k)
    for (std::size_t i = 0; i < 256; ++i) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
  return t;
}

}  // namespace

// Eight bytes at a time, whose tables are read independently of each other (Kounavis and Berry, A systematic
// approach to building high performance software-based CRC generators, ISCC 2005).
std::uint32_t crc32(std::string_view bytes) {
  static const crc_tables table = make_crc_tables();
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  std::uint32_t crc = ~std::uint32_t{0};
  for (; end - at >= 8; at += 8) {
    const std::uint32_t first =
        crc ^ (at[0] | at[1] << 8 | at[2] << 16 | static_cast<std::uint32_t>(at[3]) << 24);
    crc = table[7][first & 255] ^ table[6][first >> 8 & 255] ^ table[5][first >> 16 & 255] ^
          table[4][first >> 24] ^ table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^ table[0][at[7]];
  }
  for (; at != end; ++at) crc = crc >> 8 ^ table[0][(crc ^ *at) & 255];
  return ~crc;
}

}  // namespace zip

namespace {

void put(byte_string& out, zip::field f, std::uint64_t value) {
  for (std::uint64_t i = 0; i < f.bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

/// Throws value_error for what an archive cannot hold, or what Python would read under another name.
void check_name(const std::string& name) {
  constexpr std::size_t longest = 65535, shown = 60;
  if (name.size() > longest)
    fail<value_error>("the name {}... has {} bytes, and names in a zip archive have {} at most",
                      name.substr(0, shown), name.size(), longest);
  if (name.find('\0') != std::string::npos)
    fail<value_error>("the name '{}' has a zero byte in it", name.c_str());
  if (!utf8_characters(name)) throw value_error("the name of an array in a zip archive must be UTF-8");
}

class zip_writer {
 public:
  zip_writer(bool compressed, const zip_limits& limits) : compressed_(compressed), limits_(limits) {}

  void add(const zip_entry& entry) {
    check_name(entry.name);
    if (!names_.insert(entry.name).second) fail<value_error>("two arrays have the name '{}'", entry.name);
    const std::uint64_t at = out_.size(), size = entry.bytes.size();
    const byte_string deflated = compressed_ ? deflate(entry.bytes) : byte_string();
    const std::string_view packed = compressed_ ? deflated : entry.bytes;
    const std::uint32_t crc = zip::crc32(entry.bytes);
    const bool is_large = needs_zip64(size) || needs_zip64(packed.size());
    byte_string local_extra, entry_extra;
    if (is_large) put_zip64(local_extra, {size, packed.size()});
    std::vector<std::uint64_t> zip64;
    if (is_large) zip64 = {size, packed.size()};
    if (needs_zip64(at)) zip64.push_back(at);
    if (!zip64.empty()) put_zip64(entry_extra, zip64);

    const auto put_description = [&](byte_string& to, std::size_t n_extra) {
      using namespace zip::description;
      const bool is_ascii = std::all_of(entry.name.begin(), entry.name.end(),
                                        [](char c) { return static_cast<unsigned char>(c) < 0x80; });
      put(to, version, version_for(n_extra > 0));
      put(to, flags, is_ascii ? std::uint64_t{0} : zip::utf8_name);
      put(to, method, compressed_ ? zip::deflated : zip::stored);
      put(to, time, zip::midnight);
      put(to, date, zip::january_1_1980);
      put(to, zip::description::crc, crc);
      put(to, zip::description::packed, is_large ? zip::elsewhere : packed.size());
      put(to, zip::description::size, is_large ? zip::elsewhere : size);
      put(to, name_length, entry.name.size());
      put(to, extra_length, n_extra);
    };
    put(out_, zip::header::signature, zip::local_signature);
    put_description(out_, local_extra.size());
    out_.append(entry.name).append(local_extra).append(packed);
    put(directory_, zip::row::signature, zip::entry_signature);
    put(directory_, zip::row::made_by, version_for(!entry_extra.empty()));
    put_description(directory_, entry_extra.size());
    put(directory_, zip::row::comment_length, zip::no_comment);
    put(directory_, zip::row::disk, zip::first_disk);
    put(directory_, zip::row::internal_attributes, zip::no_attributes);
    put(directory_, zip::row::external_attributes, zip::no_attributes);
    put(directory_, zip::row::header, needs_zip64(at) ? zip::elsewhere : at);
    directory_.append(entry.name).append(entry_extra);
  }

  byte_string finish() {
    const std::uint64_t at = out_.size(), size = directory_.size(), count = names_.size();
    out_ += directory_;
    const bool is_large = needs_zip64(at) || needs_zip64(size) || count >= limits_.entries;
    if (is_large) put_zip64_end(at, size, count);
    put(out_, zip::end::signature, zip::end_signature);
    put(out_, zip::end::disk, zip::first_disk);
    put(out_, zip::end::directory_disk, zip::first_disk);
    put(out_, zip::end::count_on_disk, is_large ? zip::count_elsewhere : count);
    put(out_, zip::end::count, is_large ? zip::count_elsewhere : count);
    put(out_, zip::end::size, is_large ? zip::elsewhere : size);
    put(out_, zip::end::directory, is_large ? zip::elsewhere : at);
    put(out_, zip::end::comment_length, zip::no_comment);
    return std::move(out_);
  }

 private:
  bool needs_zip64(std::uint64_t number) const { return number >= limits_.number; }
  static std::uint64_t version_for(bool zip64) { return zip64 ? zip::version_45 : zip::version_20; }
  static void put_zip64(byte_string& to, const std::vector<std::uint64_t>& numbers) {
    constexpr zip::field number{0, 8};
    put(to, zip::extra::id, zip::zip64_field);
    put(to, zip::extra::length, number.bytes * numbers.size());
    for (const std::uint64_t n : numbers) put(to, number, n);
  }
  void put_zip64_end(std::uint64_t at, std::uint64_t size, std::uint64_t count) {
    const std::uint64_t here = out_.size();
    put(out_, zip::zip64_end::signature, zip::zip64_end_signature);
    put(out_, zip::zip64_end::length, zip::zip64_end::bytes - zip::zip64_end::made_by.at);  // of what follows
    put(out_, zip::zip64_end::made_by, zip::version_45);
    put(out_, zip::zip64_end::version, zip::version_45);
    put(out_, zip::zip64_end::disk, zip::first_disk);
    put(out_, zip::zip64_end::directory_disk, zip::first_disk);
    put(out_, zip::zip64_end::count_on_disk, count);
    put(out_, zip::zip64_end::count, count);
    put(out_, zip::zip64_end::size, size);
    put(out_, zip::zip64_end::directory, at);
    put(out_, zip::locator::signature, zip::locator_signature);
    put(out_, zip::locator::end_disk, zip::first_disk);
    put(out_, zip::locator::end, here);
    put(out_, zip::locator::n_disks, zip::one_disk);
  }

  bool compressed_;
  zip_limits limits_;
  byte_string out_, directory_;
  std::set<std::string_view> names_;  // of the entries that are being written, which outlive this
};

}  // namespace

byte_string to_zip(std::span<const zip_entry> entries, bool compressed, const zip_limits& limits) {
  zip_writer writer(compressed, limits);
  for (const zip_entry& entry : entries) writer.add(entry);
  return writer.finish();
}

}  // namespace core
GPARRAY_END_NAMESPACE
