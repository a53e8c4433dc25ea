// The waiting times of many customers, sorted on many processes: the median, the 99th percentile, and how
// many different times there are once they are rounded to whole seconds.
//
// Each rank draws its part of the times, which are those of one process, whatever the number of ranks. After
// gd::sort the shortest are on rank 0 and the longest on the last.
#include <chrono>
#include <cmath>

#include <gparray/distributed.hpp>
#include <gparray/format.hpp>

#include "distributed.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

int measure(const gd::communicator& world, int n) {
  const auto rows = gd::layout::rows(world);
  gp::random::Generator rng(2026);
  const gd::sharded<double> times =
      gd::random(rng, {n}, rows, [](auto& g, const gp::dims& shape) { return g.exponential(100., shape); });

  const auto start = std::chrono::steady_clock::now();
  const gd::sharded<double> sorted = gd::sort(times);
  const gd::sharded<double> seconds = gd::unique(gp::floor(times));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  const double median = sorted.item(n / 2), slow = sorted.item(n - 1 - n / 100);
  // In order, and the same numbers: their squares have the same sum, but for rounding.
  const bool ordered = (sorted(":-1") <= sorted("1:")).all();
  const double before = gp::linalg::norm(times), after = gp::linalg::norm(sorted);
  const bool right = ordered && std::abs(after - before) < 1e-12 * before &&
                     sorted.item(0) == double(gp::min(times)) && sorted.item(-1) == double(gp::max(times)) &&
                     seconds.item(-1) == std::floor(sorted.item(-1));
  if (world.rank() == 0) {
    fmt::print("{} customers: half wait less than {:.6f} s, 99 % less than {:.6f} s\n", n, median, slow);
    fmt::print("{} different whole seconds; {}\n", seconds.size(), right ? "right" : "wrong");
    fmt::print("{:.3f} s on {} ranks, {}\n", elapsed.count(), world.size(), world.engine());
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Sorts numbers that many ranks have.");
  const int n = options.value("-n/--size", 10'000'000, "how many numbers");
  return on_ranks(options, [&](const gd::communicator& world) { return measure(world, n); });
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
