// Counting: numbers, bins, histograms.
#pragma once
#include <array>
#include <limits>

#include <gparray/numeric.hpp>
#include <gparray/reduction/paired.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// Throws value_error for a number below 0 or a negative minlength, type_error unless x is a vector.
GPARRAY_API any_array bincount(const any_array& x, const any_array* weights, std::int64_t minlength);
/// counts of numbers in [0, n), or the sums of their weights (float64).
GPARRAY_API any_array binned(const any_array& numbers, std::int64_t n, const any_array* weights);
/// How many elements lie between the edges of at most most_equal_bins equal bins, each with its left edge,
/// the last with both.
GPARRAY_API any_array counts_of_equal_bins(const any_array& a, const any_array& edges);
inline constexpr std::int64_t most_equal_bins = 1024;
/// The first n elements of a vector.
GPARRAY_API any_array slice_front(const any_array& a, std::int64_t n);
[[noreturn]] GPARRAY_API void throw_histogram(std::string_view why);

template<class V>
concept index_type = std::is_integral_v<V> && dtype_of<V> != dtype::uint64;

}  // namespace detail

/// How often each of 0, 1, 2, ... occurs in a vector of integers (of bool: false and true), up to the largest
/// number, and minlength counts at least. Waits for the device. Throws value_error for a negative number.
template<array_like A>
  requires detail::index_type<detail::element_t<A>>
[[nodiscard]] ndarray<std::int64_t> bincount(const A& x, std::int64_t minlength = 0) {
  return detail::typed<std::int64_t>(
      detail::bincount(detail::as_elements<std::int64_t>(x), nullptr, minlength));
}
/// The sums of the weights of the occurrences of each of 0, 1, 2, ... Throws value_error unless there is a
/// weight for each.
template<array_like A, array_like W>
  requires detail::index_type<detail::element_t<A>>
[[nodiscard]] ndarray<double> bincount(const A& x, const W& weights, std::int64_t minlength = 0) {
  const any_array terms = detail::as_elements<double>(weights);
  return detail::typed<double>(detail::bincount(detail::as_elements<std::int64_t>(x), &terms, minlength));
}

/// The number of the bin that each x is in: bins[i - 1] <= x < bins[i], with right bins[i - 1] < x <=
/// bins[i]; for descending bins the other way round. Throws value_error unless bins are monotonic. Waits for
/// the device.
template<operand_like X, array_like B>
[[nodiscard]] ndarray<std::int64_t> digitize(const X& x, const B& bins, bool right = false) {
  const std::string_view side = right ? "left" : "right";
  const auto later = bins(slice(1, none)), earlier = bins(slice(none, -1));
  if (all(earlier <= later).item()) return searchsorted(bins, x, side);
  if (!all(earlier >= later).item())
    detail::throw_histogram("bins must be monotonically increasing or decreasing");
  return bins.size() - searchsorted(flip(bins), x, side);
}

/// The ends of a histogram: the least and the greatest value that counts.
using histogram_range = std::pair<double, double>;

namespace detail {

/// `.range = {0, 1}`, `{a.min(), a.max()}`: std::optional takes no braced pair of integers.
struct optional_range : std::optional<histogram_range> {
  optional_range() = default;
  optional_range(std::nullopt_t) {}
  optional_range(none_t) {}
  optional_range(const histogram_range& range) : std::optional<histogram_range>(range) {}
  template<std::convertible_to<double> First, std::convertible_to<double> Last>
  optional_range(const First& first, const Last& last)
      : std::optional<histogram_range>(
            histogram_range(static_cast<double>(first), static_cast<double>(last))) {}
};

/// NumPy's third argument: a range that is not named, `{-4, 4}`. Empty braces are options.
struct given_range : histogram_range {
  template<std::same_as<histogram_range> R>
  given_range(const R& range) : histogram_range(range) {}
  template<std::convertible_to<double> First, std::convertible_to<double> Last>
  given_range(const First& least, const Last& greatest)
      : histogram_range(static_cast<double>(least), static_cast<double>(greatest)) {}
};

}  // namespace detail

