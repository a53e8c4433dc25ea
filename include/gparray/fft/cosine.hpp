// SciPy's scipy.fft beyond NumPy's: cosine and sine transforms, Hermitian ones of several axes, fast lengths.
#pragma once
#include <optional>

#include <gparray/fft.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace fft {

/// SciPy's keyword arguments of dct, idct, dst and idst.
struct cosine_options {
  /// The type of the transform, 1 to 4.
  int type = 2;
  /// The length: the axis is cropped to it, or padded with zeros at its end; gp::none is the whole axis.
  detail::slice_end n = none;
  /// The axis to transform, counted from the end if negative.
  int axis = -1;
  /// "backward" leaves the forward transform unscaled, "forward" the inverse one, "ortho" divides both by the
  /// same factor.
  std::string_view norm = "backward";
  /// Scale the first and last elements so that the matrix of the transform is orthogonal up to a factor; by
  /// default for norm "ortho" alone.
  std::optional<bool> orthogonalize = {};
};

/// SciPy's keyword arguments of dctn, idctn, dstn and idstn.
struct cosine_options_nd {
  /// The type of the transform, 1 to 4.
  int type = 2;
  /// The lengths of the axes, which are cropped or padded with zeros at their ends; negative is a whole axis,
  /// gp::none all whole axes.
  detail::optional_dims s = none;
  /// The axes to transform; gp::none are the last s.size() axes, or all if s is not given.
  detail::optional_dims axes = none;
  /// "backward" leaves the forward transform unscaled, "forward" the inverse one, "ortho" divides both by the
  /// same factor.
  std::string_view norm = "backward";
  /// Scale the first and last elements so that the matrix of the transform is orthogonal up to a factor; by
  /// default for norm "ortho" alone.
  std::optional<bool> orthogonalize = {};
};

}  // namespace fft

namespace detail {

enum class cosine : std::uint8_t { dct, idct, dst, idst };

/// a has the dtype of the transform, float32 or float64.
GPARRAY_API any_array cosine_transform(cosine f, const any_array& a, const fft::cosine_options& options);
GPARRAY_API any_array cosine_transform(cosine f, const any_array& a, const fft::cosine_options_nd& options);
/// The norm by which a transform undoes one with this norm. Throws value_error.
GPARRAY_API std::string_view opposite_norm(std::string_view norm);
/// The next or the previous product of 2, 3, 5 and 7. Throws value_error below 0, and for previous below 1.
GPARRAY_API std::int64_t fast_length(std::int64_t target, bool next);

template<class A>
using cosine_element = dtype_t<fft_precision(dtype_of<element_t<A>>)>;

template<class O, array_like A>
  requires(!is_complex(dtype_of<element_t<A>>))
auto call_cosine(cosine f, const A& a, const O& options) {
  using V = cosine_element<A>;
  return typed<V>(cosine_transform(f, any_array(a.template astype<V>()), options));
}

}  // namespace detail

namespace fft {

// They are made of fft and rfft of n, 2 n or 2 (n +- 1) numbers and of maps before and behind, on the device.
#define GPARRAY_COSINE(name)                                                                                 \
  template<array_like A>                                                                                     \
  [[nodiscard]] ndarray<detail::cosine_element<A>> name(const A& x, const cosine_options& options = {}) {    \
    return detail::call_cosine(detail::cosine::name, x, options);                                            \
  }                                                                                                          \
  template<array_like A>                                                                                     \
  [[nodiscard]] ndarray<detail::cosine_element<A>> name(const A& x, int type, detail::slice_end n = none,    \
                                                        int axis = -1, std::string_view norm = "backward") { \
    return name(x, {.type = type, .n = n, .axis = axis, .norm = norm});                                      \
  }
#define GPARRAY_COSINE_ND(name, function)                                                                    \
  template<array_like A>                                                                                     \
  [[nodiscard]] ndarray<detail::cosine_element<A>> name(const A& x, const cosine_options_nd& options = {}) { \
    return detail::call_cosine(detail::cosine::function, x, options);                                        \
  }
/// Returns the discrete cosine transform of real numbers along one axis.
GPARRAY_COSINE(dct)
/// Returns the discrete cosine transform of real numbers along several axes, by default all.
GPARRAY_COSINE_ND(dctn, dct)
/// Returns the inverse discrete cosine transform of real numbers along one axis, which undoes dct of the same
/// type and norm.
GPARRAY_COSINE(idct)
/// Returns the inverse discrete cosine transform of real numbers along several axes, by default all, which
/// undoes dctn of the same type and norm.
GPARRAY_COSINE_ND(idctn, idct)
/// Returns the discrete sine transform of real numbers along one axis.
GPARRAY_COSINE(dst)
/// Returns the discrete sine transform of real numbers along several axes, by default all.
GPARRAY_COSINE_ND(dstn, dst)
/// Returns the inverse discrete sine transform of real numbers along one axis, which undoes dst of the same
/// type and norm.
GPARRAY_COSINE(idst)
/// Returns the inverse discrete sine transform of real numbers along several axes, by default all, which
/// undoes dstn of the same type and norm.
GPARRAY_COSINE_ND(idstn, idst)
#undef GPARRAY_COSINE
#undef GPARRAY_COSINE_ND

/// Returns the real transform along several axes, by default all, of numbers that are Hermitian-symmetric,
/// given half of them along the last axis.
template<array_like A>
[[nodiscard]] auto hfftn(const A& x, const options_nd& o = {}) {
  return irfftn(conjugate(x), {.s = o.s, .axes = o.axes, .norm = detail::opposite_norm(o.norm)});
}
/// Returns the real transform along two axes, by default the last two, of numbers that are
/// Hermitian-symmetric, given half of them along the second of these axes.
template<array_like A>
[[nodiscard]] auto hfft2(const A& x, const options_2d& o = {}) {
  return hfftn(x, {.s = o.s, .axes = o.axes, .norm = o.norm});
}
/// Returns the inverse of hfftn: half of the Hermitian-symmetric numbers whose transform is the real input.
template<array_like A>
[[nodiscard]] auto ihfftn(const A& x, const options_nd& o = {}) {
  const auto y = rfftn(x, {.s = o.s, .axes = o.axes, .norm = detail::opposite_norm(o.norm)});
  return ndarray<detail::element_t<decltype(y)>>(conjugate(y));
}
/// Returns the inverse of hfft2: half of the Hermitian-symmetric numbers whose transform is the real input.
template<array_like A>
[[nodiscard]] auto ihfft2(const A& x, const options_2d& o = {}) {
  return ihfftn(x, {.s = o.s, .axes = o.axes, .norm = o.norm});
}

/// Returns the smallest length from target on for which transforms are fast: a product of 2, 3, 5 and 7, both
/// for FFTW and for cuFFT. The second argument, SciPy's real, changes nothing. Throws value_error for a
/// negative target.
[[nodiscard]] inline std::int64_t next_fast_len(std::int64_t target, bool = false) {
  return detail::fast_length(target, true);
}
/// Returns the largest length up to target for which transforms are fast: a product of 2, 3, 5 and 7, both
/// for FFTW and for cuFFT. The second argument, SciPy's real, changes nothing. Throws value_error for a
/// target below 1.
[[nodiscard]] inline std::int64_t prev_fast_len(std::int64_t target, bool = false) {
  return detail::fast_length(target, false);
}

}  // namespace fft
GPARRAY_END_NAMESPACE
