// Windows of signal processing.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/operators.hpp>

#include <numbers>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// 1 - M, 3 - M, ... M - 1.
inline ndarray<double> window_points(std::int64_t M, const array_options& options) {
  return gparray::arange<double>(1 - M, M, 2, options);
}
/// Windows of fewer than two points are empty, or one.
template<class F>
ndarray<double> window(std::int64_t M, const array_options& options, F f) {
  if (M < 1) return gparray::zeros(0, options);
  if (M == 1) return gparray::ones(1, options);
  return f(window_points(M, options), static_cast<double>(M - 1));
}

}  // namespace detail

// Vectors of M float64 points, symmetric about the middle, where they are largest. Without points they are
// empty. Formulas: Blackman and Tukey 1958, "The measurement of power spectra"; Kaiser 1966.

/// A triangle from 0 to 1 and back.
[[nodiscard]] inline ndarray<double> bartlett(std::int64_t M, const array_options& options = {}) {
  return detail::window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return where(n <= 0, 1 + n / last, 1 - n / last);
  });
}
[[nodiscard]] inline ndarray<double> blackman(std::int64_t M, const array_options& options = {}) {
  return detail::window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.42 + 0.5 * cos(std::numbers::pi * n / last) + 0.08 * cos(2.0 * std::numbers::pi * n / last);
  });
}
[[nodiscard]] inline ndarray<double> hamming(std::int64_t M, const array_options& options = {}) {
  return detail::window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.54 + 0.46 * cos(std::numbers::pi * n / last);
  });
}
[[nodiscard]] inline ndarray<double> hanning(std::int64_t M, const array_options& options = {}) {
  return detail::window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.5 + 0.5 * cos(std::numbers::pi * n / last);
  });
}
/// i0(beta sqrt(1 - x^2)) / i0(beta) for x from -1 to 1.
[[nodiscard]] inline ndarray<double> kaiser(std::int64_t M, double beta, const array_options& options = {}) {
  return detail::window(M, options, [beta, &options](const ndarray<double>&, double last) -> ndarray<double> {
    const double alpha = last / 2;
    const ndarray<double> n = gparray::arange<double>(0, last + 1, 1, options);
    const ndarray<double> whole = i0(gparray::full(dims{}, beta, options));
    return i0(beta * sqrt(1.0 - square((n - alpha) / alpha))) / whole;
  });
}

GPARRAY_END_NAMESPACE
