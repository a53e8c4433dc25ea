// Gray and Scott's reaction of two chemicals, u + 2 v -> 3 v, which grows corals, spots and stripes while
// both diffuse: an animated picture of v.
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "colours.hpp"
#include "on_device.hpp"

namespace gp = gparray;

namespace {

/// The weighted mean of a point's eight neighbours less the point; the plane's opposite edges meet.
gp::ndarray<float> laplacian(const gp::ndarray<float>& a) {
  const gp::ndarray<float> p = gp::pad(a, 1, "wrap");
  return 0.2f * (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:")) +
         0.05f * (p(":-2, :-2") + p(":-2, 2:") + p("2:, :-2") + p("2:, 2:")) - a;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Grows a pattern of two chemicals that react and diffuse.");
  const int n = options.value("-n/--size", 220, "points along each side");
  const int steps = options.value("--steps", 8000, "steps of one unit of time");
  const int frames = options.value("--frames", 36, "pictures of the animation");
  const float feed = options.value("--feed", 0.0545f, "how fast u flows in");
  const float kill = options.value("--kill", 0.062f, "how fast v is taken out");
  const std::string output =
      options.value("--output", "gray_scott.png", "the animated picture; empty for none");
  const gp::device device = device_of(options);

  // u everywhere, and some squares of v.
  gp::ndarray<float> u = gp::ones<float>({n, n}), v = gp::zeros<float>({n, n});
  const int side = n / 16;
  for (const auto& [y, x] : {std::pair{0.5, 0.5}, {0.3, 0.62}, {0.66, 0.35}}) {
    const int top = static_cast<int>(y * n), left = static_cast<int>(x * n);
    u(gp::slice(top, top + side), gp::slice(left, left + side)) = 0.5f;
    v(gp::slice(top, top + side), gp::slice(left, left + side)) = 0.25f;
  }

  std::vector<plot::picture> pictures;
  const stopwatch watch;
  {
    progress_line progress;
    for (int step = 0; step < steps; ++step) {
      const gp::ndarray<float> reaction = u * v * v;
      u += laplacian(u) - reaction + feed * (1 - u);
      v += 0.5f * laplacian(v) + reaction - (feed + kill) * v;
      if (!output.empty() && (step + 1) * frames / steps > step * frames / steps)
        pictures.push_back(
            plot::paint(v.astype<double>(), {.map = plot::inferno, .low = 0, .high = 0.42, .colours = 20}));
      progress.update("step {} of {}", step, steps);
    }
  }
  const double seconds = watch.seconds();

  fmt::print("{} steps of {} x {} points on {}: {:.2f} s\n", steps, n, n, device.str(), seconds);
  fmt::print("mean of u {:.5f}, of v {:.5f}\n", gp::mean(u), gp::mean(v));
  if (!output.empty()) plot::write_png(output, pictures, 60);
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
