// Polynomials as vectors of coefficients, the highest power first.
#pragma once
#include <optional>

#include <gparray/indexing.hpp>
#include <gparray/linalg.hpp>
#include <gparray/numeric.hpp>
#include <gparray/signal/convolution.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class A, class B>
using polynomial_t = dtype_t<promote_types(dtype_of<element_t<A>>, dtype_of<element_t<B>>)>;

/// Throws value_error unless p is a vector (or a number).
GPARRAY_API void check_polynomial(const any_array& p);
/// Without the zeros at the front. Waits for the device.
template<array_like P>
auto trimmed(const P& p) {
  check_polynomial(p);
  return trim_zeros(atleast_1d(p), "f");
}
/// The same with at least one coefficient, of 0 if there are only zeros.
template<array_like P>
auto trimmed_to_one(const P& p) {
  const auto coefficients = trimmed(p);
  using V = element_t<decltype(coefficients)>;
  return coefficients.size() > 0 ? ndarray<V>(coefficients) : zeros<V>(1, {.device = coefficients.device()});
}
/// The values at x of a polynomial with the coefficients p, a vector; both of one dtype.
GPARRAY_API any_array polynomial_values(const any_array& p, const any_array& x);
[[noreturn]] GPARRAY_API void throw_polynomial(std::string_view why);
[[noreturn]] GPARRAY_API void throw_polynomial_type(std::string_view why);

/// a + b or a - b with their ends aligned.
template<array_like A, array_like B, class F>
auto align_polynomials(const A& a, const B& b, F f) {
  using V = polynomial_t<A, B>;
  const ndarray<V> x = as_elements<V>(atleast_1d(a)), y = as_elements<V>(atleast_1d(b));
  const std::int64_t n = std::max(x.size(), y.size());
  const auto padded = [n](const ndarray<V>& p) {
    return p.size() == n ? p : concatenate(zeros<V>(n - p.size(), {.device = p.device()}), p);
  };
  return ndarray<V>(f(padded(x), padded(y)));
}

}  // namespace detail

/// The values p[0] x**(n-1) + ... + p[n-1] of a polynomial at x, by Horner's rule, an ndarray of the shape of
/// x: one pass over x, whatever the degree. Throws device_error if p and x are on different devices.
template<array_like P, operand_like X>
[[nodiscard]] auto polyval(const P& p, const X& x) {
  using V = dtype_t<detail::common_dtype<P, X>()>;
  ndarray<V> at;
  if constexpr (array_like<X>) at = detail::as_elements<V>(x);
  else at = full<V>(dims{}, x, {.device = p.device()});
  if (p.ndim() == 1) return detail::typed<V>(detail::polynomial_values(detail::as_elements<V>(p), at));
  ndarray<V> y = zeros_like(at);
  for (std::int64_t i = 0; i < p.size(); ++i) y = y * at + p(i);
  return y;
}

/// The coefficients of the sum of two polynomials, an ndarray.
template<array_like A, array_like B>
[[nodiscard]] auto polyadd(const A& a, const B& b) {
  return detail::align_polynomials(a, b, [](const auto& x, const auto& y) { return x + y; });
}
/// The coefficients of the difference of two polynomials, an ndarray.
template<array_like A, array_like B>
[[nodiscard]] auto polysub(const A& a, const B& b) {
  return detail::align_polynomials(a, b, [](const auto& x, const auto& y) { return x - y; });
}
/// The coefficients of the product of two polynomials, an ndarray. Waits for the device.
template<array_like A, array_like B>
[[nodiscard]] auto polymul(const A& a, const B& b) {
  return convolve(detail::trimmed_to_one(a), detail::trimmed_to_one(b));
}