/// The keyword arguments of histogram and histogram_bin_edges.
struct histogram_options {
  /// The least and the greatest value that counts; those of the data if not given.
  detail::optional_range range = {};
};

/// The type of density.
struct density_t {
  explicit constexpr density_t(detail::tag) {}
};
/// histogram(a, bins, density) gives the probability density in each bin instead of counts.
inline constexpr density_t density{detail::tag::constant};

/// What histogram returns: `auto [hist, bin_edges] = gp::histogram(a, 20);`
template<element N, element V>
struct histogram_result {
  ndarray<N> hist;       ///< counts (int64), or sums of weights or densities (float64)
  ndarray<V> bin_edges;  ///< one more than bins
};

namespace detail {

GPARRAY_API histogram_range outer_edges(const std::optional<histogram_range>& given,
                                        const std::optional<histogram_range>& of_data);

template<array_like A>
histogram_range outer_edges(const A& a, const std::optional<histogram_range>& given) {
  std::optional<histogram_range> of_data;
  if (!given && a.size() > 0) {
    const auto [least, greatest] = minmax(a);
    of_data = {static_cast<double>(least.item()), static_cast<double>(greatest.item())};
  }
  return outer_edges(given, of_data);
}

template<array_like A>
ndarray<inexact_t<A>> bin_edges(const A& a, std::int64_t bins, const std::optional<histogram_range>& range) {
  if (bins < 1) throw_histogram("`bins` must be positive, when an integer");
  if (bins == std::numeric_limits<std::int64_t>::max())
    throw overflow_error("array is too big: the edges of bins");
  const auto [first, last] = outer_edges(a, range);
  linspace_options options;
  options.device = a.device();
  return linspace<inexact_t<A>>(first, last, bins + 1, options);
}
template<array_like A, array_like B>
ndarray<element_t<B>> bin_edges(const A&, const B& bins, const std::optional<histogram_range>&) {
  if (bins.ndim() != 1) throw_histogram("`bins` must be 1d, when an array");
  if (any(bins(slice(none, -1)) > bins(slice(1, none))).item())
    throw_histogram("`bins` must increase monotonically, when an array");
  return bins;
}

/// How many bins NumPy's rule of this name makes of the elements between the edges. Waits. Throws value_error
/// for a name that is none.
GPARRAY_API std::int64_t estimated_bins(const ndarray<double>& a, std::string_view rule,
                                        const histogram_range& edges, bool integers);
template<array_like A>
std::int64_t estimated_bins(const A& a, std::string_view rule, const std::optional<histogram_range>& range) {
  return estimated_bins(ndarray<double>(as_elements<double>(a).ravel()), rule, outer_edges(a, range),
                        std::is_integral_v<element_t<A>>);
}

/// The number of bins between these edges: one edge has no bin beside it.
inline std::int64_t bins_between(const any_array& edges) {
  return std::max<std::int64_t>(edges.size() - 1, 0);
}

/// The bin of each number, and n for those outside of all.
template<array_like A, element V>
ndarray<std::int64_t> bin_numbers(const A& a, const ndarray<V>& edges) {
  const std::int64_t n = bins_between(edges);
  if (n == 0) return zeros<std::int64_t>(dims{a.size()}, {.device = a.device()});
  const auto x = a.ravel();
  const ndarray<std::int64_t> behind = searchsorted(edges, x, "right");
  const ndarray<bool> inside = (behind > 0) & (x <= edges(-1));
  return ndarray<std::int64_t>(where(inside, minimum(behind, n) - 1, n));
}

template<array_like A, class B>
auto histogram_counts(const A& a, const B& bins, const any_array* weights,
                      const std::optional<histogram_range>& range) {
  const auto edges = bin_edges(a, bins, range);
  if (weights && weights->shape() != a.shape()) throw_histogram("weights should have the same shape as a.");
  const std::int64_t n = bins_between(edges);
  if constexpr (std::integral<B>) {
    if (!weights && n <= most_equal_bins)
      return std::pair(counts_of_equal_bins(ndarray<element_t<A>>(a), edges), edges);
  }
  any_array terms;
  if (weights) terms = ravel(*weights, order::C);
  return std::pair(slice_front(binned(bin_numbers(a, edges), n + 1, weights ? &terms : nullptr), n), edges);
}

template<array_like A>
auto by_density(const A& counts, const ndarray<double>& widths) {
  return ndarray<double>(as_elements<double>(counts) / widths / as_elements<double>(sum(counts)));
}

template<element N, element V>
histogram_result<double, V> as_density(const histogram_result<N, V>& counted) {
  const ndarray<double> widths = as_elements<double>(diff(counted.bin_edges));
  return {by_density(counted.hist, widths), counted.bin_edges};
}

}  // namespace detail

