// A picture under ripples: its Fourier transform separates the slow waves of the picture from the fast ones
// of the disturbance, and without the fast ones the inverse transform gives the picture back.
//
// Both are sums of waves that fit the square, so a sharp low-pass separates them but for rounding errors,
// which the program checks.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <numbers>

#include <gparray/fft.hpp>
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

/// Waves with frequencies near (down, across) that move on along the diagonal, n x n samples.
gp::ndarray<double> waves(std::int64_t n, int count, std::int64_t down, std::int64_t across,
                          double amplitude) {
  const gp::ndarray<double> t = gp::arange<double>(n) * (2 * std::numbers::pi / static_cast<double>(n));
  const gp::ndarray<double> y = t(gp::all, gp::newaxis), x = t(gp::newaxis, gp::all);
  gp::ndarray<double> sum = gp::zeros({n, n});
  for (int k = 0; k < count; ++k) {
    const auto fy = static_cast<double>(down + k % 3), fx = static_cast<double>(across + k / 3);
    sum += amplitude / (1 + k) * gp::sin(fy * y + fx * x + 1.7 * k) * gp::cos(fx * y - 0.9 * k);
  }
  return sum;
}

double root_mean_square(const gp::ndarray<double>& a) { return std::sqrt(gp::mean(a * a).item()); }

int run(int argc, char** argv) {
  command_line options(argc, argv, "Takes ripples out of a picture by a low-pass filter.");
  const std::int64_t n = options.value("-n/--size", 512, "pixels along each side, at least 100");
  const std::string output =
      options.value("--output", "spectral_filter.svg", "pictures before and after; empty for none");
  const gp::device device = device_of(options);
  if (n < 100) {
    fmt::print(stderr, "spectral_filter: --size must be at least 100\n");
    return 2;
  }

  // The waves of the picture have frequencies up to 2 * 6 in any direction, the ripples from n / 4 on.
  const gp::ndarray<double> picture = waves(n, 6, 1, 1, 0.5);
  const gp::ndarray<double> disturbed = picture + waves(n, 9, n / 4, n / 8, 0.3);

  const auto start = std::chrono::steady_clock::now();
  const auto spectrum = gp::fft::rfft2(disturbed);
  const auto frequency_y = gp::fft::fftfreq(n, 1. / static_cast<double>(n))(gp::all, gp::newaxis);
  const auto frequency_x = gp::fft::rfftfreq(n, 1. / static_cast<double>(n));
  const gp::ndarray<bool> is_slow = gp::hypot(frequency_y, frequency_x) <= 15.;
  const gp::ndarray<double> filtered = gp::fft::irfft2(spectrum * is_slow, {.s = {n, n}});
  const double left_over = root_mean_square(filtered - picture);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  // Each transform loses about log2(n * n) units in the last place of numbers as large as the signal.
  const double signal = root_mean_square(disturbed);
  const double bound = 4 * std::log2(static_cast<double>(n * n)) * gp::finfo<double>::eps * signal;
  const bool right = left_over <= bound;
  fmt::print("{} x {} pixels on {}: {} of {} frequencies kept, {:.1f} ms\n", n, n, device.str(),
             gp::count_nonzero(is_slow).item(), is_slow.size(), 1e3 * elapsed.count());
  fmt::print("disturbance before: {:.3f}, after: {:.1e}, {}\n", root_mean_square(disturbed - picture),
             left_over, right ? "right" : "WRONG");
  if (!output.empty()) {
    const auto panel = [](const char* title, const gp::ndarray<double>& a) {
      plot::figure f(
          {.title = title, .x = {.ticks = false}, .y = {.ticks = false}, .width = 320, .height = 342});
      f.image(a, {.low = -1.25, .high = 1.25, .colours = 48});
      return f;
    };
    plot::save(output, {panel("before", disturbed), panel("after", filtered)}, 2);
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
