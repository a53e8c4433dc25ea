// Memory that the CPU and the GPU share: the CPU writes numbers, the GPU computes with them where they are,
// and the CPU reads the results. No call copies anything; the GPU reads and writes across the bus while it
// computes. That pays for data that are touched once; what is read again and again is better copied to the
// device.
#include <cmath>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

/// The same memory as an array of another device.
gp::ndarray<double> seen_by(const gp::device& device, const gp::ndarray<double>& array) {
  return gp::frombuffer(array.data(), array.shape(),
                        {.space = array.space(), .device = device, .release = [array] {}});
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Computes on a GPU with memory that the CPU and the GPU share.");
  const gp::device device(options.value("--device", gp::default_device().str(), "cpu or cuda:0"));
  const int n = options.value("-n/--size", 1'000'000, "numbers");
  options.finish();
  if (n < 1) throw gp::value_error("--size must be positive");
  gp::set_default_device(device);

  const auto shared_array = [&] {
    return device.is_cpu() ? gp::empty<double>({n}) : gp::empty_in<double>(gp::memory_space::mapped, {n});
  };
  gp::ndarray<double> angles = shared_array(), squares = shared_array();
  for (double angle = 0; double& element : angles) element = angle += 1e-3;  // the CPU writes

  const gp::ndarray<double> x = seen_by(device, angles);
  gp::ndarray<double> y = seen_by(device, squares);
  y(gp::ellipsis) = gp::sin(x) * gp::sin(x) + gp::cos(x) * gp::cos(x);  // the device computes
  device.synchronize();

  // The CPU reads. Each of the four functions is off by at most 2 units in the last place, and the two
  // squares add up to one, so the sum is off by at most 8, and 3 more for the roundings of products and sum.
  double worst = 0;
  for (const double square : squares) worst = std::max(worst, std::abs(square - 1));
  const bool right = worst <= 11 * gp::finfo<double>::eps;
  fmt::print("{} numbers in {} memory, computed on {}\n", n, name(angles.space()), device.name());
  if (device.is_cpu()) fmt::print("Without a GPU the memory is the CPU's own.\n");
  fmt::print("sin^2 + cos^2 differs from 1 by at most {:.1e}: {}\n", worst, right ? "right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
