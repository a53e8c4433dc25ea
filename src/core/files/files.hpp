// Bytes of files, and the formats that arrays are stored in.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gparray/array/host_iterator.hpp>
#include <gparray/files.hpp>
#include <support/file_descriptor.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using byte_string = std::string;

/// A file, or a pipe, that is read from its beginning on. Throws os_error.
class input_file {
 public:
  explicit input_file(const std::string& name);
  /// The next bytes, as many unless the file ends before. Returns how many.
  std::size_t read(char* to, std::size_t n);
  /// Of a file; what is none, and files in /proc, do not say.
  std::optional<std::size_t> size() const;
  /// Of a file: goes on from there.
  void seek(std::size_t offset);
  /// Of a file: the bytes from `at` on, as many unless the file ends before. Returns how many.
  std::size_t read_at(std::uint64_t at, char* to, std::size_t n) const;

 private:
  std::string name_;
  file_descriptor file_;
};

/// Bytes that nothing has been written to before, unlike those of a string.
class file_contents {
 public:
  file_contents() = default;
  /// Room for more, which keeps what is there.
  void grow(std::size_t room);
  void set_size(std::size_t size) { size_ = size; }
  char* data() { return bytes_.get(); }
  std::size_t room() const { return room_; }
  operator std::string_view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, room_ = 0;
};

/// All of a file, or of a pipe, or what is left of it. Throws os_error.
file_contents read_file(const std::string& name);
file_contents read_file(input_file& file);
/// Replaces a file by these bytes, one behind the other, see output_file. Throws os_error.
void write_file(const std::string& name, std::initializer_list<std::string_view> bytes);

/// The elements of an array in C order, not for longer than it stays as it is.
class element_bytes {
 public:
  explicit element_bytes(const any_array& a);
  /// All of them, where the host reads them: in the array's memory if it does, else in a copy.
  std::string_view view();
  /// A GPU's come a few at a time, so that no memory for all of them is asked of the host.
  void write_to(output_file& file);

 private:
  any_array packed_;
  detail::host_elements elements_;
};

/// The same of a header and elements.
void write_file(const std::string& name, std::string_view header, element_bytes& elements);

/// The bytes of a .npy file. Throws type_error for no array.
class npy_bytes {
 public:
  explicit npy_bytes(const any_array& a);
  std::string_view header() const { return header_; }
  element_bytes& elements() { return elements_; }

 private:
  bool is_fortran_;
  byte_string header_;
  element_bytes elements_;
};
/// Throws value_error, naming the file.
any_array from_npy(std::string_view bytes, const std::string& name, const std::optional<device>& where);
/// Elements from where a file is read at, in C order. Throws value_error if it has less.
any_array read_elements(input_file& file, const std::string& name, const dims& shape, dtype type);
/// An array of the host's memory on a device: itself, if that is the CPU.
any_array brought_to(const any_array& on_host, device where);

struct zip_entry {
  std::string name;
  byte_string bytes;
};
/// From where on numbers go to records of 64 bits: smaller ones make small archives that have them.
struct zip_limits {
  std::uint64_t number = 0xffffffff, entries = 0xffff;
};
/// Writes a zip archive, piece by piece. Throws value_error for names that are too long, no UTF-8, have a
/// zero byte or are there twice.
class zip_writer {
 public:
  using sink = std::function<void(std::string_view)>;
  zip_writer(sink write, bool compressed, const zip_limits& limits = {})
      : write_(std::move(write)), compressed_(compressed), limits_(limits) {}

  /// Of these bytes, one behind the other.
  void add(const std::string& name, std::initializer_list<std::string_view> bytes);
  void finish();

 private:
  void write(std::string_view bytes) {
    write_(bytes);
    written_ += bytes.size();
  }
  bool needs_zip64(std::uint64_t number) const { return number >= limits_.number; }
  byte_string zip64_end(std::uint64_t at, std::uint64_t count) const;

  sink write_;
  bool compressed_;
  zip_limits limits_;
  std::uint64_t written_ = 0;
  byte_string directory_;
  std::set<std::string> names_;
};
byte_string to_zip(std::span<const zip_entry> entries, bool compressed, const zip_limits& limits = {});

/// A .npz file, with the ending if its name has none: replaced when all of it is written, see output_file.
class npz_file {
 public:
  npz_file(const std::string& name, bool compressed);
  void add(std::string_view name, const any_array& a);
  /// Of a .npy file's bytes.
  void add(std::string_view name, std::initializer_list<std::string_view> bytes);
  void commit();

 private:
  output_file file_;
  zip_writer archive_;
};

/// Compressed as RFC 1951 says. Throws library_error, naming the package, if zlib is missing.
byte_string deflate(std::string_view bytes);
/// The `size` bytes that were compressed to these (RFC 1951). Throws value_error if they are damaged,
/// library_error.
byte_string inflate(std::string_view bytes, std::size_t size);
/// Loads zlib. Returns the address of a function of it; throws library_error.
const void* load_zlib();

}  // namespace core
GPARRAY_END_NAMESPACE
