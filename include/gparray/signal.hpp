// CuPy's cupyx.signal: channels, radar, filters of higher order. fftconvolve is in convolution.hpp.
#pragma once
#include <cmath>
#include <numbers>

#include <gparray/fft.hpp>
#include <gparray/linalg.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/signal/convolution.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace signal {

/// The keyword arguments of pulse_compression.
struct pulse_compression_options {
  /// Divide the template by its norm.
  bool normalize = false;
  /// A window of real numbers by which the template is multiplied, as long as it; none by default.
  any_array window = {};
  /// The length of the transforms; gp::none is the number of samples of a pulse.
  detail::slice_end nfft = none;
};
/// The keyword arguments of pulse_doppler.
struct pulse_doppler_options {
  /// A window of real numbers by which the pulses are multiplied, one number for each; none by default.
  any_array window = {};
  /// The length of the transform; gp::none is the number of pulses.
  detail::slice_end nfft = none;
};

/// The result of ca_cfar.
template<element V>
struct ca_cfar_result {
  /// The threshold of each cell, 0 near the border.
  ndarray<V> threshold;
  /// Which cells are above their threshold.
  ndarray<bool> detections;
};

}  // namespace signal

namespace detail {

/// Throws value_error unless x is (pulses, samples).
GPARRAY_API void check_pulses(const any_array& x);
/// The window as float64, checked.
GPARRAY_API any_array window_of(const any_array& window, std::int64_t length);
/// Throws value_error, type_error with CuPy's texts.
GPARRAY_API void check_cfar(const dims& shape, const dims& guard_cells, const dims& reference_cells);
GPARRAY_API void check_channels(const any_array& x, const any_array& h, std::int64_t n_chans);
GPARRAY_API void check_order(const any_array& in1, const any_array& in2, int order, std::string_view mode);

template<class A>
using signal_t = dtype_t<fft_precision(dtype_of<element_t<A>>)>;
template<class A, class B>
using signal_complex_t =
    dtype_t<complex_dtype(fft_precision(promote_types(dtype_of<element_t<A>>, dtype_of<element_t<B>>)))>;

/// Sums over windows of 2 half[d] + 1 elements along every axis, where these are whole, in double.
GPARRAY_API ndarray<double> window_sums(ndarray<double> a, const dims& half);

inline dims with_count(const dims& shape, std::int64_t count) {
  dims result = shape;
  result.insert(0, count);
  return result;
}

/// One factor of the filter after the other: the windows of x, newest sample first, times the filter.
template<element V>
ndarray<V> convolve_order(const ndarray<V>& x, const ndarray<V>& filter) {
  std::int64_t longest = 1;
  for (const std::int64_t n : filter.shape()) longest = std::max(longest, n);
  const std::int64_t count = x.size() - longest + 1;
  // result (count, what is left of the filter)
  ndarray<V> sums = broadcast_to(filter, with_count(filter.shape(), count));
  for (const std::int64_t n : filter.shape()) {
    ndarray<V> windows = flip(sliding_window_view(x, n)(slice(none, count)), -1);
    dims shape = windows.shape();
    while (static_cast<int>(shape.size()) < sums.ndim()) shape.push_back(1);
    sums = sum<V>(windows.reshape(shape) * sums, 1);
  }
  return sums;
}

}  // namespace detail

