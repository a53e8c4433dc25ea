// A folder of cached files, shared by all processes of a user. What is in it is never trusted to be whole:
// the caller checks contents, this class checks who owns the files.
#pragma once
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Safe from several threads and processes: entries appear whole, by renaming. Nothing here throws for what
/// a file system may do; a folder that is missing, read-only, full or not the user's own caches nothing.
class disk_cache {
 public:
  /// Keeps nothing if `folder` is empty or the limit is 0. The folder is made, for the user alone, when
  /// something is stored.
  disk_cache(std::string folder, std::uint64_t byte_limit)
      : folder_(std::move(folder)), byte_limit_(byte_limit) {}

  /// $GPARRAY_CACHE_DIR, or $XDG_CACHE_HOME/gparray, or $HOME/.cache/gparray; empty if none is set.
  static std::string default_folder();
  /// $GPARRAY_CACHE_LIMIT in bytes, 256 MiB if that is not a number.
  static std::uint64_t default_limit();

  /// The bytes stored under a name, which has lower-case letters and digits only. Marks them as used now.
  std::optional<std::string> load(const std::string& name);
  /// Afterwards the least recently used entries are removed until the folder is within its limit.
  void store(const std::string& name, std::string_view bytes);
  /// Removes the entries of all processes; other files stay.
  void clear();
  /// The size of all entries, and how many there are.
  std::uint64_t bytes();
  std::uint64_t size();

 private:
  int open_folder(bool create) const;
  void keep_limit(int folder, std::uint64_t just_written);

  const std::string folder_;
  const std::uint64_t byte_limit_;
  std::mutex lock_;
  // The size at the last look, with what this process has written since; other processes write too, so it is
  // looked up again from time to time.
  std::uint64_t known_bytes_ = 0;
  int stores_until_look_ = 0;
};

}  // namespace core
GPARRAY_END_NAMESPACE
