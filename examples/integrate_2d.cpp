// The double integral of sin(x + y) over [0, pi]^2, which is 0, by the midpoint rule on an n by n grid: as
// one fused expression, and on a GPU also by a ReductionKernel that makes the points itself.
#include <cmath>
#include <numbers>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

double by_expression(int n) {
  const double h = std::numbers::pi / n;
  const gp::ndarray<double> x = (gp::arange<double>(n) + 0.5) * h;
  return gp::sum(gp::sin(x(gp::all, gp::newaxis) + x)).item() * h * h;
}

double by_kernel(int n) {
  const gp::ReductionKernel integral("T x, T y", "T value", "sin(x + y)", "a + b", "value = a", "0",
                                     "integral");
  const double h = std::numbers::pi / n;
  const gp::ndarray<double> x = (gp::arange<double>(n) + 0.5) * h;
  const gp::ndarray<double> sum = integral(x(gp::all, gp::newaxis), x);
  return sum.item() * h * h;
}

/// The points lie symmetrically about x + y = pi, where sin changes its sign, so the sum is 0 but for
/// rounding: a point is off by 2 eps, its sine by 4 ulp, and a sum by halves adds log2(n^2) roundings.
double allowed_error(int n) {
  const double per_point = (4 + 2 * std::numbers::pi + 2 * std::log2(n)) * gp::finfo<double>::eps;
  return per_point * std::numbers::pi * std::numbers::pi;
}

bool report(const char* how, int n, double value) {
  const bool right = std::abs(value) <= allowed_error(n);
  fmt::print("{:<16} {:.3e}   error {:.1e}, allowed {:.1e}: {}\n", how, value, std::abs(value),
             allowed_error(n), right ? "ok" : "WRONG");
  return right;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Integrates sin(x + y) over [0, pi] x [0, pi].");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  const int n = options.value("-n/--size", 2000, "points along each axis");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));

  fmt::print("{} x {} midpoints on {}; the exact value is 0\n", n, n, gp::default_device().str());
  bool right = report("expression", n, by_expression(n));
  if (gp::default_device().is_cuda()) right = report("ReductionKernel", n, by_kernel(n)) && right;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