/// What polydiv returns: `auto [quotient, remainder] = gp::polydiv(u, v);`
template<element V>
struct polydiv_result {
  ndarray<V> quotient;   ///< the coefficients of the quotient
  ndarray<V> remainder;  ///< the coefficients of the remainder
};
/// The quotient and the remainder of two polynomials, a polydiv_result. Waits for the device: the divisor's
/// degree depends on it.
template<array_like U, array_like D>
[[nodiscard]] auto polydiv(const U& u, const D& v) {
  using V = dtype_t<detail::promote_weak(dtype_of<detail::polynomial_t<U, D>>, 'f')>;
  std::vector<V> rest = detail::as_elements<V>(atleast_1d(u)).to_vector();
  const std::vector<V> divisor = detail::as_elements<V>(atleast_1d(v)).to_vector();
  const std::size_t m = rest.size() - 1, n = divisor.size() - 1;
  const V scale = V(1) / divisor[0];
  std::vector<V> quotient(m >= n ? m - n + 1 : 1);
  for (std::size_t k = 0; m >= n && k <= m - n; ++k) {
    quotient[k] = scale * rest[k];
    for (std::size_t j = 0; j <= n; ++j) rest[k + j] -= quotient[k] * divisor[j];
  }
  std::size_t zeros_at_front = 0;  // NumPy's allclose(r[0], 0, rtol=1e-14)
  while (zeros_at_front + 1 < rest.size() && std::abs(rest[zeros_at_front]) <= 1e-8) ++zeros_at_front;
  rest.erase(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(zeros_at_front));
  return polydiv_result<V>{array(quotient, {.device = u.device()}), array(rest, {.device = u.device()})};
}

/// The coefficients of the m-th derivative of a polynomial. Throws value_error if m is negative.
template<array_like P>
[[nodiscard]] auto polyder(const P& p, int m = 1) {
  using V = detail::polynomial_t<P, ndarray<std::int64_t>>;
  if (m < 0) detail::throw_polynomial("Order of derivative must be positive (see polyint)");
  ndarray<V> y = detail::as_elements<V>(atleast_1d(p));
  for (; m > 0 && y.size() > 0; --m)
    y = detail::as_elements<V>(y(slice(none, -1)) * arange(y.size() - 1, 0, -1, {.device = y.device()}));
  return y;
}
/// The coefficients of the m-th antiderivative of a polynomial, with the constant k each time. Throws
/// value_error if m is negative.
template<array_like P>
[[nodiscard]] auto polyint(const P& p, int m = 1, double k = 0) {
  using V = detail::inexact_t<P>;
  if (m < 0) detail::throw_polynomial("Order of integral must be positive (see polyder)");
  ndarray<V> y = detail::as_elements<V>(atleast_1d(p));
  for (; m > 0; --m)
    y = append(ndarray<V>(detail::as_elements<V>(y / arange(y.size(), 0, -1, {.device = y.device()}))), k);
  return y;
}

namespace detail {
template<element V>
ndarray<V> polynomial_of_roots(const ndarray<V>& roots) {
  const ndarray<V> one = ones<V>(1, {.device = roots.device()});
  ndarray<V> result = one;
  for (std::int64_t i = 0; i < roots.size(); ++i)
    result = convolve(result, concatenate(one, ndarray<V>(-roots(slice(i, i + 1)))));
  return result;
}
}  // namespace detail

/// The coefficients of the polynomial with these roots, complex for complex ones; of a square matrix its
/// characteristic polynomial. Throws value_error for anything else.
template<array_like S>
[[nodiscard]] auto poly(const S& roots_or_matrix) {
  using V = detail::inexact_t<S>;
  if (roots_or_matrix.ndim() > 2 ||
      (roots_or_matrix.ndim() == 2 &&
       (roots_or_matrix.shape(0) != roots_or_matrix.shape(1) || roots_or_matrix.shape(0) == 0)))
    detail::throw_polynomial("input must be 1d or non-empty square 2d array.");
  if (roots_or_matrix.ndim() < 2)
    return detail::polynomial_of_roots(ndarray<V>(detail::as_elements<V>(atleast_1d(roots_or_matrix))));
  const auto c = detail::polynomial_of_roots(linalg::eigvals(roots_or_matrix));
  if constexpr (is_complex(dtype_of<V>)) return ndarray<V>(detail::as_elements<V>(c));
  else return ndarray<V>(detail::as_elements<V>(c.real()));
}

