// Gives a target many mutations of its corpus: gparray_fuzz npy --runs 200000 --seed 1. With a file instead
// of options it runs that input alone. A crash, a sanitizer's report, an exception that is not gparray's and
// an input that takes over ten seconds are failures; the input at fault stays in crash-TARGET in the working
// folder.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <signal.h>
#include <string>
#include <unistd.h>
#include <vector>

#include "dictionary.hpp"
#include "mutate.hpp"
#include "targets.hpp"

namespace {

constexpr unsigned seconds_for_one = 10;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code no_folder;
  for (const auto& f : std::filesystem::directory_iterator(folder, no_folder))
    if (f.is_regular_file()) files.push_back(f.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// The input that is being run, in a file that outlives the process.
class input_record {
 public:
  explicit input_record(std::string path) : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb")) {
    if (!file_) std::perror(path_.c_str()), std::exit(2);
    std::setvbuf(file_, nullptr, _IONBF, 0);
  }
  void keep(const std::string& input) {
    const int fd = fileno(file_);
    if (pwrite(fd, input.data(), input.size(), 0) < 0 || ftruncate(fd, static_cast<off_t>(input.size())) != 0)
      std::perror(path_.c_str()), std::exit(2);
  }
  void remove() {
    std::fclose(file_);
    std::filesystem::remove(path_);
  }

 private:
  std::string path_;
  std::FILE* file_;
};

int run_many(const fuzz::target& t, std::uint64_t runs, std::uint64_t seed) {
  // Those that somebody wrote come first, then those that libFuzzer found, of which it refused many.
  const std::filesystem::path folder = std::string(GPARRAY_FUZZ_CORPUS "/") + t.name;
  std::vector<std::filesystem::path> files = files_in(folder);
  const std::size_t written = files.size();
  const auto found = files_in(folder / "found");
  files.insert(files.end(), found.begin(), found.end());
  std::vector<std::string> corpus;
  std::uint64_t accepted = 0;
  input_record record(std::string("crash-") + t.name);
  const auto run_one = [&](const std::string& input) {
    record.keep(input);
    alarm(seconds_for_one);
    accepted += is_read(t, input);
    alarm(0);
  };
  for (const auto& file : files) {
    corpus.push_back(bytes_of(file));
    run_one(corpus.back());
    if (corpus.size() != written) continue;
    // A corpus that nothing reads would make every mutation a refusal, and the fuzzer blind.
    if (accepted < (written + 1) / 2)
      return std::printf("%s: only %llu of the corpus' %zu files are read\n", t.name,
                         static_cast<unsigned long long>(accepted), written),
             1;
  }
  if (written == 0) return std::printf("%s: no corpus\n", t.name), 2;
  const std::vector<std::string> words =
      fuzz::read_dictionary(std::string(GPARRAY_FUZZ_DICTIONARIES "/") + t.name + ".dict");
  // Half of the changes are of inputs that are read: most of those that were found are refused early.
  for (std::size_t i = 0; corpus.size() < written + 2 * found.size(); ++i)
    corpus.push_back(std::string(corpus[i % written]));
  fuzz::mutator mutations(seed, corpus, words);
  for (std::uint64_t i = 0; i < runs; ++i) run_one(mutations.next());
  record.remove();
  std::printf("%s: %llu inputs, %llu read\n", t.name, static_cast<unsigned long long>(runs + files.size()),
              static_cast<unsigned long long>(accepted));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const fuzz::target* const t = argc > 1 ? fuzz::find_target(argv[1]) : nullptr;
  if (!t) {
    std::printf("usage: gparray_fuzz TARGET [FILE | --runs N --seed N]; the targets are\n");
    for (const auto list : {fuzz::file_targets(), fuzz::text_targets()})
      for (const fuzz::target& each : list) std::printf("  %s\n", each.name);
    return 2;
  }
  if (argc == 3) return std::printf("%s\n", is_read(*t, bytes_of(argv[2])) ? "read" : "refused"), 0;
  std::uint64_t runs = 2000, seed = 1;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--runs") == 0) runs = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "--seed") == 0) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  return run_many(*t, runs, seed);
}
