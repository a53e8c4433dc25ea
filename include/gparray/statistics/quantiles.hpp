// Order statistics: median, quantiles, percentiles, and the same without NaN.
#pragma once
#include <optional>

#include <gparray/indexing.hpp>
#include <gparray/numeric.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of quantile and percentile, with NumPy's names.
struct quantile_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
  /// How to interpolate: "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
  /// "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased", "normal_unbiased" (Hyndman
  /// and Fan 1996, "Sample quantiles in statistical packages"), "lower", "higher", "midpoint" or "nearest".
  std::string_view method = "linear";
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
  /// How much each element counts: of a's shape, or of its sizes along the axes. For "inverted_cdf" alone.
  any_array weights = {};
};
/// The keyword arguments of median and nanmedian.
struct median_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
};

namespace detail {

/// Between which of n sorted values a quantile lies, and how far from the first: counts of lines without NaN
/// may differ, hence arrays.
struct quantile_position {
  any_array previous, next;  // int64, valid indices
  any_array gamma;           // float64
};
/// `counts`: float64, the numbers of values. Throws value_error for an unknown method or q outside [0, 1].
GPARRAY_API quantile_position find_quantile(const any_array& counts, double q, std::string_view method);
/// Throws value_error unless 0 <= q <= largest.
GPARRAY_API void check_quantile(double q, double largest);
GPARRAY_API void check_quantile_source(const any_array& a);
/// Throws index_error if lines have no elements.
GPARRAY_API void check_any_elements(const any_array& lines);
/// The axes to be reduced moved to the end and flattened into one; all for nullptr.
GPARRAY_API any_array lines_of(const any_array& a, const dims* axes);
/// What several quantiles of lines are made of, without NaN in between: with a last axis of one element for
/// each.
struct quantile_neighbours {
  any_array low, high;
  any_array gamma;  // float64, a vector: how far from the first
  any_array last;   // the greatest elements of the lines, or NaN
};
/// One selection for all of them. Throws as find_quantile does.
GPARRAY_API quantile_neighbours find_neighbours(const any_array& lines, std::span<const double> quantiles,
                                                std::string_view method);
/// The cumulated weights of sorted lines over their sums, with -1 for those that are 0; `order` sorts
/// `lines`, of which NaN count as nothing if they are skipped. Waits. Throws value_error and type_error with
/// NumPy's texts.
GPARRAY_API any_array cumulated_weights(const any_array& a, const dims* axes, const any_array& lines,
                                        const any_array& order, bool skip_nan,
                                        const quantile_options& options);
/// The shape of a reduction's result with its axes left in.
GPARRAY_API dims kept_shape(const dims& shape, const dims* axes);

template<array_like A>
using quantile_t = dtype_t<promote_weak(dtype_of<element_t<A>>, 'f')>;
/// What elements are put in order as: integers as they are, and only those that are picked are converted.
template<array_like A>
using ordered_t = std::conditional_t<is_inexact(dtype_of<element_t<A>>), quantile_t<A>, element_t<A>>;

/// The numbers of elements that count in each line, with a last axis of size 1.
template<element V>
ndarray<double> count_of_lines(const ndarray<V>& lines, bool skip_nan) {
  if constexpr (is_inexact(dtype_of<V>))
    if (skip_nan) return as_elements<double>(sum(~isnan(lines), -1, {.keepdims = true}));
  return full(dims::filled(lines.shape().size(), 1), static_cast<double>(lines.shape(-1)),
              {.device = lines.device()});
}

/// The elements of lines that count, if there are as many in each, and this is found out without waiting for
/// a GPU: they can be asked for as if they were all.
template<element S>
std::optional<ndarray<S>> counting_elements(const ndarray<S>& lines, bool skip_nan) {
  if constexpr (is_inexact(dtype_of<S>)) {
    if (!skip_nan) return lines;
    if (lines.device().is_cuda()) return std::nullopt;
    const ndarray<bool> counts = ~isnan(lines);
    if (all(counts).item()) return lines;
    if (lines.ndim() != 1) return std::nullopt;
    const ndarray<S> kept = lines(counts);
    return kept.size() > 0 ? std::optional(kept) : std::nullopt;
  }
  return lines;
}

/// Sorted lines, and what is needed to find a quantile's position in them.
template<element V>
struct ordered_lines {
  ndarray<V> sorted;
  ndarray<double> counts;
  any_array cdf;  // with weights
};

template<element V, array_like A>
ordered_lines<V> order_lines(const A& a, const ndarray<V>& lines, const dims* axes,
                             const quantile_options& options, bool skip_nan) {
  if (!options.weights.rep()) {
    const ndarray<V> sorted = sort(lines);
    return {sorted, count_of_lines(sorted, skip_nan), {}};
  }
  const ndarray<std::int64_t> order = argsort(lines);
  const ndarray<V> sorted = take_along_axis(lines, order);
  return {sorted, count_of_lines(sorted, skip_nan),
          cumulated_weights(a, axes, lines, order, skip_nan, options)};
}

/// Between two elements, `t` of the way from the first, or where the line has a NaN that.
template<element V>
ndarray<V> between(const ndarray<V>& low, const ndarray<V>& high, const ndarray<double>& t) {
  using W = std::conditional_t<sizeof(V) == 8 || std::is_same_v<V, std::complex<float>>, V, float>;
  using G = dtype_t<real_dtype(dtype_of<W>)>;
  const ndarray<G> gamma = as_elements<G>(t), rest = as_elements<G>(1.0 - t);
  const ndarray<V> step = high - low;
  return as_elements<V>(where(t >= 0.5, high - step * rest, low + step * gamma));
}

/// The last of the sorted elements of a line, where it is NaN, in place of what was made of the others.
template<element S, element V>
ndarray<V> with_nan(const ndarray<V>& result, const any_array& last_of_lines) {
  if constexpr (is_inexact(dtype_of<S>)) {
    const ndarray<S> last = typed<S>(any_array(last_of_lines));
    return as_elements<V>(where(isnan(last), last, result));
  }
  return result;
}

/// Quantiles of lines of which all elements count, along a last axis.
template<element V, element S>
ndarray<V> quantiles_of_all(const ndarray<S>& lines, std::span<const double> q, std::string_view method) {
  const quantile_neighbours found = find_neighbours(lines, q, method);
  return with_nan<S>(
      between<V>(as_elements<V>(typed<S>(any_array(found.low))),
                 as_elements<V>(typed<S>(any_array(found.high))), typed<double>(any_array(found.gamma))),
      found.last);
}

/// One quantile of ordered lines, with a last axis of size 1.
template<element V, element S>
ndarray<V> quantile_of_lines(const ordered_lines<S>& lines, bool skip_nan, double q,
                             std::string_view method) {
  const ndarray<S>& sorted = lines.sorted;
  const auto value_at = [&](const any_array& index) {
    dims shape = sorted.shape();
    shape[shape.size() - 1] = 1;
    return ndarray<V>(
        as_elements<V>(take_along_axis(sorted, broadcast_to(typed<std::int64_t>(any_array(index)), shape))));
  };
  ndarray<V> result;
  if (lines.cdf.rep()) {
    const ndarray<std::int64_t> below = sum(typed<double>(any_array(lines.cdf)) < q, -1, {.keepdims = true});
    result = value_at(minimum(below, sorted.shape(-1) - 1));
  } else {
    const quantile_position position = find_quantile(lines.counts, q, method);
    result = between<V>(value_at(position.previous), value_at(position.next),
                        typed<double>(any_array(position.gamma)));
  }
  if constexpr (is_inexact(dtype_of<S>)) {
    if (skip_nan) {
      result = as_elements<V>(where(lines.counts == 0, V(std::numeric_limits<float>::quiet_NaN()), result));
    } else {
      result = with_nan<S>(result, sorted(ellipsis, slice(-1, none)));
    }
  }
  return result;
}

/// Quantiles along a last axis.
template<array_like A>
auto quantiles_of(const A& a, std::span<const double> q, const dims* axes, const quantile_options& options,
                  bool skip_nan) {
  using V = quantile_t<A>;
  using S = ordered_t<A>;
  check_quantile_source(a);
  const ndarray<S> lines = typed<S>(lines_of(as_elements<S>(a), axes));
  if (lines.size() == 0) {
    if (!skip_nan) check_any_elements(lines);
    dims shape = lines.shape();
    shape[shape.size() - 1] = static_cast<std::int64_t>(q.size());
    return ndarray<V>(full(shape, V(std::numeric_limits<float>::quiet_NaN()), {.device = lines.device()}));
  }
  if (!options.weights.rep())
    if (const auto counting = counting_elements(lines, skip_nan))
      return quantiles_of_all<V>(*counting, q, options.method);
  // Where NaN are skipped, it depends on the line where a quantile lies in it.
  const ordered_lines<S> ordered = order_lines<S>(a, lines, axes, options, skip_nan);
  std::vector<ndarray<V>> results;
  for (const double each : q)
    results.push_back(quantile_of_lines<V>(ordered, skip_nan, each, options.method));
  return results.size() == 1 ? results[0] : concatenate(results, -1);
}

template<array_like A>
auto quantile(const A& a, double q, const dims* axes, const quantile_options& options, bool skip_nan) {
  const auto result = quantiles_of(a, {&q, 1}, axes, options, skip_nan);
  if (options.keepdims) return result.reshape(kept_shape(a.shape(), axes));
  dims shape = result.shape();
  shape.resize(shape.size() - 1);
  return result.reshape(shape);
}

template<array_like A>
auto quantiles(const A& a, const std::vector<double>& q, const dims* axes, const quantile_options& options,
               bool skip_nan) {
  using V = quantile_t<A>;
  const auto n = static_cast<std::int64_t>(q.size());
  constexpr double any = 0;
  const ndarray<V> along_last =
      quantiles_of(a, n > 0 ? std::span(q) : std::span(&any, 1), axes, options, skip_nan);
  dims shape = options.keepdims ? kept_shape(a.shape(), axes) : along_last.shape();
  if (!options.keepdims) shape.resize(shape.size() - 1);
  shape.insert(0, n);
  if (n == 0) return empty<V>(shape, {.device = along_last.device()});
  return ndarray<V>(ascontiguousarray(moveaxis(along_last, -1, 0)).reshape(shape));
}

/// Quantiles from numbers up to `largest`: a range of them, or an array, whose elements are waited for.
template<class Q>
std::vector<double> quantile_list(const Q& q, double largest) {
  std::vector<double> list;
  for (const auto& x : [&] {
         if constexpr (array_like<Q>) return as_elements<double>(q).to_vector();
         else return std::vector<double>(std::begin(q), std::end(q));
       }()) {
    check_quantile(x, largest);
    list.push_back(x / largest);
  }
  return list;
}
inline double quantile_number(double q, double largest) {
  check_quantile(q, largest);
  return q / largest;
}

}  // namespace detail

