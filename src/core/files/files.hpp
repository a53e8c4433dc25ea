// Bytes of files, and the formats that arrays are stored in.
#pragma once
#include <span>
#include <string>
#include <vector>

#include <gparray/files.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using byte_string = std::string;

/// All of a file, or of a pipe. Throws os_error.
byte_string read_file(const std::string& name);
/// Replaces a file, see output_file. Throws os_error.
void write_file(const std::string& name, std::string_view bytes);

/// The bytes of a .npy file. Throws type_error for no array.
byte_string to_npy(const any_array& a);
/// Throws value_error, naming the file.
any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where);

struct zip_entry {
  std::string name;
  byte_string bytes;
};
/// From where on numbers go to records of 64 bits: smaller ones make small archives that have them.
struct zip_limits {
  std::uint64_t number = 0xffffffff, entries = 0xffff;
};
/// A zip archive. Throws value_error for names that are too long, no UTF-8, have a zero byte or are there
/// twice.
byte_string to_zip(std::span<const zip_entry> entries, bool compressed, const zip_limits& limits = {});
/// The entries in the directory's order, their names in UTF-8. Throws value_error for what is no zip archive,
/// is damaged, has entries that overlap or are others than the directory says, or is compressed otherwise
/// than by deflate.
std::vector<zip_entry> from_zip(std::string_view bytes, const std::string& name);
/// Compressed as RFC 1951 says. Throws library_error, naming the package, if zlib is missing.
byte_string deflate(std::string_view bytes);
/// The `size` bytes that were compressed to these (RFC 1951). Throws value_error if they are damaged,
/// library_error.
byte_string inflate(std::string_view bytes, std::size_t size);
/// Loads zlib. Returns the address of a function of it; throws library_error.
const void* load_zlib();

}  // namespace core
GPARRAY_END_NAMESPACE
