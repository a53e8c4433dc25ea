// Order statistics and histograms of sharded arrays, by the names of ndarray's: the same on every rank. Every
// rank must call them.
#pragma once
#include <gparray/distributed/collectives.hpp>
#include <gparray/distributed/manipulation.hpp>
#include <gparray/distributed/products.hpp>
#include <gparray/distributed/reductions.hpp>
#include <gparray/distributed/selection.hpp>
#include <gparray/distributed/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

/// The elements of all ranks in order, NaN last, of which one after the other is looked at.
template<element V>
class sorted_elements {
 public:
  explicit sorted_elements(const sharded_expr<V>& a, bool skip_nan)
      : sorted_(gparray::sort(a.ndim() == 1 ? sharded<V>(a) : a.reshape(dims{-1}))), count_(a.size()) {
    // Of the dtype alone: a rank may have no elements.
    gparray::detail::check_quantile_source(gparray::zeros<V>({1}, {.device = device::cpu()}));
    if constexpr (is_inexact(dtype_of<V>)) {
      const std::int64_t numbers =
          count_ - static_cast<std::int64_t>(gparray::count_nonzero(isnan(sorted_)).item());
      is_nan_ = numbers < count_ && !skip_nan;
      count_ = numbers;
    }
  }
  /// Nothing counts, or NaN does.
  bool is_nan() const { return is_nan_ || count_ == 0; }
  std::int64_t count() const { return count_; }
  V item(std::int64_t i) const { return sorted_.item(i); }
  /// On the device of the parts.
  template<element W>
  ndarray<W> on_device(const std::vector<W>& values) const {
    return array(values, {.device = sorted_.local().device()});
  }

 private:
  sharded<V> sorted_;
  std::int64_t count_;
  bool is_nan_ = false;
};

template<sharded_like A>
using local_of = ndarray<typename std::remove_cvref_t<A>::value_type>;

template<sharded_like A>
auto quantiles(const A& a, const std::vector<double>& q, const quantile_options& options, bool skip_nan) {
  using V = typename std::remove_cvref_t<A>::value_type;
  using W = gparray::detail::quantile_t<local_of<A>>;
  if (options.axis.get() || options.keepdims || options.weights.rep())
    throw value_error(
        "quantiles of a sharded array are of all elements, and have the option method alone; an axis is an "
        "argument, quantile(a, q, axis)");
  if (a.size() == 0) throw index_error("quantiles of no elements");
  const sorted_elements<V> elements(a, skip_nan);
  const double count[] = {static_cast<double>(std::max<std::int64_t>(elements.count(), 1))};
  std::vector<V> low, high;
  std::vector<double> gamma;
  for (const double each : q) {
    const auto position =
        gparray::detail::find_quantile(array(count, {.device = device::cpu()}), each, options.method);
    const auto at = [](const any_array& index) {
      return gparray::detail::typed<std::int64_t>(any_array(index)).item(0);
    };
    gamma.push_back(gparray::detail::typed<double>(any_array(position.gamma)).item(0));
    low.push_back(elements.is_nan() ? V{} : elements.item(at(position.previous)));
    high.push_back(elements.is_nan() ? V{} : elements.item(at(position.next)));
  }
  if (elements.is_nan())
    return ndarray<W>(gparray::full<W>({static_cast<std::int64_t>(q.size())},
                                       std::numeric_limits<double>::quiet_NaN(),
                                       {.device = elements.on_device(low).device()}));
  using gparray::detail::as_elements;
  return gparray::detail::between<W>(ndarray<W>(as_elements<W>(elements.on_device(low))),
                                     ndarray<W>(as_elements<W>(elements.on_device(high))),
                                     elements.on_device(gamma));
}

template<sharded_like A>
auto median(const A& a, bool skip_nan) {
  using V = typename std::remove_cvref_t<A>::value_type;
  const sorted_elements<V> elements(a, skip_nan);
  std::vector<V> middle;
  const std::int64_t n = elements.count();
  if constexpr (is_inexact(dtype_of<V>)) {
    if (elements.is_nan()) middle.push_back(static_cast<V>(std::numeric_limits<float>::quiet_NaN()));
  }
  if (middle.empty() && n > 0) middle.push_back(elements.item((n - 1) / 2));
  if (n % 2 == 0 && n > 0 && !elements.is_nan()) middle.push_back(elements.item(n / 2));
  return gparray::median(elements.on_device(middle));
}

