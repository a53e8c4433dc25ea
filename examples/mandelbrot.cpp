// The Mandelbrot set: how long z -> z^2 + c takes to leave a circle, for every pixel c. Points that have left
// are taken out of the arrays.
#include <complex>

#include <gparray/gparray.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

/// The number of steps until |z| > 16, with a fraction that makes it smooth; infinite where `most` are not
/// enough.
gp::ndarray<double> escape_times(const gp::ndarray<std::complex<double>>& points, int most) {
  gp::ndarray<double> times = gp::full(points.size(), gp::inf);
  gp::ndarray<std::int64_t> pixel = gp::arange(points.size());
  gp::ndarray<std::complex<double>> c = points.ravel(), z = gp::zeros_like(c);
  progress_line progress;
  for (int step = 1; step <= most && pixel.size() > 0; ++step) {
    z = z * z + c;
    const gp::ndarray<double> squared = gp::square(z.real()) + gp::square(z.imag());
    const gp::ndarray<bool> left = squared > 256.0;
    if (gp::any(left)) {
      times(pixel(left)) = step + 1 - gp::log2(gp::log2(squared(left)) / 8.0);
      const gp::ndarray<bool> stays = ~left;
      pixel = pixel(stays), c = c(stays), z = z(stays);
    }
    progress.update("step {} of {}, {} points left", step, most, pixel.size());
  }
  return times.reshape(points.shape());
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Draws the Mandelbrot set, or a part of it.");
  const int n = options.value("-n/--size", 540, "pixels along each side");
  const double real = options.value("--real", -0.7457, "centre, real part");
  const double imaginary = options.value("--imaginary", 0.1132, "centre, imaginary part");
  const double width = options.value("--width", 0.0056, "of the square that is shown");
  const int most = options.value("--iterations", 2000, "steps after which a point counts as inside");
  const std::string output = options.value("--output", "mandelbrot.svg", "picture; empty for none");
  const gp::device device = device_of(options);

  // The centres of the pixels.
  using namespace std::complex_literals;
  const gp::ndarray<double> offset = ((gp::arange<double>(n) + 0.5) / n - 0.5) * width;
  const stopwatch watch;
  const gp::ndarray<double> times = escape_times(real + offset + 1i * (imaginary - offset(":, None")), most);
  const double seconds = watch.seconds();

  // https://oeis.org/A098403: the whole set's is 1.5065918849...
  fmt::print("{} x {} points on {}: {:.2f} s\n", n, n, device.str(), seconds);
  fmt::print("area of what does not escape: {:.4g}\n", gp::mean(gp::isinf(times)).item() * width * width);
  if (!output.empty()) {
    // The colours return as the logarithm of the time grows; what does not escape is black.
    const auto turn = gp::remainder(0.45 * gp::log(gp::maximum(times, 1.0)), 1.0);  // inf becomes NaN
    plot::figure f({.x = {.label = "Re c", .low = real - width / 2, .high = real + width / 2},
                    .y = {.label = "Im c", .low = imaginary - width / 2, .high = imaginary + width / 2},
                    .width = 640,
                    .height = 620});
    f.image(turn, {.map = plot::cycle, .low = 0, .high = 1, .colours = 96});
    plot::save(output, {f});
  }
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
