// SciPy's direct solvers of sparse systems: scipy.sparse.linalg.splu, spsolve, factorized,
// spsolve_triangular.
#pragma once
#include <gparray/sparse/construct.hpp>
#include <gparray/sparse/linalg/iterative_solvers.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace sparse::linalg {

/// SciPy's keyword arguments of splu.
struct splu_options {
  /// The order of columns: "COLAMD", "NATURAL", "MMD_ATA" or "MMD_AT_PLUS_A", which suits A whose pattern is
  /// symmetric.
  std::string_view permc_spec = "COLAMD";
  /// A diagonal element is taken as the pivot if it is at least this times the largest one, from 0 to 1.
  double diag_pivot_thresh = 1;
  /// Columns that become one supernode at the leaves; SuperLU's own number if 0.
  int relax = 0;
  /// Columns in a panel; SuperLU's own number if 0.
  int panel_size = 0;
};

/// SciPy's keyword arguments of spilu.
struct spilu_options {
  /// What is smaller than this times the largest element of its column is dropped.
  double drop_tol = 1e-4;
  /// How many times as many entries as A the factors may have.
  double fill_factor = 10;
  /// Which rules drop: some of "basic", "prows", "column", "area", "secondary", "dynamic" and "interp" with
  /// commas; "basic,area" if empty.
  std::string_view drop_rule = "";
  /// The order of columns: "COLAMD", "NATURAL", "MMD_ATA" or "MMD_AT_PLUS_A".
  std::string_view permc_spec = "COLAMD";
  /// A diagonal element is taken as the pivot if it is at least this times the largest one, from 0 to 1.
  double diag_pivot_thresh = 0.1;
  /// Columns that become one supernode at the leaves; SuperLU's own number if 0.
  int relax = 0;
  /// Columns in a panel; SuperLU's own number if 0.
  int panel_size = 0;
};

/// SciPy's keyword arguments of spsolve.
struct spsolve_options {
  /// The order of columns: "COLAMD", "NATURAL", "MMD_ATA" or "MMD_AT_PLUS_A".
  std::string_view permc_spec = "COLAMD";
};

/// SciPy's keyword arguments of spsolve_triangular.
struct spsolve_triangular_options {
  /// The diagonal is taken to be 1 and not read.
  bool unit_diagonal = false;
};

}  // namespace sparse::linalg

namespace detail {

class sparse_lu;

/// The factors of a square matrix of a solver_element. Throws value_error, linalg_error, library_error.
GPARRAY_API std::shared_ptr<const sparse_lu> make_sparse_lu(const sparse_parts& a,
                                                            const sparse::linalg::splu_options& options);
/// Incomplete ones.
GPARRAY_API std::shared_ptr<const sparse_lu> make_sparse_ilu(const sparse_parts& a,
                                                             const sparse::linalg::spilu_options& options);
/// b, (N,) or (N, K), has the dtype of the factors. trans is 'N', 'T' or 'H'. Throws value_error,
/// device_error.
GPARRAY_API any_array sparse_lu_solve(const sparse_lu& lu, const any_array& b, char trans);
GPARRAY_API std::int64_t sparse_lu_entries(const sparse_lu& lu);
/// L or U, csc.
GPARRAY_API sparse_parts sparse_lu_triangle(const sparse_lu& lu, bool lower);
GPARRAY_API any_array sparse_lu_permutation(const sparse_lu& lu, bool rows);
/// x of triangle(a) x = b.
GPARRAY_API any_array solve_sparse_triangle(const sparse_parts& a, const any_array& b, bool lower,
                                            bool unit_diagonal);
/// Throws value_error with SciPy's text unless spsolve can solve a x = b.
GPARRAY_API void check_spsolve(const sparse_parts& a, const dims& of_b);

/// What a sparse matrix is factorised in.
template<sparse_like A>
using sparse_factor_t = factor_t<ndarray<sparse_element_t<A>>>;

template<class A>
concept sparse_factorable = sparse_like<A> && solver_element<sparse_factor_t<A>>;

}  // namespace detail

namespace sparse::linalg {

/// The factors of a sparse matrix, P_r A P_c = L U: row i of A is row perm_r[i] of L U, column i is column
/// perm_c[i]. Copies share the factors. Threads may use it at the same time.
template<detail::solver_element V>
class SuperLU {
 public:
  /// Of factors that the library made.
  SuperLU(std::shared_ptr<const detail::sparse_lu> factors, std::int64_t n)
      : factors_(std::move(factors)), n_(n) {}

  /// The shape of A.
  [[nodiscard]] dims shape() const { return {n_, n_}; }
  /// Entries of L and U, zeros that are stored included.
  [[nodiscard]] std::int64_t nnz() const { return detail::sparse_lu_entries(*factors_); }
  /// Where each row of A is in L U.
  [[nodiscard]] ndarray<std::int32_t> perm_r() const {
    return detail::typed<std::int32_t>(detail::sparse_lu_permutation(*factors_, true));
  }
  /// Where each column of A is in L U.
  [[nodiscard]] ndarray<std::int32_t> perm_c() const {
    return detail::typed<std::int32_t>(detail::sparse_lu_permutation(*factors_, false));
  }
  /// The lower factor, with a diagonal of ones. Made anew at each call.
  [[nodiscard]] csc_matrix<V> L() const {
    return {detail::sparse_lu_triangle(*factors_, true), detail::adopt_t{}};
  }
  /// The upper factor, with the pivots. Made anew at each call.
  [[nodiscard]] csc_matrix<V> U() const {
    return {detail::sparse_lu_triangle(*factors_, false), detail::adopt_t{}};
  }

