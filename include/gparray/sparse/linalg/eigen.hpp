// SciPy's scipy.sparse.linalg.eigsh and svds: a few eigenvalues or singular values of a large matrix.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/linalg/solve.hpp>
#include <gparray/sorting.hpp>
#include <gparray/sparse/linalg/direct.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::linalg {

/// SciPy's keyword arguments of eigsh.
template<detail::solver_element V>
struct eigsh_options {
  /// A v = w M v, with a positive definite M of A's shape; then eigenvectors are of M-norm 1.
  std::optional<csc_matrix<V>> M = {};
  /// Eigenvalues near sigma: those with the largest 1 / (w - sigma), which `which` is then about.
  std::optional<double> sigma = {};
  /// "LM" and "SM" are the largest and smallest in magnitude, "LA" and "SA" the largest and smallest, "BE"
  /// half from each end, one more from the high end if k is odd.
  std::string_view which = "LM";
  /// Where to start, (N,); a fixed random vector if not given.
  std::optional<ndarray<V>> v0 = {};
  /// The size of the space that is kept, k < ncv <= N; min(N, max(2 k + 1, 20)) if not given.
  std::optional<std::int64_t> ncv = {};
  /// Restarts, 10 N if not given.
  std::optional<std::int64_t> maxiter = {};
  /// Relative accuracy of eigenvalues; 0 is the dtype's precision.
  double tol = 0;
  /// Without eigenvectors, v has no columns.
  bool return_eigenvectors = true;
  /// (A - sigma I)^-1, or (A - sigma M)^-1; an LU factorisation is made if it is not given.
  std::optional<LinearOperator<V>> OPinv = {};
};

/// Eigenvalues, ascending, and eigenvectors, (N, k).
template<detail::solver_element V>
struct eigsh_result {
  ndarray<detail::real_t<V>> w;  ///< The eigenvalues, ascending.
  ndarray<V> v;                  ///< The eigenvectors, a column each.
};

/// SciPy's keyword arguments of svds.
template<detail::solver_element V>
struct svds_options {
  /// The size of the space that is kept, k < ncv; min(M, N, max(2 k + 1, 20)) if not given.
  std::optional<std::int64_t> ncv = {};
  /// Relative accuracy of singular values; 0 is the dtype's precision.
  double tol = 0;
  /// "LM" are the largest, "SM" the smallest.
  std::string_view which = "LM";
  /// Where to start, (min(M, N),).
  std::optional<ndarray<V>> v0 = {};
  /// Restarts, 10 min(M, N) if not given.
  std::optional<std::int64_t> maxiter = {};
  /// Without vectors, u has no columns and vh no rows.
  bool return_singular_vectors = true;
};

/// u (M, k), s ascending as SciPy has it, vh (k, N).
template<detail::solver_element V>
struct svds_result {
  ndarray<V> u;                  ///< The left singular vectors, a column each.
  ndarray<detail::real_t<V>> s;  ///< The singular values, ascending.
  ndarray<V> vh;                 ///< The right singular vectors, conjugated, a row each.
};

}  // namespace sparse::linalg

namespace detail {

// One instance for each solver_element is in the library.
template<class V>
GPARRAY_API sparse::linalg::eigsh_result<V> eigsh(const sparse::linalg::LinearOperator<V>& a, std::int64_t k,
                                                  const sparse::linalg::eigsh_options<V>& options);
template<class V>
GPARRAY_API sparse::linalg::svds_result<V> svds(const sparse::linalg::LinearOperator<V>& a, std::int64_t k,
                                                const sparse::linalg::svds_options<V>& options);
[[noreturn]] GPARRAY_API void throw_no_inverse();
/// Throws value_error unless M has the shape of A.
GPARRAY_API void check_mass(const dims& a, const dims& m);

/// The element type of the operator of A.
template<class A>
using operator_t = typename decltype(sparse::linalg::aslinearoperator(std::declval<const A&>()))::value_type;

/// (A - sigma M)^-1; without M the identity stands for it.
template<solver_element V, class A>
sparse::linalg::LinearOperator<V> shifted_inverse(const A& a, double sigma,
                                                  const std::optional<sparse::csc_matrix<V>>& m) {
  const V shift = scalar_cast<V>(sigma);
  if constexpr (array_like<A>) {
    const ndarray<V> matrix = as_element<V>(a);
    const ndarray<V> mass = m ? m->toarray() : eye<V>(matrix.shape(0), none, 0, {.device = matrix.device()});
    const ndarray<V> shifted = matrix - shift * mass;
    const auto factors = gparray::linalg::lu_factor(shifted);
    return {matrix.shape(), [factors](const ndarray<V>& x) { return gparray::linalg::lu_solve(factors, x); }};
  } else if constexpr (sparse_like<A>) {
    const dims shape = a.shape();
    const sparse::csc_matrix<V> mass =
        m ? *m : sparse::identity<V, sparse::format::csc>(shape[1], a.device());
    const auto factors = sparse::linalg::splu(a.template astype<V>(false).tocsc() - mass * shift);
    return {shape, [factors](const ndarray<V>& x) { return factors.solve(x); }};
  } else {
    throw_no_inverse();
  }
}

/// C with M = C C^H, from the LU factors of M in a symmetric order: P M P^T = L D L^H, C = P^T L D^(1/2).
template<solver_element V>
class mass_factor {
 public:
  /// Waits. Throws linalg_error unless M is positive definite.
  explicit mass_factor(const sparse::csc_matrix<V>& m) {
    const auto lu = sparse::linalg::splu(m, {.permc_spec = "MMD_AT_PLUS_A", .diag_pivot_thresh = 0});
    const ndarray<real_t<V>> pivots = lu.U().diagonal().real();
    order_ = as_elements<std::int64_t>(lu.perm_r());
    if (!all(pivots > real_t<V>(0)).item() || !array_equal(lu.perm_r(), lu.perm_c()))
      throw linalg_error("Matrix is not positive definite");
    position_ = argsort(order_);
    root_ = as_elements<V>(sqrt(pivots));
    lower_ = lu.L().tocsr();
    upper_ = lower_.H().tocsr();
  }

