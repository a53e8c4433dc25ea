// Zip archives as NumPy writes them, with records of 64 bits where they are needed.
#include <algorithm>
#include <cstdint>

#include <core/files/files.hpp>
#include <core/files/zip_format.hpp>
#include <support/errors.hpp>
#include <support/utf8.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

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

std::uint64_t version_for(bool zip64) { return zip64 ? zip::version_45 : zip::version_20; }

void put_zip64(byte_string& to, const std::vector<std::uint64_t>& numbers) {
  constexpr zip::field number{0, 8};
  put(to, zip::extra::id, zip::zip64_field);
  put(to, zip::extra::length, number.bytes * numbers.size());
  for (const std::uint64_t n : numbers) put(to, number, n);
}

byte_string joined(std::span<const std::string_view> parts) {
  byte_string result;
  for (const std::string_view part : parts) result += part;
  return result;
}

}  // namespace

void zip_writer::add(const std::string& name, std::initializer_list<std::string_view> bytes) {
  check_name(name);
  if (!names_.insert(name).second) fail<value_error>("two arrays have the name '{}'", name);
  std::span<const std::string_view> parts(bytes.begin(), bytes.size());
  const std::uint64_t at = written_;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  for (const std::string_view part : parts) {
    size += part.size();
    crc = zip::crc32(part, crc);
  }
  byte_string deflated;
  std::string_view deflated_part;
  if (compressed_) {
    deflated_part = deflated = deflate(parts.size() == 1 ? parts[0] : std::string_view(joined(parts)));
    parts = {&deflated_part, 1};
  }
  const std::uint64_t packed = compressed_ ? deflated.size() : size;
  const bool is_large = needs_zip64(size) || needs_zip64(packed);
  byte_string local_extra, entry_extra;
  if (is_large) put_zip64(local_extra, {size, packed});
  std::vector<std::uint64_t> zip64;
  if (is_large) zip64 = {size, packed};
  if (needs_zip64(at)) zip64.push_back(at);
  if (!zip64.empty()) put_zip64(entry_extra, zip64);

  const auto put_description = [&](byte_string& to, std::size_t n_extra) {
    using namespace zip::description;
    const bool is_ascii =
        std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    put(to, version, version_for(n_extra > 0));
    put(to, flags, is_ascii ? std::uint64_t{0} : zip::utf8_name);
    put(to, method, compressed_ ? zip::deflated : zip::stored);
    put(to, time, zip::midnight);
    put(to, date, zip::january_1_1980);
    put(to, zip::description::crc, crc);
    put(to, zip::description::packed, is_large ? zip::elsewhere : packed);
    put(to, zip::description::size, is_large ? zip::elsewhere : size);
    put(to, name_length, name.size());
    put(to, extra_length, n_extra);
  };
  byte_string header;
  put(header, zip::header::signature, zip::local_signature);
  put_description(header, local_extra.size());
  write(header.append(name).append(local_extra));
  for (const std::string_view part : parts) write(part);
  put(directory_, zip::row::signature, zip::entry_signature);
  put(directory_, zip::row::made_by, version_for(!entry_extra.empty()));
  put_description(directory_, entry_extra.size());
  put(directory_, zip::row::comment_length, zip::no_comment);
  put(directory_, zip::row::disk, zip::first_disk);
  put(directory_, zip::row::internal_attributes, zip::no_attributes);
  put(directory_, zip::row::external_attributes, zip::no_attributes);
  put(directory_, zip::row::header, needs_zip64(at) ? zip::elsewhere : at);
  directory_.append(name).append(entry_extra);
}

void zip_writer::finish() {
  const std::uint64_t at = written_, size = directory_.size(), count = names_.size();
  write(directory_);
  const bool is_large = needs_zip64(at) || needs_zip64(size) || count >= limits_.entries;
  byte_string end = is_large ? zip64_end(at, count) : byte_string();
  put(end, zip::end::signature, zip::end_signature);
  put(end, zip::end::disk, zip::first_disk);
  put(end, zip::end::directory_disk, zip::first_disk);
  put(end, zip::end::count_on_disk, is_large ? zip::count_elsewhere : count);
  put(end, zip::end::count, is_large ? zip::count_elsewhere : count);
  put(end, zip::end::size, is_large ? zip::elsewhere : size);
  put(end, zip::end::directory, is_large ? zip::elsewhere : at);
  put(end, zip::end::comment_length, zip::no_comment);
  write(end);
}

/// Behind a directory that begins at `at`.
byte_string zip_writer::zip64_end(std::uint64_t at, std::uint64_t count) const {
  byte_string out;
  put(out, zip::zip64_end::signature, zip::zip64_end_signature);
  put(out, zip::zip64_end::length, zip::zip64_end::bytes - zip::zip64_end::made_by.at);  // of what follows
  put(out, zip::zip64_end::made_by, zip::version_45);
  put(out, zip::zip64_end::version, zip::version_45);
  put(out, zip::zip64_end::disk, zip::first_disk);
  put(out, zip::zip64_end::directory_disk, zip::first_disk);
  put(out, zip::zip64_end::count_on_disk, count);
  put(out, zip::zip64_end::count, count);
  put(out, zip::zip64_end::size, directory_.size());
  put(out, zip::zip64_end::directory, at);
  put(out, zip::locator::signature, zip::locator_signature);
  put(out, zip::locator::end_disk, zip::first_disk);
  put(out, zip::locator::end, written_);
  put(out, zip::locator::n_disks, zip::one_disk);
  return out;
}

byte_string to_zip(std::span<const zip_entry> entries, bool compressed, const zip_limits& limits) {
  byte_string result;
  zip_writer writer([&result](std::string_view bytes) { result += bytes; }, compressed, limits);
  for (const zip_entry& entry : entries) writer.add(entry.name, {entry.bytes});
  writer.finish();
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
