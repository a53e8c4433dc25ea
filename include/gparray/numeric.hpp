// Small numeric helpers: differences, rounding to decimals, comparisons with a tolerance.
#pragma once
#include <cmath>
#include <numbers>

#include <gparray/creation.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/math/cumulative.hpp>
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// The float type that an array divides in: its own, or float64 for integers and bool.
template<array_like A>
using inexact_t = dtype_t<promote_weak(dtype_of<element_t<A>>, 'f')>;

/// What is put before or behind an array: another, or a number, which is weak beside it.
struct array_or_number {
  array_or_number() = default;
  array_or_number(const any_array& a) : array(a) {}
  template<scalar_like S>
  array_or_number(S value) : number(value), kind(scalar_kind<S>()) {}

  any_array array;
  scalar number = 0;
  char kind = 0;  // of the number
};
/// The array, or the number as one of the device; in the dtype if a weak number has it beside such an array.
GPARRAY_API any_array end_beside(const array_or_number& end, dtype type, device where);

}  // namespace detail

/// The keyword arguments of diff.
struct diff_options {
  /// The axis along which neighbours are subtracted.
  int axis = -1;
  /// A number or an array (0-d for one number) to put before a; its dtype must promote to a's.
  detail::array_or_number prepend = {};
  /// A number or an array (0-d for one number) to put behind a; its dtype must promote to a's.
  detail::array_or_number append = {};
};
/// The n-th difference a(i + 1) - a(i) along an axis, an ndarray<V>; of bools whether they differ. Throws
/// value_error, axis_error.
template<array_like A>
[[nodiscard]] auto diff(const A& a, int n = 1, const diff_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<V>(detail::diff(a, n, options.axis,
                                       detail::end_beside(options.prepend, dtype_of<V>, a.device()),
                                       detail::end_beside(options.append, dtype_of<V>, a.device())));
}
template<array_like A>
[[nodiscard]] auto diff(const A& a, const diff_options& options) {
  return diff(a, 1, options);
}
template<array_like A>
[[nodiscard]] auto diff(const A& a, int n, std::integral auto axis) {
  return diff(a, n, diff_options{.axis = static_cast<int>(axis)});
}

/// The keyword arguments of ediff1d.
struct ediff1d_options {
  /// What to put behind the differences: an array or a number.
  detail::array_or_number to_end = {};
  /// What to put before the differences: an array or a number.
  detail::array_or_number to_begin = {};
};
/// The differences of neighbours in the flattened array, an ndarray<V>, between to_begin and to_end. These
/// must convert by the same_kind rule (type_error).
template<array_like A>
[[nodiscard]] auto ediff1d(const A& a, const ediff1d_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<V>(detail::ediff1d(a, detail::end_beside(options.to_end, dtype_of<V>, a.device()),
                                          detail::end_beside(options.to_begin, dtype_of<V>, a.device())));
}

/// The arithmetic mean of the elements, where no weights are given.
template<array_like A>
[[nodiscard]] auto average(const A& a) {
  return mean(a);
}
template<array_like A, class D>
  requires(detail::axes_like<D> && !array_like<D>)
[[nodiscard]] auto average(const A& a, const D& axis) {
  return mean(a, axis);
}
namespace detail {
/// The dtype to which those of elements and weights promote; float64 for elements that are integers.
template<array_like A, array_like W>
using average_t = dtype_t<is_inexact(dtype_of<element_t<A>>)
                              ? promote_types(dtype_of<element_t<A>>, dtype_of<element_t<W>>)
                              : promote_types(promote_types(dtype_of<element_t<A>>, dtype_of<element_t<W>>),
                                              dtype::float64)>;
template<array_like A, array_like W>
ndarray<average_t<A, W>> weighted_average(const A& a, const dims* axes, const W& weights,
                                          const reduction_options& options) {
  using R = average_t<A, W>;
  const ndarray<R> w = detail::as_elements<R>(typed<element_t<W>>(align_weights(a, weights, axes)));
  const ndarray<R> total = axes ? sum(w, *axes, options) : sum(w, options);
  if (any(total == 0).item()) throw_zero_weights();
  const ndarray<R> x = detail::as_elements<R>(a);
  return ndarray<R>((axes ? sum(x * w, *axes, options) : sum(x * w, options)) / total);
}
}  // namespace detail
/// The weighted mean sum(a * weights) / sum(weights) over the axes, an ndarray. The weights have a's shape,
/// or its sizes along the axes. Waits for the device to see that no sum of weights is zero (value_error).
template<array_like A, array_like W>
[[nodiscard]] scalar_array<detail::average_t<A, W>> average(const A& a, none_t, const W& weights,
                                                            const reduction_options& options = {}) {
  reduction_options others = options;
  others.axis = {};
  return detail::as_number(detail::weighted_average(a, options.axis.get(), weights, others));
}
template<array_like A, array_like W>
[[nodiscard]] ndarray<detail::average_t<A, W>> average(const A& a, const dims& axis, const W& weights,
                                                       const reduction_options& options = {}) {
  return detail::weighted_average(a, &axis, weights, options);
}

