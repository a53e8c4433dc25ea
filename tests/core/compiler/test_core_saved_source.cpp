// Sources of programs that do not compile, in folders that others write to as well.
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sys/stat.h>
#include <unistd.h>

#include <core/compiler/saved_source.hpp>

#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

struct folder : temporary_folder {
  folder() { setenv("GPARRAY_SAVE_SOURCE_ON_ERROR", (path / "sources").c_str(), 1); }
  ~folder() { unsetenv("GPARRAY_SAVE_SOURCE_ON_ERROR"); }

  /// Where the source went; what was said if that is no file's name.
  static std::string save(const std::string& source) {
    const std::string text = gparray::core::save_source_on_error(
        {.source = source, .architecture = "sm_90", .options = {}, .name_expressions = {}});
    const std::string marker = "\nThe source is in ";
    return text.starts_with(marker) ? text.substr(marker.size()) : text;
  }
};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

mode_t rights(const fs::path& file) {
  struct stat s;
  REQUIRE(lstat(file.c_str(), &s) == 0);
  return s.st_mode & 0777;
}

}  // namespace

TEST_CASE_FIXTURE(folder, "saved sources and their folder are the user's alone") {
  const mode_t old = umask(0);
  const std::string file = save("source");
  umask(old);
  CHECK(contents(file) == "source");
  CHECK(rights(file) == 0600);
  CHECK(rights(path / "sources") == 0700);
  CHECK(save("source") == file);
  CHECK(save("another") != file);
  setenv("GPARRAY_SAVE_SOURCE_ON_ERROR", (path / "deeper/sources/").c_str(), 1);
  CHECK(contents(save("source")) == "source");
  CHECK(rights(path / "deeper/sources") == 0700);
}

TEST_CASE_FIXTURE(folder, "nothing is written through what waits under the name") {
  const std::string file = save("source");
  const fs::path victim = path / "victim";
  const auto check_replaced = [&] {
    CHECK(save("source") == file);
    CHECK(contents(victim) == "mine");
    CHECK(fs::is_regular_file(fs::symlink_status(file)));
    CHECK(contents(file) == "source");
    CHECK(rights(file) == 0600);
    fs::remove(file);
  };
  std::ofstream(victim) << "mine";
  fs::remove(file);
  fs::create_symlink(victim, file);
  check_replaced();
  fs::create_hard_link(victim, file);
  check_replaced();
  REQUIRE(mkfifo(file.c_str(), 0666) == 0);
  check_replaced();
  fs::create_symlink(path / "none", file);
  check_replaced();
  CHECK(!fs::exists(path / "none"));
  std::ofstream(file) << "a file that others may read";
  REQUIRE(chmod(file.c_str(), 0666) == 0);
  check_replaced();
  fs::create_directory(file);
  CHECK(save("source").starts_with("\nThe source could not be written to " + file + ": "));
  fs::remove(file);
  CHECK(fs::is_empty(path / "sources"));
}
