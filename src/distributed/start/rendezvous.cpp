#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>
#include <unistd.h>

#include <distributed/start/rendezvous.hpp>

#include <gparray/distributed/communicator.hpp>
#include <support/errors.hpp>
#include <support/output_file.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{5};
constexpr const char* remedy =
    "all ranks must be started, with the same GPARRAY_RENDEZVOUS, a file in a folder that all of them see";

/// A rank's name for this run, and where it runs.
struct caller {
  std::string number, host;
  friend bool operator==(const caller&, const caller&) = default;
};

caller this_process() {
  std::random_device random;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return {fmt::format("{:08x}{:08x}{:08x}", random(), random(), getpid()), host};
}

std::istream& operator>>(std::istream& in, caller& c) { return in >> c.number >> c.host; }

std::string caller_file(const std::string& path, int rank) { return fmt::format("{}.{}", path, rank); }

void write(const std::string& file, const std::string& text) {
  core::output_file out(file, {.mode = 0600, .follow_links = false});
  out.write(text);
  out.commit();
}

void remove(const std::string& file) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

std::string answer_text(const std::vector<caller>& callers, std::span<const std::byte> words) {
  std::string text = fmt::format("{}\n{}\n", callers[0].number, callers.size());
  for (const caller& each : callers) text += fmt::format("{} {}\n", each.number, each.host);
  for (const std::byte b : words) text += fmt::format("{:02x}", static_cast<unsigned>(b));
  return text + '\n';
}

/// What follows rank 0's number in an answer: whether it is there, and to this very process.
bool read_answer(std::istream& in, const caller& me, int rank, int size, meeting& met) {
  int said = 0;
  if (!(in >> said) || said != size) return false;
  std::vector<caller> callers(static_cast<std::size_t>(size));
  for (caller& each : callers) in >> each;
  std::string digits;
  if (!(in >> digits) || callers[static_cast<std::size_t>(rank)] != me) return false;
  met = {};
  for (const caller& each : callers) met.hosts.push_back(each.host);
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    met.words.push_back(static_cast<std::byte>(std::stoi(digits.substr(i, 2), nullptr, 16)));
  return true;
}

/// The part of every other rank: it announces itself to whoever calls itself rank 0, anew if that is another
/// one now, as what an earlier run has left is not this run's.
meeting call(const std::string& path, int rank, int size, clock::time_point end) {
  const caller me = this_process();
  const std::string mine = caller_file(path, rank);
  std::string announced_to = "nobody";
  const auto announce = [&] { write(mine, fmt::format("{} {} {}\n", me.number, me.host, announced_to)); };
  announce();
  for (meeting met; clock::now() < end; std::this_thread::sleep_for(between_looks)) {
    std::ifstream in(path);
    std::string zero;
    if (!(in >> zero)) continue;
    if (read_answer(in, me, rank, size, met)) {
      remove(mine);  // which tells rank 0
      return met;
    }
    if (zero != announced_to) {
      announced_to = zero;
      announce();
    }
  }
  remove(mine);
  core::fail<distributed_error>("rank {} of {} waited in vain for rank 0 at the rendezvous {}: {}", rank,
                                size, path, remedy);
}

/// Rank 0's part: it shows its number, hears only those who repeat it, and answers them all at once.
meeting receive(const std::string& path, int size, std::span<const std::byte> words, clock::time_point end) {
  std::vector<caller> callers(static_cast<std::size_t>(size));
  callers[0] = this_process();
  write(path, callers[0].number + '\n');
  for (bool answered = false;; std::this_thread::sleep_for(between_looks)) {
    std::vector<int> awaited;  // those that have not announced themselves, or not taken the answer yet
    for (int r = 1; r < size; ++r) {
      std::ifstream in(caller_file(path, r));
      caller found;
      std::string zero;
      const bool here = (in >> found >> zero) && zero == callers[0].number;
      if (here) callers[static_cast<std::size_t>(r)] = found;
      if (here == answered) awaited.push_back(r);
    }
    if (awaited.empty()) {
      if (answered) break;
      write(path, answer_text(callers, words));
      answered = true;
    } else if (clock::now() >= end) {
      remove(path);
      core::fail<distributed_error>("rank 0 of {} waited in vain for rank{} {} at the rendezvous {}: {}",
                                    size, awaited.size() == 1 ? "" : "s", fmt::join(awaited, ", "), path,
                                    remedy);
    }
  }
  remove(path);
  meeting met{{words.begin(), words.end()}, {}};
  for (const caller& each : callers) met.hosts.push_back(each.host);
  return met;
}

}  // namespace

meeting meet(const std::string& path, int rank, int size, std::span<const std::byte> words,
             std::chrono::milliseconds timeout) {
  const clock::time_point end = clock::now() + timeout;
  return rank == 0 ? receive(path, size, words, end) : call(path, rank, size, end);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