// Bins are a number of equal ones between the least and the greatest element, or an array of their edges.
// Each includes its left edge, the last one both. NaN is in no bin. All wait for the device. Throw
// value_error for bins that are none, a range that is not finite, and weights of another shape than a.

/// How many elements of a are in each bin: `auto [hist, bin_edges] = gp::histogram(a, 20);`
template<array_like A, class B = int>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins = 10, const histogram_options& options = {}) {
  auto [counts, edges] = detail::histogram_counts(a, bins, nullptr, options.range);
  return histogram_result<std::int64_t, detail::element_t<decltype(edges)>>{
      detail::typed<std::int64_t>(std::move(counts)), edges};
}
/// The counts of what lies in a range, NumPy's third argument: `gp::histogram(a, 100, {-4, 4})`.
template<array_like A, class B>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins, const detail::given_range& range) {
  return histogram(a, bins, histogram_options{range});
}
/// The sums of the weights, of a's shape, of the elements in each bin.
template<array_like A, class B, array_like W>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins, const W& weights,
                             const histogram_options& options = {}) {
  const any_array terms = detail::as_elements<double>(weights);
  auto [sums, edges] = detail::histogram_counts(a, bins, &terms, options.range);
  return histogram_result<double, detail::element_t<decltype(edges)>>{detail::typed<double>(std::move(sums)),
                                                                      edges};
}
/// The probability density in each bin, whose integral is 1.
template<array_like A, class B>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins, density_t, const histogram_options& options = {}) {
  return detail::as_density(histogram(a, bins, options));
}
template<array_like A, class B>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram(const A& a, const B& bins, const detail::given_range& range, density_t) {
  return histogram(a, bins, density, histogram_options{range});
}
/// The counts in as many equal bins as a rule finds good for the data: "auto", "fd" (Freedman and Diaconis),
/// "doane", "scott", "stone", "rice", "sturges" or "sqrt".
template<array_like A>
[[nodiscard]] auto histogram(const A& a, std::string_view bins, const histogram_options& options = {}) {
  return histogram(a, detail::estimated_bins(a, bins, options.range), options);
}
template<array_like A>
[[nodiscard]] auto histogram(const A& a, std::string_view bins, density_t,
                             const histogram_options& options = {}) {
  return histogram(a, detail::estimated_bins(a, bins, options.range), density, options);
}
/// The edges of the bins that histogram would use with this rule.
template<array_like A>
[[nodiscard]] auto histogram_bin_edges(const A& a, std::string_view bins,
                                       const histogram_options& options = {}) {
  return detail::bin_edges(a, detail::estimated_bins(a, bins, options.range), options.range);
}
/// The edges of the bins that histogram would use, an ndarray of a's dtype, float64 for integers.
template<array_like A, class B = int>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram_bin_edges(const A& a, const B& bins = 10,
                                       const histogram_options& options = {}) {
  return detail::bin_edges(a, bins, options.range);
}
template<array_like A, class B>
  requires(std::integral<B> || array_like<B>)
