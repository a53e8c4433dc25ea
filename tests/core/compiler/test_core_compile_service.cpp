// The caches in front of the compiler, with a compiler that only counts.
#include <atomic>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include <core/compiler/compile_service.hpp>
#include <core/compiler/program_file.hpp>
#include <gparray/error.hpp>

#include "support/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;
namespace core = gparray::core;
using core::compile_request;
using core::compile_service;
using core::compiled_program;

constexpr std::size_t memory_limit = 1 << 20;

/// A process with its own memory, on a folder that it shares.
struct process {
  explicit process(const fs::path& folder, std::string version = "compiler 1",
                   std::size_t memory = memory_limit)
      : service({.run =
                     [this](const compile_request& r) {
                       ++runs;
                       if (r.source == "broken") throw gparray::compile_error("kernel.cu(1): error: broken");
                       return compiled_program{.image = "image of " + r.source + " by " + library.version,
                                               .lowered_names = {"_Z1f", ""},
                                               .log = "a warning"};
                     },
                 .load = [this] { return ++loads, library; },
                 .additions = [] { return std::string("-fmad=false"); }},
                memory, folder.string(), std::uint64_t{1} << 30),
        library{std::move(version), "/proc/self/exe"} {}

  compile_service service;
  core::compiler_library library;
  int runs = 0, loads = 0;
};

compile_request request(std::string source) {
  return {.source = std::move(source), .architecture = "sm_90", .options = {}, .name_expressions = {}};
}

/// The entry that is an image, not the note of the compiler's version.
fs::path entry_in(const fs::path& folder) {
  for (const auto& file : fs::directory_iterator(folder)) {
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (bytes.find("image of") != bytes.npos) return file.path();
  }
  return {};
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

}  // namespace

TEST_CASE("threads that want the same program at the same time compile it once, others do not wait") {
  const temporary_folder home;
  std::atomic<int> runs = 0, side_by_side = 0;
  compile_service service({.run =
                               [&](const compile_request& r) {
                                 ++runs;
                                 ++side_by_side;
                                 // Long enough for every thread to come; two programs wait for each other.
                                 for (int i = 0; i < 2000 && side_by_side < 2; ++i) {
                                   if (i > 100 && r.source != "b" && r.source != "c") break;
                                   std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                 }
                                 if (r.source == "broken") throw gparray::compile_error("broken");
                                 return compiled_program{
                                     .image = "image of " + r.source, .lowered_names = {}, .log = ""};
                               },
                           .load = [] { return core::compiler_library{"compiler 1", "/proc/self/exe"}; },
                           .additions = [] { return std::string(); }},
                          memory_limit, (home.path / "cache").string(), std::uint64_t{1} << 30);
  const auto compile_all = [&](const std::vector<std::string>& sources) {
    runs = side_by_side = 0;
    std::vector<std::string> got(sources.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < sources.size(); ++i)
      threads.emplace_back([&, i] {
        try {
          got[i] = service.compile(request(sources[i])).image;
        } catch (const gparray::compile_error& e) {
          got[i] = e.what();
        }
      });
    for (std::thread& t : threads) t.join();
    return got;
  };
  CHECK(compile_all({"a", "a", "a", "a"}) == std::vector<std::string>(4, "image of a"));
  CHECK(runs == 1);
  CHECK(compile_all({"b", "c"}) == std::vector<std::string>{"image of b", "image of c"});
  CHECK(side_by_side == 2);
  // A failure is nobody else's: each thread tries.
  CHECK(compile_all({"broken", "broken"}) == std::vector<std::string>(2, "broken"));
  CHECK(runs == 2);
}