  ndarray<V> times(const ndarray<V>& x) const {
    return take(matmul(lower_, ndarray<V>(root_ * x)), order_, 0);
  }
  ndarray<V> adjoint_times(const ndarray<V>& x) const {
    return root_ * matmul(upper_, take(x, position_, 0));
  }
  /// C^-1 x.
  ndarray<V> solve(const ndarray<V>& x) const {
    return sparse::linalg::spsolve_triangular(lower_, take(x, position_, 0), true, {.unit_diagonal = true}) /
           root_;
  }
  /// C^-H x of a vector or of columns.
  ndarray<V> solve_adjoint(const ndarray<V>& x) const {
    const ndarray<V> scaled = x.ndim() == 1 ? x / root_ : x / root_(all_t{}, newaxis);
    return take(sparse::linalg::spsolve_triangular(upper_, scaled, false, {.unit_diagonal = true}), order_,
                0);
  }

 private:
  ndarray<std::int64_t> order_, position_;
  ndarray<V> root_;
  sparse::csr_matrix<V> lower_, upper_;
};

/// The problem C^-1 A C^-H y = w y, whose eigenvectors are v = C^-H y.
template<solver_element V>
sparse::linalg::eigsh_result<V> generalized_eigsh(const sparse::linalg::LinearOperator<V>& a, std::int64_t k,
                                                  sparse::linalg::eigsh_options<V> options) {
  using op = sparse::linalg::LinearOperator<V>;
  check_mass(a.shape(), options.M->shape());
  const auto c = std::make_shared<const mass_factor<V>>(*options.M);
  const op standard(a.shape(),
                    [a, c](const ndarray<V>& x) { return c->solve(a.matvec(c->solve_adjoint(x))); });
  if (options.OPinv)
    options.OPinv = op(a.shape(), [c, inverse = *options.OPinv](const ndarray<V>& x) {
      return c->adjoint_times(inverse.matvec(c->times(x)));
    });
  auto r = eigsh<V>(standard, k, options);
  if (options.return_eigenvectors) r.v = c->solve_adjoint(r.v);
  return r;
}

}  // namespace detail

namespace sparse::linalg {

/// The k eigenvalues of a Hermitian A that `which` asks for, and eigenvectors of norm 1. A is a
/// LinearOperator, dense or sparse, of shape (N, N), k < N; the results are on its device.
///
/// The Lanczos method with thick restarts (Wu and Simon 2000), whose answers are those of ARPACK's implicit
/// restarts; one program for every device, the vectors being orthogonalised in full by matrix products. Waits
/// once each restart, every ncv - k products with A at most. Ends when every residual is below
/// max(tol, eps) * max(|w|, eps^(2/3)), ARPACK's test. With .M, its factors by SuperLU make the problem a
/// standard one; two triangular systems are solved for each product. Throws value_error for arguments that
/// make no sense, linalg_error "No convergence" after maxiter restarts.
template<class A>
[[nodiscard]] eigsh_result<detail::operator_t<A>> eigsh(const A& a, std::int64_t k = 6,
                                                        eigsh_options<detail::operator_t<A>> options = {}) {
  using V = detail::operator_t<A>;
  if (options.sigma && !options.OPinv)
    options.OPinv = detail::shifted_inverse<V>(a, *options.sigma, options.M);
  if (options.M) return detail::generalized_eigsh<V>(detail::as_operator<V>(a), k, options);
  return detail::eigsh<V>(detail::as_operator<V>(a), k, options);
}

/// The k largest (or smallest) singular values of A, of shape (M, N), k < min(M, N), and singular vectors. A
/// must have an adjoint.
///
/// eigsh of A^H A or A A^H, the smaller one, as SciPy's default does; then the singular value decomposition
/// of A V for the vectors V found. That last step makes the values accurate to eps * s_max though the product
/// has squared them. Values below 1e-8 s_max (1e-4 for float32) are lost in the product: `which` = "SM" finds
/// them only for matrices of a smaller condition number. Waits and throws as eigsh does.
template<class A>
[[nodiscard]] svds_result<detail::operator_t<A>> svds(
    const A& a, std::int64_t k = 6, const svds_options<detail::operator_t<A>>& options = {}) {
  using V = detail::operator_t<A>;
  return detail::svds<V>(detail::as_operator<V>(a), k, options);
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
