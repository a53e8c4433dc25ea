// Counting numbers and points.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <core/creation/typed.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/math/typed.hpp>
#include <core/reduction/typed.hpp>
#include <core/sorting/sort_plans.hpp>
#include <gparray/statistics/histograms.hpp>
#include <gparray/statistics/quantiles.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

any_array binned(const any_array& numbers, std::int64_t n, const any_array* weights) {
  return weights ? sums_by_number(numbers, n, *weights) : counts_of(numbers, n);
}

static_assert(most_equal_bins <= most_bins_between);

any_array counts_of_equal_bins(const any_array& a, const any_array& edges) {
  return counts_between(ravel(a, order::C), edges);
}

any_array slice_front(const any_array& a, std::int64_t n) { return slice_along(a, 0, 0, n); }

any_array bincount(const any_array& x, const any_array* weights, std::int64_t minlength) {
  if (x.ndim() > 1) throw value_error("object too deep for desired array");
  if (x.ndim() < 1) throw value_error("object of too small depth for desired array");
  if (minlength < 0) throw value_error("'minlength' must not be negative");
  if (weights && weights->shape() != x.shape())
    throw value_error("The weights and list don't have the same length.");
  std::int64_t n = minlength;
  if (x.size() > 0) {
    const auto [least, greatest] = minmax(typed<std::int64_t>(any_array(x)));
    if (least.item() < 0) throw value_error("'list' argument must have no negative elements");
    n = std::max(n, checked_sum(greatest.item(), 1, "bincount"));
  }
  return binned(x, n, weights);
}

void throw_histogram(std::string_view why) { throw value_error(std::string(why)); }

histogram_range outer_edges(const std::optional<histogram_range>& given,
                            const std::optional<histogram_range>& of_data) {
  auto [first, last] = given ? *given : of_data.value_or(histogram_range{0, 1});
  if (first > last) throw value_error("max must be larger than min in range parameter.");
  if (!std::isfinite(first) || !std::isfinite(last))
    fail<value_error>("{} range of [{}, {}] is not finite", given ? "supplied" : "autodetected", first, last);
  if (first == last) {  // of which every bin would be empty
    first -= .5;
    last += .5;
  }
  return {first, last};
}

namespace {

double cube_root(double x) { return std::pow(x, 1.0 / 3); }

/// C. J. Stone 1984: the number of bins with the least estimated loss.
double width_by_stone(const ndarray<double>& a, const histogram_range& edges, double extent) {
  const auto n = static_cast<double>(a.size());
  if (extent == 0) return 0;
  const std::int64_t most = std::max<std::int64_t>(100, static_cast<std::int64_t>(std::sqrt(n)));
  double least = 0;
  std::int64_t best = 0;
  for (std::int64_t bins = 1; bins <= most; ++bins) {
    const auto counts = histogram(a, bins, {.range = edges}).hist;
    const double squares = sum(square(counts.astype<double>() / n)).item();
    const double loss = (2 - (n + 1) * squares) * static_cast<double>(bins) / extent;
    if (best != 0 && loss >= least) continue;
    least = loss;
    best = bins;
  }
  return extent / static_cast<double>(best);
}

/// D. P. Doane 1976: Sturges' rule for data that are skewed.
double width_by_doane(const ndarray<double>& a, double extent) {
  const auto n = static_cast<double>(a.size());
  const double sigma = std(a).item();
  if (n <= 2 || !(sigma > 0)) return 0;
  const double of_skewness = std::sqrt(6 * (n - 2) / ((n + 1) * (n + 3)));
  const double skewness = mean(power((a - mean(a)) / sigma, 3.0)).item();
  return extent / (1 + std::log2(n) + std::log2(1 + std::abs(skewness) / of_skewness));
}

double bin_width(const ndarray<double>& a, std::string_view rule, const histogram_range& edges) {
  const auto n = static_cast<double>(a.size());
  const double extent = ptp(a).item();
  if (rule == "sqrt") return extent / std::sqrt(n);
  if (rule == "sturges") return extent / (std::log2(n) + 1);
  if (rule == "rice") return extent / (2 * cube_root(n));
  if (rule == "scott") return cube_root(24 * std::sqrt(std::numbers::pi) / n) * std(a).item();
  if (rule == "doane") return width_by_doane(a, extent);
  if (rule == "stone") return width_by_stone(a, edges, extent);
  const double quartiles = percentile(a, 75).item() - percentile(a, 25).item();
  const double by_quartiles = 2 * quartiles * std::pow(n, -1.0 / 3);
  if (rule == "fd") return by_quartiles;
  return std::min(std::max(by_quartiles, extent / std::sqrt(n) / 2), extent / (std::log2(n) + 1));
}

constexpr std::string_view bin_rules[] = {"auto", "fd", "doane", "scott", "stone", "rice", "sturges", "sqrt"};

}  // namespace