/// The type of returned.
struct returned_t {
  explicit constexpr returned_t(detail::tag) {}
};
/// average(..., returned) also gives the sums of the weights, as returned=True does in NumPy.
inline constexpr returned_t returned{detail::tag::constant};
/// What average(..., returned) returns.
template<element V>
struct average_result {
  ndarray<V> average;         ///< the weighted means
  ndarray<V> sum_of_weights;  ///< the sums of the weights
};
namespace detail {
template<array_like A, array_like W>
average_result<average_t<A, W>> average_and_weights(const A& a, const dims* axes, const W& weights,
                                                    const reduction_options& options) {
  using R = average_t<A, W>;
  const ndarray<R> mean = weighted_average(a, axes, weights, options);
  const ndarray<R> w =
      broadcast_to(as_elements<R>(typed<element_t<W>>(align_weights(a, weights, axes))), a.shape());
  return {mean, ndarray<R>(axes ? sum(w, *axes, options) : sum(w, options))};
}
}  // namespace detail
/// The weighted mean and the sum of the weights, an average_result; without weights their number.
template<array_like A, array_like W>
[[nodiscard]] average_result<detail::average_t<A, W>> average(const A& a, none_t, const W& weights,
                                                              returned_t,
                                                              const reduction_options& options = {}) {
  return detail::average_and_weights(a, nullptr, weights, options);
}
template<array_like A, array_like W>
[[nodiscard]] average_result<detail::average_t<A, W>> average(const A& a, const dims& axis, const W& weights,
                                                              returned_t,
                                                              const reduction_options& options = {}) {
  return detail::average_and_weights(a, &axis, weights, options);
}
template<array_like A>
[[nodiscard]] average_result<detail::average_t<A, A>> average(const A& a, returned_t) {
  return detail::average_and_weights(a, nullptr, ones_like(a), {});
}
template<array_like A>
[[nodiscard]] average_result<detail::average_t<A, A>> average(const A& a, const dims& axis, returned_t) {
  return detail::average_and_weights(a, &axis, ones_like(a), {});
}

/// The keyword arguments of trapezoid.
struct trapezoid_options {
  /// The distance of the samples.
  double dx = 1;
  /// The axis of the integral.
  int axis = -1;
};
/// The integral along an axis by the trapezoidal rule, for samples at the distance dx or at the positions x.
template<array_like A>
[[nodiscard]] auto trapezoid(const A& y, const trapezoid_options& options = {}) {
  const auto z = moveaxis(y, options.axis, -1);
  return detail::as_number(
      sum(options.dx * (z(ellipsis, slice(1, none)) + z(ellipsis, slice(none, -1))) / 2.0, -1));
}
template<array_like A, array_like X>
[[nodiscard]] auto trapezoid(const A& y, const X& x, int axis = -1) {
  const auto z = moveaxis(y, axis, -1);
  const auto d = x.ndim() == 1 ? diff(x) : moveaxis(diff(x, 1, {.axis = axis}), axis, -1);
  return detail::as_number(sum(d * (z(ellipsis, slice(1, none)) + z(ellipsis, slice(none, -1))) / 2.0, -1));
}

