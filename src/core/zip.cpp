// Zip archives as NumPy writes and reads them: PKWARE's APPNOTE, without encryption or parts.
#include <core/errors.hpp>
#include <core/files.hpp>

#include <array>
#include <cstdint>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

std::uint32_t crc32(std::string_view bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      t[i] = i;
      for (int bit = 0; bit < 8; ++bit) t[i] = t[i] >> 1 ^ (t[i] & 1 ? 0xedb88320u : 0);
    }
    return t;
  }();
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 255];
  return ~crc;
}

void put(byte_string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
}

/// What local headers and the directory have in common; the date is 1 January 1980.
void put_description(byte_string& out, const zip_entry& entry, const byte_string& packed, bool compressed) {
  put(out, 20, 2);
  put(out, 0, 2);
  put(out, compressed ? 8 : 0, 2);
  put(out, 0, 2);
  put(out, 0x21, 2);
  put(out, crc32(entry.bytes), 4);
  put(out, packed.size(), 4);
  put(out, entry.bytes.size(), 4);
  put(out, entry.name.size(), 2);
  put(out, 0, 2);
}

class zip_reader {
 public:
  zip_reader(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<zip_entry> entries() const {
    // The directory's end is the last thing in the file, but for a comment.
    std::size_t end = bytes_.rfind("PK\5\6");
    if (end == std::string_view::npos) fail<value_error>("{} is not a zip file", name_);
    std::uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
    if (at == 0xffffffff || count == 0xffff) {
      const std::size_t wide = bytes_.rfind("PK\6\6", end);
      if (wide == std::string_view::npos) damaged();
      count = number(wide + 32, 8);
      at = number(wide + 48, 8);
    }
    std::vector<zip_entry> result;
    for (std::uint64_t i = 0; i < count; ++i) result.push_back(entry(at));
    return result;
  }

 private:
  [[noreturn]] void damaged() const { fail<value_error>("{} is damaged", name_); }
  std::uint64_t number(std::uint64_t at, std::uint64_t bytes) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) damaged();
    std::uint64_t value = 0;
    for (std::uint64_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  std::string_view part(std::uint64_t at, std::uint64_t bytes) const {
    if (at > bytes_.size() || bytes > bytes_.size() - at) damaged();
    return bytes_.substr(at, bytes);
  }

  /// The entry of the directory at `at`, which moves on.
  zip_entry entry(std::uint64_t& at) const {
    if (number(at, 4) != 0x02014b50) damaged();
    const std::uint64_t flags = number(at + 8, 2), method = number(at + 10, 2), crc = number(at + 16, 4);
    std::uint64_t packed = number(at + 20, 4), size = number(at + 24, 4), local = number(at + 42, 4);
    const std::uint64_t n_name = number(at + 28, 2), n_extra = number(at + 30, 2),
                        n_comment = number(at + 32, 2);
    const std::string entry_name(part(at + 46, n_name));
    // Numbers that do not fit are in a field of their own, in this order.
    for (std::uint64_t extra = at + 46 + n_name, end = extra + n_extra; extra + 4 <= end;) {
      const std::uint64_t id = number(extra, 2), length = number(extra + 2, 2);
      std::uint64_t field = extra + 4;
      for (std::uint64_t* value : {&size, &packed, &local})
        if (id == 1 && *value == 0xffffffff) *value = number(field, 8), field += 8;
      extra += 4 + length;
    }
    at += 46 + n_name + n_extra + n_comment;
    if (flags & 1) fail<value_error>("{} is encrypted", name_);
    if (method != 0 && method != 8)
      fail<value_error>("{} is compressed by a method other than deflate", name_);
    const std::string_view data = part(local + 30 + number(local + 26, 2) + number(local + 28, 2), packed);
    if (method == 0 && packed != size) damaged();
    zip_entry result{entry_name, method == 0 ? byte_string(data) : inflate(data, size)};
    if (crc32(result.bytes) != crc) damaged();
    return result;
  }

  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace

byte_string to_zip(std::span<const zip_entry> entries, bool compressed) {
  byte_string out, directory;
  for (const zip_entry& entry : entries) {
    const std::size_t at = out.size();
    if (at + entry.bytes.size() > 0xf0000000u)
      throw value_error("an .npz file of more than 4 GiB is not supported; save each array with save()");
    const byte_string packed = compressed ? deflate(entry.bytes) : entry.bytes;
    byte_string common;
    put_description(common, entry, packed, compressed);
    out += "PK\3\4" + common + entry.name + packed;
    directory += "PK\1\2";
    put(directory, 20, 2);
    directory += common;
    put(directory, 0, 8);  // no comment, first disk, no attributes
    put(directory, 0, 2);
    put(directory, at, 4);
    directory += entry.name;
  }
  const std::size_t at = out.size();
  out += directory;
  out += "PK\5\6";
  put(out, 0, 4);
  put(out, entries.size(), 2);
  put(out, entries.size(), 2);
  put(out, directory.size(), 4);
  put(out, at, 4);
  put(out, 0, 2);
  return out;
}

std::vector<zip_entry> from_zip(std::string_view bytes, const std::string& name) {
  return zip_reader(bytes, name).entries();
}

}  // namespace core
GPARRAY_END_NAMESPACE
