// A tour of gp::linalg: a linear system, QR and SVD of a random matrix, with the time that each takes and how
// well its results put the matrix together again.
#include <chrono>
#include <random>
#include <vector>

#include <gparray/gparray.hpp>

#include "options.hpp"

namespace gp = gparray;

namespace {

gp::ndarray<double> random_matrix(std::int64_t rows, std::int64_t columns) {
  std::mt19937_64 bits(42);
  std::normal_distribution<double> normal;
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  for (double& value : values) value = normal(bits);
  return gp::ndarray<double>(values).reshape({rows, columns});
}

/// Prints a line of the report. Householder's methods are backward stable: the residual relative to the norms
/// is below c n eps, and c = 1 is far above what random rounding errors add up to.
bool report(const char* what, double seconds, double residual, std::int64_t n) {
  const double allowed = static_cast<double>(n) * gp::finfo<double>::eps;
  const bool right = residual <= allowed;
  fmt::print("{:<22} {:>9.4f} s   residual {:.1e}, allowed {:.1e}: {}\n", what, seconds, residual, allowed,
             right ? "ok" : "WRONG");
  return right;
}

/// The seconds that work takes, results included.
template<class Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  if (gp::default_device().is_cuda()) gp::default_device().synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double frobenius(const gp::ndarray<double>& a) { return gp::linalg::norm(a).item(); }

bool solve_a_system(const gp::ndarray<double>& a) {
  const gp::ndarray<double> b = gp::sum(a, 1);
  gp::ndarray<double> x;
  const double time = seconds([&] { x = gp::linalg::solve(a, b); });
  return report("solve(a, b)", time, frobenius(gp::matmul(a, x) - b) / (frobenius(a) * frobenius(x)),
                a.shape(0));
}

bool factorise(const gp::ndarray<double>& a) {
  gp::linalg::qr_result<double> f;
  const double time = seconds([&] { f = gp::linalg::qr(a); });
  bool right = report("qr(a): a - Q R", time, frobenius(gp::matmul(f.Q, f.R) - a) / frobenius(a), a.shape(0));
  const gp::ndarray<double> one = gp::eye(f.Q.shape(-1));
  return report("qr(a): Q^T Q - 1", time, frobenius(gp::matmul(f.Q.T(), f.Q) - one) / frobenius(one),
                a.shape(0)) &&
         right;
}

bool decompose(const gp::ndarray<double>& a) {
  gp::linalg::svd_result<double> f;
  const double time = seconds([&] { f = gp::linalg::svd(a, {.full_matrices = false}); });
  const gp::ndarray<double> again = gp::matmul(f.U * f.S, f.Vh);
  const bool right = report("svd(a): a - U S Vh", time, frobenius(again - a) / frobenius(a), a.shape(0));
  fmt::print("condition number {:.3g}, rank {}\n", gp::linalg::cond(a).item(),
             gp::linalg::matrix_rank(a).item());
  return right;
}

int run(int argc, char** argv) {
  command_line options(argc, argv,
                       "Solves a random linear system, and computes the QR and SVD of its matrix.");
  const std::string device = options.value("-d/--device", "", "cpu or cuda:0; the default device if empty");
  int n = options.value("-n/--size", 0, "rows of the matrix; 0 is 1024 on a CPU, 4096 on a GPU");
  options.finish();
  if (!device.empty()) gp::set_default_device(gp::device(device));
  if (n <= 0) n = gp::default_device().is_cpu() ? 1024 : 4096;

  fmt::print("{} x {} normally distributed numbers on {}\n", n, n, gp::default_device().str());
  const gp::ndarray<double> a = random_matrix(n, n);
  bool right = solve_a_system(a);
  right = factorise(a) && right;
  right = decompose(a) && right;
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) { return run_program(argc, argv, run); }
