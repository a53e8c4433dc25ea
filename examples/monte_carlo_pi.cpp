// Pi from random points: of those in the unit square, a share of pi / 4 lies in the circle. The points of a
// batch are drawn, tested and counted on the device; only the counts come back.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <numbers>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

int run(int argc, char** argv) {
  command_line options(argc, argv, "Computes pi by counting random points in a circle.");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  const auto points = options.value("-n/--points", std::int64_t{100000000}, "random points");
  const auto batch = options.value("-b/--batch", std::int64_t{1} << 24, "points that are in memory at once");
  const auto seed = options.value("-s/--seed", std::uint64_t{2026}, "the same seed gives the same points");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));

  gp::random::Generator rng = gp::random::default_rng(seed);
  const auto start = std::chrono::steady_clock::now();
  std::int64_t inside = 0;
  for (std::int64_t done = 0; done < points; done += batch) {
    const std::int64_t n = std::min(batch, points - done);
    const gp::ndarray<float> x = rng.random<float>(n), y = rng.random<float>(n);
    inside += gp::count_nonzero(x * x + y * y < 1.f).item();
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  const double pi = 4 * static_cast<double>(inside) / static_cast<double>(points);
  // The standard error of the count of independent points, five times: more happens once in 1.7 million
  // seeds.
  const double share = std::numbers::pi / 4;
  const double allowed = 5 * 4 * std::sqrt(share * (1 - share) / static_cast<double>(points));
  const bool right = std::abs(pi - std::numbers::pi) <= allowed;
  fmt::print("{} of {} points are inside\n", inside, points);
  fmt::print("pi is about {:.6f}: off by {:.1e}, allowed {:.1e}: {}\n", pi, std::abs(pi - std::numbers::pi),
             allowed, right ? "right" : "WRONG");
  fmt::print("{:.3g} points per second on {}\n", static_cast<double>(points) / seconds,
             gp::default_device().str());
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
