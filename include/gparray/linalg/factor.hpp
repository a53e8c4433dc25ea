// Orthogonal factorisations: QR, eigenvalues, singular values, and what follows from them.
#pragma once
#include <optional>

#include <gparray/linalg/types.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

enum class qr_mode : unsigned char { reduced, complete, r, raw };
/// "reduced" or "complete". Throws value_error for others.
GPARRAY_API qr_mode parse_qr_mode(std::string_view mode);

GPARRAY_API std::array<any_array, 2> qr(const argument& a, dtype type, qr_mode mode);
GPARRAY_API std::array<any_array, 2> eigh(const argument& a, dtype type, char uplo, bool vectors);
GPARRAY_API std::array<any_array, 2> eig(const argument& a, dtype type, bool vectors);
GPARRAY_API std::array<any_array, 3> svd(const argument& a, dtype type, bool full_matrices, bool hermitian);
GPARRAY_API any_array svdvals(const argument& a, dtype type, bool hermitian = false);
/// A bound on singular values: none, a number, or an array of one for each matrix of a batch.
struct tolerance {
  tolerance() = default;
  tolerance(std::nullopt_t) {}
  tolerance(none_t) : by_size(true) {}
  template<class S>
    requires std::is_arithmetic_v<S>
  tolerance(S bound) : number(static_cast<double>(bound)), given(true) {}
  template<array_like A>
    requires(!is_complex(dtype_of<element_t<A>>))
  tolerance(const A& bounds) : array(bounds), given(true) {}
  tolerance(const std::optional<double>& bound) : number(bound.value_or(0)), given(bound.has_value()) {}

  any_array array;
  double number = 0;
  bool given = false;
  bool by_size = false;  // none: max(M, N) * eps
};

/// The bound on singular values is rcond or rtol times the largest; 1e-15 for neither. Throws value_error for
/// both.
GPARRAY_API any_array pinv(const argument& a, dtype type, const tolerance& rcond, const tolerance& rtol,
                           bool hermitian);
/// The bound on singular values is tol, or rtol times the largest; max(M, N) * eps times it for neither.
GPARRAY_API any_array matrix_rank(const argument& a, dtype type, const tolerance& tol, const tolerance& rtol,
                                  bool hermitian);

}  // namespace detail

namespace linalg {

// What linalg/solve.hpp says of dtypes, batches, results and errors holds here too.

/// The result of qr: a = Q R.
template<element V>
struct qr_result {
  /// A matrix with orthonormal columns.
  ndarray<V> Q;
  /// The upper triangle.
  ndarray<V> R;
};

/// The result of qr with linalg::raw.
template<element V>
struct raw_qr_result {
  /// The transpose of what LAPACK's geqrf returns, (..., N, M): R and below it the Householder vectors.
  ndarray<V> h;
  /// The factors of the Householder vectors, (..., K).
  ndarray<V> tau;
};

/// The result of eigh.
template<element V>
struct eigh_result {
  /// The eigenvalues (..., M), ascending.
  ndarray<detail::real_t<V>> eigenvalues;
  /// The orthonormal eigenvectors as columns of (..., M, M).
  ndarray<V> eigenvectors;
};

/// The result of eig.
template<element V>
struct eig_result {
  /// The eigenvalues (..., M), in no order.
  ndarray<detail::complex_t<V>> eigenvalues;
  /// The eigenvectors of norm 1 as columns of (..., M, M).
  ndarray<detail::complex_t<V>> eigenvectors;
};

/// The result of svd: a = U diag(S) Vh.
template<element V>
struct svd_result {
  /// The left singular vectors as columns.
  ndarray<V> U;
  /// The singular values (..., K), descending.
  ndarray<detail::real_t<V>> S;
  /// The conjugated right singular vectors as rows.
  ndarray<V> Vh;
};

/// The result of lstsq.
template<element V>
struct lstsq_result {
  /// The solution (N,) or (N, K).
  ndarray<V> x;
  /// The sums of squares of b - a x for each right side; empty if rank < N or M <= N.
  ndarray<detail::real_t<V>> residuals;
  /// The number of singular values that count as not zero.
  std::int64_t rank;
  /// The singular values of a, descending.
  ndarray<detail::real_t<V>> s;
};

/// The type of linalg::r.
struct r_t {
  explicit constexpr r_t(detail::tag) {}
};
/// The type of linalg::raw.
struct raw_t {
  explicit constexpr raw_t(detail::tag) {}
};
/// As the second argument of qr, NumPy's mode="r": return R alone.
inline constexpr r_t r{detail::tag::constant};
/// As the second argument of qr, NumPy's mode="raw": return what LAPACK's geqrf returns.
inline constexpr raw_t raw{detail::tag::constant};

/// The keyword arguments of eigh and eigvalsh.
struct eigh_options {
  /// The triangle that is read: 'L' for the lower, 'U' for the upper one.
  char UPLO = 'L';
};

/// The keyword arguments of svd.
struct svd_options {
  /// Return square matrices U and Vh; false returns the first K columns of U and rows of Vh alone.
  bool full_matrices = true;
  /// Take the matrices to be Hermitian and read their lower triangle: eigh computes them, which is faster.
  bool hermitian = false;
};
/// The keyword arguments of svdvals.
struct svdvals_options {
  /// Take the matrices to be Hermitian and read their lower triangle: eigvalsh computes them, which is
  /// faster.
  bool hermitian = false;
};

/// The keyword arguments of pinv.
struct pinv_options {
  /// Singular values up to rcond times the largest one count as zero: a number, or an array of one for each
  /// matrix of a batch. 1e-15 if neither this nor rtol is given, as in NumPy.
  detail::tolerance rcond = {};
  /// Take the matrices to be Hermitian and read their lower triangle.
  bool hermitian = false;
  /// The array API's name of rcond; gp::none means max(M, N) * eps. Giving both is a value_error.
  detail::tolerance rtol = {};
};

/// The keyword arguments of matrix_rank.
struct rank_options {
  /// Singular values up to this count as zero: a number, or an array of one for each matrix of a batch.
  detail::tolerance tol = {};
  /// Take the matrices to be Hermitian and read their lower triangle.
  bool hermitian = false;
  /// Singular values up to rtol times the largest one count as zero; max(M, N) * eps if neither this nor tol
  /// is given. Giving both is a value_error.
  detail::tolerance rtol = {};
};

/// The keyword arguments of lstsq.
struct lstsq_options {
  /// Singular values up to rcond times the largest one count as zero; max(M, N) * eps if not given, eps if
  /// negative.
  std::optional<double> rcond = {};
};

}  // namespace linalg