// quantile(a, q) of all elements, quantile(a, q, axis) or with a list of axes. One q reduces; several, in a
// braced list, a range or a vector, add a first axis. Integers give float64, float32 stays float32. NaN makes
// NaN, but for the functions called nan..., which leave them out. percentile counts to 100. Throw value_error
// for q out of range, an unknown method and complex numbers (type_error), index_error if there are no
// elements for a result, of which those called nan... make NaN.
#define GPARRAY_QUANTILE(name, largest, skip_nan)                                                          \
  template<array_like A>                                                                                   \
  [[nodiscard]] auto name(const A& a, double q, const quantile_options& options = {}) {                    \
    return detail::as_number(                                                                              \
        detail::quantile(a, detail::quantile_number(q, largest), options.axis.get(), options, skip_nan));  \
  }                                                                                                        \
  template<array_like A, detail::axes_like D>                                                              \
  [[nodiscard]] auto name(const A& a, double q, const D& axis, const quantile_options& options = {}) {     \
    const dims axes(axis);                                                                                 \
    return detail::quantile(a, detail::quantile_number(q, largest), &axes, options, skip_nan);             \
  }                                                                                                        \
  template<array_like A>                                                                                   \
  [[nodiscard]] auto name(const A& a, double q, const detail::axis_list& axis,                             \
                          const quantile_options& options = {}) {                                          \
    return name(a, q, dims(axis), options);                                                                \
  }                                                                                                        \
  template<array_like A, std::ranges::range Q>                                                             \
  [[nodiscard]] auto name(const A& a, const Q& q, const quantile_options& options = {}) {                  \
    return detail::quantiles(a, detail::quantile_list(q, largest), options.axis.get(), options, skip_nan); \
  }                                                                                                        \
  template<array_like A, std::ranges::range Q, detail::axes_like D>                                        \
  [[nodiscard]] auto name(const A& a, const Q& q, const D& axis, const quantile_options& options = {}) {   \
    const dims axes(axis);                                                                                 \
    return detail::quantiles(a, detail::quantile_list(q, largest), &axes, options, skip_nan);              \
  }                                                                                                        \
  template<array_like A>                                                                                   \
  [[nodiscard]] auto name(const A& a, std::initializer_list<double> q,                                     \
                          const quantile_options& options = {}) {                                          \
    return name(a, std::vector<double>(q), options);                                                       \
  }                                                                                                        \
  template<array_like A, detail::axes_like D>                                                              \
  [[nodiscard]] auto name(const A& a, std::initializer_list<double> q, const D& axis,                      \
                          const quantile_options& options = {}) {                                          \
    return name(a, std::vector<double>(q), axis, options);                                                 \
  }
