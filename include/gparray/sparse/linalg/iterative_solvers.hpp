// SciPy's iterative solvers of A x = b: scipy.sparse.linalg.cg, bicgstab, cgs, gmres, minres.
#pragma once
#include <optional>

#include <gparray/sparse/linalg/linear_operator.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Arrays have the promoted dtype of matrix and right-hand side; an operator has its own, which that of b
/// must promote to.
template<class A, class B>
struct solver_type {};
template<factorable A, factorable B>
struct solver_type<A, B> {
  using type = factor_t<A, B>;
};
template<sparse_like A, factorable B>
struct solver_type<A, B> {
  using type = factor_t<ndarray<sparse_element_t<A>>, B>;
};
template<solver_element V, array_like B>
  requires std::same_as<result_type_t<V, element_t<B>>, V>
struct solver_type<sparse::linalg::LinearOperator<V>, B> {
  using type = V;
};
template<class A, class B>
using solver_t = typename solver_type<std::remove_cvref_t<A>, std::remove_cvref_t<B>>::type;

template<element V, array_like A>
ndarray<V> as_element(const A& a) {
  if constexpr (std::same_as<element_t<A>, V>) return a;
  else return a.template astype<V>();
}

/// An operator of elements V.
template<solver_element V>
sparse::linalg::LinearOperator<V> as_operator(const sparse::linalg::LinearOperator<V>& a) {
  return a;
}
template<solver_element V, array_like A>
sparse::linalg::LinearOperator<V> as_operator(const A& a) {
  return as_element<V>(a);
}

template<solver_element V, sparse_like A>
sparse::linalg::LinearOperator<V> as_operator(const A& a) {
  return a;
}

}  // namespace detail

namespace sparse::linalg {

/// x, and info: 0 if it fulfils the tolerance, the number of iterations if these did not suffice, below 0 if
/// the method broke down.
template<detail::solver_element V, class Vector = ndarray<V>>
struct iterative_result {
  Vector x;  ///< The solution.
  /// 0 if it fulfils the tolerance, the number of iterations if these did not suffice, below 0 if it broke
  /// down.
  std::int64_t info;
};

/// SciPy's keyword arguments of cg, bicgstab and cgs.
template<detail::solver_element V, class Vector = ndarray<V>, class Operator = LinearOperator<V>>
struct iterative_options {
  /// Where to start, (N,) or (N, 1); zeros if not given. It is not written to.
  std::optional<Vector> x0 = {};
  /// The iteration ends when norm(b - A x) < max(rtol * norm(b), atol).
  double rtol = 1e-5;
  /// The absolute tolerance.
  double atol = 0;
  /// Iterations; 10 N if not given.
  std::optional<std::int64_t> maxiter = {};
  /// A preconditioner: applied to a vector, about the solution of A z = r.
  std::optional<Operator> M = {};
  /// Called with x after each iteration; the array is the iteration's own, so copy what you keep.
  std::function<void(const Vector&)> callback = {};
};

/// SciPy's keyword arguments of gmres.
template<detail::solver_element V, class Vector = ndarray<V>, class Operator = LinearOperator<V>>
struct gmres_options {
  /// Where to start, (N,) or (N, 1); zeros if not given. It is not written to.
  std::optional<Vector> x0 = {};
  /// The iteration ends when norm(b - A x) < max(rtol * norm(b), atol).
  double rtol = 1e-5;
  /// The absolute tolerance.
  double atol = 0;
  /// Vectors that are kept until it starts again from x; 20 if not given.
  std::optional<std::int64_t> restart = {};
  /// Restarts, 10 N if not given.
  std::optional<std::int64_t> maxiter = {};
  /// A preconditioner: applied to a vector, about the solution of A z = r.
  std::optional<Operator> M = {};
  /// Called after each iteration with the preconditioned residual's norm relative to norm(b): SciPy's
  /// callback_type "pr_norm".
  std::function<void(double)> callback = {};
  /// Called before each restart and at the end with x: SciPy's callback_type "x".
  std::function<void(const Vector&)> callback_x = {};
};

/// SciPy's keyword arguments of minres.
template<detail::solver_element V, class Vector = ndarray<V>, class Operator = LinearOperator<V>>
struct minres_options {
  /// Where to start, (N,) or (N, 1); zeros if not given. It is not written to.
  std::optional<Vector> x0 = {};
  /// The relative tolerance of the residual.
  double rtol = 1e-5;
  /// (A - shift I) x = b is solved.
  double shift = 0;
  /// Iterations; 5 N if not given.
  std::optional<std::int64_t> maxiter = {};
  /// A preconditioner: applied to a vector, about the solution of A z = r.
  std::optional<Operator> M = {};
  /// Called with x after each iteration.
  std::function<void(const Vector&)> callback = {};
  /// Test first whether A and M are symmetric.
  bool check = false;
};

}  // namespace sparse::linalg

