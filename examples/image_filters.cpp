// Filters of pictures: a Gaussian blur, Sobel's edges, and a median that takes salt and pepper out. The
// picture is made: three balls in the light, on a chequered floor.
#include <cmath>

#include <gparray/gparray.hpp>
#include <gparray/signal.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

using image = gp::ndarray<double>;

/// n x n numbers from 0 to 1.
image balls(int n) {
  const image x = gp::linspace(0, 1, n), y = x(":, None");
  // Lines of the floor run to a point on the horizon.
  const auto depth = 0.2 / gp::maximum(y - 0.35, 0.01);
  const auto squares = gp::remainder(gp::floor(8 * depth) + gp::floor(8 * (x - 0.5) * depth), 2.0);
  image picture = gp::where(y > 0.42, 0.35 + 0.3 * squares, 0.95 - 0.8 * y);
  for (const auto& [cx, cy, radius] : {std::array{0.3, 0.42, 0.19}, {0.68, 0.5, 0.24}, {0.4, 0.74, 0.17}}) {
    const auto dx = (x - cx) / radius, dy = (y - cy) / radius;
    const image up = gp::sqrt(gp::maximum(1 - dx * dx - dy * dy, 0.0));
    const image light = gp::maximum(-0.5 * dx - 0.6 * dy + 0.62 * up, 0.0);
    picture =
        gp::where(up > 0.0, gp::minimum(0.08 + 0.75 * light + 0.6 * gp::power(light, 30.0), 1.0), picture);
  }
  return picture;
}

/// The edges are repeated, so that the result is as large as the picture.
image convolved(const image& a, const image& kernel) {
  return gp::signal::fftconvolve(gp::pad(a, kernel.shape(0) / 2, "edge"), kernel, "valid");
}

image gaussian(const image& a, double sigma) {
  const auto x = gp::arange<double>(-4 * sigma, 4 * sigma + 1);
  const image line = gp::exp(-0.5 * gp::square(x / sigma)), kernel = gp::outer(line, line);
  return convolved(a, kernel / gp::sum(kernel));
}

image sobel(const image& a) {
  const image across{{1, 0, -1}, {2, 0, -2}, {1, 0, -1}};
  return gp::hypot(convolved(a, across), convolved(a, across.T()));
}

image median(const image& a, int size) {
  const auto windows = gp::sliding_window_view(gp::pad(a, size / 2, "edge"), {size, size});
  return gp::median(windows, {.axis = {-2, -1}});
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Blurs a picture, finds its edges and takes noise out of it.");
  const int n = options.value("-n/--size", 512, "pixels along each side");
  const std::string output = options.value("--output", "image_filters.svg", "the pictures; empty for none");
  const gp::device device = device_of(options);

  const image picture = balls(n);
  gp::random::Generator rng = gp::random::default_rng(5);
  const image chance = rng.random({n, n});
  const image noisy = gp::where(chance < 0.05, 0.0, gp::where(chance > 0.95, 1.0, picture));

  const stopwatch watch;
  const image blurred = gaussian(noisy, 2), edges = sobel(picture), cleaned = median(noisy, 3);
  const double seconds = watch.seconds();

  const auto error = [&](const image& a) { return std::sqrt(gp::mean(gp::square(a - picture)).item()); };
  fmt::print("{} x {} pixels on {}: {:.1f} ms\n", n, n, device.str(), 1e3 * seconds);
  fmt::print("error of the noisy picture {:.4f}, blurred {:.4f}, median {:.4f}\n", error(noisy),
             error(blurred), error(cleaned));
  // Sobel's kernels weigh a slope with 8.
  const image ramp = gp::zeros({n, n}) + gp::arange<double>(n);
  const double slope = gp::mean(sobel(ramp)("1:-1, 1:-1"));
  const bool right =
      std::abs(slope - 8) < 1e-9 && error(cleaned) < error(blurred) && error(blurred) < error(noisy);
  fmt::print("edges of a ramp of slope 1: {:.6f}: {}\n", slope, right ? "right" : "WRONG");

  if (!output.empty()) {
    const auto panel = [](const char* title, const image& a, double high = 1) {
      plot::figure f(
          {.title = title, .x = {.ticks = false}, .y = {.ticks = false}, .width = 320, .height = 342});
      f.image(a("::2, ::2"), {.map = plot::grey, .low = 0, .high = high, .colours = 32});
      return f;
    };
    plot::save(output,
               {panel("salt and pepper", noisy), panel("median of 3 x 3", cleaned),
                panel("Gaussian blur", blurred), panel("Sobel's edges", edges, 1.5)},
               2);
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
