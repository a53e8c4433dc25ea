// Where quantiles lie among sorted values.
#include <algorithm>
#include <cmath>

#include <core/array/layout.hpp>
#include <core/creation/typed.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/math/typed.hpp>
#include <core/reduction/typed.hpp>
#include <core/sorting/sort_plans.hpp>
#include <core/sorting/typed.hpp>
#include <gparray/statistics/quantiles.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using numbers = ndarray<double>;

// Of one count, for lines of which all elements count, the same functions that the library has for arrays.
using std::ceil, std::floor, std::rint;
double maximum(double a, double b) { return a < b ? b : a; }
double minimum(double a, double b) { return b < a ? b : a; }
double clip(double a, double least, double most) { return minimum(maximum(a, least), most); }
double where(bool condition, double yes, double no) { return condition ? yes : no; }
double mod(double a, double b) {
  const double rest = std::fmod(a, b);
  return rest < 0 ? rest + b : rest;
}

// N: double, or numbers.
/// n * q + (alpha + q * (1 - alpha - beta)) - 1: Hyndman and Fan's continuous quantiles.
template<class N>
N continuous(const N& n, double q, double alpha, double beta) {
  return n * q + (alpha + q * (1 - alpha - beta)) - 1.0;
}

/// Rounded up, but at a whole number kept where `keep` says so.
template<class N, class Keep>
N to_observation(const N& index, Keep keep) {
  const N previous = floor(index);
  return maximum(where((index == previous) & keep(previous), previous, previous + 1.0), 0.0);
}

/// The index of the quantile among the sorted values, and whether it is one of them.
template<class N>
N virtual_index(const N& n, double q, std::string_view method) {
  const N linear = (n - 1.0) * q;
  if (method == "linear") return linear;
  if (method == "lower") return floor(linear);
  if (method == "higher") return ceil(linear);
  if (method == "nearest") return rint(linear);
  if (method == "midpoint") return 0.5 * (floor(linear) + ceil(linear));
  if (method == "hazen") return continuous(n, q, .5, .5);
  if (method == "weibull") return continuous(n, q, 0, 0);
  if (method == "median_unbiased") return continuous(n, q, 1 / 3., 1 / 3.);
  if (method == "normal_unbiased") return continuous(n, q, 3 / 8., 3 / 8.);
  if (method == "interpolated_inverted_cdf") return continuous(n, q, 0, 1);
  if (method == "averaged_inverted_cdf") return n * q - 1.0;
  if (method == "inverted_cdf")
    return to_observation(N(n * q - 1.0), [](const N& previous) { return previous == previous; });
  if (method == "closest_observation")
    return to_observation(N(n * q - 1.5), [](const N& previous) { return mod(previous, 2.0) == 1.0; });
  fail<value_error>(
      "'{}' is not a valid method. Use one of: dict_keys(['inverted_cdf', 'averaged_inverted_cdf', "
      "'closest_observation', 'interpolated_inverted_cdf', 'hazen', 'weibull', 'linear', 'median_unbiased', "
      "'normal_unbiased', 'lower', 'higher', 'midpoint', 'nearest'])",
      method);
}

/// Between which of n values it lies, and how far from the first.
template<class N>
struct position_of {
  N previous, next, gamma;

  position_of(const N& n, double q, std::string_view method) {
    const N index = virtual_index(n, q, method);
    // Outside of the values it is the first or the last of them.
    const N last = maximum(n - 1.0, 0.0);
    previous = clip(floor(index), 0.0, last);
    next = minimum(previous + 1.0, last);
    gamma = index - previous;
    // Where it is one of them, the next does not matter, be it infinite.
    const bool discrete = method == "lower" || method == "higher" || method == "nearest" ||
                          method == "inverted_cdf" || method == "closest_observation";
    next = discrete ? previous : N(where((index >= last) | (index < 0.0), previous, next));
    if (method == "averaged_inverted_cdf") gamma = where(gamma == 0.0, 0.5, 1.0);
    else if (method == "midpoint") gamma = where(mod(index, 1.0) == 0.0, 0.0, 0.5);
  }
};

