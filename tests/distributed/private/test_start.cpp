// How a process finds out which rank it is, and how ranks meet where there is no MPI.
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <thread>
#include <unistd.h>

#include <distributed/start/launch.hpp>
#include <distributed/start/rendezvous.hpp>

#include <gparray/distributed/communicator.hpp>

#include "support/temporary_folder.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed::detail;
using namespace std::chrono_literals;

namespace {

/// While it lives these are the only variables of launchers.
class launched_with {
 public:
  explicit launched_with(const std::map<std::string, std::string>& variables) {
    for (const char* name :
         {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "PMI_RANK",
          "PMI_SIZE", "MPI_LOCALRANKID", "PMIX_RANK", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_NUM_TASKS",
          "SLURM_LOCALID", "TORCHELASTIC_RUN_ID", "RANK", "WORLD_SIZE", "LOCAL_RANK"}) {
      const char* const value = std::getenv(name);
      before_[name] = value ? std::optional<std::string>(value) : std::nullopt;
      unsetenv(name);
    }
    for (const auto& [name, value] : variables) setenv(name.c_str(), value.c_str(), 1);
  }
  ~launched_with() {
    for (const auto& [name, value] : before_)
      if (value) setenv(name.c_str(), value->c_str(), 1);
      else unsetenv(name.c_str());
  }
  launched_with(const launched_with&) = delete;
  launched_with& operator=(const launched_with&) = delete;

 private:
  std::map<std::string, std::optional<std::string>> before_;
};

struct found {
  int rank, size, local_rank;
  bool by_mpi;
  std::string launcher;
  friend bool operator==(const found&, const found&) = default;
};
found find(const std::map<std::string, std::string>& variables) {
  const launched_with scope(variables);
  const gd::launch l = gd::find_launch();
  return {l.rank, l.size, l.local_rank, l.by_mpi, l.launcher};
}

std::string complaint(const std::map<std::string, std::string>& variables) {
  const launched_with scope(variables);
  try {
    gd::find_launch();
  } catch (const gp::value_error& e) {
    return e.what();
  }
  return "";
}

std::string host_name() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::vector<std::byte> words(unsigned char first) { return {std::byte{first}, std::byte{0}, std::byte{255}}; }

}  // namespace

TEST_CASE("launchers tell a process its rank by variables") {
  CHECK(find({}) == found{0, 1, -1, false, ""});
  CHECK(find({{"OMPI_COMM_WORLD_RANK", "3"},
              {"OMPI_COMM_WORLD_SIZE", "8"},
              {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
              {"PMIX_RANK", "3"}}) == found{3, 8, 1, true, "Open MPI's mpirun"});
  CHECK(find({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"MPI_LOCALRANKID", "0"}}) ==
        found{0, 2, 0, true, "mpiexec"});
  CHECK(find({{"PMIX_RANK", "5"},
              {"SLURM_PROCID", "5"},
              {"SLURM_STEP_NUM_TASKS", "6"},
              {"SLURM_LOCALID", "1"}}) == found{5, 6, 1, true, "srun --mpi=pmix"});
  CHECK(find({{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "6"}, {"SLURM_LOCALID", "1"}}) ==
        found{5, 6, 1, false, "srun"});
  CHECK(find({{"RANK", "1"}, {"WORLD_SIZE", "2"}}) ==
        found{1, 2, -1, false, "what sets RANK and WORLD_SIZE"});
}

TEST_CASE("a script of SLURM that starts a program without srun starts one process") {
  CHECK(find({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_LOCALID", "0"}}).size == 1);
}

TEST_CASE("torchrun counts before what started it") {
  CHECK(find({{"TORCHELASTIC_RUN_ID", "x"},
              {"RANK", "7"},
              {"WORLD_SIZE", "8"},
              {"LOCAL_RANK", "3"},
              {"SLURM_PROCID", "1"},
              {"SLURM_STEP_NUM_TASKS", "2"}}) == found{7, 8, 3, false, "torchrun"});
}

TEST_CASE("variables that make no sense are named") {
  CHECK(complaint({{"RANK", "one"}, {"WORLD_SIZE", "2"}}) ==
        "the environment variable RANK must be a number from 0 on, it is 'one'");
  CHECK(complaint({{"RANK", "-1"}, {"WORLD_SIZE", "2"}}) != "");
  CHECK(complaint({{"RANK", "1"}, {"WORLD_SIZE", "2x"}}) != "");
  CHECK(complaint({{"RANK", "2"}, {"WORLD_SIZE", "2"}}) ==
        "RANK is 2, which is no rank of the 2 that WORLD_SIZE says");
  CHECK(complaint({{"RANK", "2"}})
            .starts_with("of the environment variables RANK and WORLD_SIZE only one is set"));
}

TEST_CASE("ranks meet at files, whatever an earlier run has left there, and leave none") {
  const temporary_folder folder;
  const std::string path = folder.file("meeting");
  // What ranks and rank 0 of a run leave that was ended in the middle.
  folder.write("meeting", "3\nold here\nold there\nold there\n0102\n");
  folder.write("meeting.1", "old there\n");
  folder.write("meeting.2", "old there\n");
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<gd::meeting> met(3);
    std::vector<std::thread> ranks;
    for (int r = 0; r < 3; ++r)
      ranks.emplace_back([&, r] {
        if (turn == 1) std::this_thread::sleep_for((2 - r) * 20ms);
        met[static_cast<std::size_t>(r)] =
            gd::meet(path, r, 3, r == 0 ? words(static_cast<unsigned char>(turn)) : words(99), 20s);
      });
    for (std::thread& t : ranks) t.join();
    for (const gd::meeting& m : met) {
      CHECK(m.words == words(static_cast<unsigned char>(turn)));
      REQUIRE(m.hosts.size() == 3);
      CHECK(m.hosts == std::vector<std::string>(3, host_name()));
    }
    CHECK(std::filesystem::is_empty(folder.path));
  }
}

TEST_CASE("ranks that do not come to the rendezvous are named") {
  const temporary_folder folder;
  const auto text = [&](int rank, int size) {
    try {
      gd::meet(folder.file("meeting"), rank, size, words(1), 30ms);
    } catch (const gp::distributed::distributed_error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(text(0, 3).starts_with("rank 0 of 3 waited in vain for ranks 1, 2 at the rendezvous " +
                               folder.path.string()));
  CHECK(text(0, 2).find("for rank 1 at") != std::string::npos);
  CHECK(text(1, 3).starts_with("rank 1 of 3 waited in vain for rank 0"));
  CHECK(text(1, 3).find("GPARRAY_RENDEZVOUS") != std::string::npos);
  CHECK(std::filesystem::is_empty(folder.path));
  CHECK_THROWS_AS(gd::meet("/nowhere/meeting", 1, 2, {}, 30ms), gp::os_error);
}
