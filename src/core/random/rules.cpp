// What the parameters of distributions must be, and NumPy's texts for those that are not.
#include <cmath>
#include <limits>

#include <core/random/random.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// The largest mean of a Poisson variate that an int64 surely holds: 2^63 - 1 less ten standard deviations.
constexpr double largest_mean = 9.223372006484771e18;

/// The numbers from `least` to `most`, these included or not, and maybe NaN. The text has {} for the name; if
/// NaN is refused, one number {1} "is NaN", and of an array it "contains NaNs". The other texts, where given,
/// are for numbers that are too large and for NaN.
struct rule {
  double least, most;
  bool with_least, with_most, with_nan;
  fmt::string_view text;
  fmt::string_view text_above = {}, text_nan = {};
};

constexpr rule any{-infinity, infinity, true, true, true, ""};
constexpr rule not_negative{0, infinity, true, true, true, "{0} < 0"};
constexpr rule positive{0, infinity, false, true, true, "{0} <= 0"};
constexpr rule positive_number{0, infinity, false, true, false, "{0} <= 0", {}, "{0} must not be NaN"};
constexpr rule whole{0,
                     std::numeric_limits<double>::max(),
                     true,
                     true,
                     false,
                     "{0} < 0",
                     "cannot convert float infinity to integer",
                     "cannot convert float NaN to integer"};
constexpr rule probability{0, 1, true, true, false, "{0} < 0, {0} > 1 or {0} {1}"};
constexpr rule positive_probability{0, 1, false, true, false, "{0} <= 0, {0} > 1 or {0} contains NaNs"};
constexpr rule below_one{0, 1, true, false, false, "{0} < 0, {0} >= 1 or {0} {1}"};
constexpr rule above_one{1, infinity, false, true, false, "{0} <= 1 or {0} {1}"};
constexpr rule poisson_mean{0, largest_mean, true, true, false, "{0} < 0 or {0} {1}", "{0} value too large"};

struct named_rule {
  const char* name = "";
  rule what = any;
};

constexpr named_rule rules[][max_random_parameters] = {
#define GPARRAY_NAMED_RULE(name, rule, ...) #name, rule
#define GPARRAY_RULE(...) {__VA_OPT__(GPARRAY_NAMED_RULE(__VA_ARGS__))}
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc) \
  {GPARRAY_RULE p1, GPARRAY_RULE p2, GPARRAY_RULE p3},
#define GPARRAY_ROW_DISTRIBUTION(name, result, expression) {},
#include <gparray/tables/random.def>
#undef GPARRAY_RULE
#undef GPARRAY_NAMED_RULE
};

void check(const named_rule& named, const distribution_parameter& p) {
  const rule& r = named.what;
  if (r.text.size() == 0 || (p.is_array && p.array.size() == 0)) return;
  const value_range range = p.is_array ? range_of(p.array, r.with_nan) : value_range{p.value, p.value};
  if (r.with_nan && std::isnan(range.least)) return;
  const bool low = !(r.with_least ? range.least >= r.least : range.least > r.least);
  const bool high = !(r.with_most ? range.most <= r.most : range.most < r.most);
  if (!low && !high) return;
  const fmt::string_view special = std::isnan(range.least) ? r.text_nan : low ? "" : r.text_above;
  const fmt::string_view text = special.size() > 0 ? special : r.text;
  throw value_error(fmt::format(fmt::runtime(text), named.name, p.is_array ? "contains NaNs" : "is NaN"));
}

/// Whether `bad` is true of the parameters of some element; arrays are read to the host.
template<class Bad>
bool some(std::span<const distribution_parameter> p, Bad bad) {
  const dims* shapes[max_random_parameters];
  std::size_t n = 0;
  for (const distribution_parameter& each : p)
    if (each.is_array) shapes[n++] = &each.array.shape();
  const dims shape = drawing_shape({}, {shapes, n});
  std::vector<std::vector<double>> lists;
  for (const distribution_parameter& each : p)
    lists.push_back(each.is_array ? host_values(broadcast_copy(each.array, dtype::float64, shape))
                                  : std::vector<double>{each.value});
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  double v[max_random_parameters] = {};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < lists.size(); ++k) v[k] = lists[k].size() == 1 ? lists[k][0] : lists[k][i];
    if (bad(v)) return true;
  }
  return false;
}

void check_together(distribution d, dtype type, std::span<const distribution_parameter> p) {
  const auto refuse = [&](const char* text, auto bad) {
    if (some(p, bad)) throw value_error(text);
  };
  switch (d) {
    case distribution::uniform: {
      const bool arrays = p[0].is_array || p[1].is_array;
      const auto infinite = [&](const double* v) {
        return type == dtype::float32 ? !std::isfinite(static_cast<float>(v[1]) - static_cast<float>(v[0]))
                                      : !std::isfinite(v[1] - v[0]);
      };
      if (some(p, infinite))
        throw overflow_error(arrays ? "Range exceeds valid bounds" : "high - low range exceeds valid bounds");
      refuse("high - low < 0", [](const double* v) { return v[1] < v[0]; });
      return;
    }
    case distribution::triangular:
      refuse("left > mode", [](const double* v) { return v[0] > v[1]; });
      refuse("mode > right", [](const double* v) { return v[1] > v[2]; });
      refuse("left == right", [](const double* v) { return v[0] == v[2]; });
      return;
    case distribution::hypergeometric:
      refuse("both ngood and nbad must be less than 1000000000",
             [](const double* v) { return v[0] >= 1e9 || v[1] >= 1e9; });
      refuse("ngood + nbad < nsample",
             [](const double* v) { return std::floor(v[0]) + std::floor(v[1]) < std::floor(v[2]); });
      return;
    case distribution::negative_binomial:
      // The mean of the Poisson variate is a gamma variate: its mean and ten standard deviations must fit.
      refuse("n too large or p too small, see Generator.negative_binomial Notes", [](const double* v) {
        return !((1 - v[1]) / v[1] * (v[0] + 10 * std::sqrt(v[0])) <= largest_mean);
      });
      return;
    default:
      return;
  }
}

}  // namespace

void check_parameters(distribution d, dtype type, std::span<const distribution_parameter> parameters) {
  for (std::size_t k = 0; k < parameters.size(); ++k)
    check(rules[static_cast<std::size_t>(d)][k], parameters[k]);
  check_together(d, type, parameters);
}

void check_whole(const char* name, const distribution_parameter& parameter) {
  check({name, whole}, parameter);
}

}  // namespace core
GPARRAY_END_NAMESPACE
