// Ranks that are threads of one process: who they are, what they share, and how they end.
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "distributed/ranks.hpp"

using namespace ranks;
using namespace std::chrono_literals;

TEST_CASE("a program that was started alone is a world of one") {
  const gd::communicator world = gd::init();
  CHECK(world.rank() == 0);
  CHECK(world.size() == 1);
  CHECK(world.local_rank() == 0);
  CHECK(world.place() == gp::default_device());
  CHECK(world == gd::init());
  world.barrier();
  CHECK(world.split(3).size() == 1);
}

TEST_CASE("ranks are numbered, know their world, and come in any order of a split") {
  for (const int n : {1, 2, 3, 5}) {
    std::vector<int> seen(static_cast<std::size_t>(n));
    std::atomic<int> wrong = 0;
    gd::spawn(n, [&](const gd::communicator& world) {
      ++seen[static_cast<std::size_t>(world.rank())];
      const bool connects_gpus = world.place().is_cuda() && n > 1 && n <= gp::device_count();
      wrong += world.size() != n || gd::init() != world ||
               world.engine().substr(0, 4) != (connects_gpus ? "nccl" : "thre");
      // Odd and even ranks, the last first.
      const gd::communicator half = world.split(world.rank() % 2, n - world.rank());
      wrong += half.size() != (n + 1 - world.rank() % 2) / 2;
      wrong += half.rank() != half.size() - 1 - world.rank() / 2;
      half.barrier();
      wrong += half.split(0, 0).rank() != half.rank();
    });
    CHECK(seen == std::vector<int>(static_cast<std::size_t>(n), 1));
    CHECK(wrong == 0);
  }
  CHECK(gd::init().size() == 1);
  CHECK_THROWS_AS(gd::spawn(0, [](const gd::communicator&) {}), gp::value_error);
}

TEST_CASE("a barrier holds all until the last has come") {
  std::atomic<int> come = 0, early = 0;
  gd::spawn(3, [&](const gd::communicator& world) {
    for (int turn = 1; turn <= 50; ++turn) {
      ++come;
      world.barrier();
      early += come < 3 * turn;
      world.barrier();
    }
  });
  CHECK(early == 0);
}

TEST_CASE("a rank that ends with an exception ends the others, and spawn throws it") {
  std::atomic<int> told = 0;
  const auto run = [&] {
    gd::spawn(3, [&](const gd::communicator& world) {
      if (world.rank() == 1) throw std::out_of_range("the file has no third column");
      try {
        world.barrier();
      } catch (const gd::distributed_error& e) {
        told +=
            e.rank() == 1 && contains(e.what(), "rank 1 has ended with an exception: the file has no third");
        // It stays so.
        told += contains(error_of<gd::distributed_error>([&] { world.barrier(); }), "no third column");
        throw;
      }
    });
  };
  CHECK_THROWS_AS(run(), std::out_of_range);
  CHECK(told == 4);
}

TEST_CASE("ranks that make different calls are told so") {
  const std::string text = error_of<gd::distributed_error>([] {
    gd::spawn(2, [](const gd::communicator& world) {
      if (world.rank() == 0) world.barrier();
      else static_cast<void>(world.split(0));
    });
  });
  CHECK(contains(text, "rank 1 is in split #1, rank 0 in barrier #1"));
}

TEST_CASE("a rank that never calls is an error at the deadline") {
  const auto start = std::chrono::steady_clock::now();
  const std::string text = error_of<gd::distributed_error>([] {
    gd::spawn(2,
              [](const gd::communicator& world) {
                world.barrier();
                if (world.rank() == 0) world.barrier();
                else std::this_thread::sleep_for(300ms);
              },
              {.timeout = 100ms});
  });
  CHECK(
      contains(text, "rank 0 has waited for rank 1 in barrier #2 for 0.1 s; rank 1 was last in barrier #1"));
  CHECK(std::chrono::steady_clock::now() - start < 10s);
}

TEST_CASE("abort ends all ranks") {
  std::atomic<int> ended = 0;
  const std::string text = error_of<gd::distributed_error>([&] {
    gd::spawn(2, [&](const gd::communicator& world) {
      ended += contains(error_of<gd::distributed_error>([&] {
                          if (world.rank() == 1) world.abort("no room on the disk");
                          world.barrier();
                        }),
                        "rank 1 has called abort: no room on the disk");
    });
  });
  CHECK(ended == 2);
  CHECK(text == "no error");
}
