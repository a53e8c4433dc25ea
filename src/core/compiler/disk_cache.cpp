#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include <core/compiler/disk_cache.hpp>
#include <support/environment.hpp>
#include <support/file_descriptor.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

constexpr std::string_view entry_suffix = ".kernel", temporary_prefix = "writing-";
constexpr std::time_t abandoned_after = 3600;
constexpr int stores_between_looks = 64;

/// No other user can have written it.
bool is_private(const struct stat& s) {
  return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

bool read_all(int descriptor, std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t n = read(descriptor, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return false;
    at += static_cast<std::size_t>(n);
  }
  return true;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(descriptor, bytes.data(), bytes.size());
    if (n <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

struct stored_entry {
  std::string name;
  std::uint64_t bytes;
  struct timespec used;
};

bool used_earlier(const stored_entry& a, const stored_entry& b) {
  return a.used.tv_sec != b.used.tv_sec ? a.used.tv_sec < b.used.tv_sec : a.used.tv_nsec < b.used.tv_nsec;
}

/// The entries of a folder. What a process that died was writing is removed.
std::vector<stored_entry> entries_of(int folder) {
  std::vector<stored_entry> entries;
  const int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* opened = own >= 0 ? fdopendir(own) : nullptr;
  if (!opened) {
    if (own >= 0) close(own);
    return entries;
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opened, closedir);
  while (const dirent* found = readdir(listing.get())) {
    const std::string_view name = found->d_name;
    const bool temporary = name.starts_with(temporary_prefix);
    struct stat s;
    if ((!temporary && !name.ends_with(entry_suffix)) ||
        fstatat(folder, found->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || S_ISDIR(s.st_mode))
      continue;
    if (!temporary) entries.push_back({std::string(name), static_cast<std::uint64_t>(s.st_size), s.st_mtim});
    else if (s.st_mtim.tv_sec + abandoned_after < std::time(nullptr)) unlinkat(folder, found->d_name, 0);
  }
  return entries;
}

std::uint64_t total_of(const std::vector<stored_entry>& entries) {
  std::uint64_t total = 0;
  for (const stored_entry& e : entries) total += e.bytes;
  return total;
}

const char* value_of(variable name) {
  const char* value = environment(name);
  return value && *value ? value : nullptr;
}

}  // namespace

std::string disk_cache::default_folder() {
  if (const char* folder = value_of("GPARRAY_CACHE_DIR")) return folder;
  if (const char* folder = value_of("XDG_CACHE_HOME")) return std::string(folder) + "/gparray";
  if (const char* folder = value_of("HOME")) return std::string(folder) + "/.cache/gparray";
  return {};
}

std::uint64_t disk_cache::default_limit() {
  std::uint64_t limit = std::uint64_t{256} << 20, read = 0;
  if (const char* text = value_of("GPARRAY_CACHE_LIMIT")) {
    const char* end = text + std::strlen(text);
    if (const auto [stop, status] = std::from_chars(text, end, read); status == std::errc() && stop == end)
      limit = read;
  }
  return limit;
}

int disk_cache::open_folder(bool create) const {
  if (folder_.empty() || byte_limit_ == 0) return -1;
  struct stat s;
  if (lstat(folder_.c_str(), &s) != 0) {
    if (!create) return -1;
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(folder_).parent_path(), ignored);
    mkdir(folder_.c_str(), S_IRWXU);
  } else if (S_ISLNK(s.st_mode) && s.st_uid != geteuid()) {
    return -1;  // another user would choose where we write
  }
  const int folder = open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0 && (fstat(folder, &s) != 0 || !is_private(s))) {
    close(folder);
    return -1;
  }
  return folder;
}

std::optional<std::string> disk_cache::load(const std::string& name) {
  const file_descriptor folder(open_folder(false));
  if (!folder) return std::nullopt;
  // Not blocking, should it be a pipe.
  const file_descriptor entry(openat(folder.get(), (name + std::string(entry_suffix)).c_str(),
                                     O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat s;
  if (!entry || fstat(entry.get(), &s) != 0 || !S_ISREG(s.st_mode) || !is_private(s)) return std::nullopt;
  if (static_cast<std::uint64_t>(s.st_size) > byte_limit_) return std::nullopt;
  std::string bytes(static_cast<std::size_t>(s.st_size), '\0');
  if (!read_all(entry.get(), bytes)) return std::nullopt;
  futimens(entry.get(), nullptr);
  return bytes;
}

void disk_cache::store(const std::string& name, std::string_view bytes) {
  if (bytes.size() > byte_limit_) return;
  const file_descriptor folder(open_folder(true));
  if (!folder) return;
  static std::atomic<unsigned> number{0};
  const std::string temporary = fmt::format("{}{}-{}", temporary_prefix, getpid(), number++);
  bool written;
  {
    const file_descriptor entry(openat(folder.get(), temporary.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                       S_IRUSR | S_IWUSR));
    if (!entry) return;
    written = write_all(entry.get(), bytes);
  }
  written = written && renameat(folder.get(), temporary.c_str(), folder.get(),
                                (name + std::string(entry_suffix)).c_str()) == 0;
  if (!written) unlinkat(folder.get(), temporary.c_str(), 0);
  else keep_limit(folder.get(), bytes.size());
}

void disk_cache::keep_limit(int folder, std::uint64_t just_written) {
  const std::lock_guard hold(lock_);
  known_bytes_ += just_written;
  if (stores_until_look_-- > 0 && known_bytes_ <= byte_limit_) return;
  std::vector<stored_entry> entries = entries_of(folder);
  std::uint64_t total = total_of(entries);
  if (total > byte_limit_) {
    std::sort(entries.begin(), entries.end(), used_earlier);
    // A little further than needed, so that not every store has to look.
    for (const stored_entry& e : entries) {
      if (total <= byte_limit_ - byte_limit_ / 8) break;
      if (unlinkat(folder, e.name.c_str(), 0) == 0) total -= e.bytes;
    }
  }
  known_bytes_ = total;
  stores_until_look_ = stores_between_looks;
}

void disk_cache::clear() {
  const file_descriptor folder(open_folder(false));
  if (!folder) return;
  for (const stored_entry& e : entries_of(folder.get())) unlinkat(folder.get(), e.name.c_str(), 0);
  const std::lock_guard hold(lock_);
  known_bytes_ = 0;
}

std::uint64_t disk_cache::bytes() {
  const file_descriptor folder(open_folder(false));
  return folder ? total_of(entries_of(folder.get())) : 0;
}

std::uint64_t disk_cache::size() {
  const file_descriptor folder(open_folder(false));
  return folder ? entries_of(folder.get()).size() : 0;
}

}  // namespace core
GPARRAY_END_NAMESPACE
