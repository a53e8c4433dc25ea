// A file is saved as a whole or not at all: a save that fails leaves the old one, and nothing beside it.
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include <doctest/doctest.h>

#include <gparray/files.hpp>
#include <gparray/sparse.hpp>

#include "support/temporary_folder.hpp"

namespace gp = gparray;
namespace fs = std::filesystem;

namespace {

struct folder : temporary_folder {
  std::size_t count() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), fs::directory_iterator()));
  }
};

std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

mode_t rights(const std::string& file) {
  struct stat s;
  REQUIRE(stat(file.c_str(), &s) == 0);
  return s.st_mode & 0777;
}

using numbers = gp::ndarray<double>;

struct writer {
  const char* name;
  const char* ending;
  void (*write)(const std::string& file, const numbers& a);
};

const writer writers[] = {
    {"save", ".npy", [](const std::string& file, const numbers& a) { gp::save(file, a); }},
    {"savez", ".npz", [](const std::string& file, const numbers& a) { gp::savez(file, {{"a", a}}); }},
    {"savez_compressed", ".npz",
     [](const std::string& file, const numbers& a) { gp::savez_compressed(file, {{"a", a}}); }},
    {"savetxt", ".txt", [](const std::string& file, const numbers& a) { gp::savetxt(file, a); }},
    {"tofile", "", [](const std::string& file, const numbers& a) { gp::tofile(a, file); }},
    {"tofile, text", "", [](const std::string& file, const numbers& a) { gp::tofile(a, file, " "); }},
    {"save_npz", ".npz",
     [](const std::string& file, const numbers& a) {
       gp::sparse::save_npz(file, gp::sparse::csr_matrix<double>(a(gp::newaxis)));
     }},
    {"mmwrite", ".mtx",
     [](const std::string& file, const numbers& a) {
       gp::sparse::mmwrite(file, gp::sparse::csr_matrix<double>(a(gp::newaxis)));
     }},
};

/// No file may grow beyond this: as if the disk were full.
class size_limit {
 public:
  explicit size_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(getrlimit(RLIMIT_FSIZE, &old_) == 0);
    const rlimit lower{bytes, old_.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &lower) == 0);
  }
  ~size_limit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit old_;
};

struct mask {
  explicit mask(mode_t bits) : old(umask(bits)) {}
  ~mask() { umask(old); }
  mode_t old;
};

/// Without the rights of root, who may write everything.
class unprivileged {
 public:
  unprivileged() : user_(geteuid()) {
    constexpr uid_t nobody = 65534;
    if (user_ == 0) REQUIRE(seteuid(nobody) == 0);
  }
  ~unprivileged() {
    if (user_ == 0 && seteuid(0) != 0) std::abort();
  }

 private:
  uid_t user_;
};

}  // namespace

TEST_CASE_FIXTURE(folder, "a save that fails leaves the old file, and no other") {
  const numbers a = gp::random::default_rng(1).random(4000);
  for (const writer& w : writers) {
    CAPTURE(w.name);
    const std::string old = write(std::string("old") + w.ending, "as it was"),
                      fresh = file(std::string("fresh") + w.ending);
    const std::size_t before = count();
    std::string text;
    {
      const size_limit limit(8192);
      for (const std::string& name : {old, fresh}) {
        try {
          w.write(name, a);
        } catch (const gp::os_error& e) {
          text = e.what();
        }
        // The name is the one that was given.
        const std::string expected = "[Errno 27] File too large: '" + name + "'";
        CHECK(text == expected);
      }
    }
    CHECK(contents(old) == "as it was");
    CHECK(!fs::exists(fresh));
    CHECK(count() == before);
    w.write(old, a);
    w.write(fresh, a);
    CHECK(contents(old).size() > 8192);
    CHECK(contents(old) == contents(fresh));
    CHECK(count() == before + 1);
    fs::remove(old), fs::remove(fresh);
  }
}

TEST_CASE_FIXTURE(folder, "what cannot be replaced is an error, and stays") {
  fs::create_directory(path / "folder.npy");
  CHECK_THROWS_WITH_AS(gp::save(file("folder.npy"), gp::zeros(1)),
                       ("[Errno 21] Is a directory: '" + file("folder.npy") + "'").c_str(), gp::os_error);
  CHECK_THROWS_WITH_AS(gp::tofile(gp::zeros(1), file("no/where")),
                       ("[Errno 2] No such file or directory: '" + file("no/where") + "'").c_str(),
                       gp::os_error);
  CHECK_THROWS_AS(gp::tofile(gp::zeros(1), file("new/")), gp::os_error);
  CHECK_THROWS_AS(gp::tofile(gp::zeros(1), ""), gp::os_error);
  CHECK(count() == 1);
}

TEST_CASE_FIXTURE(folder, "rights are those of the umask, or of the file that is replaced") {
  const auto a = gp::zeros(3);
  {
    const mask m(027);
    gp::save(file("new.npy"), a);
    CHECK(rights(file("new.npy")) == 0640);
  }
  const mask m(022);
  gp::save(file("other.npy"), a);
  CHECK(rights(file("other.npy")) == 0644);
  for (const mode_t mode : {0600, 0666, 0755}) {
    CAPTURE(mode);
    REQUIRE(chmod(file("new.npy").c_str(), mode) == 0);
    gp::save(file("new.npy"), a);
    CHECK(rights(file("new.npy")) == mode);
  }
}

