// A wave behind two slits: the wave equation in a box whose edges and wall hold still, as an animated
// picture.
//
// The energy of the difference formula is constant but for rounding, which the program checks.
#include <cmath>

#include <gparray/gparray.hpp>

#include "colours.hpp"
#include "on_device.hpp"

namespace gp = gparray;

namespace {

/// The sum of the differences of neighbours along both axes of a times those of b.
double slopes(const gp::ndarray<double>& a, const gp::ndarray<double>& b) {
  return gp::sum(gp::diff(a, 1, {.axis = 0}) * gp::diff(b, 1, {.axis = 0})) +
         gp::sum(gp::diff(a, 1, {.axis = 1}) * gp::diff(b, 1, {.axis = 1}));
}

/// Of two states, one step apart: ((u_t)^2 + c^2 (grad u)^2) / 2, with steps of 1 in time and space.
double energy(const gp::ndarray<double>& before, const gp::ndarray<double>& now, double c) {
  return 0.5 * gp::sum(gp::square(now - before)).item() + 0.5 * c * c * slopes(before, now);
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Sends a wave through two slits.");
  const int n = options.value("-n/--size", 240, "points along each side, at least 60");
  const int frames = options.value("--frames", 30, "pictures of the animation");
  const std::string output =
      options.value("--output", "wave_equation.png", "the animated picture; empty for none");
  const gp::device device = device_of(options);

  // 1 where the plane moves: not at its edges, and not in the wall but for its slits.
  const double c = 0.5;
  const int wall = n * 2 / 5, middle = n / 2, half = n / 40, apart = n / 10;
  gp::ndarray<double> moves = gp::zeros({n, n});
  moves("1:-1, 1:-1") = 1;
  moves(gp::all, gp::slice(wall, wall + 4)) = 0;
  for (const int slit : {middle - apart, middle + apart})
    moves(gp::slice(slit - half, slit + half), gp::slice(wall, wall + 4)) = 1;

  // A packet of plane waves that runs to the right.
  const auto x = gp::arange<double>(n);
  const auto packet = [&](double centre) {
    return gp::exp(-gp::square((x - centre) / (n / 12.0))) * gp::sin(2 * gp::pi / (n / 20.0) * (x - centre));
  };
  gp::ndarray<double> before = moves * packet(n / 5.0), now = moves * packet(n / 5.0 + c);

  const double start = energy(before, now, c);
  const int steps = static_cast<int>(0.85 * n / c);
  std::vector<plot::picture> pictures;
  const stopwatch watch;
  {
    progress_line progress;
    for (int step = 0; step < steps; ++step) {
      gp::ndarray<double> next = gp::zeros({n, n});
      next("1:-1, 1:-1") = 2 * now("1:-1, 1:-1") - before("1:-1, 1:-1") +
                           c * c *
                               (now(":-2, 1:-1") + now("2:, 1:-1") + now("1:-1, :-2") + now("1:-1, 2:") -
                                4 * now("1:-1, 1:-1"));
      next *= moves;
      before = now;
      now = next;
      if (!output.empty() && (step + 1) * frames / steps > step * frames / steps) {
        const auto wall_shown = gp::where(moves == 0, -1.0, now);
        pictures.push_back(
            plot::paint(wall_shown, {.map = plot::red_blue, .low = -0.4, .high = 0.4, .colours = 17}));
      }
      progress.update("step {} of {}", step, steps);
    }
  }
  const double seconds = watch.seconds();

  const double drift = std::abs(energy(before, now, c) / start - 1);
  const double allowed = steps * 64 * gp::finfo<double>::eps;
  fmt::print("{} steps of {} x {} points on {}: {:.2f} s\n", steps, n, n, device.str(), seconds);
  fmt::print("behind the wall: {:.4f} of the squares\n",
             gp::sum(gp::square(now(gp::all, gp::slice(wall + 4, n)))) / gp::sum(now * now));
  fmt::print("the energy changed by {:.1e} of itself, allowed {:.1e}: {}\n", drift, allowed,
             drift <= allowed ? "right" : "WRONG");
  if (!output.empty()) plot::write_png(output, pictures, 60);
  return drift <= allowed ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