[[nodiscard]] auto histogram_bin_edges(const A& a, const B& bins, const detail::given_range& range) {
  return histogram_bin_edges(a, bins, histogram_options{range});
}

/// The keyword arguments of histogramdd and histogram2d.
struct histogramdd_options {
  /// The ends for each axis; without any those of the data.
  std::vector<histogram_range> range = {};
  /// float64 weights of the points.
  std::optional<ndarray<double>> weights = {};
  /// Whether the result is the probability density instead of counts.
  bool density = false;
};
/// What histogramdd returns.
struct histogramdd_result {
  ndarray<double> H;                   ///< counts, of one axis for each dimension
  std::vector<ndarray<double>> edges;  ///< the edges of the bins along each axis
};

namespace detail {

/// Bins of a histogram of points: a number of them for all axes, one for each, or edges for each; in braces
/// {3, 4} are numbers, {0., 0.5, 1.} edges for all axes, {{0, 1, 2}, y_edges} edges for each.
struct dd_bins {
  dd_bins(std::integral auto n) : counts{static_cast<std::int64_t>(n)} {}
  dd_bins(const std::vector<std::int64_t>& n) : counts(n) {}
  dd_bins(const std::vector<ndarray<double>>& list) : edges(list) {}
  template<scalar_like S>
  dd_bins(std::initializer_list<S> list) {
    if constexpr (std::is_integral_v<S>) counts.assign(list.begin(), list.end());
    else shared = as_elements<double>(array(list));
  }
  dd_bins(std::initializer_list<ndarray<double>> list) : edges(list) {}
  template<array_like B>
  dd_bins(const B& same) : shared(as_elements<double>(same)) {}
  std::vector<std::int64_t> counts;
  std::vector<ndarray<double>> edges;
  std::optional<ndarray<double>> shared;
};
/// Of two dimensions other than two numbers are edges, as in NumPy.
GPARRAY_API dd_bins bins_of_plane(const dd_bins& bins);
GPARRAY_API histogramdd_result histogramdd(const std::vector<ndarray<double>>& axes, const dd_bins& bins,
                                           const histogramdd_options& options);

}  // namespace detail

/// The histogram of n points in d dimensions, an (n, d) array: counts of shape (bins of axis 0, ...) as
/// float64, and the edges along each axis. Throws value_error.
template<array_like A>
[[nodiscard]] histogramdd_result histogramdd(const A& sample, const detail::dd_bins& bins = 10,
                                             const histogramdd_options& options = {}) {
  const auto points = sample.ndim() == 1 ? sample.reshape({-1, 1}) : ndarray<detail::element_t<A>>(sample);
  std::vector<ndarray<double>> axes;
  for (std::int64_t d = 0; d < points.shape(1); ++d)
    axes.push_back(detail::as_elements<double>(points(all_t{}, d)));
  return detail::histogramdd(axes, bins, options);
}

/// What histogram2d returns.
struct histogram2d_result {
  ndarray<double> H;       ///< counts, of shape (bins of x, bins of y)
  ndarray<double> xedges;  ///< the edges of the bins along x
  ndarray<double> yedges;  ///< the edges of the bins along y
};
/// The histogram of the points (x[i], y[i]): `auto [H, xedges, yedges] = gp::histogram2d(x, y);`
template<array_like X, array_like Y>
[[nodiscard]] histogram2d_result histogram2d(const X& x, const Y& y, const detail::dd_bins& bins = 10,
                                             const histogramdd_options& options = {}) {
  if (x.size() != y.size()) detail::throw_histogram("x and y must have the same length.");
  auto r =
      detail::histogramdd({detail::as_elements<double>(x.ravel()), detail::as_elements<double>(y.ravel())},
                          detail::bins_of_plane(bins), options);
  return {r.H, r.edges[0], r.edges[1]};
}

GPARRAY_END_NAMESPACE
