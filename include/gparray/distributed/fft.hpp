// Fourier transforms of sharded arrays, by the names and with the arguments of ndarray's.
//
// Each rank transforms along axes that it has as a whole. One that is cut is made whole first, another being
// cut in its place (reshard: every element travels once), and the result goes back to the layout of the
// argument; an axis whose length has changed is cut as evenly as by default. A vector that is cut is made a
// matrix for that, of which every element travels three times: its length must have two divisors that are not
// smaller than the number of ranks, else that is a value_error, and `n` may crop it, but not pad. Every rank
// must call them.
//
// With a layout as the last argument the result is in that: fftn(a, {}, columns) of an array of rows, and
// ifftn(b, {}, rows) of what comes of it, move every element once each instead of twice.
//
// On the CPU, where each line is transformed alone, results have the bits of gp::fft's functions of one
// process, whatever the number of ranks. What has the same bits for any number of ranks (vectors: from two
// on), but differs from those functions by rounding: transforms of vectors that are cut, and fft2 and fftn of
// real numbers, for which one process computes half of the spectrum and mirrors it; rfft2 and rfftn do not
// differ. On the way to another layout axes come in an order that moves the array once, and a factor comes
// with the move, which differs by rounding, too. On GPUs cuFFT's last bits depend on how many lines one call
// transforms.
#pragma once
#include <gparray/distributed/operations.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

using gparray::detail::fft_function;

/// To the layout, or back to that of the array for null.
GPARRAY_API node_ptr fft(fft_function f, const node_ptr& a, gparray::detail::slice_end n, int axis,
                         std::string_view norm, const distributed::layout* to);
GPARRAY_API node_ptr fftn(fft_function f, const node_ptr& a, const gparray::detail::optional_dims& s,
                          const gparray::detail::optional_dims& axes, std::string_view norm,
                          const distributed::layout* to);

template<fft_function F, class A>
concept transformable = sharded_like<A> && gparray::detail::transformable<F, local_operand_t<A>>;

template<fft_function F, class A>
auto call_fft(const A& a, gparray::detail::slice_end n, int axis, std::string_view norm,
              const distributed::layout* to = nullptr) {
  return sharded<gparray::detail::fft_element<F, local_operand_t<A>>>(fft(F, a.state(), n, axis, norm, to));
}
template<fft_function F, class A>
auto call_fftn(const A& a, const gparray::detail::optional_dims& s,
               const gparray::detail::optional_dims& axes, std::string_view norm,
               const distributed::layout* to = nullptr) {
  return sharded<gparray::detail::fftn_element<F, local_operand_t<A>>>(fftn(F, a.state(), s, axes, norm, to));
}

}  // namespace distributed::detail

namespace fft {

#define GPARRAY_SHARDED_FFT(name)                                                                      \
  template<class A>                                                                                    \
    requires distributed::detail::transformable<detail::fft_function::name, A>                         \
  [[nodiscard]] auto name(const A& a, const options& o = {}) {                                         \
    return distributed::detail::call_fft<detail::fft_function::name>(a, o.n, o.axis, o.norm);          \
  }                                                                                                    \
  template<class A>                                                                                    \
    requires distributed::detail::transformable<detail::fft_function::name, A>                         \
  [[nodiscard]] auto name(const A& a, const options& o, const distributed::layout& to) {               \
    return distributed::detail::call_fft<detail::fft_function::name>(a, o.n, o.axis, o.norm, &to);     \
  }                                                                                                    \
  template<class A, std::convertible_to<detail::slice_end> N>                                          \
    requires distributed::detail::transformable<detail::fft_function::name, A>                         \
  [[nodiscard]] auto name(const A& a, const N& n, int axis = -1, std::string_view norm = "backward") { \
    return distributed::detail::call_fft<detail::fft_function::name>(a, n, axis, norm);                \
  }
GPARRAY_SHARDED_FFT(fft)
GPARRAY_SHARDED_FFT(ifft)
GPARRAY_SHARDED_FFT(rfft)
GPARRAY_SHARDED_FFT(irfft)
GPARRAY_SHARDED_FFT(hfft)
GPARRAY_SHARDED_FFT(ihfft)
#undef GPARRAY_SHARDED_FFT

#define GPARRAY_SHARDED_FFT_ND(name, function, option_type)                                               \
  template<class A>                                                                                       \
    requires distributed::detail::transformable<detail::fft_function::function, A>                        \
  [[nodiscard]] auto name(const A& a, const option_type& o = {}) {                                        \
    return distributed::detail::call_fftn<detail::fft_function::function>(a, o.s, o.axes, o.norm);        \
  }                                                                                                       \
  template<class A>                                                                                       \
    requires distributed::detail::transformable<detail::fft_function::function, A>                        \
  [[nodiscard]] auto name(const A& a, const option_type& o, const distributed::layout& to) {              \
    return distributed::detail::call_fftn<detail::fft_function::function>(a, o.s, o.axes, o.norm, &to);   \
  }                                                                                                       \
  template<class A, std::convertible_to<detail::optional_dims> S>                                         \
    requires distributed::detail::transformable<detail::fft_function::function, A>                        \
  [[nodiscard]] auto name(const A& a, const S& s, const detail::optional_dims& axes = option_type{}.axes, \
                          std::string_view norm = "backward") {                                           \
    return distributed::detail::call_fftn<detail::fft_function::function>(a, s, axes, norm);              \
  }                                                                                                       \
  template<class A, std::integral I, std::size_t N>                                                       \
    requires distributed::detail::transformable<detail::fft_function::function, A>                        \
  [[nodiscard]] auto name(const A& a, const I(&s)[N],                                                     \
                          const detail::optional_dims& axes = option_type{}.axes,                         \
                          std::string_view norm = "backward") {                                           \
    return distributed::detail::call_fftn<detail::fft_function::function>(a, dims(std::span(s)), axes,    \
                                                                          norm);                          \
  }
GPARRAY_SHARDED_FFT_ND(fft2, fft, options_2d)
GPARRAY_SHARDED_FFT_ND(ifft2, ifft, options_2d)
GPARRAY_SHARDED_FFT_ND(rfft2, rfft, options_2d)
GPARRAY_SHARDED_FFT_ND(irfft2, irfft, options_2d)
GPARRAY_SHARDED_FFT_ND(fftn, fft, options_nd)
GPARRAY_SHARDED_FFT_ND(ifftn, ifft, options_nd)
GPARRAY_SHARDED_FFT_ND(rfftn, rfft, options_nd)
GPARRAY_SHARDED_FFT_ND(irfftn, irfft, options_nd)
#undef GPARRAY_SHARDED_FFT_ND

}  // namespace fft

GPARRAY_END_NAMESPACE
