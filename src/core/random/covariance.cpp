#include <algorithm>
#include <cmath>
#include <limits>

#include <core/random/covariance.hpp>
#include <gparray/error.hpp>
#include <kernel/libm.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

struct square_matrix {
  std::vector<double> values;
  std::size_t n;
  square_matrix(std::vector<double> v, std::int64_t size)
      : values(std::move(v)), n(static_cast<std::size_t>(size)) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * n + j]; }
};

/// Applies the rotation (c, s) to rows j and k.
void rotate_rows(square_matrix& m, std::size_t j, std::size_t k, double c, double s) {
  for (std::size_t i = 0; i < m.n; ++i) {
    const double x = m(j, i), y = m(k, i);
    m(j, i) = c * x - s * y;
    m(k, i) = s * x + c * y;
  }
}
void rotate_columns(square_matrix& m, std::size_t j, std::size_t k, double c, double s) {
  for (std::size_t i = 0; i < m.n; ++i) {
    const double x = m(i, j), y = m(i, k);
    m(i, j) = c * x - s * y;
    m(i, k) = s * x + c * y;
  }
}

double off_diagonal(const square_matrix& m) {
  double sum = 0;
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = 0; j < i; ++j) sum += m(i, j) * m(i, j);
  return sum;
}

/// Jacobi's method: `m` becomes diagonal, the eigenvalues, and the result has the eigenvectors as its rows.
/// Rotations of Golub and Van Loan, Matrix computations, 8.5; a sweep more than squares the error, so ten are
/// plenty.
square_matrix diagonalize(square_matrix& m) {
  square_matrix vectors(std::vector<double>(m.values.size(), 0.0), static_cast<std::int64_t>(m.n));
  double scale = 0;
  for (std::size_t i = 0; i < m.n; ++i) {
    vectors(i, i) = 1;
    scale += m(i, i) * m(i, i);
  }
  for (int sweep = 0; sweep < 30 && off_diagonal(m) > 1e-32 * (scale + off_diagonal(m)); ++sweep)
    for (std::size_t j = 0; j < m.n; ++j)
      for (std::size_t k = j + 1; k < m.n; ++k) {
        if (m(j, k) == 0) continue;
        const double tau = (m(k, k) - m(j, j)) / (2 * m(j, k));
        const double t = (tau >= 0 ? 1 : -1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        rotate_rows(m, j, k, c, s);
        rotate_columns(m, j, k, c, s);
        rotate_rows(vectors, j, k, c, s);
      }
  return vectors;
}

/// The upper triangle R of m = Q R by Givens rotations, its diagonal not negative.
void triangularize(square_matrix& m) {
  for (std::size_t j = 0; j < m.n; ++j) {
    for (std::size_t i = j + 1; i < m.n; ++i) {
      const double r = kernel::hypot(m(j, j), m(i, j));
      if (m(i, j) == 0) continue;
      rotate_rows(m, j, i, m(j, j) / r, -m(i, j) / r);
      m(i, j) = 0;
    }
    if (m(j, j) < 0)
      for (std::size_t i = j; i < m.n; ++i) m(j, i) = -m(j, i);
  }
}

square_matrix cholesky(const square_matrix& m) {
  square_matrix l(std::vector<double>(m.values.size(), 0.0), static_cast<std::int64_t>(m.n));
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = m(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= l(i, k) * l(j, k);
      if (i == j && !(rest > 0)) throw linalg_error("Matrix is not positive definite");
      l(i, j) = i == j ? std::sqrt(rest) : rest / l(j, j);
    }
  return l;
}

bool is_symmetric(const square_matrix& m, double tol) {
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!(std::abs(m(i, j) - m(j, i)) <= tol + tol * std::abs(m(j, i)))) return false;
  return true;
}

/// From eigenvalues: the triangle of sqrt(values) * vectors, whose transpose times itself is the covariance.
square_matrix factor_by_eigenvalues(square_matrix m, const random::multivariate_normal_options& options) {
  if (std::any_of(m.values.begin(), m.values.end(), [](double v) { return std::isnan(v); })) {
    if (options.method == "svd") throw linalg_error("SVD did not converge");
    std::fill(m.values.begin(), m.values.end(), std::numeric_limits<double>::quiet_NaN());
  }
  const bool symmetric = is_symmetric(m, options.tol);
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = i + 1; j < m.n; ++j) m(i, j) = m(j, i);
  // A power of two brings the largest near 1, so that squares neither vanish nor become infinite.
  double largest = 0;
  for (const double each : m.values) largest = std::max(largest, std::abs(each));
  const int exponent = largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
  for (double& each : m.values) each = std::ldexp(each, -exponent);
  square_matrix roots = diagonalize(m);
  double least = 0;
  for (std::size_t i = 0; i < m.n; ++i) {
    const double eigenvalue = std::ldexp(m(i, i), exponent);
    least = std::min(least, eigenvalue);
    const double root = std::sqrt(std::abs(eigenvalue));
    for (std::size_t j = 0; j < m.n; ++j) roots(i, j) *= root;
  }
  if (options.check_valid == "raise" && (!symmetric || !(least >= -options.tol)))
    throw value_error("covariance is not symmetric positive-semidefinite.");
  triangularize(roots);
  square_matrix lower = roots;
  for (std::size_t i = 0; i < m.n; ++i)
    for (std::size_t j = 0; j < m.n; ++j) lower(i, j) = roots(j, i);
  return lower;
}

}  // namespace

std::vector<double> covariance_factor(std::vector<double> covariance, std::int64_t n,
                                      const random::multivariate_normal_options& options) {
  square_matrix m(std::move(covariance), n);
  if (options.method != "cholesky") return factor_by_eigenvalues(std::move(m), options).values;
  if (options.check_valid == "raise" && !is_symmetric(m, options.tol))
    throw value_error("covariance is not symmetric positive-semidefinite.");
  return cholesky(m).values;
}

}  // namespace core
GPARRAY_END_NAMESPACE