/// Some columns of lines, in any order: a view of one.
any_array columns_of(const any_array& lines, std::span<const std::int64_t> columns) {
  const int axis = lines.ndim() - 1;
  if (columns.size() == 1) return slice_along(lines, axis, columns[0], 1);
  const any_array index = detail::from_host(columns.data(), {static_cast<std::int64_t>(columns.size())},
                                            dtype::int64, lines.device());
  dims shape = lines.shape();
  shape[shape.size() - 1] = index.size();
  return gather_lines(lines, detail::broadcast_to(index, shape));
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

void check_quantile(double q, double largest) {
  if (q >= 0 && q <= largest) return;
  if (largest == 1) throw value_error("Quantiles must be in the range [0, 1]");
  throw value_error("Percentiles must be in the range [0, 100]");
}

void check_quantile_source(const any_array& a) {
  if (is_complex(a.dtype())) throw type_error("a must be an array of real numbers");
  if (a.dtype() == gparray::dtype::bool_)
    throw type_error(
        "boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, "
        "or the logical_xor function instead.");
}

void check_any_elements(const any_array& lines) {
  if (lines.shape(-1) == 0) throw index_error("index -1 is out of bounds for axis 0 with size 0");
}

quantile_neighbours find_neighbours(const any_array& lines, std::span<const double> quantiles,
                                    std::string_view method) {
  const std::int64_t n = lines.shape(-1);
  std::vector<std::int64_t> low, high;
  std::vector<double> gamma;
  for (const double q : quantiles) {
    const position_of<double> at(static_cast<double>(n), q, method);
    low.push_back(static_cast<std::int64_t>(at.previous));
    high.push_back(static_cast<std::int64_t>(at.next));
    gamma.push_back(at.gamma);
  }
  std::vector<std::int64_t> positions = low;
  positions.insert(positions.end(), high.begin(), high.end());
  positions.push_back(n - 1);  // NaN are there
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  const selected_lines selected = select_from_lines(lines, positions);
  const auto columns_at = [&](std::vector<std::int64_t> wanted) {
    for (std::int64_t& position : wanted)
      position = selected.columns[static_cast<std::size_t>(
          std::lower_bound(positions.begin(), positions.end(), position) - positions.begin())];
    return columns_of(selected.lines, wanted);
  };
  const numbers one = full<double>({1}, gamma[0], {.device = lines.device()});
  return {columns_at(low), columns_at(high),
          gamma.size() == 1 ? any_array(one)
                            : from_host(gamma.data(), {static_cast<std::int64_t>(gamma.size())},
                                        gparray::dtype::float64, lines.device()),
          columns_at({n - 1})};
}

quantile_position find_quantile(const any_array& counts, double q, std::string_view method) {
  const position_of<numbers> at(numbers(counts), q, method);
  const ndarray<std::int64_t> low = at.previous.astype<std::int64_t>(), high = at.next.astype<std::int64_t>();
  return {low, high, at.gamma};
}

any_array lines_of(const any_array& a, const dims* axes) {
  if (!axes) return ravel(a, order::C);
  const dims reduced = normalize_axis_list(*axes, a.ndim());
  dims shape, order, last;
  for (std::int64_t d = 0; d < a.ndim(); ++d) {
    if (std::find(reduced.begin(), reduced.end(), d) != reduced.end()) continue;
    order.push_back(d);
    shape.push_back(a.shape()[static_cast<std::size_t>(d)]);
  }
  std::int64_t length = 1;
  for (const std::int64_t d : reduced) {
    order.push_back(d);
    length *= a.shape()[static_cast<std::size_t>(d)];
  }
  shape.push_back(length);
  return reshape(transpose(a, order), shape, order::C);
}

any_array cumulated_weights(const any_array& a, const dims* axes, const any_array& lines,
                            const any_array& order, bool skip_nan, const quantile_options& options) {
  if (options.method != "inverted_cdf")
    fail<value_error>("Only method 'inverted_cdf' supports weights. Got: {}.", options.method);
  const any_array aligned = broadcast_to(align_weights(a, options.weights, axes), a.shape());
  ndarray<double> w = typed<double>(as_type(lines_of(aligned, axes), gparray::dtype::float64));
  if (any(w < 0.0).item()) throw value_error("Weights must be non-negative.");
  if (skip_nan && is_floating(lines.dtype())) {
    const numbers x = typed<double>(as_type(lines, gparray::dtype::float64));
    w = where(isnan(x) & ~all(isnan(x), -1, {.keepdims = true}), 0.0, w);
  }
  const numbers sums = cumsum(take_along_axis(w, typed<std::int64_t>(any_array(order))), -1);
  const numbers cdf = sums / sums(ellipsis, slice(-1, none));
  if (any(isnan(cdf(ellipsis, -1))).item()) throw value_error("Weights included NaN, inf or were all zero.");
  return where(cdf == 0.0, -1.0, cdf).eval();
}

dims kept_shape(const dims& shape, const dims* axes) {
  dims result = axes ? shape : dims::filled(shape.size(), 1);
  if (axes)
    for (const std::int64_t d : normalize_axis_list(*axes, static_cast<int>(shape.size())))
      result[static_cast<std::size_t>(d)] = 1;
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
