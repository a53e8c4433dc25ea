#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gparray/error.hpp>
#include <support/errors.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

namespace fs = std::filesystem;

/// 64 unpredictable bits, in hexadecimal digits.
std::string random_digits() {
  std::uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    if (errno != EINTR) fail<os_error>("no random numbers for a name: {}", std::strerror(errno));
  return fmt::format("{:016x}", bits);
}

/// The file that a chain of symbolic links leads to, which need not be there. None for a link that stands for
/// an open file: the kernel opens that without a name.
std::optional<fs::path> behind_links(fs::path path) {
  constexpr int most = 40;  // the kernel's own limit
  std::error_code error;
  for (int i = 0; i < most; ++i) {
    if (!fs::is_symlink(fs::symlink_status(path, error))) return path;
    const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
    if (fs::canonical(folder, error).native().starts_with("/proc/") || error) return std::nullopt;
    path = folder / fs::read_symlink(path, error);
    if (error) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

void throw_os_error(const std::string& file) {
  fail<os_error>("[Errno {}] {}: '{}'", errno, std::strerror(errno), file);
}

output_file::output_file(const std::string& name, const options& how) : name_(name) {
  if (!how.follow_links) {
    if (!open_beside(name, how.mode)) throw_os_error(name_);
    return;
  }
  const std::optional<fs::path> target = behind_links(name);
  struct stat old;
  if (!target || !target->has_filename()) {
    open_directly(how.mode);
  } else if (stat(target->c_str(), &old) != 0) {
    if (!open_beside(target->native(), how.mode)) throw_os_error(name_);
  } else if (S_ISREG(old.st_mode)) {
    replace(target->native(), old);
  } else {
    open_directly(how.mode);
  }
}

output_file::~output_file() {
  if (!temporary_.empty()) unlinkat(folder_.get(), temporary_.c_str(), 0);
}

void output_file::open_directly(mode_t mode) {
  file_ = file_descriptor(::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY | O_CLOEXEC, mode));
  if (!file_) throw_os_error(name_);
}

void output_file::replace(const std::string& target, const struct stat& old) {
  // A file that may not be written may not be replaced, though its folder would let us.
  if (!file_descriptor(::open(target.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC))) throw_os_error(name_);
  if (!open_beside(target, S_IRUSR | S_IWUSR)) {
    if (errno != EACCES && errno != EPERM && errno != EROFS) throw_os_error(name_);
    return open_directly(0);
  }
  // As far as we may, the new file is the old one's owner's, or at least its group's.
  const bool is_owned = fchown(file_.get(), old.st_uid, old.st_gid) == 0 ||
                        fchown(file_.get(), static_cast<uid_t>(-1), old.st_gid) == 0;
  mode_t rights = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  if (!is_owned) rights &= ~static_cast<mode_t>(S_IRWXG);  // they were another group's
  if (fchmod(file_.get(), rights) != 0) throw_os_error(name_);
}

/// False, with errno, if the folder takes no new file.
bool output_file::open_beside(const std::string& target, mode_t mode) {
  const fs::path path(target);
  const fs::path folder = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  folder_ = file_descriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder_) return false;
  target_ = path.filename();
  std::string temporary;
  do {
    temporary = ".gparray-" + random_digits();
    file_ = file_descriptor(::openat(folder_.get(), temporary.c_str(),
                                     O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  } while (!file_ && errno == EEXIST);
  if (file_) temporary_ = temporary;
  return static_cast<bool>(file_);
}

void output_file::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file_.get(), bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) throw_os_error(name_);
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void output_file::commit() {
  if (!file_.close()) throw_os_error(name_);
  if (temporary_.empty()) return;
  if (renameat(folder_.get(), temporary_.c_str(), folder_.get(), target_.c_str()) != 0) throw_os_error(name_);
  temporary_.clear();
}

}  // namespace core
GPARRAY_END_NAMESPACE
