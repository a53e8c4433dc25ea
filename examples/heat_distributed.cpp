// heat_diffusion.cpp on many processes: a hot spot in a cold plate, the steady temperature p of -laplace(p) =
// f with p = 0 along the edges, by Jacobi's method.
//
// Each rank has some rows of the plate. The loop is that of heat_diffusion.cpp but for the arrays' type and
// their layout; the result has the same bits for any number of ranks.
#include <chrono>

#include <gparray/distributed.hpp>
#include <gparray/format.hpp>

#include "distributed.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

struct problem {
  int n, max_steps, test_every;
  double tolerance, source;
  std::string output;
  bool graph;
};

int solve(const gd::communicator& world, const problem& given) {
  const auto [n, max_steps, test_every, tolerance, source, output, graph] = given;
  const auto rows = gd::layout::rows(world);
  const double dx = 1.0 / n;
  gd::sharded<double> p = gd::zeros({n, n}, rows), f = gd::zeros({n, n}, rows);
  f(n / 2, n / 2) = source;

  // What the neighbours of every inner point and the source make of it.
  const auto relaxed = [&](const gd::sharded<double>& p) {
    return 0.25 *
           (p(":-2, 1:-1") + p("2:, 1:-1") + p("1:-1, :-2") + p("1:-1, 2:") + dx * dx * f("1:-1, 1:-1"));
  };

  int step = 0;
  double change = tolerance;
  bool converged = false;
  // Ranks are connected and kernels compiled before the second test, and the rest is timed.
  auto start = std::chrono::steady_clock::now();
  int timed_from = 0;
  if (graph) {
    // GPUs repeat this on the same memory: two steps at a time, there and back.
    gd::sharded<double> p_new = p.copy();
    gp::ndarray<bool> go_on = gp::full({}, true);
    const int steps = (test_every + 1) / 2 * 2;
    const auto round = [&] {
      for (int i = 0; i < steps; i += 2) {
        p_new("1:-1, 1:-1") = relaxed(p);
        p("1:-1, 1:-1") = relaxed(p_new);
      }
      go_on(gp::ellipsis) = gp::logical_not(gp::linalg::norm(p - p_new) < given.tolerance);
    };
    const std::int64_t most = (max_steps + steps - 1) / steps;
    std::int64_t rounds = gd::while_loop(go_on, round, {.max_iterations = std::min<std::int64_t>(most, 3)});
    timed_from = static_cast<int>(rounds) * steps;
    start = std::chrono::steady_clock::now();
    rounds += gd::while_loop(go_on, round, {.max_iterations = most - rounds});
    step = static_cast<int>(rounds) * steps;
    converged = !go_on.item();
  }
  for (; step < max_steps && !converged; step += !converged) {
    gd::sharded<double> p_new = p.copy();
    p_new("1:-1, 1:-1") = relaxed(p);
    // A test waits for the sum of all ranks.
    if (step % test_every == 0) change = gp::linalg::norm(p_new - p).item();
    if (step == test_every) {
      start = std::chrono::steady_clock::now();
      timed_from = step + 1;
    }
    p = p_new;
    converged = change < tolerance;
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  const double centre = p.item(n / 2, n / 2);
  if (!output.empty()) gd::save(output, p);
  if (world.rank() == 0) {
    fmt::print("{} after {} iterations\n", converged ? "Converged" : "Not converged", step);
    fmt::print("temperature in the centre: {:.17g}\n", centre);
    fmt::print("{:.0f} iterations per second on {} ranks, {}\n",
               (step + (converged && !graph) - timed_from) / elapsed.count(), world.size(), world.engine());
  }
  return converged ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Steady heat in a square plate with one hot spot, on many ranks.");
  problem given;
  given.n = options.value("-n/--size", 256, "grid points along each side");
  given.tolerance = options.value("--tolerance", 1e-4, "stop when a step changes less, in the 2-norm");
  given.source = options.value("--source", 10000.0, "heat that flows into the point in the centre");
  given.test_every = std::max(1, options.value("--test-every", 1, "steps from one test to the next"));
  given.graph = options.flag("--graph", "record the steps from one test to the next once, and launch them");
  given.max_steps = options.value("--max-steps", 1'000'000, "give up after so many steps");
  given.output = options.value("--output", "heat.npy", "file of the temperature; empty for none");
  return on_ranks(options, [&](const gd::communicator& world) { return solve(world, given); });
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
