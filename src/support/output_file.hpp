// A file that is written as a whole or not at all.
#pragma once
#include <string>
#include <string_view>
#include <sys/stat.h>

#include <support/file_descriptor.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What is written goes to a file beside the one that is named, of an unpredictable name, and replaces that
/// one in commit(): until then, and if anything fails, the old file stays as it is. Symbolic links are
/// followed, and stay. What is not a file (a device, a pipe, a descriptor as in /dev/stdout) is written as it
/// stands, and so is a file in a folder where none can be made. Other hard links to the old file keep the old
/// contents. Not proof against a loss of power: nothing waits for the disk.
class output_file {
 public:
  struct options {
    /// Of a new file, less the umask; a file that is replaced hands on its own.
    mode_t mode = 0666;
    /// Not for folders that others write to: a link is replaced, and so is a file of other rights.
    bool follow_links = true;
  };

  /// Throws os_error, as do write() and commit().
  explicit output_file(const std::string& name) : output_file(name, options()) {}
  output_file(const std::string& name, const options& how);
  ~output_file();
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::string_view bytes);
  /// Nothing is written after this.
  void commit();

 private:
  void open_directly(mode_t mode);
  void replace(const std::string& target, const struct stat& old);
  bool open_beside(const std::string& target, mode_t mode);

  std::string name_;
  file_descriptor folder_, file_;
  /// In the folder: of the file that is written, empty if that is the one named, and of the one to be
  /// replaced.
  std::string temporary_, target_;
};

/// Throws os_error with the text of errno.
[[noreturn]] void throw_os_error(const std::string& file);

}  // namespace core
GPARRAY_END_NAMESPACE
