// Discrete Fourier transforms, NumPy's numpy.fft.
#pragma once
#include <gparray/fft/plan.hpp>
#include <gparray/manipulation.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace fft {

// Results are new arrays in C order, enqueued on the current stream. float16, bfloat16, float32 and complex64
// are transformed in single precision, all others in double. Real results of irfft and hfft have the input's
// own real dtype; those of irfft2 and irfftn are float32 for halves, as in NumPy. Inputs may be views of any
// strides. The work is n log n for any length. On the CPU FFTW 3 transforms, on a GPU cuFFT, whose last bits
// depend on how many transforms one call makes; both are loaded at the first transform, which throws
// library_error, naming the package, where they are missing.
//
// norm says where the factor goes: "backward" divides the inverse transform by n, "forward" the forward one,
// "ortho" both by sqrt(n). n and s are lengths: an axis is cropped, or padded with zeros, at its end. Throws
// value_error with NumPy's texts for lengths below 1 and for other norms, axis_error.

// name(a), name(a, n, axis, norm) and name(a, {.n = 8, .axis = 0, .norm = "ortho"}). name(a, options, out)
// writes to out, of the result's shape and of a dtype to which the result casts by the same_kind rule.
#define GPARRAY_FFT_FUNCTION(name)                                                                        \
  template<array_like A>                                                                                  \
    requires detail::transformable<detail::fft_function::name, A>                                         \
  [[nodiscard]] ndarray<detail::fft_element<detail::fft_function::name, A>> name(A&& a,                   \
                                                                                 const options& o = {}) { \
    return detail::call_fft<detail::fft_function::name>(std::forward<A>(a), o.n, o.axis, o.norm);         \
  }                                                                                                       \
  template<array_like A, std::convertible_to<detail::slice_end> N>                                        \
    requires detail::transformable<detail::fft_function::name, A>                                         \
  [[nodiscard]] ndarray<detail::fft_element<detail::fft_function::name, A>> name(                         \
      A&& a, const N& n, int axis = -1, std::string_view norm = "backward") {                             \
    return detail::call_fft<detail::fft_function::name>(std::forward<A>(a), n, axis, norm);               \
  }                                                                                                       \
  template<array_like A, array_like O>                                                                    \
    requires detail::transformable<detail::fft_function::name, A, O>                                      \
  O&& name(A&& a, const options& o, O&& out) {                                                            \
    detail::call_fft<detail::fft_function::name>(std::forward<A>(a), o.n, o.axis, o.norm, &out);          \
    return std::forward<O>(out);                                                                          \
  }

// name(a), name(a, s, axes, norm) (a braced s is an array: g++ 12 would take {.s = {8}} for an
// initializer_list) and name(a, {.s = {8, 8}, .axes = {0, 1}, .norm = "ortho"}); out as above.
#define GPARRAY_FFT_FUNCTION_ND(name, function, option_type)                                               \
  template<array_like A>                                                                                   \
    requires detail::transformable<detail::fft_function::function, A>                                      \
  [[nodiscard]] ndarray<detail::fftn_element<detail::fft_function::function, A>> name(                     \
      A&& a, const option_type& o = {}) {                                                                  \
    return detail::call_fftn<detail::fft_function::function>(std::forward<A>(a), o.s, o.axes, o.norm);     \
  }                                                                                                        \
  template<array_like A, std::convertible_to<detail::optional_dims> S>                                     \
    requires detail::transformable<detail::fft_function::function, A>                                      \
  [[nodiscard]] ndarray<detail::fftn_element<detail::fft_function::function, A>> name(                     \
      A&& a, const S& s, const detail::optional_dims& axes = option_type{}.axes,                           \
      std::string_view norm = "backward") {                                                                \
    return detail::call_fftn<detail::fft_function::function>(std::forward<A>(a), s, axes, norm);           \
  }                                                                                                        \
  template<array_like A, std::integral I, std::size_t N>                                                   \
    requires detail::transformable<detail::fft_function::function, A>                                      \
  [[nodiscard]] ndarray<detail::fftn_element<detail::fft_function::function, A>> name(                     \
      A&& a, const I(&s)[N], const detail::optional_dims& axes = option_type{}.axes,                       \
      std::string_view norm = "backward") {                                                                \
    return detail::call_fftn<detail::fft_function::function>(std::forward<A>(a), dims(std::span(s)), axes, \
                                                             norm);                                        \
  }                                                                                                        \
  template<array_like A, array_like O>                                                                     \
    requires detail::transformable<detail::fft_function::function, A, O>                                   \
  O&& name(A&& a, const option_type& o, O&& out) {                                                         \
    detail::call_fftn<detail::fft_function::function>(std::forward<A>(a), o.s, o.axes, o.norm, &out);      \
    return std::forward<O>(out);                                                                           \
  }

