// Sums of exponentials that do not overflow, with the names of scipy.special.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/numeric.hpp>
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of softmax and log_softmax.
struct softmax_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
};
/// The keyword arguments of logsumexp.
struct logsumexp_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
  /// Factors of the exponentials, which may be negative: an array that broadcasts with a, and is converted to
  /// the result's dtype. Elements whose factor is 0 count as nothing, be they infinite or NaN.
  any_array b = {};
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
};

/// The type of gp::return_sign.
struct return_sign_t {
  explicit constexpr return_sign_t(detail::tag) {}
};
/// As the second argument of logsumexp: return also the sign of the sum.
inline constexpr return_sign_t return_sign{detail::tag::constant};
/// The result of logsumexp(a, gp::return_sign): `auto [result, sign] = ...`
template<element V>
struct logsumexp_result {
  ndarray<V> result;  ///< the logarithm of the sum's magnitude
  ndarray<V> sign;    ///< 1, 0 or -1, or NaN
};

namespace detail {

template<class A>
concept real_array = array_like<A> && !is_complex(dtype_of<element_t<A>>);

/// The axes by position or by name; all if there are none.
inline dims softmax_axes(const any_array& a, const dims* axes) {
  if (axes) return *axes;
  dims all;
  for (std::int64_t d = 0; d < a.ndim(); ++d) all.push_back(d);
  return all;
}

template<real_array A>
auto softmax(const A& x, const dims* by_axes) {
  using V = inexact_t<A>;
  const ndarray<V> a = as_elements<V>(x);
  const dims axes = softmax_axes(a, by_axes);
  const ndarray<V> e = exp(a - max(a, axes, {.keepdims = true}));
  return ndarray<V>(e / sum(e, axes, {.keepdims = true}));
}

template<real_array A>
auto log_softmax(const A& x, const dims* by_axes) {
  using V = inexact_t<A>;
  const ndarray<V> a = as_elements<V>(x);
  const dims axes = softmax_axes(a, by_axes);
  const ndarray<V> largest = max(a, axes, {.keepdims = true});
  const ndarray<V> shifted = a - where(isfinite(largest), largest, V(0));
  return ndarray<V>(shifted - log(sum(exp(shifted), axes, {.keepdims = true})));
}

/// Each line's largest elements are taken out of the sum, which is then 1 + what may be small.
template<element V>
ndarray<V> logsumexp_of(const ndarray<V>& a, const dims& axes) {
  const ndarray<V> largest = max(a, axes, {.keepdims = true});
  const ndarray<bool> is_largest = a == largest;
  const ndarray<V> count = as_elements<V>(sum(is_largest, axes, {.keepdims = true}));
  const ndarray<V> others = sum(where(is_largest, V(0), exp(a - largest)), axes, {.keepdims = true});
  return log1p(others / count) + log(count) + largest;
}

/// The same of weighted exponentials, with the sum's sign, in the steps of SciPy: where the result is not
/// finite it is that of the plain formula.
template<element V>
logsumexp_result<V> weighted_logsumexp(const ndarray<V>& x, const ndarray<V>& b, const dims& axes) {
  const V infinity = V(std::numeric_limits<float>::infinity());
  const ndarray<V> a = where(b == V(0), V(-infinity), x);
  const ndarray<V> largest = max(a, axes, {.keepdims = true});
  const ndarray<bool> is_largest = a == largest;
  const ndarray<V> weight = sum(where(is_largest, b, V(0)), axes, {.keepdims = true});
  const ndarray<V> sum_of_others =
      sum(b * exp(where(is_largest, V(-infinity), a) - largest), axes, {.keepdims = true});
  const ndarray<V> others = where(sum_of_others == V(0), sum_of_others, sum_of_others / weight);
  const ndarray<V> sign = gparray::sign(others + V(1)) * gparray::sign(weight);
  const ndarray<V> magnitude = where(others < V(-1), -others - V(2), others);
  const ndarray<V> result = log1p(magnitude) + log(absolute(weight)) + largest;
  const ndarray<V> plain = sum(b * exp(x), axes, {.keepdims = true});
  const ndarray<bool> holds = isfinite(result);
  return {where(holds, result, log(absolute(plain))), where(holds, sign, gparray::sign(plain))};
}

/// The array and its weights, or ones, of one shape.
template<element V>
std::pair<ndarray<V>, ndarray<V>> weighted(const ndarray<V>& a, const any_array& b) {
  const ndarray<V> weights =
      b.rep() ? typed<V>(as_type(b, dtype_of<V>)) : full<V>(dims{}, 1, {.device = a.device()});
  const dims shape = broadcast_shapes(a.shape(), weights.shape());
  return {broadcast_to(a, shape), broadcast_to(weights, shape)};
}

/// The result of a reduction that has left its axes in, without them if that is not wanted.
template<element V>
ndarray<V> without_axes(const ndarray<V>& reduced, const dims& axes, bool keepdims) {
  return keepdims || axes.size() == 0 ? reduced : ndarray<V>(squeeze(reduced, axes));
}

template<real_array A>
auto signed_logsumexp(const A& x, const dims* by_axes, const logsumexp_options& options) {
  using V = inexact_t<A>;
  const auto [a, b] = weighted<V>(as_elements<V>(x), options.b);
  const dims axes = softmax_axes(a, by_axes);
  if (a.size() == 0) {
    const ndarray<V> nothing = log(sum(a, axes, {.keepdims = options.keepdims}));
    return logsumexp_result<V>{nothing, sign(nothing)};
  }
  const logsumexp_result<V> found = weighted_logsumexp(a, b, axes);
  return logsumexp_result<V>{without_axes(found.result, axes, options.keepdims),
                             without_axes(found.sign, axes, options.keepdims)};
}

template<real_array A>
auto logsumexp(const A& x, const dims* by_axes, const logsumexp_options& options) {
  using V = inexact_t<A>;
  const ndarray<V> a = as_elements<V>(x);
  if (options.b.rep() || a.size() == 0) {
    const logsumexp_result<V> found = signed_logsumexp(a, by_axes, options);
    if (a.size() == 0) return found.result;
    const V nan = V(std::numeric_limits<float>::quiet_NaN());
    return ndarray<V>(where(found.sign < V(0), nan, found.result));
  }
  const dims axes = softmax_axes(a, by_axes);
  return without_axes(logsumexp_of(a, axes), axes, options.keepdims);
}

}  // namespace detail