/// The complex roots of a polynomial, the eigenvalues of its companion matrix. Throws value_error unless p is
/// a vector. Waits for the device.
template<array_like P>
[[nodiscard]] auto roots(const P& p) {
  using V = detail::factor_t<P>;
  using C = detail::complex_t<V>;
  if (p.ndim() > 1) detail::throw_polynomial("Input must be a rank-1 array.");
  std::vector<V> c = detail::as_elements<V>(atleast_1d(p)).to_vector();
  std::size_t zero_roots = 0;
  while (!c.empty() && c.back() == V(0)) {
    c.pop_back();
    ++zero_roots;
  }
  const auto first = std::find_if(c.begin(), c.end(), [](const V& x) { return x != V(0); });
  c.erase(c.begin(), first);
  if (c.empty()) zero_roots = 0;
  const auto n = static_cast<std::int64_t>(c.size()) - 1;
  ndarray<C> found = zeros<C>(0, {.device = p.device()});
  if (n > 0) {
    std::vector<V> companion(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i) {
      companion[static_cast<std::size_t>(i)] = -c[static_cast<std::size_t>(i + 1)] / c[0];
      if (i > 0) companion[static_cast<std::size_t>(i * n + i - 1)] = V(1);
    }
    found = linalg::eigvals(array(companion.data(), {n, n}, {.device = p.device()}));
  }
  if (zero_roots == 0) return found;
  return ndarray<C>(
      concatenate(found, zeros<C>(static_cast<std::int64_t>(zero_roots), {.device = p.device()})));
}

/// The keyword arguments of polyfit.
struct polyfit_options {
  /// Singular values below rcond times the largest count as zero; by default len(x) times the precision.
  std::optional<double> rcond = {};
  /// Weights of the points: float64, of x's shape.
  std::optional<ndarray<double>> w = {};
};
/// The type of return_full.
struct return_full_t {
  explicit constexpr return_full_t(detail::tag) {}
};
/// The type of return_cov.
struct return_cov_t {
  /// Not multiplied by the variance of the residuals: NumPy's cov="unscaled".
  bool unscaled = false;
};
/// polyfit(..., return_full) also gives residuals, rank and singular values, as full=True does in NumPy.
inline constexpr return_full_t return_full{detail::tag::constant};
/// polyfit(..., return_cov) also gives the covariance of the coefficients, as cov=True does in NumPy.
inline constexpr return_cov_t return_cov{};

/// What polyfit(..., return_full) returns.
template<element V>
struct polyfit_full_result {
  ndarray<V> coefficients;                     ///< the highest power first
  ndarray<detail::real_t<V>> residuals;        ///< sums of squares, empty if they are not determined
  std::int64_t rank;                           ///< of the scaled powers of x
  ndarray<detail::real_t<V>> singular_values;  ///< of the scaled powers of x
  double rcond;                                ///< the relative threshold that was used
};
/// What polyfit(..., return_cov) returns.
template<element V>
struct polyfit_cov_result {
  ndarray<V> coefficients;  ///< the highest power first
  ndarray<V> cov;           ///< (deg + 1, deg + 1), with a third axis for the columns of y
};

namespace detail {

template<element V>
struct polynomial_fit {
  polyfit_full_result<V> result;
  ndarray<V> lhs, scale;
};

template<array_like X, array_like Y>
auto fit_polynomial(const X& x, const Y& y, int deg, const polyfit_options& options) {
  using V = factor_t<X, Y>;
  if (deg < 0) throw_polynomial("expected deg >= 0");
  if (x.ndim() != 1) throw_polynomial_type("expected 1D vector for x");
  if (x.size() == 0) throw_polynomial_type("expected non-empty vector for x");
  if (y.ndim() < 1 || y.ndim() > 2) throw_polynomial_type("expected 1D or 2D array for y");
  if (x.shape(0) != y.shape(0)) throw_polynomial_type("expected x and y to have same length");
  const ndarray<V> points = as_elements<V>(x);
  ndarray<V> lhs = as_elements<V>(vander(points, deg + 1)), rhs = as_elements<V>(y);
  if (options.w) {
    if (options.w->shape() != x.shape()) throw_polynomial_type("expected w and y to have the same length");
    const ndarray<V> w = as_elements<V>(*options.w);
    lhs = lhs * w(all_t{}, newaxis);
    rhs = rhs.ndim() == 2 ? rhs * w(all_t{}, newaxis) : rhs * w;
  }
  // Columns of one length make the problem as well conditioned as it can be.
  const ndarray<V> scale = as_elements<V>(sqrt(sum(square(lhs), 0)));
  lhs = lhs / scale;
  const double precision = static_cast<double>(finfo<V>::eps);
  const double rcond = options.rcond.value_or(static_cast<double>(x.size()) * precision);
  const auto fit = linalg::lstsq(lhs, rhs, {.rcond = rcond});
  const ndarray<V> c = fit.x.ndim() == 2 ? fit.x / scale(all_t{}, newaxis) : fit.x / scale;
  return polynomial_fit<V>{{c, fit.residuals, fit.rank, fit.s, rcond}, lhs, scale};
}

}  // namespace detail

