// SciPy's scipy.sparse.linalg.lsqr: least squares with matrices of any shape.
#pragma once
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::linalg {

/// SciPy's keyword arguments of lsqr.
struct lsqr_options {
  /// |A x - b|^2 + damp^2 |x - x0|^2 is minimised.
  double damp = 0;
  /// Stop when the relative errors that A and b may have explain the residual.
  double atol = 1e-6;
  /// The relative error that b may have.
  double btol = 1e-6;
  /// Stop when the estimate of A's condition number exceeds this; 0 for never.
  double conlim = 1e8;
  /// 2 N if not given.
  std::optional<std::int64_t> iter_lim = {};
  /// Estimate the diagonal of (A^H A + damp^2 I)^-1.
  bool calc_var = false;
};

/// SciPy's results of lsqr: the solution; why it ended (0: x = x0 is exact, 1: A x = b within atol and btol,
/// 2: least squares within atol, 3: conlim, 4 to 6: the same for the precision of double, 7: iter_lim); the
/// iterations; |r|, sqrt(|r|^2 + damp^2 |x - x0|^2), and estimates of A's Frobenius norm, A's condition
/// number, |A^H r - damp^2 (x - x0)|, |x|; the diagonal, or zeros.
template<detail::solver_element V>
struct lsqr_result {
  ndarray<V> x;                    ///< The solution.
  int istop;                       ///< Why the iteration ended.
  std::int64_t itn;                ///< How many iterations there were.
  double r1norm;                   ///< |b - A x|.
  double r2norm;                   ///< sqrt(|r|^2 + damp^2 |x - x0|^2).
  double anorm;                    ///< Estimate of the Frobenius norm of A.
  double acond;                    ///< Estimate of the condition number of A.
  double arnorm;                   ///< Estimate of |A^H r - damp^2 (x - x0)|.
  double xnorm;                    ///< |x|.
  ndarray<detail::real_t<V>> var;  ///< Estimate of the diagonal of (A^H A + damp^2 I)^-1, or zeros.
};

}  // namespace sparse::linalg

namespace detail {

template<class V>
GPARRAY_API sparse::linalg::lsqr_result<V> lsqr(const sparse::linalg::LinearOperator<V>& a,
                                                const ndarray<V>& b, const ndarray<V>* x0,
                                                const sparse::linalg::lsqr_options& options);

}  // namespace detail

namespace sparse::linalg {

/// Least squares: x with the least |b - A x|, A of shape (M, N) with an adjoint (rmatvec), b (M,) or (M, 1),
/// on one device. The algorithm of Paige and Saunders, iteration by iteration as SciPy has it. Waits once
/// each iteration. Throws value_error for shapes that do not fit.
template<class A, array_like B>
[[nodiscard]] lsqr_result<detail::solver_t<A, B>> lsqr(const A& a, const B& b,
                                                       const lsqr_options& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::lsqr<V>(detail::as_operator<V>(a), detail::as_element<V>(b), nullptr, options);
}
/// Least squares that begin at x0, (N,), SciPy's keyword argument.
template<class A, array_like B, array_like X>
[[nodiscard]] lsqr_result<detail::solver_t<A, B>> lsqr(const A& a, const B& b, const X& x0,
                                                       const lsqr_options& options = {}) {
  using V = detail::solver_t<A, B>;
  const ndarray<V> start = detail::as_element<V>(x0);
  return detail::lsqr<V>(detail::as_operator<V>(a), detail::as_element<V>(b), &start, options);
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
