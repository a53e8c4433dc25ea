// Linear equations, inverses, determinants, and the factorisations behind them: numpy.linalg and
// scipy.linalg.
#pragma once
#include <gparray/linalg/types.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace linalg {

/// SciPy's keyword arguments of solve.
struct solve_options {
  /// The structure of a, which is not checked: "gen" ("general"), "pos" ("positive definite"), "sym"
  /// ("symmetric"), "her" ("hermitian"), "upper triangular", "lower triangular", or "triangular", where
  /// `lower` says which triangle.
  std::string_view assume_a = "gen";
  /// Read only the lower triangle of a instead of the upper one, unless assume_a is "gen".
  bool lower = false;
};

/// SciPy's keyword arguments of solve_triangular.
struct triangular_options {
  /// 0 solves a x = b, 1 the transposed system a^T x = b, 2 the adjoint system a^H x = b.
  int trans = 0;
  /// Read the lower triangle of a instead of the upper one.
  bool lower = false;
  /// Take the diagonal of a to be 1 and do not read it.
  bool unit_diagonal = false;
};

/// SciPy's keyword arguments of lu_solve.
struct lu_solve_options {
  /// 0 solves a x = b, 1 the transposed system a^T x = b, 2 the adjoint system a^H x = b.
  int trans = 0;
};

/// NumPy's keyword arguments of cholesky.
struct cholesky_options {
  /// Read the upper triangle of a and return the upper factor u, a = u^H u.
  bool upper = false;
};

/// The result of lu: a = p l u.
template<element V>
struct lu_result {
  /// The permutation as a matrix (..., M, M) of zeros and ones.
  ndarray<detail::real_t<V>> p;
  /// The lower triangle (..., M, K) with ones on the diagonal.
  ndarray<V> l;
  /// The upper triangle (..., K, N).
  ndarray<V> u;
};

/// The type of linalg::permute_l.
struct permute_l_t {
  explicit constexpr permute_l_t(detail::tag) {}
};
/// As the second argument of lu, SciPy's permute_l=True: return p l and u.
inline constexpr permute_l_t permute_l{detail::tag::constant};
/// The result of lu with permute_l: a = pl u.
template<element V>
struct permuted_lu_result {
  /// The lower triangle with the rows permuted, (..., M, K).
  ndarray<V> pl;
  /// The upper triangle (..., K, N).
  ndarray<V> u;
};

/// The type of linalg::p_indices.
struct p_indices_t {
  explicit constexpr p_indices_t(detail::tag) {}
};
/// As the second argument of lu, SciPy's p_indices=True: return the permutation as indices.
inline constexpr p_indices_t p_indices{detail::tag::constant};
/// The result of lu with p_indices: row i of a is row p[i] of l u.
template<element V>
struct indexed_lu_result {
  /// The permutation as indices (..., M).
  ndarray<std::int32_t> p;
  /// The lower triangle (..., M, K) with ones on the diagonal.
  ndarray<V> l;
  /// The upper triangle (..., K, N).
  ndarray<V> u;
};

/// The result of lu_factor, which lu_solve takes.
template<element V>
struct lu_factor_result {
  /// Both triangles in one matrix (..., M, N); the ones on the diagonal of l are left out.
  ndarray<V> lu;
  /// The row exchanges (..., K), counted from 0: row i was exchanged with row piv[i], one after the other.
  ndarray<std::int32_t> piv;
};

/// The result of slogdet: the determinant is sign * exp(logabsdet).
template<element V>
struct slogdet_result {
  /// 1, -1 or 0; of complex matrices a number of magnitude 1, or 0.
  ndarray<V> sign;
  /// The logarithm of the determinant's magnitude; -inf for singular matrices.
  ndarray<detail::real_t<V>> logabsdet;
};

}  // namespace linalg

namespace detail {

GPARRAY_API any_array solve(const argument& a, const argument& b, dtype type,
                            const linalg::solve_options& options);
GPARRAY_API any_array solve_triangular(const argument& a, const argument& b, dtype type,
                                       const linalg::triangular_options& options);
GPARRAY_API any_array lu_solve(const argument& lu, const any_array& piv, const argument& b, dtype type,
                               int trans);
GPARRAY_API any_array inv(const argument& a, dtype type);
GPARRAY_API any_array det(const argument& a, dtype type);
GPARRAY_API std::array<any_array, 2> slogdet(const argument& a, dtype type);
GPARRAY_API std::array<any_array, 2> lu_factor(const argument& a, dtype type);
/// The first is the row of l u that each row of a is (int32), or the permutation as a matrix.
GPARRAY_API std::array<any_array, 3> lu(const argument& a, dtype type, bool as_indices);
/// p l of the indices p.
GPARRAY_API any_array permute_rows(const any_array& l, const any_array& p);
GPARRAY_API any_array cholesky(const argument& a, dtype type, bool upper);

}  // namespace detail

namespace linalg {

// Matrices are the last two axes, (..., M, N); the axes before them are batches and broadcast. float32,
// float64 and their complex dtypes are kept, integers and bool become float64; float16 and bfloat16 do not
// compile, where NumPy raises TypeError. Results are new arrays in C order on the operands' device. Shapes
// that do not fit throw linalg_error or value_error with NumPy's text, at once. What says that it waits for
// the device throws linalg_error, with the matrix's index in the batch, for matrices that have no answer; the
// others wait for nothing.

/// Returns the solution x of the linear equations a x = b for square matrices a (..., M, M). b is a vector if
/// it has one dimension, (M,), else matrices (..., M, K), whose columns are right sides. Waits for the
/// device. Throws linalg_error for singular matrices and, with {.assume_a = "pos"}, for matrices that are not
/// positive definite.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] ndarray<detail::factor_t<A, B>> solve(A&& a, B&& b, const solve_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::solve(detail::factor_argument(std::forward<A>(a)),
                                        detail::factor_argument(std::forward<B>(b)), dtype_of<V>, options));
}

