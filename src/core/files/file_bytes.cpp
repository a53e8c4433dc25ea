// Whole files as bytes, read and written.
#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <core/files/files.hpp>
#include <support/errors.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

byte_string read_file(const std::string& name) {
  const file_descriptor file(::open(name.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
  struct stat s;
  if (!file || fstat(file.get(), &s) != 0) throw_os_error(name);
  // The size is a hint: a pipe has none, and files in /proc report 0.
  constexpr std::size_t least = 4096;
  byte_string bytes(S_ISREG(s.st_mode) ? static_cast<std::size_t>(s.st_size) + 1 : least, '\0');
  std::size_t at = 0;
  for (;;) {
    const ssize_t n = ::read(file.get(), bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw_os_error(name);  // a folder, too
    at += static_cast<std::size_t>(n);
    if (n == 0) break;
    if (at == bytes.size()) bytes.resize(std::max(least, 2 * at));
  }
  bytes.resize(at);
  return bytes;
}

void write_file(const std::string& name, std::string_view bytes) {
  output_file file(name);
  file.write(bytes);
  file.commit();
}

}  // namespace core
GPARRAY_END_NAMESPACE
