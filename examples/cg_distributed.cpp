// Poisson's equation, -laplace(u) = f in the unit square with u = 0 along its edges, on many processes: a
// sparse matrix of which each rank has the rows of some lines of the grid, and conjugate gradients with a
// diagonal preconditioner.
//
// u is known here, sin(pi x) sin(2 pi y), so the answer is checked. No rank ever has more than its part of
// the matrix. The iterates have the same bits for any number of ranks.
#include <chrono>

#include <gparray/distributed.hpp>
#include <gparray/distributed/sparse/linalg.hpp>
#include <gparray/format.hpp>

#include "distributed.hpp"

namespace gp = gparray;
namespace gd = gparray::distributed;
namespace sp = gparray::sparse;

namespace {

/// The rows of the 5-point matrix of lines [first, last) of an n x n grid, whose points are numbered line by
/// line: of kron(second, one) + kron(one, second).
sp::csr_matrix<double> rows_of_lines(std::int64_t n, std::int64_t first, std::int64_t last) {
  const auto second = sp::diags<double>({-1., 2., -1.}, {-1, 0, 1}, gp::dims{n, n});
  const auto one = sp::eye<double>(n);
  const gp::slice lines(first, last);
  return sp::kron(second(lines, gp::slice()), one) + sp::kron(one(lines, gp::slice()), second);
}

int solve(const gd::communicator& world, std::int64_t n, double rtol) {
  const auto rows = gd::layout::rows(world);
  const double h = 1. / static_cast<double>(n + 1);
  // A rank's part of an array of the inner points of the grid are whole lines, and so are its rows of the
  // matrix.
  const auto point = [&](const auto& i) { return gp::ndarray<double>(h * (i + 1)); };
  const auto g = [](const auto& t) { return t * (1. - t) * gp::exp(t); };
  const auto minus_second_of_g = [](const auto& t) { return t * (3. + t) * gp::exp(t); };
  const gd::sharded<double> u = gd::from_function(
      {n, n}, rows, [&](const auto& i, const auto& j) { return g(point(i)) * g(point(j)); });
  const gd::sharded<double> f = gd::from_function({n, n}, rows, [&](const auto& i, const auto& j) {
    const auto x = point(i), y = point(j);
    return minus_second_of_g(x) * g(y) + g(x) * minus_second_of_g(y);
  });
  const std::int64_t first = u.local_offset()[0], last = first + u.local_shape()[0];
  const auto a = gd::from_local(rows_of_lines(n, first, last), rows);
  const gd::sharded<double> b = h * h * gd::from_local(f.local().ravel(), rows);

  int iterations = 0;
  const auto start = std::chrono::steady_clock::now();
  const auto [x, info] = gd::sparse::linalg::cg(
      a, b, {.rtol = rtol, .callback = [&](const gd::sharded<double>&) { ++iterations; }});
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  const double residual = gp::linalg::norm(b - gp::matmul(a, x)) / gp::linalg::norm(b);
  const double error = gp::max(gp::absolute(x - gd::from_local(u.local().ravel(), rows)));
  // The difference formula is off by h^2 / 12 of the sum of two fourth derivatives, which are below 43.5
  // times 0.438, and the answer by an eighth of that.
  const double expected = h * h / 12 * 2 * 43.5 * 0.438 / 8;
  // cg's own residual goes on by sums; from it the true one departs by a rounding of A x with each iteration
  // (Greenbaum 1997), the sums of the entries of A's rows being 8 at most.
  const double rounding = iterations * 0x1p-52 * 8 * gp::linalg::norm(x).item() / gp::linalg::norm(b).item();
  const bool right = info == 0 && residual < rtol + rounding && error < expected;
  if (world.rank() == 0) {
    fmt::print("{} unknowns, {} entries: cg took {} iterations\n", b.size(), a.nnz(), iterations);
    fmt::print("residual {:.17g}, largest error {:.3g}, at most {:.3g} expected: {}\n", residual, error,
               expected, right ? "right" : "wrong");
    fmt::print("{:.0f} iterations per second on {} ranks, {}\n", iterations / elapsed.count(), world.size(),
               world.engine());
  }
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

int run(int argc, char** argv) {
  command_line options(argc, argv, "Poisson's equation in a square by conjugate gradients on many ranks.");
  const std::int64_t n = options.value("-n/--size", std::int64_t{256}, "inner grid points along each side");
  const double rtol = options.value("--rtol", 1e-10, "the relative residual at the end");
  return on_ranks(options, [&](const gd::communicator& world) { return solve(world, n, rtol); });
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