std::int64_t estimated_bins(const ndarray<double>& a, std::string_view rule, const histogram_range& edges,
                            bool integers) {
  if (std::ranges::find(bin_rules, rule) == std::ranges::end(bin_rules))
    fail<value_error>("'{}' is not a valid estimator for `bins`", rule);
  const ndarray<double> inside = a((a >= edges.first) & (a <= edges.second));
  if (inside.size() == 0) return 1;
  double width = bin_width(inside, rule, edges);
  if (!(width > 0)) return 1;
  if (integers) width = std::max(width, 1.0);
  return static_cast<std::int64_t>(std::ceil((edges.second - edges.first) / width));
}

namespace {

std::vector<ndarray<double>> edges_of(const std::vector<ndarray<double>>& axes, const dd_bins& bins,
                                      const histogramdd_options& options) {
  const std::size_t d = axes.size();
  if ((bins.counts.size() > 1 && bins.counts.size() != d) || (!bins.edges.empty() && bins.edges.size() != d))
    throw value_error("The dimension of bins must be equal to the dimension of the sample x.");
  if (!options.range.empty() && options.range.size() != d)
    throw value_error("range argument must have one entry per dimension");
  std::vector<ndarray<double>> edges;
  for (std::size_t i = 0; i < d; ++i) {
    std::optional<histogram_range> range;
    if (!options.range.empty()) range = options.range[i];
    if (bins.shared) edges.push_back(bin_edges(axes[i], *bins.shared, range));
    else if (!bins.edges.empty()) edges.push_back(bin_edges(axes[i], bins.edges[i], range));
    else {
      const std::int64_t n = bins.counts[bins.counts.size() == 1 ? 0 : i];
      if (n < 1) fail<value_error>("`bins[{}]` must be positive, when an integer", i);
      edges.push_back(bin_edges(axes[i], n, range));
    }
  }
  return edges;
}

}  // namespace

dd_bins bins_of_plane(const dd_bins& bins) {
  if (bins.counts.size() < 3) return bins;
  return array<double>(bins.counts);
}

histogramdd_result histogramdd(const std::vector<ndarray<double>>& axes, const dd_bins& bins,
                               const histogramdd_options& options) {
  const std::vector<ndarray<double>> edges = edges_of(axes, bins, options);
  if (options.weights && options.weights->shape() != axes[0].shape())
    throw value_error("The weights and list don't have the same length.");
  // The number of the bin among all in C order; one more for points outside.
  ndarray<std::int64_t> number = zeros<std::int64_t>(axes[0].shape(), {.device = axes[0].device()});
  ndarray<bool> inside = ones<bool>(axes[0].shape(), {.device = axes[0].device()});
  dims shape;
  std::int64_t total = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (edges[i].size() == 0) fail<value_error>("`bins[{}]` must have at least one edge", i);
    const std::int64_t n = bins_between(edges[i]);
    const ndarray<std::int64_t> along = bin_numbers(axes[i], edges[i]);
    inside = inside & (along < n);
    number = number * n + along;
    shape.push_back(n);
    total = checked_product(total, n, "histogramdd: the number of bins");
  }
  number = where(inside, number, total);
  any_array weights;
  if (options.weights) weights = *options.weights;
  const any_array sums =
      binned(number, checked_sum(total, 1, "histogramdd"), options.weights ? &weights : nullptr);
  const any_array flat = slice_front(sums, total);
  ndarray<double> H = options.weights ? typed<double>(any_array(flat))
                                      : as_elements<double>(typed<std::int64_t>(any_array(flat)));
  H = H.reshape(shape);
  if (options.density) {
    const ndarray<double> whole = sum(H);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      dims along = dims::filled(shape.size(), 1);
      along[i] = shape[i];
      H = H / diff(edges[i]).reshape(along);
    }
    H = H / whole;
  }
  return {H, edges};
}

}  // namespace detail
GPARRAY_END_NAMESPACE