/// The polynomial of degree deg that is nearest to the points (x, y) in the sense of least squares; y may
/// have columns. Throws value_error, type_error with NumPy's texts.
template<array_like X, array_like Y>
[[nodiscard]] ndarray<detail::factor_t<X, Y>> polyfit(const X& x, const Y& y, int deg,
                                                      const polyfit_options& options = {}) {
  return detail::fit_polynomial(x, y, deg, options).result.coefficients;
}
/// The fitted polynomial with the sums of squared residuals (none if the points do not determine it), and the
/// rank and the singular values of the scaled powers of x: a polyfit_full_result.
template<array_like X, array_like Y>
[[nodiscard]] polyfit_full_result<detail::factor_t<X, Y>> polyfit(const X& x, const Y& y, int deg,
                                                                  return_full_t,
                                                                  const polyfit_options& options = {}) {
  return detail::fit_polynomial(x, y, deg, options).result;
}
/// The fitted polynomial with the covariance of the coefficients, a polyfit_cov_result; polyfit(x, y, 2,
/// return_cov_t{.unscaled = true}) is NumPy's cov="unscaled". Throws value_error unless there are more points
/// than coefficients, linalg_error.
template<array_like X, array_like Y>
[[nodiscard]] polyfit_cov_result<detail::factor_t<X, Y>> polyfit(const X& x, const Y& y, int deg,
                                                                 const return_cov_t& cov,
                                                                 const polyfit_options& options = {}) {
  const auto [r, lhs, scale] = detail::fit_polynomial(x, y, deg, options);
  using V = detail::element_t<decltype(lhs)>;
  if (!cov.unscaled && x.size() <= deg + 1)
    detail::throw_polynomial("the number of data points must exceed order to scale the covariance matrix");
  const ndarray<V> base = linalg::inv(matmul(lhs.T(), lhs)) / outer(scale, scale);
  if (cov.unscaled) return polyfit_cov_result<V>{r.coefficients, base};
  const ndarray<V> factor = detail::as_elements<V>(r.residuals / static_cast<double>(x.size() - deg - 1));
  return polyfit_cov_result<V>{r.coefficients,
                               ndarray<V>(y.ndim() == 1 ? base * factor : base(ellipsis, newaxis) * factor)};
}

/// A polynomial that is called as a function, with the operators of polynomials.
template<element V>
class poly1d {
 public:
  /// From coefficients, whose zeros at the front are left out.
  explicit poly1d(const ndarray<V>& coefficients) : coefficients_(detail::trimmed_to_one(coefficients)) {}

  /// The coefficients, the highest power first.
  const ndarray<V>& coeffs() const { return coefficients_; }
  /// The coefficients, the highest power first.
  const ndarray<V>& c() const { return coefficients_; }
  /// The degree.
  [[nodiscard]] std::int64_t order() const { return coefficients_.size() - 1; }
  /// The complex roots. Waits for the device.
  [[nodiscard]] auto roots() const { return gparray::roots(coefficients_); }
  /// The complex roots. Waits for the device.
  [[nodiscard]] auto r() const { return roots(); }
  /// The values of the polynomial at x, as polyval gives them.
  template<operand_like X>
  auto operator()(const X& x) const {
    return polyval(coefficients_, x);
  }
  /// The m-th derivative, a poly1d.
  [[nodiscard]] auto deriv(int m = 1) const { return make(polyder(coefficients_, m)); }
  /// The m-th antiderivative with the constant k each time, a poly1d.
  [[nodiscard]] auto integ(int m = 1, double k = 0) const { return make(polyint(coefficients_, m, k)); }
  /// The polynomial with the opposite signs.
  poly1d operator-() const { return poly1d(ndarray<V>(-coefficients_)); }
  /// The sum of two polynomials, a poly1d.
  template<element W>
  auto operator+(const poly1d<W>& other) const {
    return make(polyadd(coefficients_, other.coeffs()));
  }
  /// The difference of two polynomials, a poly1d.
  template<element W>
  auto operator-(const poly1d<W>& other) const {
    return make(polysub(coefficients_, other.coeffs()));
  }
  /// The product of two polynomials, a poly1d.
  template<element W>
  auto operator*(const poly1d<W>& other) const {
    return make(polymul(coefficients_, other.coeffs()));
  }