// softmax(x) over all elements, softmax(x, axis) or with a list of axes. The result has x's shape; integers
// give float64, float32 stays float32. Not for complex numbers. Throw axis_error; value_error for a line
// without elements.
#define GPARRAY_SOFTMAX(name)                                                \
  template<detail::real_array A>                                             \
  [[nodiscard]] auto name(const A& x, const softmax_options& options = {}) { \
    return detail::name(x, options.axis.get());                              \
  }                                                                          \
  template<detail::real_array A, detail::axes_like D>                        \
  [[nodiscard]] auto name(const A& x, const D& axis) {                       \
    const dims axes(axis);                                                   \
    return detail::name(x, &axes);                                           \
  }                                                                          \
  template<detail::real_array A>                                             \
  [[nodiscard]] auto name(const A& x, const detail::axis_list& axis) {       \
    return name(x, dims(axis));                                              \
  }
/// exp(x) over the sum of all exponentials: numbers from 0 to 1 whose sum is 1.
GPARRAY_SOFTMAX(softmax)
/// The logarithm of softmax(x), also where that is too small to be a number.
GPARRAY_SOFTMAX(log_softmax)
#undef GPARRAY_SOFTMAX

/// log(sum(exp(a))) of all elements, or with {.b = weights} log(sum(b * exp(a))), which is NaN if that sum is
/// negative: it does not overflow, and keeps its digits where the result is small. Integers give float64,
/// float32 stays float32; of nothing it is -inf. Not for complex numbers. Throws axis_error, value_error.
template<detail::real_array A>
[[nodiscard]] auto logsumexp(const A& a, const logsumexp_options& options = {}) {
  return detail::as_number(detail::logsumexp(a, options.axis.get(), options));
}
/// The same along one axis, or several.
template<detail::real_array A, detail::axes_like D>
[[nodiscard]] auto logsumexp(const A& a, const D& axis, const logsumexp_options& options = {}) {
  const dims axes(axis);
  return detail::logsumexp(a, &axes, options);
}
template<detail::real_array A>
[[nodiscard]] auto logsumexp(const A& a, const detail::axis_list& axis,
                             const logsumexp_options& options = {}) {
  return logsumexp(a, dims(axis), options);
}
/// The logarithm of the sum's magnitude, and its sign: `auto [result, sign] = gp::logsumexp(a,
/// gp::return_sign, {.axis = 1, .b = weights});`.
template<detail::real_array A>
[[nodiscard]] auto logsumexp(const A& a, return_sign_t, const logsumexp_options& options = {}) {
  return detail::signed_logsumexp(a, options.axis.get(), options);
}

GPARRAY_END_NAMESPACE
