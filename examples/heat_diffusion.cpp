// A hot spot in a cold plate: the steady temperature p of -laplace(p) = f with p = 0 along the edges.
//
// Jacobi's method replaces every inner point by the mean of its four neighbours and the heat that flows in,
// until nothing changes any more. The same loop runs on the CPU and on a GPU.
#include <chrono>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "on_device.hpp"
#include "plot.hpp"

namespace gp = gparray;

namespace {

int run(int argc, char** argv) {
  command_line options(argc, argv, "Steady heat in a square plate with one hot spot, by Jacobi's method.");
  const int n = options.value("-n/--size", 256, "grid points along each side");
  const double tolerance = options.value("--tolerance", 1e-4, "stop when a step changes less, in the 2-norm");
  const double source = options.value("--source", 10000.0, "heat that flows into the point in the centre");
  const int max_steps = options.value("--max-steps", 1'000'000, "give up after so many steps");
  const std::string output =
      options.value("--output", "heat.svg", "picture of the temperature; empty for none");
  const bool graph = options.flag("--graph", "let the device run the whole loop, without the host");
  const bool quiet = options.flag("--quiet", "print results only");
  const gp::device device = device_of(options);

  const double dx = 1.0 / n;
  gp::ndarray<double> p = gp::zeros({n, n}), f = gp::zeros({n, n});
  f(n / 2, n / 2) = source;

  // What the neighbours of every inner point and the source make of it.
  const auto relaxed = [&] {
    return 0.25 *
           (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + dx * dx * f("1:-1, 1:-1"));
  };

  int step = 0;
  double change = 0;
  bool converged = false;
  const auto start = std::chrono::steady_clock::now();
  if (graph) {
    // The device repeats this on the same memory, so values are written into arrays and no name is rebound.
    gp::ndarray<double> p_new = p.copy();
    gp::ndarray<bool> go_on = gp::full({}, true);
    const auto body = [&] {
      p_new("1:-1, 1:-1") = relaxed();
      go_on(gp::ellipsis) = gp::logical_not(gp::linalg::norm(p_new - p) < tolerance);
      p(gp::ellipsis) = p_new;
    };
    const std::int64_t runs = gp::while_loop(go_on, body, {.max_iterations = max_steps}).item();
    converged = !go_on.item();
    step = static_cast<int>(runs) - converged;
  } else {
    progress_line progress(quiet);
    for (; step < max_steps && !converged; step += !converged) {
      gp::ndarray<double> p_new = p.copy();
      p_new("1:-1, 1:-1") = relaxed();
      change = gp::linalg::norm(p_new - p).item();
      p = p_new;
      converged = change < tolerance;
      progress.update("step {:6}, change {:.3e}", step, change);
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  fmt::print("{} after {} iterations\n", converged ? "Converged" : "Not converged", step);
  fmt::print("temperature in the centre: {:.17g}\n", p.item(n / 2, n / 2));
  if (!quiet)
    fmt::print("{:.0f} iterations per second on {}\n", (step + converged) / elapsed.count(), device.str());
  if (!output.empty()) {
    plot::figure chart({.x = {.label = "x", .low = 0, .high = 1},
                        .y = {.label = "y", .low = 0, .high = 1},
                        .width = 600,
                        .height = 500});
    // The square root shows the cold outskirts too.
    chart.image(p, {.map = plot::inferno, .low = 0, .power = 0.5, .label = "temperature"});
    plot::save(output, {chart});
  }
  return converged ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