namespace detail {

struct lstsq_parts {
  any_array x, residuals, s;
  std::int64_t rank;
};
GPARRAY_API lstsq_parts lstsq(const argument& a, const argument& b, dtype type,
                              const std::optional<double>& rcond);

}  // namespace detail

namespace linalg {

/// Factors matrices (..., M, N) into a = Q R by Householder reflections, Q with orthonormal columns and R an
/// upper triangle. Mode "reduced" returns Q (..., M, K) and R (..., K, N), where K = min(M, N); "complete"
/// returns Q (..., M, M) and R (..., M, N). Throws value_error for other modes.
template<detail::factorable A>
[[nodiscard]] qr_result<detail::factor_t<A>> qr(A&& a, std::string_view mode = "reduced") {
  using V = detail::factor_t<A>;
  auto [q, upper] =
      detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::parse_qr_mode(mode));
  return qr_result<V>{detail::typed<V>(std::move(q)), detail::typed<V>(std::move(upper))};
}
/// With linalg::r returns the upper triangle R (..., K, N) alone.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> qr(A&& a, r_t) {
  using V = detail::factor_t<A>;
  auto parts = detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::qr_mode::r);
  return detail::typed<V>(std::move(parts[1]));
}
/// With linalg::raw returns the Householder vectors h (..., N, M) and their factors tau (..., K).
template<detail::factorable A>
[[nodiscard]] raw_qr_result<detail::factor_t<A>> qr(A&& a, raw_t) {
  using V = detail::factor_t<A>;
  auto [h, tau] = detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::qr_mode::raw);
  return raw_qr_result<V>{detail::typed<V>(std::move(h)), detail::typed<V>(std::move(tau))};
}

/// Returns the eigenvalues, ascending, and the orthonormal eigenvectors of Hermitian or real symmetric
/// matrices, of which one triangle is read. The eigenvectors are the columns. Waits for the device. Throws
/// linalg_error "Eigenvalues did not converge", also for infinities and NaN.
template<detail::factorable A>
[[nodiscard]] eigh_result<detail::factor_t<A>> eigh(A&& a, const eigh_options& options = {}) {
  using V = detail::factor_t<A>;
  auto [values, vectors] =
      detail::eigh(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.UPLO, true);
  return eigh_result<V>{detail::typed<detail::real_t<V>>(std::move(values)),
                        detail::typed<V>(std::move(vectors))};
}
/// Returns the eigenvalues, ascending, of Hermitian or real symmetric matrices, of which one triangle is
/// read. Waits for the device. Throws linalg_error "Eigenvalues did not converge", also for infinities and
/// NaN.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::real_t<detail::factor_t<A>>> eigvalsh(A&& a, const eigh_options& options = {}) {
  using V = detail::factor_t<A>;
  auto parts = detail::eigh(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.UPLO, false);
  return detail::typed<detail::real_t<V>>(std::move(parts[0]));
}