 private:
  template<element W>
  static poly1d<W> make(const ndarray<W>& c) {
    return poly1d<W>(c);
  }

  ndarray<V> coefficients_;
};

/// numpy.polynomial.polynomial: the constant term first.
namespace polynomial {

/// The powers x**0, x**1, ... x**deg along a new last axis: the Vandermonde matrix of a vector.
template<array_like X>
[[nodiscard]] auto polyvander(const X& x, int deg) {
  if (deg < 0) detail::throw_polynomial("deg must be non-negative");
  using V = detail::inexact_t<X>;
  const ndarray<V> at = detail::as_elements<V>(atleast_1d(x));
  return ndarray<V>(moveaxis(detail::typed<V>(detail::power_rows(at, deg)), 0, -1));
}
/// The companion matrix of a polynomial of degree 1 or more. Throws value_error.
template<array_like C>
[[nodiscard]] auto polycompanion(const C& c) {
  using V = detail::inexact_t<C>;
  const auto n = c.size() - 1;
  if (n < 1) detail::throw_polynomial("Series must have maximum degree of at least 1.");
  const ndarray<V> a = detail::as_elements<V>(c);
  ndarray<V> matrix =
      n == 1 ? zeros<V>({1, 1}, {.device = a.device()}) : eye<V>(n, none, -1, {.device = a.device()});
  matrix(all_t{}, -1) = matrix(all_t{}, -1) - a(slice(none, -1)) / a(-1);
  return matrix;
}
/// The values c[0] + c[1] x + c[2] x**2 + ... of a polynomial at x, an ndarray of the shape of x.
template<operand_like X, array_like C>
[[nodiscard]] auto polyval(const X& x, const C& c) {
  return gparray::polyval(flip(c), x);
}
/// The values (x - r[0]) (x - r[1]) ... of the polynomial with the roots r at x.
template<array_like X, array_like R>
[[nodiscard]] auto polyvalfromroots(const X& x, const R& r) {
  using V = detail::polynomial_t<X, R>;
  const ndarray<V> at = detail::as_elements<V>(x);
  return ndarray<V>(prod(at(ellipsis, newaxis) - detail::as_elements<V>(r), -1));
}
/// The vectors of coefficients, a tuple of one array each, without the zeros at their ends if trim. Throws
/// value_error for empty ones and matrices.
template<array_like... C>
[[nodiscard]] auto as_series(bool trim, const C&... series) {
  const auto one = [trim](const auto& c) {
    const auto vector = atleast_1d(c);
    if (vector.size() == 0) detail::throw_polynomial("Coefficient array is empty");
    if (vector.ndim() != 1) detail::throw_polynomial("Coefficient array is not 1-d");
    if (!trim) return vector;
    const auto kept = trim_zeros(vector, "b");
    return kept.size() > 0 ? kept : vector(slice(none, 1));
  };
  return std::tuple(one(series)...);
}
/// The coefficients without the zeros at their end; one coefficient stays. Waits for the
/// device.
template<array_like C>
[[nodiscard]] auto trimseq(const C& c) {
  const auto trimmed = trim_zeros(c, "b");
  return trimmed.size() > 0 ? trimmed : c(slice(none, 1));
}
/// The coefficients without those at their end whose magnitude is at most tol. Throws value_error if tol is
/// negative. Waits for the device.
template<array_like C>
[[nodiscard]] auto trimcoef(const C& c, double tol = 0) {
  if (tol < 0) detail::throw_polynomial("tol must be non-negative");
  const auto kept = flatnonzero(absolute(c) > tol);
  if (kept.size() == 0) return (c(slice(none, 1)) * 0).copy();
  return c(slice(none, kept.item(-1) + 1)).copy();
}

}  // namespace polynomial

GPARRAY_END_NAMESPACE
