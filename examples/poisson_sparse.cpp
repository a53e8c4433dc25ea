// The hot spot of heat_diffusion again: -laplace(p) = f with p = 0 along the edges, as a sparse linear
// system.
//
// The five points of the difference formula are five diagonals of a matrix. Conjugate gradients and a direct
// solver need a fraction of Jacobi's iterations for the same answer, which is compared at the end.
#include <chrono>
#include <cmath>
#include <numbers>

#include <gparray/gparray.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/linalg.hpp>

#include "options.hpp"

namespace gp = gparray;
namespace sparse = gparray::sparse;

namespace {

/// Seconds of work that ends with a number, which waits for the device.
template<class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// 4 p - its neighbours, for the m x m points that are not on the edge, numbered row by row.
sparse::csr_matrix<double> five_point_matrix(std::int64_t m) {
  const std::int64_t n = m * m;
  const gp::ndarray<std::int64_t> column = gp::arange(n) % m;
  const gp::ndarray<double> ones = gp::ones({n});
  // Element j of a diagonal stands in column j. The first point of a row of the grid has no left neighbour,
  // the last one no right one.
  const gp::ndarray<double> to_right = gp::where(column == 0, 0.0, 1.0);
  const gp::ndarray<double> to_left = gp::where(column == m - 1, 0.0, 1.0);
  const gp::ndarray<double> diagonals =
      gp::stack({gp::ndarray<double>(-ones), gp::ndarray<double>(-to_left), gp::ndarray<double>(4 * ones),
                 gp::ndarray<double>(-to_right), gp::ndarray<double>(-ones)});
  const gp::ndarray<std::int64_t> offsets{-m, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, m};
  return sparse::dia_matrix<double>(diagonals, offsets, gp::dims{n, n}).tocsr();
}

struct jacobi_result {
  gp::ndarray<double> p;
  int iterations = 0;
};

/// Every point becomes the mean of its neighbours and of what flows in, until a step changes less than the
/// tolerance; as heat_diffusion does it.
jacobi_result jacobi(const gp::ndarray<double>& flow, double tolerance) {
  const std::int64_t n = flow.shape(0) + 2;
  jacobi_result r{gp::zeros({n, n})};
  for (double change = tolerance; change >= tolerance; ++r.iterations) {
    gp::ndarray<double> next = r.p.copy();
    next("1:-1, 1:-1") =
        0.25 * (r.p(":-2, 1:-1") + r.p("2:, 1:-1") + r.p("1:-1, :-2") + r.p("1:-1, 2:") + flow);
    change = gp::linalg::norm(next - r.p).item();
    r.p = next;
  }
  r.p = r.p("1:-1, 1:-1").copy();
  return r;
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Steady heat in a square plate, by sparse solvers and by Jacobi's method.");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  const std::int64_t n = options.value("-n/--size", std::int64_t{256}, "grid points along each side");
  const double tolerance = options.value("--tolerance", 1e-4, "Jacobi's: stop when a step changes less");
  const double rtol = options.value("--rtol", 1e-10, "of conjugate gradients: the relative residual");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));

  const std::int64_t m = n - 2;
  const double dx = 1.0 / static_cast<double>(n);
  gp::ndarray<double> flow = gp::zeros({m, m});
  flow(n / 2 - 1, n / 2 - 1) = dx * dx * 10000.0;
  const gp::ndarray<double> b = flow.ravel();
  const sparse::csr_matrix<double> a = five_point_matrix(m);
  fmt::print("{} unknowns, {} entries on {}\n", m * m, a.nnz(), gp::default_device().str());

  const auto report = [&](const char* name, const gp::ndarray<double>& x, double time) {
    const double residual = gp::linalg::norm(b - gp::matmul(a, x)).item() / gp::linalg::norm(b).item();
    fmt::print("{:<8} {:8.3f} s, centre {:.12f}, relative residual {:.1e}\n", name, time,
               x.item(m / 2 * m + m / 2), residual);
  };
  sparse::linalg::iterative_result<double> cg;
  const double cg_time = seconds([&] {
    cg = sparse::linalg::cg(a, b, {.rtol = rtol});
    gp::synchronize();
  });
  report("cg", cg.x, cg_time);
  gp::ndarray<double> direct;
  const double direct_time = seconds([&] {
    direct = sparse::linalg::spsolve(a, b, {.permc_spec = "MMD_AT_PLUS_A"});
    gp::synchronize();
  });
  report("spsolve", direct, direct_time);
  jacobi_result slow;
  const double jacobi_time = seconds([&] { slow = jacobi(flow, tolerance); });
  report("jacobi", slow.p.ravel(), jacobi_time);
  fmt::print("jacobi took {} iterations\n", slow.iterations);

  // Each of Jacobi's steps multiplies the error by at most r = cos(pi / (n - 1)), so where a step changes
  // less than t, the error is below t / (1 - r). The matrix has eigenvalues from 4 (1 - r) to 4 (1 + r), so
  // that a residual becomes an error that is larger by their quotient at most.
  const double r = std::cos(std::numbers::pi / static_cast<double>(n - 1));
  const double size = gp::linalg::norm(direct).item();
  const double of_cg = gp::linalg::norm(cg.x - direct).item() / size;
  const double of_jacobi = gp::linalg::norm(slow.p.ravel() - direct).item();
  const bool right = cg.info == 0 && of_cg <= rtol * (1 + r) / (1 - r) && of_jacobi <= tolerance / (1 - r);
  fmt::print("cg and spsolve differ by {:.1e} of the answer, jacobi and spsolve by {:.1e}: {}\n", of_cg,
             of_jacobi / size, right ? "what their tolerances explain, right" : "WRONG");
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