/// The keyword arguments of unwrap.
struct unwrap_options {
  /// Jumps up to this size stay; nothing given is half the period.
  std::optional<double> discont = {};
  /// The axis of the sequence of numbers.
  int axis = -1;
  /// The size of the range over which the numbers wrap.
  double period = 2 * std::numbers::pi;
};
/// Angles, or other periodic numbers, without jumps along an axis: a difference above discont becomes its
/// complement with respect to the period. An ndarray of float64, or of a's dtype if that is floating.
template<array_like A>
[[nodiscard]] auto unwrap(const A& p, const unwrap_options& options = {}) {
  using V = detail::inexact_t<A>;
  const double high = options.period / 2, low = -high;
  const ndarray<V> x = moveaxis(detail::as_elements<V>(p), options.axis, -1);
  const ndarray<V> jump = diff(x);
  ndarray<V> wrapped = mod(jump - low, options.period) + low;
  wrapped = where((wrapped == low) & (jump > 0), high, wrapped);
  const ndarray<V> correction = where(abs(jump) < options.discont.value_or(high), V(0), wrapped - jump);
  const ndarray<V> result = empty_like<V>(p);
  const ndarray<V> out = moveaxis(result, options.axis, -1);
  out(ellipsis, slice(none, 1)) = x(ellipsis, slice(none, 1));
  out(ellipsis, slice(1, none)) = x(ellipsis, slice(1, none)) + cumsum(correction, -1);
  return result;
}

/// The elements rounded to decimals, halves to even: multiplied by a power of ten, rounded and divided, as
/// NumPy does. Negative decimals round to tens. Parts of complex numbers are rounded one by one; bools are a
/// compile-time error.
template<array_like A>
  requires(!std::is_same_v<detail::element_t<A>, bool>)
[[nodiscard]] auto round(const A& a, int decimals) {
  using V = detail::element_t<A>;
  const double factor = std::pow(10.0, std::abs(decimals));
  if constexpr (is_complex(dtype_of<V>)) {
    using R = typename V::value_type;
    const ndarray<V> result = empty_like(a);
    detail::typed<R>(detail::complex_parts(result))(ellipsis) =
        round(detail::typed<R>(detail::complex_parts(a)), decimals);
    return result;
  } else if constexpr (std::is_integral_v<V>) {
    if (decimals >= 0) return a.copy();
    return ndarray<V>((rint(a / factor) * factor).template astype<V>());
  } else {
    if (decimals == 0) return ndarray<V>(rint(a));
    return ndarray<V>(decimals > 0 ? rint(a * factor) / factor : rint(a / factor) * factor);
  }
}
/// The elements rounded to decimals, halves to even: another name of round(a, decimals).
template<array_like A>
[[nodiscard]] auto around(const A& a, int decimals = 0) {
  return round(a, decimals);
}
/// Rounds to decimals into `out`, and returns it.
template<array_like A, array_like O>
  requires(!std::is_same_v<detail::element_t<A>, bool>)
O&& round(const A& a, int decimals, O&& out) {
  return detail::store(std::forward<O>(out), round(a, decimals), {});
}
template<array_like A, array_like O>
O&& around(const A& a, int decimals, O&& out) {
  return round(a, decimals, std::forward<O>(out));
}

namespace detail {
/// Integer bounds of integer arrays: clip takes those that the dtype does not hold, minimum and maximum
/// throw.
template<class A, class S>
inline constexpr bool integer_bound =
    scalar_like<S> && std::is_integral_v<element_t<A>> && !std::is_same_v<element_t<A>, bool> &&
    std::is_integral_v<std::remove_cvref_t<S>>;
}  // namespace detail

/// a limited on one side; gp::none leaves the other side open.
template<array_like A, operand_like B>
[[nodiscard]] auto clip(A&& a, none_t, B&& high) {
  if constexpr (detail::integer_bound<A, B>)
    return clip(std::forward<A>(a), iinfo<detail::element_t<A>>::min, high);
  else return minimum(std::forward<A>(a), std::forward<B>(high));
}
template<array_like A, operand_like B>
[[nodiscard]] auto clip(A&& a, B&& low, none_t) {
  if constexpr (detail::integer_bound<A, B>)
    return clip(std::forward<A>(a), low, iinfo<detail::element_t<A>>::max);
  else return maximum(std::forward<A>(a), std::forward<B>(low));
}
/// Limits into `out` and returns it; a bound may be gp::none.
template<array_like A, class L, class H, array_like O>
  requires requires(A& a, const L& low, const H& high) { clip(a, low, high); }
