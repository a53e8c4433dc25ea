// SciPy's scipy.fft beyond NumPy's: cosine and sine transforms, Hermitian ones of several axes, fast lengths.
#pragma once
#include <optional>

#include <gparray/fft.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace fft {

/// SciPy's keyword arguments of dct, idct, dst and idst.
struct cosine_options {
  /// 1 to 4.
  int type = 2;
  /// The axis is cropped to this length, or padded with zeros.
  detail::slice_end n = none;
  int axis = -1;
  /// "backward", "ortho" or "forward", as for fft.
  std::string_view norm = "backward";
  /// Whether the matrix of the transform is orthogonal up to a factor; by default for norm "ortho" alone.
  std::optional<bool> orthogonalize = {};
};

/// ... of dctn, idctn, dstn and idstn.
struct cosine_options_nd {
  int type = 2;
  /// Lengths of the axes, of which the last s.size() are transformed unless axes are given.
  detail::optional_dims s = none;
  detail::optional_dims axes = none;
  std::string_view norm = "backward";
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

// Of real numbers, in single precision for halves and float32, in double for all others. They are made of fft
// and rfft of n, 2 n or 2 (n +- 1) numbers and of maps before and behind, on the device. With n numbers x,
// type 1 to 4 of dct are the sums (the inverse undoes them; types 1 and 4 are their own inverse, 2 and 3 each
// other's, up to a factor)
//   1: x[0] + (-1)^k x[n-1] + 2 sum over 0 < j < n-1 of x[j] cos(pi j k / (n - 1)), for n of at least 2;
//   2: 2 sum of x[j] cos(pi k (2 j + 1) / (2 n));
//   3: x[0] + 2 sum over j > 0 of x[j] cos(pi j (2 k + 1) / (2 n));
//   4: 2 sum of x[j] cos(pi (2 j + 1)(2 k + 1) / (4 n));
// and those of dst the same with sines (SciPy's documents have them). Throw value_error for other types,
// lengths below 1 and unknown norms, axis_error.
#define GPARRAY_COSINE(name, name_nd)                                                      \
  template<array_like A>                                                                   \
  [[nodiscard]] auto name(const A& x, const cosine_options& options = {}) {                \
    return detail::call_cosine(detail::cosine::name, x, options);                          \
  }                                                                                        \
  template<array_like A>                                                                   \
  [[nodiscard]] auto name(const A& x, int type, detail::slice_end n = none, int axis = -1, \
                          std::string_view norm = "backward") {                            \
    return name(x, {.type = type, .n = n, .axis = axis, .norm = norm});                    \
  }                                                                                        \
  template<array_like A>                                                                   \
  [[nodiscard]] auto name_nd(const A& x, const cosine_options_nd& options = {}) {          \
    return detail::call_cosine(detail::cosine::name, x, options);                          \
  }
GPARRAY_COSINE(dct, dctn)
GPARRAY_COSINE(idct, idctn)
GPARRAY_COSINE(dst, dstn)
GPARRAY_COSINE(idst, idstn)
#undef GPARRAY_COSINE

// fftn of numbers with a real spectrum, given half of them along the last axis: the result is real; and its
// inverse. Axes and lengths as for irfftn and rfftn.
template<array_like A>
auto hfftn(const A& x, const options_nd& o = {}) {
  return irfftn(conjugate(x), {.s = o.s, .axes = o.axes, .norm = detail::opposite_norm(o.norm)});
}
template<array_like A>
[[nodiscard]] auto hfft2(const A& x, const options_2d& o = {}) {
  return hfftn(x, {.s = o.s, .axes = o.axes, .norm = o.norm});
}
template<array_like A>
[[nodiscard]] auto ihfftn(const A& x, const options_nd& o = {}) {
  const auto y = rfftn(x, {.s = o.s, .axes = o.axes, .norm = detail::opposite_norm(o.norm)});
  return ndarray<detail::element_t<decltype(y)>>(conjugate(y));
}
template<array_like A>
[[nodiscard]] auto ihfft2(const A& x, const options_2d& o = {}) {
  return ihfftn(x, {.s = o.s, .axes = o.axes, .norm = o.norm});
}

/// The least length from target on for which transforms are fastest: a product of 2, 3, 5 and 7, both for
/// FFTW and for cuFFT. Real transforms have the same.
[[nodiscard]] inline std::int64_t next_fast_len(std::int64_t target, bool = false) {
  return detail::fast_length(target, true);
}
/// The largest one up to target, which is at least 1.
[[nodiscard]] inline std::int64_t prev_fast_len(std::int64_t target, bool = false) {
  return detail::fast_length(target, false);
}

}  // namespace fft
GPARRAY_END_NAMESPACE
