// Zip archives, of whose entries those are read that are asked for.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <core/files/files.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Bytes any part of which can be read: a file's, those of a pipe or a small file, which are kept, or those
/// at hand.
class archive_bytes {
 public:
  explicit archive_bytes(const std::string& file);
  explicit archive_bytes(std::string_view bytes) : bytes_(bytes), size_(bytes.size()) {}
  archive_bytes(const archive_bytes&) = delete;
  archive_bytes& operator=(const archive_bytes&) = delete;

  std::uint64_t size() const { return size_; }
  /// The n bytes from `at` on, or those that there are. Returns how many. Throws os_error.
  std::size_t read(std::uint64_t at, char* to, std::size_t n) const;

 private:
  std::optional<input_file> file_;
  file_contents kept_;
  std::string_view bytes_;
  std::uint64_t size_ = 0;
};

struct archive_entry {
  std::string name;
  std::uint64_t data, packed, size;
  std::uint32_t crc;
  bool is_deflated;
};

/// Everything throws value_error for what is no zip archive, is damaged, has entries that overlap or are
/// others than the directory says, or is compressed otherwise than by deflate.
class zip_archive {
 public:
  explicit zip_archive(const std::string& file);
  /// Of bytes that stay where they are; errors name the archive so.
  zip_archive(std::string_view bytes, const std::string& name);

  /// In the directory's order, their names in UTF-8.
  const std::vector<archive_entry>& entries() const { return entries_; }
  /// The last entry of that name, as in Python, or null.
  const archive_entry* find(std::string_view name) const;
  /// The bytes of an entry, as they were before compression.
  byte_string read(const archive_entry& e) const;

 private:
  friend class stored_bytes;
  void read_entries();

  std::string name_;
  archive_bytes bytes_;
  std::vector<archive_entry> entries_;
  std::map<std::string_view, std::size_t> last_;
};

/// The bytes of an entry that is not compressed, from its beginning on.
class stored_bytes {
 public:
  stored_bytes(const zip_archive& archive, const archive_entry& e) : archive_(archive), entry_(e) {}
  /// The next n, which the entry has.
  void read(char* to, std::size_t n);
  /// Looks at what is left, and at the checksum.
  void finish();

 private:
  const zip_archive& archive_;
  const archive_entry& entry_;
  std::uint64_t at_ = 0;
  std::uint32_t crc_ = 0;
};

/// The array in an entry that is a .npy file, whose name for errors is `name`.
any_array read_npy(const zip_archive& archive, const archive_entry& e, const std::string& name,
                   const std::optional<device>& where);

}  // namespace core
GPARRAY_END_NAMESPACE