O&& clip(A&& a, const L& low, const H& high, O&& out, const ufunc_options& options = {}) {
  return detail::store(std::forward<O>(out), clip(std::forward<A>(a), low, high), options);
}

/// The keyword arguments of isclose and allclose.
struct isclose_options {
  /// The relative tolerance, of |b|.
  double rtol = 1e-5;
  /// The absolute tolerance.
  double atol = 1e-8;
  /// Whether NaN is close to NaN.
  bool equal_nan = false;
};
/// Whether |a - b| <= atol + rtol * |b| for finite b, or a == b, for each element. This is not symmetric in a
/// and b.
template<operand_like A, operand_like B>
[[nodiscard]] expr<bool> isclose(const A& a, const B& b, const isclose_options& options = {}) {
  if constexpr (scalar_like<A> && scalar_like<B>) {
    return isclose(array<dtype_t<detail::common_dtype<A, B>()>>(a), b, options);
  } else if constexpr (scalar_like<B>) {
    const double tolerance = options.atol + options.rtol * static_cast<double>(std::abs(b));
    expr<bool> near =
        std::isfinite(tolerance) ? (absolute(a - detail::own_type(b)) <= tolerance) | (a == b) : a == b;
    return options.equal_nan && b != b ? isnan(a) : std::move(near);
  } else {
    const ndarray<detail::inexact_t<B>> y = detail::as_elements<detail::inexact_t<B>>(b);
    expr<bool> near =
        ((absolute(a - y) <= options.rtol * absolute(y) + options.atol) & isfinite(y)) | (y == a);
    if (!options.equal_nan) return near;
    if constexpr (scalar_like<A>) return a != a ? isnan(y) : std::move(near);
    else return std::move(near) | (isnan(a) & isnan(y));
  }
}
/// The tolerances by position, as in NumPy.
template<operand_like A, operand_like B, class R>
  requires std::is_arithmetic_v<R>
[[nodiscard]] expr<bool> isclose(const A& a, const B& b, R rtol, double atol = 1e-8, bool equal_nan = false) {
  return isclose(a, b, isclose_options{static_cast<double>(rtol), atol, equal_nan});
}
/// Whether all elements are close, as isclose says. Waits for the device.
template<operand_like A, operand_like B>
[[nodiscard]] bool allclose(const A& a, const B& b, const isclose_options& options = {}) {
  return all(isclose(a, b, options)).item();
}
/// The tolerances by position, as in NumPy.
template<operand_like A, operand_like B, class R>
  requires std::is_arithmetic_v<R>
[[nodiscard]] bool allclose(const A& a, const B& b, R rtol, double atol = 1e-8, bool equal_nan = false) {
  return allclose(a, b, isclose_options{static_cast<double>(rtol), atol, equal_nan});
}
/// Whether shapes and elements of two arrays are equal; with equal_nan, NaN equals NaN. Waits for the device.
template<array_like A, array_like B>
[[nodiscard]] bool array_equal(const A& a, const B& b, bool equal_nan = false) {
  if (a.shape() != b.shape()) return false;
  if (equal_nan) return all((a == b) | (isnan(a) & isnan(b))).item();
  return all(a == b).item();
}
/// Whether the shapes of two arrays broadcast and the elements then are equal. Waits for the device.
template<array_like A, array_like B>
[[nodiscard]] bool array_equiv(const A& a, const B& b) {
  try {
    broadcast_shapes(a.shape(), b.shape());
  } catch (const value_error&) {
    return false;
  }
  return all(a == b).item();
}