/// Returns the discrete Fourier transform along one axis: result[k] = sum over j of a[j] exp(-2 pi i j k /
/// n).
GPARRAY_FFT_FUNCTION(fft)
/// Returns the inverse discrete Fourier transform along one axis: result[j] = sum over k of a[k] exp(2 pi i j
/// k / n) / n.
GPARRAY_FFT_FUNCTION(ifft)
/// Returns the discrete Fourier transform of real numbers along one axis: the first n / 2 + 1 elements, since
/// the others are their conjugates.
GPARRAY_FFT_FUNCTION(rfft)
/// Returns the inverse of rfft: n real numbers, by default 2 * (a.shape(axis) - 1). The imaginary parts of
/// element 0 and, if n is even, of element n / 2 are ignored.
GPARRAY_FFT_FUNCTION(irfft)
/// Returns the real transform of n numbers that are Hermitian-symmetric, given the first n / 2 + 1 of them; n
/// is by default 2 * (a.shape(axis) - 1).
GPARRAY_FFT_FUNCTION(hfft)
/// Returns the inverse of hfft: the first n / 2 + 1 of the Hermitian-symmetric numbers whose transform is the
/// real input.
GPARRAY_FFT_FUNCTION(ihfft)

/// Returns the discrete Fourier transform along two axes, by default the last two.
GPARRAY_FFT_FUNCTION_ND(fft2, fft, options_2d)
/// Returns the inverse discrete Fourier transform along two axes, by default the last two.
GPARRAY_FFT_FUNCTION_ND(ifft2, ifft, options_2d)
/// Returns the discrete Fourier transform of real numbers along two axes, by default the last two: rfft along
/// the second of them, then fft along the first.
GPARRAY_FFT_FUNCTION_ND(rfft2, rfft, options_2d)
/// Returns the inverse of rfft2: ifft along the first of two axes, then irfft along the second.
GPARRAY_FFT_FUNCTION_ND(irfft2, irfft, options_2d)
/// Returns the discrete Fourier transform along several axes, by default all.
GPARRAY_FFT_FUNCTION_ND(fftn, fft, options_nd)
/// Returns the inverse discrete Fourier transform along several axes, by default all.
GPARRAY_FFT_FUNCTION_ND(ifftn, ifft, options_nd)
/// Returns the discrete Fourier transform of real numbers along several axes, by default all: rfft along the
/// last of them, then fft along the others.
GPARRAY_FFT_FUNCTION_ND(rfftn, rfft, options_nd)
/// Returns the inverse of rfftn: ifft along all axes but the last, then irfft along that one.
GPARRAY_FFT_FUNCTION_ND(irfftn, irfft, options_nd)

#undef GPARRAY_FFT_FUNCTION
#undef GPARRAY_FFT_FUNCTION_ND

/// Returns the frequencies that belong to the elements of fft of n samples at distances d: 0, 1, ..., -2, -1,
/// divided by n * d. Throws value_error for n below 1.
[[nodiscard]] inline ndarray<double> fftfreq(std::int64_t n, double d = 1, device where = default_device()) {
  return detail::typed<double>(detail::fft_frequencies(n, d, false, where));
}
/// Returns the frequencies that belong to the elements of rfft of n samples at distances d: 0, 1, ..., n / 2,
/// divided by n * d. Throws value_error for n below 1.
[[nodiscard]] inline ndarray<double> rfftfreq(std::int64_t n, double d = 1, device where = default_device()) {
  return detail::typed<double>(detail::fft_frequencies(n, d, true, where));
}

/// Returns a copy with the element of frequency 0 in the middle, at index n / 2, of all axes or of those
/// given.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> fftshift(A&& a) {
  return detail::typed<detail::element_t<A>>(detail::fft_shift(a, none, false));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::element_t<A>> fftshift(A&& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::fft_shift(a, dims(axes), false));
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> fftshift(A&& a, const detail::axis_list& axes) {
  return fftshift(a, dims(axes));
}
/// Returns a copy with the element at index n / 2 moved to the front of all axes or of those given: the
/// inverse of fftshift, which differs from it for odd sizes.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> ifftshift(A&& a) {
  return detail::typed<detail::element_t<A>>(detail::fft_shift(a, none, true));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::element_t<A>> ifftshift(A&& a, const D& axes) {
  return detail::typed<detail::element_t<A>>(detail::fft_shift(a, dims(axes), true));
}
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> ifftshift(A&& a, const detail::axis_list& axes) {
  return ifftshift(a, dims(axes));
}

}  // namespace fft

GPARRAY_END_NAMESPACE
