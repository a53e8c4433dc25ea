// Linear equations, inverses, determinants, and the factorisations behind them: numpy.linalg and
// scipy.linalg.
#pragma once
#include <gparray/linalg/types.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace linalg {

/// SciPy's keyword arguments of solve.
struct solve_options {
  /// What is known of a: "gen" (or "general"), "pos" ("positive definite"), "sym" ("symmetric"), "her"
  /// ("hermitian"), "upper triangular", "lower triangular", or "triangular", where `lower` says which.
  std::string_view assume_a = "gen";
  /// Which triangle of a is read, unless assume_a is "gen".
  bool lower = false;
};

/// SciPy's keyword arguments of solve_triangular.
struct triangular_options {
  /// 0: a x = b; 1: a^T x = b; 2: a^H x = b.
  int trans = 0;
  bool lower = false;
  /// The diagonal is taken to be 1 and not read.
  bool unit_diagonal = false;
};

struct lu_solve_options {
  /// 0: a x = b; 1: a^T x = b; 2: a^H x = b.
  int trans = 0;
};

struct cholesky_options {
  /// Read the upper triangle and return it: a = u^H u.
  bool upper = false;
};

/// a = p l u.
template<element V>
struct lu_result {
  ndarray<detail::real_t<V>> p;
  ndarray<V> l, u;
};

/// SciPy's keyword permute_l of lu: lu(a, linalg::permute_l) is p l and u.
struct permute_l_t {};
inline constexpr permute_l_t permute_l{};
template<element V>
struct permuted_lu_result {
  ndarray<V> pl, u;
};

/// SciPy's keyword p_indices of lu: lu(a, linalg::p_indices) has, in place of p, the row of l u that each row
/// of a is.
struct p_indices_t {};
inline constexpr p_indices_t p_indices{};
template<element V>
struct indexed_lu_result {
  ndarray<std::int32_t> p;
  ndarray<V> l, u;
};

/// Row i was exchanged with row piv[i], in this order; then a = l u, both in one matrix.
template<element V>
struct lu_factor_result {
  ndarray<V> lu;
  ndarray<std::int32_t> piv;
};

template<element V>
struct slogdet_result {
  ndarray<V> sign;
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

/// x of a x = b, a of shape (..., M, M). b is a vector if it is 1-D, (M,), else matrices (..., M, K).
/// By LU with partial pivoting; "pos" by Cholesky; symmetric and Hermitian matrices are mirrored and solved
/// by LU, which is no slower than LAPACK's own routine for them. Waits; linalg_error: "Singular matrix",
/// "Matrix is not positive definite".
template<detail::factorable A, detail::factorable B>
[[nodiscard]] auto solve(A&& a, B&& b, const solve_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::solve(detail::factor_argument(std::forward<A>(a)),
                                        detail::factor_argument(std::forward<B>(b)), dtype_of<V>, options));
}

/// x of op(a) x = b for a triangle of a. Waits; linalg_error for a zero on the diagonal.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] auto solve_triangular(A&& a, B&& b, const triangular_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::solve_triangular(detail::factor_argument(std::forward<A>(a)),
                                                   detail::factor_argument(std::forward<B>(b)), dtype_of<V>,
                                                   options));
}

/// x with a x = 1. Waits; linalg_error "Singular matrix".
template<detail::factorable A>
[[nodiscard]] auto inv(A&& a) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::inv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

/// The determinant, 0 for singular matrices, 1 for matrices of no rows.
template<detail::factorable A>
[[nodiscard]] auto det(A&& a) {
  using V = detail::factor_t<A>;
  return detail::as_number<V>(detail::det(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

/// det = sign * exp(logabsdet), where the determinant itself may overflow; 0 and -inf for singular matrices.
template<detail::factorable A>
[[nodiscard]] auto slogdet(A&& a) {
  using V = detail::factor_t<A>;
  auto [sign, logarithm] = detail::slogdet(detail::factor_argument(std::forward<A>(a)), dtype_of<V>);
  return slogdet_result<V>{detail::typed<V>(std::move(sign)),
                           detail::typed<detail::real_t<V>>(std::move(logarithm))};
}

/// a = p l u for any (..., M, N): a permutation (M, M), unit lower (M, K) and upper (K, N) triangle, K =
/// min(M, N). Waits for the row exchanges.
template<detail::factorable A>
[[nodiscard]] auto lu(A&& a) {
  using V = detail::factor_t<A>;
  auto [p, l, u] = detail::lu(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, false);
  return lu_result<V>{detail::typed<detail::real_t<V>>(std::move(p)), detail::typed<V>(std::move(l)),
                      detail::typed<V>(std::move(u))};
}
/// a = l(p) u: the permutation as numbers.
template<detail::factorable A>
[[nodiscard]] auto lu(A&& a, p_indices_t) {
  using V = detail::factor_t<A>;
  auto [p, l, u] = detail::lu(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, true);
  return indexed_lu_result<V>{detail::typed<std::int32_t>(std::move(p)), detail::typed<V>(std::move(l)),
                              detail::typed<V>(std::move(u))};
}
/// a = pl u.
template<detail::factorable A>
[[nodiscard]] auto lu(A&& a, permute_l_t) {
  const auto parts = lu(std::forward<A>(a), p_indices);
  using V = detail::factor_t<A>;
  return permuted_lu_result<V>{detail::typed<V>(detail::permute_rows(parts.l, parts.p)), parts.u};
}

/// The same for lu_solve: LAPACK's getrf. Singular matrices are no error.
template<detail::factorable A>
[[nodiscard]] auto lu_factor(A&& a) {
  using V = detail::factor_t<A>;
  auto [factors, piv] = detail::lu_factor(detail::factor_argument(std::forward<A>(a)), dtype_of<V>);
  return lu_factor_result<V>{detail::typed<V>(std::move(factors)),
                             detail::typed<std::int32_t>(std::move(piv))};
}

/// x of op(a) x = b from lu_factor(a). b as for solve. Waits, to check the row exchanges; value_error.
template<element V, detail::factorable B>
[[nodiscard]] auto lu_solve(const lu_factor_result<V>& lu_and_piv, B&& b,
                            const lu_solve_options& options = {}) {
  using W = detail::factor_t<ndarray<V>, B>;
  return detail::typed<W>(detail::lu_solve(detail::factor_argument(lu_and_piv.lu), lu_and_piv.piv,
                                           detail::factor_argument(std::forward<B>(b)), dtype_of<W>,
                                           options.trans));
}

/// The lower triangle l with a = l l^H; only that triangle of a is read. Waits; linalg_error "Matrix is not
/// positive definite".
template<detail::factorable A>
[[nodiscard]] auto cholesky(A&& a, const cholesky_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(
      detail::cholesky(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.upper));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
