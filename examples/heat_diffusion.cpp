// A hot spot in a cold plate: the steady temperature p of -laplace(p) = f with p = 0 along the edges.
//
// Jacobi's method replaces every inner point by the mean of its four neighbours and the heat that flows in,
// until nothing changes any more. The same loop runs on the CPU and on a GPU.
#include <chrono>
#include <cstdio>
#include <unistd.h>

#include <gparray/format.hpp>
#include <gparray/gparray.hpp>

#include "options.hpp"
#include "png_writer.hpp"

namespace gp = gparray;

namespace {

/// Shows how far the iteration is, a few times a second and only to people.
class progress_line {
 public:
  explicit progress_line(bool quiet) : shown_(!quiet && isatty(STDERR_FILENO)) {}
  ~progress_line() {
    if (shown_) fmt::print(stderr, "\r\033[K");
  }
  void update(int step, double change) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    fmt::print(stderr, "\rstep {:6}, change {:.3e}", step, change);
  }

 private:
  bool shown_;
  std::chrono::steady_clock::time_point next_;
};

int run(int argc, char** argv) {
  command_line options(argc, argv, "Steady heat in a square plate with one hot spot, by Jacobi's method.");
  const int n = options.value("-n/--size", 256, "grid points along each side");
  const double tolerance = options.value("--tolerance", 1e-4, "stop when a step changes less, in the 2-norm");
  const double source = options.value("--source", 10000.0, "heat that flows into the point in the centre");
  const int max_steps = options.value("--max-steps", 1'000'000, "give up after so many steps");
  const std::string device = options.value("--device", gp::default_device().str(), "cpu or cuda:0");
  const std::string output =
      options.value("--output", "heat.png", "picture of the temperature; empty for none");
  const bool graph = options.flag("--graph", "let the device run the whole loop, without the host");
  const bool quiet = options.flag("--quiet", "print results only");
  options.finish();
  gp::set_default_device(gp::device(device));

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
      progress.update(step, change);
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  fmt::print("{} after {} iterations\n", converged ? "Converged" : "Not converged", step);
  fmt::print("temperature in the centre: {:.17g}\n", p.item(n / 2, n / 2));
  if (!quiet)
    fmt::print("{:.0f} iterations per second on {}\n", (step + converged) / elapsed.count(), device);
  // The square root shows the cold outskirts too.
  if (!output.empty()) write_heat_map(output, gp::sqrt(p / gp::max(p)));
  return converged ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