/// The value below which the fraction q of the elements lies, interpolated; NaN if an element is NaN.
GPARRAY_QUANTILE(quantile, 1.0, false)
/// The value below which q percent of the elements lie, interpolated; NaN if an element is NaN.
GPARRAY_QUANTILE(percentile, 100.0, false)
/// The value below which the fraction q of the elements lies, of those that are not NaN.
GPARRAY_QUANTILE(nanquantile, 1.0, true)
/// The value below which q percent of the elements lie, of those that are not NaN.
GPARRAY_QUANTILE(nanpercentile, 100.0, true)
#undef GPARRAY_QUANTILE

namespace detail {

/// The mean of the two middle elements, which may be one. Of nothing NaN.
template<array_like A>
auto median(const A& a, const dims* axes, const median_options& options, bool skip_nan) {
  using V = inexact_t<A>;
  using S = ordered_t<A>;
  const ndarray<S> lines = typed<S>(lines_of(as_elements<S>(a), axes));
  dims shape = options.keepdims ? kept_shape(a.shape(), axes) : lines.shape();
  if (!options.keepdims) shape.resize(shape.size() - 1);
  if (lines.shape(-1) == 0)
    return full<V>(shape, std::numeric_limits<double>::quiet_NaN(), {.device = a.device()});
  constexpr double half = 0.5;
  if (const auto counting = counting_elements(lines, skip_nan)) {
    const quantile_neighbours found = find_neighbours(*counting, {&half, 1}, "linear");
    ndarray<V> result = as_elements<V>(typed<S>(any_array(found.low)));
    if (counting->shape(-1) % 2 == 0)
      result = as_elements<V>((result + as_elements<V>(typed<S>(any_array(found.high)))) / 2);
    return with_nan<S>(result, found.last).reshape(shape);
  }
  const ndarray<S> sorted = sort(lines);
  const ndarray<double> counts = count_of_lines(sorted, skip_nan);
  const quantile_position position = find_quantile(counts, half, "linear");
  dims one = sorted.shape();
  one[one.size() - 1] = 1;
  const auto value_at = [&](const any_array& index) {
    return ndarray<V>(
        as_elements<V>(take_along_axis(sorted, broadcast_to(typed<std::int64_t>(any_array(index)), one))));
  };
  const ndarray<double> odd = mod(counts, 2.0);
  const ndarray<V> low = value_at(position.previous), high = value_at(position.next);
  ndarray<V> result = as_elements<V>(where(odd == 1, low, (low + high) / 2));
  result = as_elements<V>(where(counts == 0, V(std::numeric_limits<float>::quiet_NaN()), result));
  return result.reshape(shape);
}

}  // namespace detail

#define GPARRAY_MEDIAN(name, skip_nan)                                                                     \
  template<array_like A>                                                                                   \
  [[nodiscard]] auto name(const A& a, const median_options& options = {}) {                                \
    return detail::as_number(detail::median(a, options.axis.get(), options, skip_nan));                    \
  }                                                                                                        \
  template<array_like A, detail::axes_like D>                                                              \
  [[nodiscard]] auto name(const A& a, const D& axis, const median_options& options = {}) {                 \
    const dims axes(axis);                                                                                 \
    return detail::median(a, &axes, options, skip_nan);                                                    \
  }                                                                                                        \
  template<array_like A>                                                                                   \
  [[nodiscard]] auto name(const A& a, const detail::axis_list& axis, const median_options& options = {}) { \
    return name(a, dims(axis), options);                                                                   \
  }
/// The middle of the sorted elements, or the mean of the two in the middle; NaN if an element is NaN.
GPARRAY_MEDIAN(median, false)
/// The median of the elements that are not NaN.
GPARRAY_MEDIAN(nanmedian, true)
#undef GPARRAY_MEDIAN

GPARRAY_END_NAMESPACE