TEST_CASE("a program is compiled once, in all processes") {
  const temporary_folder home;
  const fs::path folder = home.path / "cache";
  process first(folder);
  const compiled_program made = first.service.compile(request("a"));
  CHECK(made.image == "image of a by compiler 1");
  CHECK(first.service.compile(request("a")).image == made.image);
  CHECK(first.runs == 1);
  const auto counters = first.service.statistics();
  CHECK(counters.memory_hits == 1);
  CHECK(counters.disk_hits == 0);
  CHECK(counters.compilations == 1);
  CHECK(counters.memory_bytes > made.image.size());
  CHECK(counters.disk_bytes > made.image.size());

  process second(folder);
  const compiled_program read = second.service.compile(request("a"));
  CHECK(read.image == made.image);
  CHECK(read.log == "a warning");
  CHECK(read.lowered_names == made.lowered_names);
  CHECK(second.runs == 0);
  CHECK(second.loads == 0);  // not even the compiler is loaded
  CHECK(second.service.statistics().disk_hits == 1);

  second.service.clear();
  CHECK(process(folder).service.compile(request("a")).image == made.image);
  second.service.compile(request("a"));
  CHECK(second.runs == 0);  // the third process stored it again
  CHECK(second.service.statistics().disk_hits == 2);
}

TEST_CASE("everything that a result depends on is asked for") {
  const temporary_folder home;
  process p(home.path / "cache");
  const auto compiles = [&](const compile_request& r) {
    const int before = p.runs;
    p.service.compile(r);
    return p.runs > before;
  };
  compile_request r = request("a");
  CHECK(compiles(r));
  CHECK_FALSE(compiles(r));
  r.architecture = "sm_80";
  CHECK(compiles(r));
  r.options = {"-DN=1"};
  CHECK(compiles(r));
  r.options = {"-D", "N=1"};
  CHECK(compiles(r));
  r.options = {};
  r.name_expressions = {"-DN=1"};
  CHECK(compiles(r));
  r.kernel_headers = true;
  CHECK(compiles(r));
  r.file_name = "other.cu";
  CHECK(compiles(r));
  CHECK_FALSE(compiles(r));

  process newer(home.path / "cache", "compiler 2");
  // The note of the first process is believed until the compiler is needed; then it says what it is.
  CHECK(newer.service.compile(request("a")).image == "image of a by compiler 1");
  CHECK(newer.service.compile(request("b")).image == "image of b by compiler 2");
  CHECK(newer.service.compile(request("a")).image == "image of a by compiler 2");
}

TEST_CASE("a file that a program includes is a part of it") {
  const temporary_folder home;
  write(home.path / "inner.cuh", "1");
  write(home.path / "outer.cuh", "  #  include <inner.cuh>\n#include \"beside.cuh\"\n");
  write(home.path / "beside.cuh", "1");
  process p(home.path / "cache");
  const auto compiles = [&](const compile_request& r) {
    const int before = p.runs;
    p.service.compile(r);
    return p.runs > before;
  };
  compile_request r = request("#include \"outer.cuh\"\nx");
  for (const std::vector<std::string>& options : {std::vector<std::string>{"-I" + home.path.string()},
                                                  {"-I", home.path.string()},
                                                  {"--include-path=" + home.path.string()}}) {
    CAPTURE(options[0]);
    r.options = options;
    CHECK(compiles(r));
    CHECK_FALSE(compiles(r));
    for (const char* name : {"inner.cuh", "outer.cuh", "beside.cuh"}) {
      CAPTURE(name);
      write(home.path / name, bytes_of(home.path / name) + "// changed\n");
      CHECK(compiles(r));
      CHECK_FALSE(compiles(r));
    }
  }
  SUBCASE("beside the program's own file") {
    compile_request beside = request("#include \"inner.cuh\"");
    beside.file_name = (home.path / "program.cu").string();
    CHECK(compiles(beside));
    CHECK_FALSE(compiles(beside));
    write(home.path / "inner.cuh", "3");
    CHECK(compiles(beside));
  }
  SUBCASE("a name that only the preprocessor knows: never cached") {
    const compile_request unknown = request("#define FILE <inner.cuh>\n#include FILE\n");
    CHECK(compiles(unknown));
    CHECK(compiles(unknown));
  }
}