  /// x of A x = b, A^T x = b ('T') or A^H x = b ('H') for b (N,) or (N, K) on the matrix's device. On a GPU
  /// by cuSPARSE's triangular solver, with nothing to wait for after the first call for a number of columns.
  /// Throws value_error for shapes that do not fit.
  template<array_like B>
    requires std::same_as<detail::factor_t<ndarray<V>, B>, V>
  [[nodiscard]] ndarray<V> solve(const B& rhs, char trans = 'N') const {
    return detail::typed<V>(detail::sparse_lu_solve(*factors_, detail::as_element<V>(rhs), trans));
  }

 private:
  std::shared_ptr<const detail::sparse_lu> factors_;
  std::int64_t n_;
};

// A is sparse and square, of any format, converted to csc; b is dense on its device. Integers are solved in
// float64. Factorisations are made by SuperLU in host memory whatever the device (the CUDA toolkit has none
// of which the factors could be kept, and its one-shot solvers are deprecated), so that matrices on a GPU are
// copied to the host and wait; library_error names the package if SuperLU is not there. A singular A throws
// linalg_error "Factor is exactly singular", rows or columns that fit no int32 overflow_error.

/// The factors of A, for many right-hand sides.
template<detail::sparse_factorable A>
[[nodiscard]] SuperLU<detail::sparse_factor_t<A>> splu(const A& a, const splu_options& options = {}) {
  using V = detail::sparse_factor_t<A>;
  return SuperLU<V>(detail::make_sparse_lu(a.template astype<V>(false).parts(), options), a.shape(0));
}

/// Incomplete factors of A, SuperLU's ILUTP (X. S. Li and M. Shao 2011): solve() is near the inverse of A,
/// for LinearOperators that are preconditioners. Throws value_error for infinities and NaN.
template<detail::sparse_factorable A>
[[nodiscard]] SuperLU<detail::sparse_factor_t<A>> spilu(const A& a, const spilu_options& options = {}) {
  using V = detail::sparse_factor_t<A>;
  return SuperLU<V>(detail::make_sparse_ilu(a.template astype<V>(false).parts(), options), a.shape(0));
}

/// Solves A x = b for b (N,), (N, 1), which gives (N,) as SciPy does, or (N, K).
template<detail::sparse_factorable A, detail::factorable B>
[[nodiscard]] auto spsolve(const A& a, const B& b, const spsolve_options& options = {}) {
  using V = detail::factor_t<ndarray<detail::sparse_element_t<A>>, B>;
  detail::check_spsolve(a.parts(), b.shape());
  const auto lu = splu(a.template astype<V>(false), {.permc_spec = options.permc_spec});
  const ndarray<V> x = lu.solve(detail::as_element<V>(b));
  return x.ndim() == 2 && x.shape(1) == 1 ? x.ravel() : x;
}

/// Solves A x = b for a sparse b, (N, K); x is sparse too, in the format of A if that is csr or csc. The
/// elements that are stored are those that are not 0. A few columns at a time are solved as a dense matrix;
/// this waits.
template<detail::sparse_factorable A, sparse_like B>
[[nodiscard]] auto spsolve(const A& a, const B& b, const spsolve_options& options = {}) {
  using V = detail::factor_t<ndarray<detail::sparse_element_t<A>>, ndarray<typename B::value_type>>;
  detail::check_spsolve(a.parts(), b.shape());
  const auto lu = splu(a.template astype<V>(false), {.permc_spec = options.permc_spec});
  const csc_matrix<V> columns = b.template astype<V>(false).tocsc();
  constexpr std::int64_t width = 64;
  std::vector<csc_matrix<V>> parts;
  for (std::int64_t first = 0; first < b.shape(1); first += width) {
    const ndarray<V> some = columns(slice(none, none), slice(first, first + width)).toarray();
    parts.emplace_back(lu.solve(some));
  }
  if (parts.empty()) parts.emplace_back(b.shape(), a.device());
  return hstack<compressed(A::format_of)>(parts);
}

/// The function that solves A x = b: factorized(a)(b) is splu(a).solve(b).
template<detail::sparse_factorable A>
[[nodiscard]] auto factorized(const A& a) {
  return [lu = splu(a)](const auto& b) { return lu.solve(b); };
}

/// Solves A x = b for the lower or upper triangle of A, whose other entries are not read; b (N,) or (N, K).
/// Csr and csc are used as they are. On a GPU by cuSPARSE. Waits. Throws linalg_error "A is singular: zero
/// entry on diagonal.", value_error.
template<detail::sparse_factorable A, detail::factorable B>
[[nodiscard]] auto spsolve_triangular(const A& a, const B& b, bool lower = true,
                                      const spsolve_triangular_options& options = {}) {
  using V = detail::factor_t<ndarray<detail::sparse_element_t<A>>, B>;
  return detail::typed<V>(detail::solve_sparse_triangle(
      a.template astype<V>(false).parts(), detail::as_element<V>(b), lower, options.unit_diagonal));
}

}  // namespace sparse::linalg

GPARRAY_END_NAMESPACE
