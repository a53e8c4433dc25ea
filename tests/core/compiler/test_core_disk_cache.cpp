// The folder of cached files: who may read it, what is trusted, eviction, full and missing folders.
#include <fstream>
#include <signal.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include <core/compiler/disk_cache.hpp>

#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
using gparray::core::disk_cache;

constexpr std::uint64_t plenty = std::uint64_t{1} << 30;

unsigned mode_of(const fs::path& path) {
  struct stat s;
  REQUIRE(lstat(path.c_str(), &s) == 0);
  return s.st_mode & 0777u;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Makes an entry look as if it was last used so many seconds ago.
void age(const fs::path& path, long seconds) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

}  // namespace

TEST_CASE("what is stored is found, by the user alone") {
  const temporary_folder home;
  const fs::path folder = home.path / "made" / "when needed";
  disk_cache cache(folder.string(), plenty);
  CHECK_FALSE(cache.load("a1"));
  CHECK_FALSE(fs::exists(folder));
  cache.store("a1", std::string("bytes\0bytes", 11));
  REQUIRE(cache.load("a1"));
  CHECK(*cache.load("a1") == std::string("bytes\0bytes", 11));
  CHECK(mode_of(folder) == 0700);
  CHECK(mode_of(folder / "a1.kernel") == 0600);
  CHECK(files_in(folder) == 1);  // no temporary file is left
  CHECK(cache.bytes() == 11);

  disk_cache another_process(folder.string(), plenty);
  another_process.store("a1", "new");
  CHECK(*cache.load("a1") == "new");

  std::ofstream(folder / "somebody's file") << "stays";
  cache.clear();
  CHECK_FALSE(cache.load("a1"));
  CHECK(fs::exists(folder / "somebody's file"));
}

TEST_CASE("entries that others may have written are not read") {
  const temporary_folder home;
  const fs::path folder = home.path / "cache", entry = folder / "a1.kernel";
  disk_cache cache(folder.string(), plenty);
  cache.store("a1", "good");

  SUBCASE("a link") {
    fs::rename(entry, home.path / "elsewhere");
    fs::create_symlink(home.path / "elsewhere", entry);
    CHECK_FALSE(cache.load("a1"));
    cache.store("a1", "again");
    CHECK(*cache.load("a1") == "again");
    CHECK(fs::file_size(home.path / "elsewhere") == 4);  // the link was replaced, not followed
  }
  SUBCASE("a file that a group may write") {
    REQUIRE(chmod(entry.c_str(), 0620) == 0);
    CHECK_FALSE(cache.load("a1"));
  }
  SUBCASE("a folder that everybody may write") {
    REQUIRE(chmod(folder.c_str(), 0777) == 0);
    CHECK_FALSE(cache.load("a1"));
    cache.store("b2", "lost");
    CHECK(files_in(folder) == 1);
  }
  SUBCASE("no regular file") {
    fs::remove(entry);
    SUBCASE("a folder") { fs::create_directory(entry); }
    SUBCASE("a pipe") { REQUIRE(mkfifo(entry.c_str(), 0600) == 0); }
    CHECK_FALSE(cache.load("a1"));
  }
  SUBCASE("another user's") {
    if (geteuid() != 0) return;
    REQUIRE(chown(entry.c_str(), 12345, 12345) == 0);
    CHECK_FALSE(cache.load("a1"));
    REQUIRE(chown(entry.c_str(), 0, 0) == 0);
    CHECK(cache.load("a1"));
    REQUIRE(chown(folder.c_str(), 12345, 12345) == 0);
    CHECK_FALSE(cache.load("a1"));
  }
}

TEST_CASE("the least recently used entries leave when the folder is over its limit") {
  const temporary_folder home;
  const std::string kilobyte(1000, 'x');
  disk_cache cache(home.path.string(), 4000);
  REQUIRE(chmod(home.path.c_str(), 0700) == 0);
  long seconds = 100;
  for (const char* name : {"a", "b", "c", "d"}) {
    cache.store(name, kilobyte);
    age(home.path / (std::string(name) + ".kernel"), seconds--);
  }
  CHECK(cache.bytes() == 4000);
  REQUIRE(cache.load("a"));  // used now: b is the oldest
  cache.store("e", kilobyte);
  CHECK(cache.load("a"));
  CHECK_FALSE(cache.load("b"));
  CHECK_FALSE(cache.load("c"));  // down to 7/8 of the limit
  CHECK(cache.load("d"));
  CHECK(cache.load("e"));
  CHECK(cache.bytes() <= 4000);

  cache.store("large", std::string(4001, 'x'));
  CHECK_FALSE(cache.load("large"));
  CHECK(cache.load("a"));
}