namespace signal {

/// Returns pulses x (pulses, samples) after the matched filter of a template: ifft(fft(x) *
/// conj(fft(pulse))). Throws value_error unless x has two dimensions, and for a window of another length.
template<array_like A, array_like T>
[[nodiscard]] ndarray<detail::signal_complex_t<A, T>> pulse_compression(
    const A& x, const T& pulse, const pulse_compression_options& options = {}) {
  using C = detail::signal_complex_t<A, T>;
  detail::check_pulses(x);
  const std::int64_t n = options.nfft.given ? options.nfft.value : x.shape(1);
  ndarray<C> sent = detail::as_elements<C>(pulse);
  if (options.window.rep())
    sent =
        detail::as_elements<C>(sent * detail::typed<double>(detail::window_of(options.window, sent.size())));
  if (options.normalize) sent = detail::as_elements<C>(sent / gparray::linalg::norm(sent));
  const ndarray<C> received = fft::fft(detail::as_elements<C>(x), n);
  return fft::ifft(received * conjugate(fft::fft(sent, n)), n);
}

/// Returns the range-Doppler matrix of pulses x (pulses, samples): their Fourier transform along the first
/// axis. Throws value_error unless x has two dimensions, and for a window of another length.
template<array_like A>
[[nodiscard]] ndarray<detail::signal_complex_t<A, A>> pulse_doppler(
    const A& x, const pulse_doppler_options& options = {}) {
  using C = detail::signal_complex_t<A, A>;
  detail::check_pulses(x);
  const std::int64_t n = options.nfft.given ? options.nfft.value : x.shape(0);
  ndarray<C> pulses = detail::as_elements<C>(x);
  if (options.window.rep()) {
    const auto window = detail::typed<double>(detail::window_of(options.window, x.shape(0)));
    pulses = detail::as_elements<C>(pulses * window(all_t{}, newaxis));
  }
  return fft::fft(pulses, n, 0);
}

/// Returns the factor by which the mean of N reference cells is multiplied for a threshold that noise exceeds
/// with probability pfa: N (pfa^(-1 / N) - 1).
[[nodiscard]] inline double cfar_alpha(double pfa, std::int64_t N) {
  const auto n = static_cast<double>(N);
  return n * (std::pow(pfa, -1 / n) - 1);
}

/// Returns the thresholds and the detections of cell-averaging detection at a constant false alarm rate in a
/// vector or matrix of powers: the threshold is cfar_alpha times the mean of the reference cells around a
/// cell, from which guard cells separate it. Throws value_error for arrays that are too small, type_error for
/// more than two dimensions.
template<array_like A>
  requires(!is_complex(dtype_of<detail::element_t<A>>))
[[nodiscard]] ca_cfar_result<detail::signal_t<A>> ca_cfar(const A& array, const dims& guard_cells,
                                                          const dims& reference_cells, double pfa = 1e-3) {
  using V = detail::signal_t<A>;
  detail::check_cfar(array.shape(), guard_cells, reference_cells);
  const ndarray<double> cells = detail::as_elements<double>(array);
  dims half_width = guard_cells;
  std::int64_t inner = 1, outer = 1;
  for (std::size_t d = 0; d < half_width.size(); ++d) {
    inner *= 2 * guard_cells[d] + 1;
    half_width[d] += reference_cells[d];
    outer *= 2 * half_width[d] + 1;
  }
  // Inner windows exist nearer to the border than the outer ones do.
  const auto within = [](ndarray<double> a, const dims& border) {
    for (int d = 0; d < a.ndim(); ++d) {
      const std::int64_t n = border[static_cast<std::size_t>(d)];
      a = moveaxis(ndarray<double>(moveaxis(a, d, 0)(slice(n, a.shape(d) - n))), 0, d);
    }
    return a;
  };
  const ndarray<double> around = detail::window_sums(cells, half_width) -
                                 within(detail::window_sums(cells, guard_cells), reference_cells);
  const double factor = cfar_alpha(pfa, outer - inner) / static_cast<double>(outer - inner);
  const ndarray<double> threshold = zeros(array.shape(), {.device = array.device()});
  within(threshold, half_width)(ellipsis) = factor * around;
  return ca_cfar_result<V>{detail::as_elements<V>(threshold), ndarray<bool>(cells - threshold > 0.0)};
}

/// Returns a signal shifted in frequency: sample k along the last axis times exp(-2 pi i freq k / fs).
template<array_like A>
[[nodiscard]] ndarray<std::complex<double>> freq_shift(const A& x, double freq, double fs) {
  using C = std::complex<double>;
  const ndarray<double> angle =
      arange<double>(0, x.shape(-1), 1, {.device = x.device()}) * (-2 * std::numbers::pi * freq / fs);
  const ndarray<C> turn = empty<C>(angle.shape(), {.device = x.device()});
  turn.real() = cos(angle);
  turn.imag() = sin(angle);
  return ndarray<C>(detail::as_elements<C>(x) * turn);
}

/// Returns the channels of a polyphase channelizer, (n_chans, x.size() / n_chans) complex numbers: the filter
/// h is split into n_chans filters and the signal x into as many channels, whose filtered samples are
/// transformed. Throws value_error unless both have one dimension, and for more channels than taps.
template<array_like A, array_like H>
[[nodiscard]] ndarray<detail::signal_complex_t<A, H>> channelize_poly(const A& x, const H& h,
                                                                      std::int64_t n_chans) {
  using C = detail::signal_complex_t<A, H>;
  detail::check_channels(x, h, n_chans);
  const std::int64_t taps = h.size() / n_chans, points = x.size() / n_chans;
  const auto rows = [&](const auto& a, std::int64_t n) {
    return ndarray<C>(conjugate(detail::as_elements<C>(a)(slice(none, n * n_chans)).reshape({n, n_chans})));
  };
  const ndarray<C> filters = rows(h, taps), samples = flip(rows(x, points), 1);
  const ndarray<C> padded = concatenate(zeros<C>({taps - 1, n_chans}, {.device = x.device()}), samples);
  // (points, n_chans, taps), the newest sample first.
  const ndarray<C> windows = flip(sliding_window_view(padded, taps, 0), -1);
  return ndarray<C>(conjugate(fft::fft(ndarray<C>(sum(windows * filters.T(), -1)))).T());
}

/// Returns the convolution of a vector x = in1 with a filter h = in2 of second order: result[i] = sum over j,
/// k of x[i + m - 1 - j] x[i + n - 1 - k] h[j, k] for h (m, n), where all of the filter takes part. Throws
/// value_error for other numbers of dimensions and for modes other than "valid".
template<array_like A, array_like H>
[[nodiscard]] ndarray<result_type_t<detail::element_t<A>, detail::element_t<H>>> convolve1d2o(
    const A& in1, const H& in2, std::string_view mode = "valid") {
  using V = result_type_t<detail::element_t<A>, detail::element_t<H>>;
  detail::check_order(in1, in2, 2, mode);
  return detail::convolve_order<V>(detail::as_elements<V>(in1), detail::as_elements<V>(in2));
}
/// Returns the convolution of a vector x = in1 with a filter h = in2 of third order: result[i] = sum over j,
/// k, l of x[i + m - 1
/// - j] x[i + n - 1 - k] x[i + p - 1 - l] h[j, k, l] for h (m, n, p), where all of the filter takes part.
/// Throws value_error for other numbers of dimensions and for modes other than "valid".
template<array_like A, array_like H>
[[nodiscard]] ndarray<result_type_t<detail::element_t<A>, detail::element_t<H>>> convolve1d3o(
    const A& in1, const H& in2, std::string_view mode = "valid") {
  using V = result_type_t<detail::element_t<A>, detail::element_t<H>>;
  detail::check_order(in1, in2, 3, mode);
  return detail::convolve_order<V>(detail::as_elements<V>(in1), detail::as_elements<V>(in2));
}

}  // namespace signal
GPARRAY_END_NAMESPACE
