// Covariances and correlations between variables.
#pragma once
#include <gparray/linalg/products.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of cov.
struct cov_options {
  /// Whether each row is a variable, with observations in columns.
  bool rowvar = true;
  /// Divide by N instead of N - 1.
  bool bias = false;
  /// Divide by N - ddof, whatever bias says.
  std::optional<int> ddof = {};
  /// How often each observation occurs.
  std::optional<ndarray<std::int64_t>> fweights = {};
  /// How much each observation counts.
  std::optional<ndarray<double>> aweights = {};
};
/// The keyword arguments of corrcoef.
struct corrcoef_options {
  /// Whether each row is a variable, with observations in columns.
  bool rowvar = true;
};

namespace detail {

/// The weights of n observations, and what the sum of products is divided by. Throws with NumPy's texts.
GPARRAY_API std::pair<std::optional<ndarray<double>>, double> observation_weights(std::int64_t n,
                                                                                  const cov_options& options);
[[noreturn]] GPARRAY_API void throw_cov(std::string_view why);

template<array_like M>
auto covariance(const M& m, const cov_options& options) {
  using V = inexact_t<M>;
  if (m.ndim() > 2) throw_cov("m has more than 2 dimensions");
  ndarray<V> X = as_elements<V>(atleast_2d(m));
  const bool by_columns = !options.rowvar && m.ndim() == 2;
  if (by_columns) X = X.T();
  const auto [weights, divisor] = observation_weights(X.shape(1), options);
  ndarray<V> weighted;
  if (weights) {
    const ndarray<V> w = as_elements<V>(*weights);
    X = X - as_elements<V>(sum(X * w, 1, {.keepdims = true})) / as_elements<V>(sum(w));
    weighted = X * w;
  } else if (by_columns) {
    // As the elements lie, which else would be moved.
    const ndarray<V> rows = X.T();
    X = ndarray<V>(rows - as_elements<V>(mean(rows, 0))).T();
    weighted = X;
  } else {
    X = X - as_elements<V>(mean(X, 1, {.keepdims = true}));
    weighted = X;
  }
  using R = dtype_t<real_dtype(dtype_of<V>)>;
  if constexpr (std::is_same_v<R, V>) return ndarray<V>(matmul(X, weighted.T()) * R(1 / divisor));
  else return ndarray<V>(matmul(X, ndarray<V>(conjugate(weighted.T()))) * R(1 / divisor));
}

template<array_like M, array_like Y>
auto with_variables(const M& m, const Y& y, bool rowvar) {
  if (m.ndim() > 2) throw_cov("m has more than 2 dimensions");
  if (y.ndim() > 2) throw_cov("y has more than 2 dimensions");
  const auto rows = [&](const auto& x) {
    const auto matrix = atleast_2d(x);
    return !rowvar && matrix.shape(0) != 1 ? matrix.T() : matrix;
  };
  return concatenate(rows(m), rows(y), 0);
}

}  // namespace detail

/// The covariance matrix of variables, an ndarray that is 0-d for one variable. Throws value_error and
/// type_error with NumPy's texts.
template<array_like M>
[[nodiscard]] auto cov(const M& m, const cov_options& options = {}) {
  return squeeze(detail::covariance(m, options));
}
/// The covariance matrix of the variables of m and of y, in this order.
template<array_like M, array_like Y>
[[nodiscard]] auto cov(const M& m, const Y& y, const cov_options& options = {}) {
  cov_options rows = options;
  rows.rowvar = true;
  return squeeze(detail::covariance(detail::with_variables(m, y, options.rowvar), rows));
}
namespace detail {
template<element V>
ndarray<V> normalised(const ndarray<V>& c) {
  if (c.ndim() == 0) return c / c;
  const auto deviation = sqrt(ndarray<dtype_t<real_dtype(dtype_of<V>)>>(c.diagonal().real()));
  const ndarray<V> r = c / deviation(all_t{}, newaxis) / deviation(newaxis, all_t{});
  if constexpr (is_complex(dtype_of<V>)) return r;  // parts are not limited one by one here
  else return clip(r, -1, 1);
}
}  // namespace detail
/// Pearson's correlation coefficients of variables: covariances divided by both standard deviations.
template<array_like M>
[[nodiscard]] auto corrcoef(const M& m, const corrcoef_options& options = {}) {
  return detail::normalised(cov(m, {.rowvar = options.rowvar}));
}
template<array_like M, array_like Y>
[[nodiscard]] auto corrcoef(const M& m, const Y& y, const corrcoef_options& options = {}) {
  return detail::normalised(cov(m, y, {.rowvar = options.rowvar}));
}

GPARRAY_END_NAMESPACE
