// A program of several ranks, one of which does what its argument says. Whatever that is, the job must end,
// and not with success.
//   late     comes to no call, until after the deadline
//   differs  makes another call than the others
//   aborts   calls abort
//   fails    leaves main with status 7, while the others wait for it
//   throws   an exception that nobody catches
//   killed N        by a signal, so many microseconds after the ranks are connected; the others go on making
//   calls killed_early N  the same, after its start
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

#include <gparray/distributed.hpp>

namespace gd = gparray::distributed;
using namespace std::chrono_literals;

namespace {

/// Before the rank is one; the one that does it is rank 1.
bool is_rank_1() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK"})
    if (const char* const value = std::getenv(name)) return std::strcmp(value, "1") == 0;
  return false;
}

void be_killed_after(const char* microseconds) {
  std::thread([moment = std::chrono::microseconds(std::atol(microseconds))] {
    std::this_thread::sleep_for(moment);
    std::raise(SIGKILL);
  }).detach();
}

int run(const std::string& what, const char* moment) {
  const bool waits = what == "late" || what == "differs";
  // A launcher ends the others of a job; in a shell loop nothing but their deadline does.
  const auto deadline = waits ? 500ms : std::getenv("GPARRAY_RENDEZVOUS") ? 3s : 60s;
  const gd::communicator world = gd::init({.timeout = deadline});
  world.barrier();
  if (world.rank() == 1) {
    if (what == "late") std::this_thread::sleep_for(3s);
    if (what == "differs") static_cast<void>(world.split(0));
    if (what == "aborts") world.abort("no room on the disk");
    if (what == "fails") return 7;
    if (what == "killed") be_killed_after(moment);
    if (what == "throws") throw std::runtime_error("nobody catches this");
  }
  for (int turn = 0; turn < 200'000; ++turn) world.barrier();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const char* const moment = argc > 2 ? argv[2] : "0";
  if (what == "killed_early" && is_rank_1()) be_killed_after(moment);
  if (what == "throws") return run(what, moment);
  try {
    return run(what, moment);
  } catch (const gd::distributed_error& e) {
    std::fprintf(stderr, "distributed_error: %s\n", e.what());
    return 3;
  }
}
