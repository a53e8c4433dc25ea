// Poisson's equation -laplace(u) = f in a square with periodic edges, by Fourier transforms on many
// processes.
//
// Each rank has some rows of the square and of the spectrum. In the spectrum the Laplacian is a factor of
// each wave, so u is the transform of f divided by it, and transformed back. The answer is known: f is
// computed of it.
#include <chrono>
#include <cmath>
#include <numbers>

#include <gparray/distributed.hpp>
#include <gparray/format.hpp>

#include "distributed.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

int solve(const gd::communicator& world, int n) {
  const auto rows = gd::layout::rows(world);
  const double two_pi = 2 * std::numbers::pi;

  // u = sin(2 pi 3 x) cos(2 pi 5 y) + cos(2 pi x) / 2: three waves, of which the Laplacian is known.
  const auto known = [&](double of_first, double of_second) {
    return gd::from_function({n, n}, rows, [&](const auto& i, const auto& j) {
      const auto x = i * (two_pi / n), y = j * (two_pi / n);
      return of_first * gp::sin(3. * x) * gp::cos(5. * y) + of_second * gp::cos(x);
    });
  };
  const gd::sharded<double> u = known(1, 0.5);
  const gd::sharded<double> f = known(34 * two_pi * two_pi, 0.5 * two_pi * two_pi);

  const auto start = std::chrono::steady_clock::now();
  // What -laplace multiplies wave (i, j) by; the mean, which is free, stays 0.
  const gd::sharded<double> factor =
      gd::from_function({n, n / 2 + 1}, rows, [&](const auto& i, const auto& j) {
        const auto squares = gp::square(gp::minimum(i, n - i)) + gp::square(j);
        return gp::where(squares == 0, 1., squares * (two_pi * two_pi));
      });
  const gd::sharded<double> solved = gp::fft::irfft2(gp::fft::rfft2(f) / factor, {n, n});
  const double error = gp::max(gp::abs(solved - u));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  // A transform of n points has an error of at most 7 log2(n) units of its 2-norm (Higham, "Accuracy and
  // Stability of Numerical Algorithms", theorem 24.2); of that in f, of the two, the longest wave keeps most.
  const double points = static_cast<double>(u.size()), unit = 0x1p-53;
  const double bound = 3 * 7 * std::log2(points) * unit * gp::linalg::norm(f).item() / (two_pi * two_pi);
  const bool right = error < bound;
  const double at = solved.item(n / 12, n / 8);
  if (world.rank() == 0) {
    fmt::print("{} x {} points: u = {:.12f} at row {}, column {}\n", n, n, at, n / 12, n / 8);
    fmt::print("differs from the known answer by {:.1e}: {}\n", error, right ? "right" : "wrong");
    fmt::print("{:.3f} s on {} ranks, {}\n", elapsed.count(), world.size(), world.engine());
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Poisson's equation by Fourier transforms, on many ranks.");
  const int n = options.value("-n/--size", 1024, "grid points along each side");
  return on_ranks(options, [&](const gd::communicator& world) { return solve(world, n); });
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
