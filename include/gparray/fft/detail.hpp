// The way from fft.hpp into the library.
#pragma once
#include <gparray/fft/options.hpp>
#include <gparray/ufuncs.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

enum class fft_function : std::uint8_t { fft, ifft, rfft, irfft, hfft, ihfft };

constexpr bool takes_real(fft_function f) { return f == fft_function::rfft || f == fft_function::ihfft; }
constexpr bool gives_real(fft_function f) { return f == fft_function::irfft || f == fft_function::hfft; }

/// The parts of complex numbers in which a dtype is transformed.
constexpr dtype fft_precision(dtype d) {
  return is_inexact(d) && itemsize(real_dtype(d)) <= 4 ? dtype::float32 : dtype::float64;
}
constexpr dtype fft_result(fft_function f, dtype d) {
  if (!gives_real(f)) return complex_dtype(fft_precision(d));
  return is_inexact(d) ? real_dtype(d) : dtype::float64;
}

/// Along several axes halves become complex64 on the way, and real results float32.
constexpr dtype fftn_result(fft_function f, dtype d) {
  return gives_real(f) ? fft_precision(d) : complex_dtype(fft_precision(d));
}

template<fft_function F, class A>
using fft_element = dtype_t<fft_result(F, dtype_of<element_t<A>>)>;
template<fft_function F, class A>
using fftn_element = dtype_t<fftn_result(F, dtype_of<element_t<A>>)>;

/// Whether F takes arrays like A, and its result may be stored in arrays like O.
template<fft_function F, class A, class O = ndarray<fft_element<F, A>>>
concept transformable =
    !(takes_real(F) && is_complex(dtype_of<element_t<A>>)) && storable<fft_element<F, A>, element_t<O>>;

/// Both write to `out` if it is not null, and then return it.
GPARRAY_API any_array fft(fft_function f, const argument& a, slice_end n, int axis, std::string_view norm,
                          const any_array* out);
GPARRAY_API any_array fftn(fft_function f, const argument& a, const optional_dims& s,
                           const optional_dims& axes, std::string_view norm, const any_array* out);
GPARRAY_API any_array fft_frequencies(std::int64_t n, double d, bool half, device where);
GPARRAY_API any_array fft_shift(const any_array& a, const optional_dims& axes, bool inverse);

template<fft_function F, array_like A>
any_array run_fft(A&& a, slice_end n, int axis, std::string_view norm, const any_array* out) {
  return fft(F, make_argument<element_t<A>>(std::forward<A>(a)), n, axis, norm, out);
}

template<fft_function F, array_like A>
auto call_fft(A&& a, slice_end n, int axis, std::string_view norm) {
  return typed<fft_element<F, A>>(run_fft<F>(std::forward<A>(a), n, axis, norm, nullptr));
}
template<fft_function F, array_like A>
void call_fft(A&& a, slice_end n, int axis, std::string_view norm, const any_array* out) {
  run_fft<F>(std::forward<A>(a), n, axis, norm, out);
}

template<fft_function F, array_like A>
any_array run_fftn(A&& a, const optional_dims& s, const optional_dims& axes, std::string_view norm,
                   const any_array* out) {
  return fftn(F, make_argument<element_t<A>>(std::forward<A>(a)), s, axes, norm, out);
}

template<fft_function F, array_like A>
auto call_fftn(A&& a, const optional_dims& s, const optional_dims& axes, std::string_view norm) {
  return typed<fftn_element<F, A>>(run_fftn<F>(std::forward<A>(a), s, axes, norm, nullptr));
}
template<fft_function F, array_like A>
void call_fftn(A&& a, const optional_dims& s, const optional_dims& axes, std::string_view norm,
               const any_array* out) {
  run_fftn<F>(std::forward<A>(a), s, axes, norm, out);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