/// f(part) of lines along axes that are whole; `leading` axes are in front of the result's others.
template<sharded_like A, class F>
auto of_lines(const char* function, const A& a, const dims& axes, bool keepdims, int leading, const F& f) {
  std::vector<int> whole;
  for (const std::int64_t axis : axes) whole.push_back(whole_axis(a, static_cast<int>(axis), function));
  const auto part = a.local();
  const distributed::layout where = layout_without(a, whole, leading, keepdims ? 1 : 0);
  using R = decltype(f(part));
  bool no_lines = part.size() == 0;
  for (const int axis : whole) no_lines = no_lines && part.shape(axis) > 0;
  if (!no_lines) return from_local(R(f(part)), where);
  // A rank without lines learns from one what is wrong, or else the shape.
  const R one = f(gparray::zeros<typename A::value_type>(dims::filled(static_cast<std::size_t>(a.ndim()), 1),
                                                         {.device = part.device()}));
  dims shape = one.shape();
  auto at = static_cast<std::size_t>(leading);
  for (int k = 0; k < a.ndim(); ++k) {
    if (std::find(whole.begin(), whole.end(), k) == whole.end()) shape[at++] = part.shape(k);
    else if (keepdims) ++at;
  }
  return from_local(R(gparray::empty<typename R::value_type>(shape, {.device = part.device()})), where);
}
inline void check_options_of_lines(const quantile_options& options) {
  if (options.axis.get() || options.weights.rep())
    throw value_error(
        "quantiles of a sharded array along an axis have the options method and keepdims alone");
}

}  // namespace distributed::detail

// quantile(a, q) of all elements of all ranks, which are sorted; one q or a list of them. The bits are those
// of one process, whatever the number of ranks. Throw value_error unless `a` is cut along its first axis
// alone, for other options than method, for q out of range; type_error for complex numbers, index_error if
// there are no elements.
//
// quantile(a, q, axis), of one axis or several: sharded arrays of the quantiles along them, to which nothing
// is sent. Throw value_error for an axis that is cut, axis_error.
#define GPARRAY_SHARDED_QUANTILE(name, largest, skip_nan)                                                  \
  template<distributed::detail::sharded_like A, scalar_like S>                                             \
  [[nodiscard]] auto name(const A& a, S q, const quantile_options& options = {}) {                         \
    const double one = detail::quantile_number(static_cast<double>(q), largest);                           \
    return detail::as_number(distributed::detail::quantiles(a, {one}, options, skip_nan).reshape(dims{})); \
  }                                                                                                        \
  template<distributed::detail::sharded_like A, std::ranges::range Q>                                      \
  [[nodiscard]] auto name(const A& a, const Q& q, const quantile_options& options = {}) {                  \
    return distributed::detail::quantiles(a, detail::quantile_list(q, largest), options, skip_nan);        \
  }                                                                                                        \
  template<distributed::detail::sharded_like A>                                                            \
  [[nodiscard]] auto name(const A& a, std::initializer_list<double> q,                                     \
                          const quantile_options& options = {}) {                                          \
    return name(a, std::vector<double>(q), options);                                                       \
  }                                                                                                        \
  template<distributed::detail::sharded_like A, scalar_like S, detail::axes_like D>                        \
  [[nodiscard]] auto name(const A& a, S q, const D& axis, const quantile_options& options = {}) {          \
    distributed::detail::check_options_of_lines(options);                                                  \
    return distributed::detail::of_lines(#name, a, dims(axis), options.keepdims, 0, [&](const auto& x) {   \
      return gparray::name(x, static_cast<double>(q), dims(axis), options);                                \
    });                                                                                                    \
  }                                                                                                        \
  template<distributed::detail::sharded_like A, scalar_like S>                                             \
  [[nodiscard]] auto name(const A& a, S q, const detail::axis_list& axis,                                  \
                          const quantile_options& options = {}) {                                          \
    return name(a, q, dims(axis), options);                                                                \
  }                                                                                                        \
  template<distributed::detail::sharded_like A, std::ranges::range Q, detail::axes_like D>                 \
  [[nodiscard]] auto name(const A& a, const Q& q, const D& axis, const quantile_options& options = {}) {   \
    distributed::detail::check_options_of_lines(options);                                                  \
    return distributed::detail::of_lines(#name, a, dims(axis), options.keepdims, 1, [&](const auto& x) {   \
      return gparray::name(x, q, dims(axis), options);                                                     \
    });                                                                                                    \
  }                                                                                                        \
  template<distributed::detail::sharded_like A, detail::axes_like D>                                       \
  [[nodiscard]] auto name(const A& a, std::initializer_list<double> q, const D& axis,                      \
                          const quantile_options& options = {}) {                                          \
    return name(a, std::vector<double>(q), axis, options);                                                 \
  }
