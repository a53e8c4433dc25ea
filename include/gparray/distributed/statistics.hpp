// Order statistics and histograms of sharded arrays, by the names of ndarray's: the same on every rank. Every
// rank must call them.
#pragma once
#include <gparray/distributed/collectives.hpp>
#include <gparray/distributed/manipulation.hpp>
#include <gparray/distributed/products.hpp>
#include <gparray/distributed/reductions.hpp>
#include <gparray/distributed/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace distributed::detail {

/// The elements of all ranks in order, NaN last, of which one after the other is looked at.
template<element V>
class sorted_elements {
 public:
  explicit sorted_elements(const sharded_expr<V>& a, bool skip_nan)
      : sorted_(gparray::sort(a.ndim() == 1 ? sharded<V>(a) : a.reshape(dims{-1}))), count_(a.size()) {
    gparray::detail::check_quantile_source(sorted_.local());
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
    throw value_error("quantiles of a sharded array are of all elements, and have the option method alone");
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

}  // namespace distributed::detail

// quantile(a, q) of all elements of all ranks, which are sorted; one q or a list of them. The bits are those
// of one process, whatever the number of ranks. Throw value_error unless `a` is cut along its first axis
// alone, for other options than method, for q out of range; type_error for complex numbers, index_error if
// there are no elements.
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
