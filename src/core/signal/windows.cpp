// NumPy's window functions: bartlett, blackman, hamming, hanning, kaiser.
#include <numbers>

#include <core/creation/typed.hpp>
#include <gparray/indexing/selection.hpp>
#include <gparray/signal/windows.hpp>
#include <gparray/ufunc/operators.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace {

/// f of 1 - M, 3 - M, ... M - 1 and M - 1. Windows of fewer than two points are empty, or one.
template<class F>
ndarray<double> window(std::int64_t M, const array_options& options, F f) {
  if (M < 1) return gparray::zeros(0, options);
  if (M == 1) return gparray::ones(1, options);
  return f(gparray::arange<double>(1 - M, M, 2, options), static_cast<double>(M - 1));
}

}  // namespace

ndarray<double> bartlett(std::int64_t M, const array_options& options) {
  return window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return where(n <= 0, 1 + n / last, 1 - n / last);
  });
}

ndarray<double> blackman(std::int64_t M, const array_options& options) {
  return window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.42 + 0.5 * cos(std::numbers::pi * n / last) + 0.08 * cos(2.0 * std::numbers::pi * n / last);
  });
}

ndarray<double> hamming(std::int64_t M, const array_options& options) {
  return window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.54 + 0.46 * cos(std::numbers::pi * n / last);
  });
}

ndarray<double> hanning(std::int64_t M, const array_options& options) {
  return window(M, options, [](const ndarray<double>& n, double last) -> ndarray<double> {
    return 0.5 + 0.5 * cos(std::numbers::pi * n / last);
  });
}

ndarray<double> kaiser(std::int64_t M, double beta, const array_options& options) {
  return window(M, options, [beta, &options](const ndarray<double>&, double last) -> ndarray<double> {
    const double alpha = last / 2;
    const ndarray<double> n = gparray::arange<double>(0, last + 1, 1, options);
    const double whole = i0(gparray::full(dims{}, beta, {.device = device::cpu()})).item();  // a kernel less
    return i0(beta * sqrt(1.0 - square((n - alpha) / alpha))) / whole;
  });
}

GPARRAY_END_NAMESPACE