TEST_CASE("what a process left half-written is removed in time, not at once") {
  const temporary_folder home;
  REQUIRE(chmod(home.path.c_str(), 0700) == 0);
  const fs::path dead = home.path / "writing-1-1", alive = home.path / "writing-2-1";
  std::ofstream(dead) << "half";
  std::ofstream(alive) << "half";
  age(dead, 7200);
  disk_cache cache(home.path.string(), plenty);
  cache.store("a", "bytes");
  CHECK_FALSE(fs::exists(dead));
  CHECK(fs::exists(alive));
}

TEST_CASE("folders that cannot be used keep nothing and fail nothing") {
  const temporary_folder home;
  std::ofstream(home.path / "file") << "no folder";
  for (const std::string& folder :
       {(home.path / "file" / "below").string(), (home.path / "file").string(), std::string(),
        std::string("/proc/no such place"), std::string("/dev/full")}) {
    CAPTURE(folder);
    disk_cache cache(folder, plenty);
    cache.store("a1", "bytes");
    CHECK_FALSE(cache.load("a1"));
    CHECK(cache.bytes() == 0);
    cache.clear();
  }
  disk_cache none((home.path / "none").string(), 0);
  none.store("a1", "");
  CHECK_FALSE(fs::exists(home.path / "none"));
}

// A limit on the size of files makes the write fail half-way, as a full disk does.
TEST_CASE("a write that fails half-way leaves nothing") {
  const temporary_folder home;
  const fs::path folder = home.path / "cache";
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    disk_cache cache(folder.string(), plenty);
    cache.store("small", std::string(500, 'x'));
    cache.store("large", std::string(5000, 'x'));
    _exit(cache.load("small") && !cache.load("large") ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(files_in(folder) == 1);
}

TEST_CASE("processes that write the same entries never read half of one") {
  const temporary_folder home;
  const std::string folder = (home.path / "cache").string();
  constexpr int n_processes = 4, n_rounds = 200;
  pid_t children[n_processes];
  for (int p = 0; p < n_processes; ++p) {
    children[p] = fork();
    if (children[p] != 0) continue;
    disk_cache cache(folder, 60000);
    int found = 0;
    for (int round = 0; round < n_rounds; ++round) {
      const std::string name = std::to_string(round % 5);
      cache.store(name, std::string(10000, static_cast<char>('a' + p)));
      const auto bytes = cache.load(name);
      if (!bytes) continue;  // evicted
      ++found;
      if (bytes->size() != 10000 || bytes->find_first_not_of((*bytes)[0]) != std::string::npos) _exit(1);
    }
    _exit(found > n_rounds / 2 ? 0 : 2);
  }
  for (pid_t child : children) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  CHECK(disk_cache(folder, 60000).bytes() <= 60000);
}

TEST_CASE("where the folder is") {
  const auto with = [](const char* own, const char* xdg, const char* home) {
    const auto set = [](const char* name, const char* value) {
      value ? setenv(name, value, 1) : unsetenv(name);
    };
    const char* names[] = {"GPARRAY_CACHE_DIR", "XDG_CACHE_HOME", "HOME"};
    std::string before[3];
    bool was_set[3];
    for (int i = 0; i < 3; ++i)
      if (const char* value = getenv(names[i]); (was_set[i] = value != nullptr)) before[i] = value;
    set(names[0], own), set(names[1], xdg), set(names[2], home);
    const std::string folder = disk_cache::default_folder();
    for (int i = 0; i < 3; ++i) set(names[i], was_set[i] ? before[i].c_str() : nullptr);
    return folder;
  };
  CHECK(with("/own", "/xdg", "/home/u") == "/own");
  CHECK(with(nullptr, "/xdg", "/home/u") == "/xdg/gparray");
  CHECK(with("", "", "/home/u") == "/home/u/.cache/gparray");
  CHECK(with(nullptr, nullptr, nullptr) == "");
}
