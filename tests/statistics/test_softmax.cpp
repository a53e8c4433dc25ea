// softmax, log_softmax and logsumexp against SciPy.
#include <cmath>

#include <gparray/gparray.hpp>

#include "support/table.hpp"

namespace gp = gparray;

namespace {

struct numbers {
  gp::dims shape;
  std::vector<double> values;
};

numbers read_numbers(const std::string& text) {
  const std::size_t colon = text.find(':');
  REQUIRE(colon != text.npos);
  numbers result{gp::dims(golden::numbers(text.substr(0, colon))), {}};
  for (const std::string& part : golden::split(text.substr(colon + 1), ','))
    result.values.push_back(std::strtod(part.c_str(), nullptr));
  return result;
}

template<class V>
gp::ndarray<V> array_of(const numbers& from) {
  return golden::filled<V>(
      from.shape, [&](std::int64_t i) { return static_cast<V>(from.values[static_cast<std::size_t>(i)]); });
}

/// Every element within `roundings` of scale[i], or of its own magnitude where there is no scale; infinities
/// and NaN where they are expected.
template<class V>
void check_near(const gp::ndarray<V>& have, const numbers& want, double roundings,
                const std::vector<double>& scale = {}) {
  REQUIRE(have.shape() == want.shape);
  const std::vector<V> values = have.to_vector();
  const double eps = std::numeric_limits<V>::epsilon(), least = std::numeric_limits<V>::min();
  for (std::size_t i = 0; i < values.size(); ++i) {
    CAPTURE(i);
    const double x = want.values[i], y = static_cast<double>(values[i]);
    CAPTURE(x);
    CAPTURE(y);
    if (std::isnan(x)) CHECK(std::isnan(y));
    else if (std::isinf(x)) CHECK(x == y);
    else CHECK(std::abs(x - y) <= roundings * eps * (scale.empty() ? std::abs(x) : scale[i]) + least);
  }
}

// Both sides subtract the largest element with the same rounding. Exponentials have errors of up to 4
// roundings (those of vector libraries; others less), sums of up to 24 positive terms 4 roundings more than
// their terms, so a quotient of such a term and such a sum 4 + 8 + 1, on each side.
constexpr double softmax_roundings = 2 * 13;
// Logarithms: the relative error of 8 roundings of the sum becomes that of a logarithm of it, which has 4 of
// its own, and to which three times something is added that is not larger than the scale.
constexpr double log_roundings = 2 * (8 + 4 + 3);

template<class V, class A>
void check_case(const std::vector<std::string>& row, const gp::ndarray<A>& a) {
  const std::string& function = row[1];
  const numbers want = read_numbers(row[7]);
  gp::detail::axis_value axis;
  if (!row[3].empty()) axis = gp::dims(golden::numbers(row[3]));
  if (function == "softmax") return check_near<V>(gp::softmax(a, {.axis = axis}), want, softmax_roundings);
  if (function == "log_softmax") {
    // x less its largest, less the logarithm of a sum of 1 to 24.
    std::vector<double> scale = want.values;
    for (double& x : scale) x = std::abs(x) + std::log(24.);
    return check_near<V>(gp::log_softmax(a, {.axis = axis}), want, log_roundings, scale);
  }
  const std::vector<double> scale = read_numbers(row[8]).values;
  gp::logsumexp_options options{.axis = axis, .keepdims = row[4] == "1"};
  if (!row[6].empty()) options.b = array_of<double>(read_numbers(row[6]));
  if (row[9].empty())
    return check_near<V>(gp::ndarray<V>(gp::logsumexp(a, options)), want, log_roundings, scale);
  const auto [result, sign] = gp::logsumexp(a, gp::return_sign, options);
  check_near<V>(result, want, log_roundings, scale);
  check_near<V>(sign, read_numbers(row[9]), 0);
}

}  // namespace

TEST_CASE("softmax and logsumexp are SciPy's") {
  for (const auto& [number, row] : golden::read_table("statistics/softmax.tsv", 10)) {
    CAPTURE(number);
    CAPTURE(row[1]);
    CAPTURE(row[3]);
    const numbers a = read_numbers(row[5]);
    if (row[2] == "float64") check_case<double>(row, array_of<double>(a));
    else if (row[2] == "float32") check_case<float>(row, array_of<float>(a));
    else check_case<double>(row, array_of<std::int32_t>(a));
  }
}

TEST_CASE("softmax by the steps that one would write has the same bits, in one go or not") {
  const gp::ndarray<float> x = gp::random::default_rng(3).standard_normal<float>({300, 70}) * 5.f;
  const gp::ndarray<float> largest = gp::max(x, 1, {.keepdims = true}).eval();
  const gp::ndarray<float> e = gp::exp(x - largest).eval();
  const gp::ndarray<float> total = gp::sum(e, 1, {.keepdims = true}).eval();
  CHECK(gp::array_equal(gp::softmax(x, 1), e / total));
  CHECK(gp::array_equal(gp::log_softmax(x, 1), (x - largest) - gp::log(total)));
  CHECK(gp::array_equal(gp::softmax(x.T(), 0), (e / total).T()));
  CHECK(gp::explain(gp::softmax(x, 1)).find("stages") != std::string::npos);
  // With the largest out of the sum, to whose bits the others do not reach.
  const gp::ndarray<float> sums = gp::logsumexp(x, 1);
  CHECK(sums.shape() == gp::dims{300});
  CHECK(gp::allclose(sums, gp::log(total).reshape({300}) + largest.reshape({300}), {.rtol = 1e-6}));
  CHECK(gp::array_equal(gp::logsumexp(x, {0, 1}), gp::logsumexp(x)));
}

TEST_CASE("softmax: axes, dtypes and errors") {
  const gp::ndarray<double> x = gp::arange<double>(24).reshape({2, 3, 4});
  CHECK(gp::array_equal(gp::softmax(x, {0, -1}), gp::softmax(x, {.axis = {0, 2}})));
  CHECK(gp::array_equal(gp::softmax(x, {.axis = gp::none}), gp::softmax(x)));
  CHECK(gp::logsumexp(x, {0, 2}, {.keepdims = true}).shape() == gp::dims{1, 3, 1});
  CHECK(gp::logsumexp(x, {.axis = 1}).shape() == gp::dims{2, 4});
  const double all = gp::logsumexp(x);
  CHECK(all > 23);
  static_assert(std::is_same_v<decltype(gp::softmax(gp::ndarray<int>())), gp::ndarray<double>>);
  static_assert(std::is_same_v<decltype(gp::log_softmax(gp::ndarray<float>())), gp::ndarray<float>>);
  static_assert(
      std::is_same_v<decltype(gp::logsumexp(gp::ndarray<gp::float16>(), 0)), gp::ndarray<gp::float16>>);
  CHECK(gp::sum(gp::softmax(gp::array({1.f, 2.f}).astype<gp::float16>())).item() == gp::float16(1.f));
  CHECK(gp::array_equal(gp::softmax(std::vector<double>{1, 1}), gp::array({.5, .5})));
  CHECK_THROWS_AS((void)gp::softmax(x, 3), gp::axis_error);
  CHECK_THROWS_AS((void)gp::logsumexp(x, 3), gp::axis_error);
  CHECK_THROWS_AS((void)gp::softmax(gp::zeros<double>(0)), gp::value_error);
  CHECK_THROWS_AS((void)gp::logsumexp(x, 0, {.b = gp::ones<double>({2, 2})}), gp::value_error);
}