/// The keyword arguments of nan_to_num.
struct nan_to_num_options {
  /// What replaces NaN.
  double nan = 0;
  /// What replaces positive infinity; nothing given is the largest finite number.
  std::optional<double> posinf = {};
  /// What replaces negative infinity; nothing given is the least finite number.
  std::optional<double> neginf = {};
};
/// The elements with NaN and infinities replaced by these numbers, in complex numbers part by part.
template<array_like A>
[[nodiscard]] auto nan_to_num(const A& a, const nan_to_num_options& options) {
  using V = detail::element_t<A>;
  if constexpr (is_complex(dtype_of<V>)) {
    using R = typename V::value_type;
    const ndarray<V> result = empty_like(a);
    detail::typed<R>(detail::complex_parts(result))(ellipsis) =
        nan_to_num(detail::typed<R>(detail::complex_parts(a)), options);
    return result;
  } else if constexpr (is_floating(dtype_of<V>)) {
    const V nan(options.nan), high(options.posinf.value_or(finfo<V>::max)),
        low(options.neginf.value_or(finfo<V>::min));
    return ndarray<V>(where(isnan(a), nan, where(isposinf(a), high, where(isneginf(a), low, a))));
  } else {
    return a.copy();
  }
}

/// What divmod returns: `auto [quotient, remainder] = gp::divmod(a, b);`
template<element V>
struct divmod_result {
  ndarray<V> quotient;   ///< floor_divide(a, b)
  ndarray<V> remainder;  ///< remainder(a, b)
};
/// The quotients rounded down and the remainders, a divmod_result.
template<operand_like A, operand_like B>
[[nodiscard]] auto divmod(const A& a, const B& b) {
  auto quotient = floor_divide(a, b);
  return divmod_result<detail::element_t<decltype(quotient)>>{quotient, remainder(a, b)};
}
/// What modf returns: `auto [fractional, integral] = gp::modf(a);`
template<element V>
struct modf_result {
  ndarray<V> fractional;  ///< the parts after the point
  ndarray<V> integral;    ///< the parts before the point
};
/// The parts after and before the point, both with the sign of a, a modf_result.
template<array_like A>
[[nodiscard]] auto modf(const A& a) {
  auto fractional = modf_fraction(a);
  return modf_result<detail::element_t<decltype(fractional)>>{fractional, modf_integer(a)};
}
/// What frexp returns: `auto [mantissa, exponent] = gp::frexp(a);`
template<element V>
struct frexp_result {
  ndarray<V> mantissa;             ///< numbers of magnitude in [0.5, 1), or 0
  ndarray<std::int32_t> exponent;  ///< powers of two
};
/// The mantissas and exponents of a = mantissa * 2**exponent with 0.5 <= |mantissa| < 1, a frexp_result.
template<array_like A>
[[nodiscard]] auto frexp(const A& a) {
  auto mantissa = frexp_mantissa(a);
  return frexp_result<detail::element_t<decltype(mantissa)>>{mantissa, frexp_exponent(a)};
}

namespace detail {
/// What functions of two outputs return.
template<array_like O1, array_like O2>
using both_of = std::tuple<ndarray<element_t<O1>>, ndarray<element_t<O2>>>;
/// `results` holds both, computed, so an output may be an operand.
template<class Results, array_like O1, array_like O2>
both_of<O1, O2> store_both(Results results, O1&& out1, O2&& out2) {
  auto& [first, second] = results;
  store(out1, std::move(first), {});
  store(out2, std::move(second), {});
  return {out1, out2};
}
}  // namespace detail

/// Writes quotients and remainders into two arrays, which may be operands, and returns them.
template<operand_like A, operand_like B, array_like O1, array_like O2>
[[nodiscard]] detail::both_of<O1, O2> divmod(const A& a, const B& b, O1&& out1, O2&& out2) {
  return detail::store_both(divmod(a, b), out1, out2);
}
/// Writes both parts into two arrays, which may be operands, and returns them.
template<array_like A, array_like O1, array_like O2>
[[nodiscard]] detail::both_of<O1, O2> modf(const A& a, O1&& out1, O2&& out2) {
  return detail::store_both(modf(a), out1, out2);
}
/// Writes mantissas and exponents into two arrays, which may be operands, and returns them.
template<array_like A, array_like O1, array_like O2>
[[nodiscard]] detail::both_of<O1, O2> frexp(const A& a, O1&& out1, O2&& out2) {
  return detail::store_both(frexp(a), out1, out2);
}

/// The argument of complex numbers, in degrees if deg, else in radians.
template<array_like A>
[[nodiscard]] auto angle(const A& z, bool deg) {
  auto radian = angle(z);
  return deg ? std::move(radian) * (180 / std::numbers::pi) : std::move(radian);
}

GPARRAY_END_NAMESPACE
