// SciPy's scipy.sparse.linalg.lobpcg: a few extreme eigenvalues with a preconditioner.
#pragma once
#include <gparray/sparse/linalg/linear_operator.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::linalg {

/// SciPy's keyword arguments of lobpcg.
template<detail::solver_element V>
struct lobpcg_options {
  /// A x = w B x with a positive definite B; the identity if not given.
  std::optional<LinearOperator<V>> B = {};
  /// The preconditioner, near the inverse of A.
  std::optional<LinearOperator<V>> M = {};
  /// Eigenvectors are sought B-orthogonal to these, (N, m).
  std::optional<ndarray<V>> Y = {};
  /// The norm of residuals that is small enough; sqrt(eps) N if not given.
  std::optional<double> tol = {};
  /// Iterations; reaching them is no error.
  std::int64_t maxiter = 20;
  /// The largest eigenvalues, descending, or the smallest, ascending.
  bool largest = true;
};

/// Eigenvalues, eigenvectors and how the iteration went.
template<detail::solver_element V>
struct lobpcg_result {
  ndarray<detail::real_t<V>> w;        ///< The eigenvalues.
  ndarray<V> v;                        ///< The eigenvectors, a column each.
  std::int64_t iterations;             ///< How many iterations there were.
  std::vector<double> residual_norms;  ///< The norms of the last residuals.
};

}  // namespace sparse::linalg

namespace detail {
template<class V>
GPARRAY_API sparse::linalg::lobpcg_result<V> lobpcg(const sparse::linalg::LinearOperator<V>& a,
                                                    const ndarray<V>& x,
                                                    const sparse::linalg::lobpcg_options<V>& options);

/// The element type of the operator that an argument becomes.
template<class A>
using lobpcg_t = typename decltype(sparse::linalg::aslinearoperator(std::declval<const A&>()))::value_type;

}  // namespace detail

namespace sparse::linalg {

/// Eigenvalues and B-orthonormal eigenvectors, (N, k), of a Hermitian A, near the columns of X, (N, k), 3 k <
/// N. The locally optimal block preconditioned conjugate gradient method (A. V. Knyazev 2001): each iteration
/// takes the best vectors of the space of X, the preconditioned residuals and the last directions, whose
/// bases are made orthogonal by the eigenvalues of their Gram matrix. Waits twice each iteration. Reaching
/// maxiter is no error: residual_norms shows how far it came. Throws value_error for shapes that do not fit,
/// linalg_error if the columns of X are not independent.
template<class A, array_like X>
[[nodiscard]] lobpcg_result<detail::lobpcg_t<A>> lobpcg(
    const A& a, const X& x, const lobpcg_options<detail::lobpcg_t<A>>& options = {}) {
  using V = detail::lobpcg_t<A>;
  return detail::lobpcg<V>(aslinearoperator(a), detail::as_elements<V>(x), options);
}

}  // namespace sparse::linalg
GPARRAY_END_NAMESPACE
