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

template<element V>
struct qr_result {
  ndarray<V> Q, R;
};

/// h is the transpose of LAPACK's geqrf result: R, and the Householder vectors that tau belongs to.
template<element V>
struct raw_qr_result {
  ndarray<V> h, tau;
};

template<element V>
struct eigh_result {
  ndarray<detail::real_t<V>> eigenvalues;
  ndarray<V> eigenvectors;
};

template<element V>
struct eig_result {
  ndarray<detail::complex_t<V>> eigenvalues, eigenvectors;
};

template<element V>
struct svd_result {
  ndarray<V> U;
  ndarray<detail::real_t<V>> S;
  ndarray<V> Vh;
};

template<element V>
struct lstsq_result {
  ndarray<V> x;
  ndarray<detail::real_t<V>> residuals;
  std::int64_t rank;
  ndarray<detail::real_t<V>> s;
};

/// The modes of qr that return something else: qr(a, linalg::r), qr(a, linalg::raw).
struct r_t {};
struct raw_t {};
inline constexpr r_t r{};
inline constexpr raw_t raw{};

struct eigh_options {
  /// The triangle that is read: 'L' or 'U'.
  char UPLO = 'L';
};

struct svd_options {
  bool full_matrices = true;
  /// Of Hermitian matrices, whose lower triangle is read: by eigh, which is faster.
  bool hermitian = false;
};
struct svdvals_options {
  bool hermitian = false;
};

struct pinv_options {
  /// Singular values up to rcond times the largest count as zero: a number, or an array of one for each
  /// matrix of a batch. 1e-15 if neither this nor rtol is given, as in NumPy.
  detail::tolerance rcond = {};
  /// The lower triangle of a Hermitian matrix is read.
  bool hermitian = false;
  /// The array API's name of rcond; none is max(M, N) * eps. value_error if both are given.
  detail::tolerance rtol = {};
};

struct rank_options {
  /// Singular values up to this count as zero: a number, or an array of one for each matrix of a batch.
  detail::tolerance tol = {};
  bool hermitian = false;
  /// The same, relative to the largest one; max(M, N) * eps if neither is given. value_error if both are.
  detail::tolerance rtol = {};
};

struct lstsq_options {
  /// Singular values up to rcond times the largest count as zero; max(M, N) * eps if not given.
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

/// a = Q R by Householder reflections, the signs as LAPACK's geqrf has them. "reduced": Q (..., M, K) and R
/// (..., K, N), K = min(M, N); "complete": (..., M, M) and (..., M, N).
template<detail::factorable A>
[[nodiscard]] auto qr(A&& a, std::string_view mode = "reduced") {
  using V = detail::factor_t<A>;
  auto [q, upper] =
      detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::parse_qr_mode(mode));
  return qr_result<V>{detail::typed<V>(std::move(q)), detail::typed<V>(std::move(upper))};
}
/// R (..., K, N) alone.
template<detail::factorable A>
[[nodiscard]] auto qr(A&& a, r_t) {
  using V = detail::factor_t<A>;
  auto parts = detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::qr_mode::r);
  return detail::typed<V>(std::move(parts[1]));
}
/// h (..., N, M) and tau (..., K).
template<detail::factorable A>
[[nodiscard]] auto qr(A&& a, raw_t) {
  using V = detail::factor_t<A>;
  auto [h, tau] = detail::qr(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, detail::qr_mode::raw);
  return raw_qr_result<V>{detail::typed<V>(std::move(h)), detail::typed<V>(std::move(tau))};
}

/// Eigenvalues, ascending, and orthonormal eigenvectors (columns) of Hermitian matrices, of which one
/// triangle is read. Waits; linalg_error "Eigenvalues did not converge", also for infinities and NaNs.
template<detail::factorable A>
[[nodiscard]] auto eigh(A&& a, const eigh_options& options = {}) {
  using V = detail::factor_t<A>;
  auto [values, vectors] =
      detail::eigh(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.UPLO, true);
  return eigh_result<V>{detail::typed<detail::real_t<V>>(std::move(values)),
                        detail::typed<V>(std::move(vectors))};
}
template<detail::factorable A>
[[nodiscard]] auto eigvalsh(A&& a, const eigh_options& options = {}) {
  using V = detail::factor_t<A>;
  auto parts = detail::eigh(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.UPLO, false);
  return detail::typed<detail::real_t<V>>(std::move(parts[0]));
}

/// Eigenvalues and right eigenvectors (columns, of norm 1) of any square matrices. Always complex: NumPy
/// returns real arrays where all eigenvalues happen to be real, which a type cannot depend on. Waits;
/// linalg_error "Eigenvalues did not converge", "Array must not contain infs or NaNs".
template<detail::factorable A>
[[nodiscard]] auto eig(A&& a) {
  using V = detail::factor_t<A>;
  using C = detail::complex_t<V>;
  auto [values, vectors] = detail::eig(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, true);
  return eig_result<V>{detail::typed<C>(std::move(values)), detail::typed<C>(std::move(vectors))};
}
template<detail::factorable A>
[[nodiscard]] auto eigvals(A&& a) {
  using V = detail::factor_t<A>;
  auto parts = detail::eig(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, false);
  return detail::typed<detail::complex_t<V>>(std::move(parts[0]));
}

/// a = U diag(S) Vh, S descending. full_matrices: U (..., M, M) and Vh (..., N, N); else (..., M, K) and
/// (..., K, N), K = min(M, N). Waits; linalg_error "SVD did not converge", also for infinities and NaNs.
template<detail::factorable A>
[[nodiscard]] auto svd(A&& a, const svd_options& options = {}) {
  using V = detail::factor_t<A>;
  auto [u, s, vh] = detail::svd(detail::factor_argument(std::forward<A>(a)), dtype_of<V>,
                                options.full_matrices, options.hermitian);
  return svd_result<V>{detail::typed<V>(std::move(u)), detail::typed<detail::real_t<V>>(std::move(s)),
                       detail::typed<V>(std::move(vh))};
}
/// Singular values alone, NumPy's svd(a, compute_uv=False).
template<detail::factorable A>
[[nodiscard]] auto svdvals(A&& a, const svdvals_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<detail::real_t<V>>(
      detail::svdvals(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.hermitian));
}

/// x with the least |b - a x|, and the least |x| among those; a (M, N), b (M,) or (M, K). residuals are the
/// sums of squares of b - a x, empty if rank < N or M <= N; s are a's singular values. By the SVD. Waits.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] auto lstsq(A&& a, B&& b, const lstsq_options& options = {}) {
  using V = detail::factor_t<A, B>;
  using R = detail::real_t<V>;
  auto parts = detail::lstsq(detail::factor_argument(std::forward<A>(a)),
                             detail::factor_argument(std::forward<B>(b)), dtype_of<V>, options.rcond);
  return lstsq_result<V>{detail::typed<V>(std::move(parts.x)), detail::typed<R>(std::move(parts.residuals)),
                         parts.rank, detail::typed<R>(std::move(parts.s))};
}

/// The Moore-Penrose inverse, (..., N, M). Waits.
template<detail::factorable A>
[[nodiscard]] auto pinv(A&& a, const pinv_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::pinv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>,
                                       options.rcond, options.rtol, options.hermitian));
}

/// The number of singular values that are not zero; of vectors, 0 or 1. Waits.
template<detail::factorable A>
[[nodiscard]] scalar_array<std::int64_t> matrix_rank(A&& a, const rank_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::as_number<std::int64_t>(detail::matrix_rank(detail::factor_argument(std::forward<A>(a)),
                                                             dtype_of<V>, options.tol, options.rtol,
                                                             options.hermitian));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