/// Returns the eigenvalues and right eigenvectors of square matrices, always as complex arrays. The
/// eigenvectors are the columns and have norm 1. Waits for the device. Throws linalg_error "Eigenvalues did
/// not converge", "Array must not contain infs or NaNs".
template<detail::factorable A>
[[nodiscard]] eig_result<detail::factor_t<A>> eig(A&& a) {
  using V = detail::factor_t<A>;
  using C = detail::complex_t<V>;
  auto [values, vectors] = detail::eig(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, true);
  return eig_result<V>{detail::typed<C>(std::move(values)), detail::typed<C>(std::move(vectors))};
}
/// Returns the eigenvalues of square matrices, always as a complex array. Waits for the device. Throws
/// linalg_error "Eigenvalues did not converge", "Array must not contain infs or NaNs".
template<detail::factorable A>
[[nodiscard]] ndarray<detail::complex_t<detail::factor_t<A>>> eigvals(A&& a) {
  using V = detail::factor_t<A>;
  auto parts = detail::eig(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, false);
  return detail::typed<detail::complex_t<V>>(std::move(parts[0]));
}

/// Returns the singular value decomposition of matrices (..., M, N): a = U diag(S) Vh with S descending. U is
/// (..., M, M) and Vh (..., N, N); with {.full_matrices = false} they are (..., M, K) and (..., K, N), where
/// K = min(M, N). Waits for the device. Throws linalg_error "SVD did not converge", also for infinities and
/// NaN.
template<detail::factorable A>
[[nodiscard]] svd_result<detail::factor_t<A>> svd(A&& a, const svd_options& options = {}) {
  using V = detail::factor_t<A>;
  auto [u, s, vh] = detail::svd(detail::factor_argument(std::forward<A>(a)), dtype_of<V>,
                                options.full_matrices, options.hermitian);
  return svd_result<V>{detail::typed<V>(std::move(u)), detail::typed<detail::real_t<V>>(std::move(s)),
                       detail::typed<V>(std::move(vh))};
}
/// Returns the singular values of matrices, descending: NumPy's svd(a, compute_uv=False). Waits for the
/// device. Throws linalg_error "SVD did not converge", also for infinities and NaN.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::real_t<detail::factor_t<A>>> svdvals(A&& a,
                                                                   const svdvals_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<detail::real_t<V>>(
      detail::svdvals(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.hermitian));
}

/// Returns the least-squares solution of a x = b for a matrix a (M, N) and b (M,) or (M, K): the x that
/// minimizes norm(b - a x), and among several the one of the least norm. Waits for the device. Throws
/// linalg_error for other shapes, and if the SVD does not converge.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] lstsq_result<detail::factor_t<A, B>> lstsq(A&& a, B&& b, const lstsq_options& options = {}) {
  using V = detail::factor_t<A, B>;
  using R = detail::real_t<V>;
  auto parts = detail::lstsq(detail::factor_argument(std::forward<A>(a)),
                             detail::factor_argument(std::forward<B>(b)), dtype_of<V>, options.rcond);
  return lstsq_result<V>{detail::typed<V>(std::move(parts.x)), detail::typed<R>(std::move(parts.residuals)),
                         parts.rank, detail::typed<R>(std::move(parts.s))};
}

/// Returns the Moore-Penrose pseudoinverses (..., N, M) of matrices (..., M, N), by the singular value
/// decomposition. Waits for the device.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> pinv(A&& a, const pinv_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::pinv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>,
                                       options.rcond, options.rtol, options.hermitian));
}

/// Returns the ranks of matrices: the number of singular values above a tolerance. The rank of a vector is 1,
/// or 0 if all its elements are 0. Waits for the device.
template<detail::factorable A>
[[nodiscard]] scalar_array<std::int64_t> matrix_rank(A&& a, const rank_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::as_number<std::int64_t>(detail::matrix_rank(detail::factor_argument(std::forward<A>(a)),
                                                             dtype_of<V>, options.tol, options.rtol,
                                                             options.hermitian));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
