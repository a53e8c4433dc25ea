// Convolution and correlation: sums over one array as it slides along another.
#pragma once
#include <gparray/fft/detail.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

enum class sliding : std::uint8_t { convolve, correlate };

/// Both operands are converted to `type`, which is also the result's.
GPARRAY_API any_array slide(sliding what, const argument& a, const argument& v, dtype type,
                            std::string_view mode);
GPARRAY_API any_array fftconvolve(const argument& a, const argument& b, dtype type, std::string_view mode,
                                  const optional_dims& axes);

template<sliding S, array_like A, array_like B>
auto call_slide(A&& a, B&& v, std::string_view mode) {
  using V = result_type_t<element_t<A>, element_t<B>>;
  return typed<V>(slide(S, make_argument<V>(std::forward<A>(a)), make_argument<V>(std::forward<B>(v)),
                        dtype_of<V>, mode));
}

/// Single precision for halves and float32, double for float64 and integers.
template<class A, class B>
constexpr dtype fftconvolve_dtype() {
  constexpr dtype common = promote_types(dtype_of<element_t<A>>, dtype_of<element_t<B>>);
  return is_complex(common) ? common : fft_precision(common);
}

}  // namespace detail

/// Returns the convolution of two vectors, result[k] = sum over i of a[i] * v[k - i]. With n and m elements,
/// mode "full" gives n + m - 1 sums, "same" the max(n, m) in the middle, and "valid" the max(n, m) - min(n,
/// m) + 1 in which all of the shorter vector takes part. Throws value_error for other modes, for operands of
/// other than one dimension and for empty ones. For long vectors signal::fftconvolve is faster.
template<array_like A, array_like B>
[[nodiscard]] ndarray<result_type_t<detail::element_t<A>, detail::element_t<B>>> convolve(
    A&& a, B&& v, std::string_view mode = "full") {
  return detail::call_slide<detail::sliding::convolve>(std::forward<A>(a), std::forward<B>(v), mode);
}

/// Returns the cross-correlation of two vectors, result[k] = sum over i of a[i + k] * conj(v[i]), where k
/// begins below 0 except in mode "valid". With n and m elements, mode "full" gives n + m - 1 sums, "same" the
/// max(n, m) in the middle, and "valid" the max(n, m) - min(n, m) + 1 in which all of the shorter vector
/// takes part. Throws value_error for other modes, for operands of other than one dimension and for empty
/// ones.
template<array_like A, array_like B>
[[nodiscard]] ndarray<result_type_t<detail::element_t<A>, detail::element_t<B>>> correlate(
    A&& a, B&& v, std::string_view mode = "valid") {
  return detail::call_slide<detail::sliding::correlate>(std::forward<A>(a), std::forward<B>(v), mode);
}

namespace signal {

/// Returns the convolution along all axes, or those given, by Fourier transforms: SciPy's signal.fftconvolve.
/// The operands have equally many axes; those that are not convolved broadcast. Mode "same" has the shape of
/// in1; for "valid" one operand must be at least as large as the other along every axis. Throws value_error
/// with SciPy's texts.
template<array_like A, array_like B>
[[nodiscard]] ndarray<dtype_t<detail::fftconvolve_dtype<A, B>()>> fftconvolve(
    A&& in1, B&& in2, std::string_view mode = "full", const detail::optional_dims& axes = none) {
  using V = dtype_t<detail::fftconvolve_dtype<A, B>()>;
  return detail::typed<V>(detail::fftconvolve(detail::make_argument<V>(std::forward<A>(in1)),
                                              detail::make_argument<V>(std::forward<B>(in2)), dtype_of<V>,
                                              mode, axes));
}

}  // namespace signal

GPARRAY_END_NAMESPACE
