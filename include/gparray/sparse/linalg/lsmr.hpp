// SciPy's scipy.sparse.linalg.lsmr: least squares, whose residual of the normal equations falls steadily.
#pragma once
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::linalg {

/// SciPy's keyword arguments of lsmr.
template<detail::solver_element V>
struct lsmr_options {
  /// |A x - b|^2 + damp^2 |x|^2 is minimised.
  double damp = 0;
  /// Stop when the relative errors that A and b may have explain the residual.
  double atol = 1e-6;
  /// The relative error that b may have.
  double btol = 1e-6;
  /// Stop when the estimate of A's condition number exceeds this; 0 for never.
  double conlim = 1e8;
  /// min(M, N) if not given.
  std::optional<std::int64_t> maxiter = {};
  /// Where to start, (N,); zeros if not given.
  std::optional<ndarray<V>> x0 = {};
};

/// SciPy's results of lsmr: the solution; why it ended, with lsqr's numbers; the iterations; |r|; estimates
/// of |A^H r|, A's Frobenius norm, A's condition number; |x|.
template<detail::solver_element V>
struct lsmr_result {
  ndarray<V> x;      ///< The solution.
  int istop;         ///< Why the iteration ended.
  std::int64_t itn;  ///< How many iterations there were.
  double normr;      ///< |b - A x|.
  double normar;     ///< Estimate of |A^H r|.
  double norma;      ///< Estimate of the Frobenius norm of A.
  double conda;      ///< Estimate of the condition number of A.
  double normx;      ///< |x|.
};

}  // namespace sparse::linalg

namespace detail {

template<class V>
GPARRAY_API sparse::linalg::lsmr_result<V> lsmr(const sparse::linalg::LinearOperator<V>& a,
                                                const ndarray<V>& b,
                                                const sparse::linalg::lsmr_options<V>& options);

}  // namespace detail

namespace sparse::linalg {

/// Least squares: x with the least |b - A x|, for A and b as in lsqr. The algorithm of Fong and Saunders,
/// iteration by iteration as SciPy has it. Waits twice each iteration. Throws value_error for shapes that do
/// not fit.
template<class A, array_like B>
[[nodiscard]] lsmr_result<detail::solver_t<A, B>> lsmr(
    const A& a, const B& b, const lsmr_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::lsmr<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
