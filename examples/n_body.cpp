// Two discs of stars that fall onto each other: every star pulls every other, step by step (leapfrog), as an
// animated picture of how many stars are where.
//
// The sums over all pairs are expressions of n x n numbers that are never stored. Momentum is constant but
// for rounding, and energy but for the error of the steps.
#include <cmath>

#include <gparray/gparray.hpp>
#include <gparray/signal.hpp>

#include "colours.hpp"
#include "on_device.hpp"

namespace gp = gparray;

namespace {

using vector = gp::ndarray<double>;
constexpr double softening = 0.15;

struct stars {
  vector x, y, vx, vy;
};

/// n stars on circles around a heavy one, which is the first.
stars disc(gp::random::Generator& rng, int n, double x, double y, double vx, double vy, double mass) {
  const vector r = 0.15 + 0.85 * gp::sqrt(rng.random(n)), angle = rng.uniform(0, 2 * gp::pi, n);
  const vector speed = gp::sqrt(mass * gp::square(r) / gp::power(gp::square(r) + softening * softening, 1.5));
  stars s{x + r * gp::cos(angle), y + r * gp::sin(angle), vx - speed * gp::sin(angle),
          vy + speed * gp::cos(angle)};
  s.x(0) = x, s.y(0) = y, s.vx(0) = vx, s.vy(0) = vy;
  return s;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Lets two galaxies collide.");
  const int n = options.value("-n/--stars", 1000, "stars of each galaxy");
  const int steps = options.value("--steps", 480, "steps of 0.01 units of time");
  const int frames = options.value("--frames", 30, "pictures of the animation");
  const std::string output = options.value("--output", "n_body.png", "the animated picture; empty for none");
  const gp::device device = device_of(options);

  gp::random::Generator rng = gp::random::default_rng(7);
  const stars a = disc(rng, n, -1.4, -0.5, 0.45, 0.0, 1.0), b = disc(rng, n, 1.4, 0.5, -0.45, 0.0, 1.0);
  vector x = gp::concatenate({a.x, b.x}), y = gp::concatenate({a.y, b.y});
  vector vx = gp::concatenate({a.vx, b.vx}), vy = gp::concatenate({a.vy, b.vy});
  vector mass = gp::full(2 * n, 0.05 / n);
  mass({0, n}) = 0.95;

  // Of a pair: the distances along the axes, and together, a little longer than they are.
  const auto dx = [&] { return x - x(":, None"); };
  const auto dy = [&] { return y - y(":, None"); };
  const auto squared = [&] { return gp::square(dx()) + gp::square(dy()) + softening * softening; };
  const auto energy = [&] {
    const vector pull = gp::sum(mass / gp::sqrt(squared()), 1) - mass / softening;
    return 0.5 * gp::sum(mass * (vx * vx + vy * vy)).item() - 0.5 * gp::sum(mass * pull).item();
  };
  const auto momentum = [&] { return std::hypot(gp::sum(mass * vx).item(), gp::sum(mass * vy).item()); };
  const auto kick = [&](double time) {
    const auto weight = mass / (squared() * gp::sqrt(squared()));
    vx += time * gp::sum(weight * dx(), 1);
    vy += time * gp::sum(weight * dy(), 1);
  };

  const double dt = 0.01, energy_before = energy(), momentum_before = momentum();
  const vector bell = gp::exp(-0.5 * gp::square(gp::arange<double>(-4, 5) / 1.1)),
               glow = gp::outer(bell, bell);
  std::vector<plot::picture> pictures;
  const stopwatch watch;
  {
    progress_line progress;
    kick(dt / 2);
    for (int step = 0; step < steps; ++step) {
      x += dt * vx;
      y += dt * vy;
      kick(step + 1 < steps ? dt : dt / 2);
      if (!output.empty() && (step + 1) * frames / steps > step * frames / steps) {
        const std::vector<std::int64_t> pixels{180, 280};
        const vector count = gp::histogram2d(y, x, pixels, {.range = {{-1.8, 1.8}, {-2.8, 2.8}}}).H;
        const vector light = gp::sqrt(gp::maximum(gp::signal::fftconvolve(count, glow, "same"), 0.0));
        pictures.push_back(
            plot::paint(light, {.map = plot::inferno, .low = 0.1, .high = 1.3, .colours = 16}));
      }
      progress.update("step {} of {}", step, steps);
    }
  }
  const double seconds = watch.seconds();

  const double energy_drift = std::abs(energy() / energy_before - 1),
               momentum_drift = std::abs(momentum() - momentum_before);
  const bool right = energy_drift < 5e-3 && momentum_drift < 1e-12;
  fmt::print("{} steps of {} stars on {}: {:.2f} s\n", steps, 2 * n, device.str(), seconds);
  fmt::print("energy {:.5f}, changed by {:.1e} of itself, momentum by {:.1e}: {}\n", energy_before,
             energy_drift, momentum_drift, right ? "right" : "WRONG");
  if (!output.empty()) plot::write_png(output, pictures, 60);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