/// Returns the solution x of a x = b for a triangular matrix: by default the upper triangle of a, and nothing
/// else of a is read. Waits for the device. Throws linalg_error for a zero on the diagonal.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] ndarray<detail::factor_t<A, B>> solve_triangular(A&& a, B&& b,
                                                               const triangular_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::solve_triangular(detail::factor_argument(std::forward<A>(a)),
                                                   detail::factor_argument(std::forward<B>(b)), dtype_of<V>,
                                                   options));
}

/// Returns the inverses of square matrices. Waits for the device. Throws linalg_error for singular matrices.
/// To solve equations, solve() is faster and more accurate.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> inv(A&& a) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::inv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

/// Returns the determinants of square matrices: 0 for singular matrices, 1 for matrices without rows.
template<detail::factorable A>
[[nodiscard]] scalar_array<detail::factor_t<A>> det(A&& a) {
  using V = detail::factor_t<A>;
  return detail::as_number<V>(detail::det(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

/// Returns the sign and the logarithm of the magnitude of the determinants of square matrices, which do not
/// overflow where the determinant does; 0 and -inf for singular matrices.
template<detail::factorable A>
[[nodiscard]] slogdet_result<detail::factor_t<A>> slogdet(A&& a) {
  using V = detail::factor_t<A>;
  auto [sign, logarithm] = detail::slogdet(detail::factor_argument(std::forward<A>(a)), dtype_of<V>);
  return slogdet_result<V>{detail::typed<V>(std::move(sign)),
                           detail::typed<detail::real_t<V>>(std::move(logarithm))};
}

/// Factors matrices (..., M, N) with partial pivoting into a = p l u: a permutation (M, M), a lower triangle
/// (M, K) with ones on the diagonal and an upper triangle (K, N), where K = min(M, N). Waits for the device.
template<detail::factorable A>
[[nodiscard]] lu_result<detail::factor_t<A>> lu(A&& a) {
  using V = detail::factor_t<A>;
  auto [p, l, u] = detail::lu(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, false);
  return lu_result<V>{detail::typed<detail::real_t<V>>(std::move(p)), detail::typed<V>(std::move(l)),
                      detail::typed<V>(std::move(u))};
}
/// With linalg::p_indices returns the permutation as indices p: row i of a is row p[i] of l u. Waits for the
/// device.
template<detail::factorable A>
[[nodiscard]] indexed_lu_result<detail::factor_t<A>> lu(A&& a, p_indices_t) {
  using V = detail::factor_t<A>;
  auto [p, l, u] = detail::lu(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, true);
  return indexed_lu_result<V>{detail::typed<std::int32_t>(std::move(p)), detail::typed<V>(std::move(l)),
                              detail::typed<V>(std::move(u))};
}
/// With linalg::permute_l returns the two factors pl = p l and u. Waits for the device.
template<detail::factorable A>
[[nodiscard]] permuted_lu_result<detail::factor_t<A>> lu(A&& a, permute_l_t) {
  const auto parts = lu(std::forward<A>(a), p_indices);
  using V = detail::factor_t<A>;
  return permuted_lu_result<V>{detail::typed<V>(detail::permute_rows(parts.l, parts.p)), parts.u};
}

/// Factors matrices (..., M, N) with partial pivoting for lu_solve: the triangles in one matrix and the row
/// exchanges, as LAPACK's getrf returns them. Singular matrices are no error.
template<detail::factorable A>
[[nodiscard]] lu_factor_result<detail::factor_t<A>> lu_factor(A&& a) {
  using V = detail::factor_t<A>;
  auto [factors, piv] = detail::lu_factor(detail::factor_argument(std::forward<A>(a)), dtype_of<V>);
  return lu_factor_result<V>{detail::typed<V>(std::move(factors)),
                             detail::typed<std::int32_t>(std::move(piv))};
}

/// Returns the solution x of a x = b from lu_factor(a). b is a vector if it has one dimension, (M,), else
/// matrices (..., M, K). Waits for the device to check the row exchanges. Throws value_error for exchanges
/// with rows that do not exist.
template<element V, detail::factorable B>
[[nodiscard]] ndarray<detail::factor_t<ndarray<V>, B>> lu_solve(const lu_factor_result<V>& lu_and_piv, B&& b,
                                                                const lu_solve_options& options = {}) {
  using W = detail::factor_t<ndarray<V>, B>;
  return detail::typed<W>(detail::lu_solve(detail::factor_argument(lu_and_piv.lu), lu_and_piv.piv,
                                           detail::factor_argument(std::forward<B>(b)), dtype_of<W>,
                                           options.trans));
}

/// Returns the Cholesky factor of positive definite matrices: the lower triangle l with a = l l^H. Only the
/// lower triangle of a is read. Waits for the device. Throws linalg_error for matrices that are not positive
/// definite.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> cholesky(A&& a, const cholesky_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(
      detail::cholesky(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.upper));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