/// The value below which the fraction q of the elements lies, interpolated; NaN if an element is NaN.
GPARRAY_SHARDED_QUANTILE(quantile, 1.0, false)
/// The value below which q percent of the elements lie, interpolated; NaN if an element is NaN.
GPARRAY_SHARDED_QUANTILE(percentile, 100.0, false)
/// The value below which the fraction q of the elements lies, of those that are not NaN.
GPARRAY_SHARDED_QUANTILE(nanquantile, 1.0, true)
/// The value below which q percent of the elements lie, of those that are not NaN.
GPARRAY_SHARDED_QUANTILE(nanpercentile, 100.0, true)
#undef GPARRAY_SHARDED_QUANTILE

/// The middle of all elements, or the mean of the two beside it; NaN if an element is. Throws as quantile
/// does.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto median(const A& a) {
  return distributed::detail::median(a, false);
}
/// The median of the elements that are not NaN.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto nanmedian(const A& a) {
  return distributed::detail::median(a, true);
}
/// The medians along axes of which each rank has all elements, a sharded array; nothing is sent. Throws
/// value_error for an axis that is cut and for the option axis, axis_error.
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto median(const A& a, const D& axis, const median_options& options = {}) {
  if (options.axis.get()) throw value_error("median: the axis is an argument and an option");
  return distributed::detail::of_lines("median", a, dims(axis), options.keepdims, 0, [&](const auto& x) {
    return gparray::median(x, dims(axis), options);
  });
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto median(const A& a, const detail::axis_list& axis, const median_options& options = {}) {
  return median(a, dims(axis), options);
}
/// The medians along axes of the elements that are not NaN.
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto nanmedian(const A& a, const D& axis, const median_options& options = {}) {
  if (options.axis.get()) throw value_error("nanmedian: the axis is an argument and an option");
  return distributed::detail::of_lines("nanmedian", a, dims(axis), options.keepdims, 0, [&](const auto& x) {
    return gparray::nanmedian(x, dims(axis), options);
  });
}
template<distributed::detail::sharded_like A>
[[nodiscard]] auto nanmedian(const A& a, const detail::axis_list& axis, const median_options& options = {}) {
  return nanmedian(a, dims(axis), options);
}

/// The arithmetic mean of all elements, or along axes.
template<distributed::detail::sharded_like A>
[[nodiscard]] auto average(const A& a) {
  return mean(a);
}
template<distributed::detail::sharded_like A, detail::axes_like D>
[[nodiscard]] auto average(const A& a, const D& axis) {
  return mean(a, axis);
}

namespace distributed::detail {

template<class A, class W>
using average_t =
    gparray::detail::average_t<local_of<A>, ndarray<typename std::remove_cvref_t<W>::value_type>>;

/// A vector of weights beside the other axes of `a`, or weights of a's shape.
template<sharded_like A, class W>
auto aligned(const A& a, const W& weights, const dims& axes) {
  using V = typename W::value_type;
  const bool same = weights.shape() == a.shape();
  std::vector<gparray::detail::index_item> items;
  if (!same) {
    if (axes.size() != 1 || weights.ndim() != 1 || weights.shape(0) != a.shape(static_cast<int>(axes[0])))
      throw value_error(
          "average: the weights have the shape of the array, or are a vector as long as the axis");
    const std::int64_t along = axes[0] < 0 ? axes[0] + a.ndim() : axes[0];
    items.assign(static_cast<std::size_t>(a.ndim()), newaxis);
    items[static_cast<std::size_t>(along)] = slice();
  }
  if constexpr (sharded_like<W>)
    return same ? sharded_expr<V>(weights.state()) : sharded_expr<V>(indexed(weights.state(), items));
  else return ndarray<V>(same ? any_array(weights) : gparray::detail::basic_index(weights, items));
}

}  // namespace distributed::detail

/// The weighted mean sum(a * weights) / sum(weights) of all elements. The weights, a sharded array of the
/// same layout or an ndarray that all ranks have, have a's shape. Waits to see whether their sum is zero
/// (value_error).
template<distributed::detail::sharded_like A, class W>
  requires(distributed::detail::sharded_like<W> || array_like<W>)
[[nodiscard]] auto average(const A& a, none_t, const W& weights) {
  using R = distributed::detail::average_t<A, W>;
  const auto w = distributed::detail::aligned(a, weights, {}).template astype<R>();
  const ndarray<R> total = sum(w);
  if (total.item() == R(0)) detail::throw_zero_weights();
  return detail::as_number(ndarray<R>(ndarray<R>(sum(a.template astype<R>() * w)) / total));
}
/// The weighted mean along axes. The weights have a's shape, or are a vector along one axis.
template<distributed::detail::sharded_like A, detail::axes_like D, class W>
  requires(distributed::detail::sharded_like<W> || array_like<W>)
[[nodiscard]] auto average(const A& a, const D& axis, const W& weights,
                           const reduction_options& options = {}) {
  using R = distributed::detail::average_t<A, W>;
  const dims axes(axis);
  const auto w = distributed::detail::aligned(a, weights, axes).template astype<R>();
  const auto total = sum(w, axes, options);
  if ((total == R(0)).any().item()) detail::throw_zero_weights();
  return distributed::sharded<R>(sum(a.template astype<R>() * w, axes, options) / total);
}

/// How many elements of all ranks are in each bin, and the edges: as of ndarrays, and exactly so. Bins are a
/// number of equal ones or an ndarray of edges that is the same on all ranks. Throws as histogram of an
/// ndarray does.
template<distributed::detail::sharded_like A, class B = int>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins = 10, const histogram_options& options = {}) {
  using V = typename A::value_type;
  const distributed::sharded<V> of(a);
  histogram_options same = options;
  if constexpr (std::integral<B>) {
    std::optional<histogram_range> of_data;
    if (!options.range && of.size() > 0)
      of_data = {static_cast<double>(gparray::min(of).item()), static_cast<double>(gparray::max(of).item())};
    same.range = detail::outer_edges(options.range, of_data);
  }
  auto result = histogram(of.local(), bins, same);
  result.hist = detail::typed<std::int64_t>(distributed::detail::sum_of_parts(of.state(), result.hist));
  return result;
}
/// The probability density of the elements of all ranks in each bin, whose integral is 1.
template<distributed::detail::sharded_like A, class B>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins, density_t, const histogram_options& options = {}) {
  return detail::as_density(histogram(a, bins, options));
}