TEST_CASE_FIXTURE(folder, "files that may not be written, and folders that take no new ones") {
  const auto a = gp::zeros(3);
  const std::string locked = write("locked", "as it was");
  REQUIRE(chmod(path.c_str(), 0777) == 0);
  REQUIRE(chmod(locked.c_str(), 0444) == 0);
  {
    const unprivileged user;
    if (euidaccess(path.c_str(), R_OK) != 0) {
      MESSAGE("skipped: only root may look into " << path.parent_path().string());
      return;
    }
  }
  const auto is_refused = [&](const std::string& file) {
    const unprivileged user;
    try {
      gp::tofile(a, file);
    } catch (const gp::os_error& e) {
      return std::string_view(e.what()).starts_with("[Errno 13] ");
    }
    return false;
  };
  CHECK(is_refused(locked));
  CHECK(contents(locked) == "as it was");
  CHECK(count() == 1);
  // As long as the folder takes no new file, an old one is written where it is.
  REQUIRE(chmod(locked.c_str(), 0666) == 0);
  REQUIRE(chmod(path.c_str(), 0555) == 0);
  CHECK(is_refused(file("new")));
  CHECK(!is_refused(locked));
  REQUIRE(chmod(path.c_str(), 0700) == 0);
  CHECK(contents(locked) == std::string(24, '\0'));
  CHECK(count() == 1);
}

TEST_CASE_FIXTURE(folder, "symbolic links stay, and what they lead to is replaced") {
  fs::create_directory(path / "data");
  write("data/a", "old");
  fs::create_symlink("data/a", path / "link");
  fs::create_symlink(path / "link", path / "data/second");
  fs::create_symlink("data/none", path / "dangling");
  fs::create_hard_link(path / "data/a", path / "copy");
  gp::tofile(gp::zeros(1), file("data/second"));
  CHECK(fs::is_symlink(path / "link"));
  CHECK(fs::is_symlink(path / "data/second"));
  CHECK(!fs::is_symlink(path / "data/a"));
  CHECK(contents(path / "data/a") == std::string(8, '\0'));
  CHECK(contents(path / "copy") == "old");  // a hard link is a name of the old file
  gp::tofile(gp::zeros(1), file("dangling"));
  CHECK(fs::is_symlink(path / "dangling"));
  CHECK(contents(path / "data/none") == std::string(8, '\0'));
  CHECK(count() == 4);
  fs::create_symlink("turn", path / "turn");
  CHECK_THROWS_AS(gp::tofile(gp::zeros(1), file("turn")), gp::os_error);
}

TEST_CASE_FIXTURE(folder, "pipes and open files are written as they stand") {
  const std::string pipe = file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  REQUIRE(reader >= 0);
  gp::tofile(gp::array({1, 2}), pipe, ",");
  char text[8] = {};
  CHECK(::read(reader, text, sizeof text) == 3);
  CHECK(std::string(text) == "1,2");
  CHECK(fs::is_fifo(pipe));
  close(reader);
  // A pipe is read to its end, too, however long that takes.
  std::thread other([&] {
    std::ofstream out(pipe);
    out << "4 " << std::flush;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    out << "5\n";
  });
  const std::vector<double> have = gp::loadtxt(pipe).to_vector();
  other.join();
  CHECK(have == std::vector<double>{4, 5});
  const gp::ndarray<std::int64_t> numbers = gp::arange(100'000);  // more than a pipe holds
  const auto through_pipe = [&](const auto& write, const auto& read) {
    std::thread writer([&] { write(); });
    const gp::ndarray<std::int64_t> result = read();
    writer.join();
    return gp::array_equal(result, numbers);
  };
  CHECK(through_pipe([&] { gp::tofile(numbers, pipe); }, [&] { return gp::fromfile<std::int64_t>(pipe); }));
  const std::string npy = file("pipe.npy");
  fs::rename(pipe, npy);
  CHECK(through_pipe([&] { gp::save(npy, numbers); }, [&] { return gp::load<std::int64_t>(npy); }));
  fs::rename(npy, pipe);

  // As /dev/stdout is where output goes to a file.
  const std::string target = write("target", "long enough to be cut");
  const int output = open(target.c_str(), O_RDWR | O_CLOEXEC);
  gp::tofile(gp::array({7}), "/dev/fd/" + std::to_string(output), ",");
  struct stat s;
  REQUIRE(fstat(output, &s) == 0);
  CHECK(s.st_nlink == 1);
  CHECK(::read(output, text, sizeof text) == 1);
  CHECK(contents(target) == "7");
  close(output);
  CHECK(count() == 2);
}

TEST_CASE_FIXTURE(folder, "archives of more arrays than 16 bits count, and names that are not ASCII") {
  gp::named_arrays many;
  const auto zero = gp::zeros<std::uint8_t>({0});
  constexpr std::size_t count = 65539;
  for (std::size_t i = 0; i < count; ++i) many.emplace(std::to_string(i), zero);
  gp::savez(file("many.npz"), many);
  const gp::named_arrays have = gp::load_npz(file("many.npz"));
  REQUIRE(have.size() == count);
  CHECK(std::prev(have.end())->first == "65538");
  gp::savez(file("accents.npz"), {{"\xc3\xa9t\xc3\xa9", gp::arange(3)}});
  CHECK(gp::load_npz(file("accents.npz")).begin()->first == "\xc3\xa9t\xc3\xa9");
  CHECK_THROWS_AS(gp::savez(file("long.npz"), {{std::string(65532, 'n'), zero}}), gp::value_error);
  CHECK_THROWS_AS(gp::savez(file("twice.npz"), {{"a", zero}, {"a", zero}}), gp::value_error);
  CHECK(this->count() == 2);
}