namespace detail {

/// What a solver computes of its vectors but element by element. Of vectors that several ranks share each
/// solves with its parts, and these functions are over those of all, the same numbers on every rank.
template<class V>
struct shared_vectors {
  std::int64_t size;
  std::function<scalar_array<V>(const ndarray<V>& x, const ndarray<V>& y)> vdot;
  std::function<scalar_expr<real_t<V>>(const ndarray<V>& x)> norm;
};

// One instance for each solver_element is in the library. Unconstrained: compilers mangle constraints
// differently. Vectors are not shared for null.
template<class V>
GPARRAY_API sparse::linalg::iterative_result<V> cg(const sparse::linalg::LinearOperator<V>& a,
                                                   const ndarray<V>& b,
                                                   const sparse::linalg::iterative_options<V>& options,
                                                   const shared_vectors<V>* shared = nullptr);
template<class V>
GPARRAY_API sparse::linalg::iterative_result<V> bicgstab(const sparse::linalg::LinearOperator<V>& a,
                                                         const ndarray<V>& b,
                                                         const sparse::linalg::iterative_options<V>& options,
                                                         const shared_vectors<V>* shared = nullptr);
template<class V>
GPARRAY_API sparse::linalg::iterative_result<V> cgs(const sparse::linalg::LinearOperator<V>& a,
                                                    const ndarray<V>& b,
                                                    const sparse::linalg::iterative_options<V>& options,
                                                    const shared_vectors<V>* shared = nullptr);
template<class V>
GPARRAY_API sparse::linalg::iterative_result<V> gmres(const sparse::linalg::LinearOperator<V>& a,
                                                      const ndarray<V>& b,
                                                      const sparse::linalg::gmres_options<V>& options,
                                                      const shared_vectors<V>* shared = nullptr);
template<class V>
GPARRAY_API sparse::linalg::iterative_result<V> minres(const sparse::linalg::LinearOperator<V>& a,
                                                       const ndarray<V>& b,
                                                       const sparse::linalg::minres_options<V>& options,
                                                       const shared_vectors<V>* shared = nullptr);

}  // namespace detail

namespace sparse::linalg {

// A is a square LinearOperator, dense or sparse matrix, b a vector (N,) or (N, 1) on its device; x is (N,) on
// that device. Shapes that do not fit and a negative atol throw value_error. All run SciPy's iterations, so
// that they take as many as SciPy's up to rounding. The work stays on the device; what of it is waited for is
// said below. A right-hand side of zeros has the solution zero.

/// Conjugate gradients, for Hermitian positive definite A and M. On a CPU, and with a callback, it looks
/// after every iteration whether it is done. A GPU is asked, which waits for it and empties its queue, after
/// each of the first 16 iterations and then ever more rarely, at last after every sixteenth. What is computed
/// past the end leaves x as it is, so that the result does not depend on it.
template<class A, array_like B>
[[nodiscard]] iterative_result<detail::solver_t<A, B>> cg(
    const A& a, const B& b, const iterative_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::cg<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

/// Stabilised biconjugate gradients, for any A. info is -10 or -11 if it broke down. Waits as cg does.
template<class A, array_like B>
[[nodiscard]] iterative_result<detail::solver_t<A, B>> bicgstab(
    const A& a, const B& b, const iterative_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::bicgstab<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

/// Squared conjugate gradients, for any A; its residuals often fall less smoothly than those
/// of bicgstab. info is -10 or -11 if it broke down. Waits as cg does.
template<class A, array_like B>
[[nodiscard]] iterative_result<detail::solver_t<A, B>> cgs(
    const A& a, const B& b, const iterative_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::cgs<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

/// Generalised minimal residuals with restarts, for any A. Waits once each iteration, for one column of the
/// projected matrix. Vectors are orthogonalised twice by blocks (classical Gram-Schmidt, as accurate as
/// SciPy's modified one) and so by matrix products.
template<class A, array_like B>
[[nodiscard]] iterative_result<detail::solver_t<A, B>> gmres(
    const A& a, const B& b, const gmres_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::gmres<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

/// Minimal residuals, for Hermitian A, which may be singular or indefinite, and Hermitian positive definite
/// M. Waits once each iteration. Throws value_error if it notices that A or M is not what it must be.
template<class A, array_like B>
[[nodiscard]] iterative_result<detail::solver_t<A, B>> minres(
    const A& a, const B& b, const minres_options<detail::solver_t<A, B>>& options = {}) {
  using V = detail::solver_t<A, B>;
  return detail::minres<V>(detail::as_operator<V>(a), detail::as_element<V>(b), options);
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