TEST_CASE("an entry that is not what was stored is compiled again") {
  const temporary_folder home;
  const fs::path folder = home.path / "cache";
  process(folder).service.compile(request("a"));
  const fs::path entry = entry_in(folder);
  const std::string good = bytes_of(entry);
  REQUIRE(good.size() > 100);

  const auto recompiles = [&](const std::string& bytes) {
    write(entry, bytes);
    process p(folder);
    const bool right = p.service.compile(request("a")).image == "image of a by compiler 1";
    return right && p.runs == 1 && bytes_of(entry) == good;  // and the entry is mended
  };
  process untouched(folder);
  untouched.service.compile(request("a"));
  CHECK(untouched.runs == 0);
  CHECK(recompiles(""));
  CHECK(recompiles("gparray kernel 1\n"));
  for (std::size_t length = 0; length < good.size(); length += 7) CHECK(recompiles(good.substr(0, length)));
  for (std::size_t at = 0; at < good.size(); at += 5) {
    std::string flipped = good;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    CAPTURE(at);
    CHECK(recompiles(flipped));
  }
  CHECK(recompiles(good + "x"));
  // A whole entry of another request, under this one's name.
  CHECK(recompiles(
      core::encode_program("another request", {.image = "foreign", .lowered_names = {}, .log = {}})));
}

TEST_CASE("failures are not cached, and the source is saved when asked for") {
  const temporary_folder home;
  process p(home.path / "cache");
  const auto text = [&] {
    try {
      p.service.compile(request("broken"));
    } catch (const gparray::compile_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(text() == "kernel.cu(1): error: broken");
  setenv("GPARRAY_SAVE_SOURCE_ON_ERROR", (home.path / "sources").c_str(), 1);
  const std::string with_path = text();
  setenv("GPARRAY_SAVE_SOURCE_ON_ERROR", "/dev/null/below", 1);
  const std::string without = text();
  unsetenv("GPARRAY_SAVE_SOURCE_ON_ERROR");
  CHECK(p.runs == 3);
  CHECK(p.service.statistics().compilations == 3);
  const std::string marker = "\nThe source is in ";
  REQUIRE(with_path.find(marker) != std::string::npos);
  CHECK(bytes_of(with_path.substr(with_path.find(marker) + marker.size())) == "broken");
  CHECK(without.find("could not be written to /dev/null/below/") != std::string::npos);
  CHECK(without.starts_with("kernel.cu(1): error: broken"));
}

TEST_CASE("memory is bounded, and the least recently used program leaves") {
  constexpr std::size_t image_bytes = 900, limit = 4 * (sizeof(compiled_program) + image_bytes);
  core::program_cache cache(limit);
  const auto key = [](int i) { return core::sha256(std::to_string(i)); };
  const compiled_program program{.image = std::string(image_bytes, 'x'), .lowered_names = {}, .log = {}};
  for (int i = 0; i < 4; ++i) cache.store(key(i), program);
  CHECK(cache.size() == 4);
  CHECK(cache.bytes() <= limit);
  REQUIRE(cache.find(key(0)));
  cache.store(key(4), program);
  CHECK(cache.find(key(0)));
  CHECK_FALSE(cache.find(key(1)));
  CHECK(cache.size() == 4);
  cache.store(key(5), {.image = std::string(limit, 'x'), .lowered_names = {}, .log = {}});
  CHECK(cache.size() == 4);
  cache.clear();
  CHECK(cache.bytes() == 0);
}

TEST_CASE("processes that race for the same program all get it") {
  const temporary_folder home;
  const fs::path folder = home.path / "cache";
  pid_t children[4];
  for (pid_t& child : children) {
    child = fork();
    if (child != 0) continue;
    bool right = true;
    for (int round = 0; round < 50; ++round) {
      process p(folder);
      const std::string source = "program " + std::to_string(round);
      right = right && p.service.compile(request(source)).image == "image of " + source + " by compiler 1";
    }
    _exit(right ? 0 : 1);
  }
  for (pid_t child : children) {
    int status = -1;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  process late(folder);
  for (int round = 0; round < 50; ++round) late.service.compile(request("program " + std::to_string(round)));
  CHECK(late.runs == 0);
}

TEST_CASE("SHA-256: the examples of FIPS 180-2, appendix B") {
  const auto text = [](const std::string& bytes) { return core::hexadecimal(core::sha256(bytes)); };
  CHECK(text("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(text("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(text(std::string(1000000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  CHECK(text("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