/// How often each of the numbers 0, 1, ... occurs among the elements of all ranks, up to the greatest, or
/// minlength of them if that is more. Throws value_error for negative elements, and unless `a` is a vector.
template<distributed::detail::sharded_like A, std::integral N = int>
  requires detail::index_type<typename A::value_type>
[[nodiscard]] ndarray<std::int64_t> bincount(const A& a, N minlength = 0) {
  using V = typename A::value_type;
  const distributed::sharded<V> of(a);
  const std::int64_t greatest = of.size() > 0 ? static_cast<std::int64_t>(gparray::max(of).item()) : -1;
  // So that all throw.
  if (of.size() > 0 && static_cast<std::int64_t>(gparray::min(of).item()) < 0)
    throw value_error("'list' argument must have no negative elements");
  const ndarray<std::int64_t> mine = bincount(of.local(), std::max<std::int64_t>(minlength, greatest + 1));
  return detail::typed<std::int64_t>(distributed::detail::sum_of_parts(of.state(), mine));
}

namespace distributed::detail {

template<class X>
auto flat_on_all(const X& x) {
  if constexpr (sharded_like<X>) return x.gather().ravel();
  else return ndarray<gparray::detail::element_t<X>>(x).ravel();
}
template<sharded_like X>
auto flat(const X& x) {
  using V = typename X::value_type;
  return x.ndim() == 1 ? sharded<V>(x) : x.reshape(dims{-1});
}

}  // namespace distributed::detail

/// The products of each element of `a` with each of `b`, which are flattened: rows where the elements of `a`
/// are. All of `b` goes to every rank. If `a` is an ndarray, which all ranks have, columns where the elements
/// of `b` are. What is cut, and not gathered, must be cut along its first axis alone. Throws value_error.
template<class A, class B>
  requires distributed::detail::factors<A, B>
[[nodiscard]] auto outer(const A& a, const B& b) {
  if constexpr (distributed::detail::sharded_like<A>)
    return distributed::detail::flat(a)(all_t{}, newaxis) * distributed::detail::flat_on_all(b);
  else
    return distributed::detail::flat_on_all(a)(all_t{}, newaxis) *
           distributed::detail::flat(b)(newaxis, all_t{});
}

GPARRAY_END_NAMESPACE
