// Quantiles and medians against NumPy.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/statistics/quantiles.hpp>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

const double NaN = std::nan("");
const double INF = std::numeric_limits<double>::infinity();
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<double> numbers() { return gp::array({7., 1., 3.5, 2., 9., 4.}); }
gp::quantile_options weighted(const gp::any_array& w) { return {.method = "inverted_cdf", .weights = w}; }

}  // namespace

namespace {

/// NumPy's linear interpolation of sorted values; of 4-byte ones in their type.
template<class V>
V interpolated(const std::vector<V>& sorted, double q) {
  const double index = static_cast<double>(sorted.size() - 1) * q, previous = std::floor(index),
               t = index - previous;
  const V low = sorted[static_cast<std::size_t>(previous)],
          high = sorted[std::min(static_cast<std::size_t>(previous) + 1, sorted.size() - 1)],
          step = high - low;
  return t >= .5 ? high - step * static_cast<V>(1 - t) : low + step * static_cast<V>(t);
}

template<class V>
void check_selected(const gp::dims& shape, const std::vector<double>& q, bool repeats) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(shape[1]);
  CAPTURE(q.size());
  gp::ndarray<V> a = gp::random::default_rng(11).standard_normal<V>(shape);
  if (repeats) a = gp::floor(a);
  const gp::ndarray<V> all = gp::quantile(a, q, 1);
  REQUIRE(all.shape() == gp::dims{static_cast<std::int64_t>(q.size()), shape[0]});
  for (std::int64_t row = 0; row < shape[0]; ++row) {
    std::vector<V> sorted = a(row).to_vector();
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < q.size(); ++i) {
      CAPTURE(q[i]);
      CHECK(all(i, row).item() == interpolated(sorted, q[i]));
    }
  }
  CHECK(gp::array_equal(gp::quantile(a, q[0], 1), all(0)));
}

}  // namespace

TEST_CASE("several quantiles of long lines are those of sorted lines") {
  // Lines that are sorted and that are selected from, on each backend; and more positions than are selected
  // at once.
  const std::vector<double> few{.3, 0, 1, .5, .999, .3}, many = gp::linspace(0, 1, 40).to_vector();
  for (const bool repeats : {false, true})
    for (const std::int64_t n : {3, 64, 65, 4096, 4097, 30001}) {
      check_selected<float>({3, n}, few, repeats);
      check_selected<double>({2, n}, few, repeats);
      check_selected<double>({1, n}, many, repeats);
    }
  // Nearly all keys are the same in their first digits, and in all.
  const gp::ndarray<float> close = 1.f + gp::random::default_rng(2).random<float>(20000) * 1e-5f;
  std::vector<float> sorted = close.to_vector();
  std::sort(sorted.begin(), sorted.end());
  for (const double q : {.25, .5, .75}) CHECK(gp::quantile(close, q).item() == interpolated(sorted, q));
  CHECK(gp::array_equal(gp::percentile(gp::full<float>(10000, 7), {5., 50., 95.}), gp::full<float>(3, 7)));
}

TEST_CASE("long lines: integers, medians, NaN") {
  const gp::ndarray<std::int16_t> numbers =
      gp::random::default_rng(1).integers<std::int16_t>(-300, 300, {2, 9001});
  const gp::ndarray<std::int16_t> sorted = gp::sort(numbers);
  CHECK(gp::array_equal(gp::median(numbers, 1), sorted(gp::all, 4500).astype<double>()));
  CHECK(gp::array_equal(gp::quantile(numbers, .25, 1), sorted(gp::all, 2250).astype<double>()));
  const gp::ndarray<std::int16_t> even = numbers(gp::all, gp::slice(0, 9000));
  const gp::ndarray<double> both = gp::sort(even).astype<double>()(gp::all, gp::slice(4499, 4501));
  CHECK(gp::array_equal(gp::median(even, 1), gp::mean(both, 1)));
  CHECK(gp::median(gp::sort(numbers.astype<bool>().ravel())).item() == 1);
  gp::ndarray<double> x = gp::random::default_rng(4).random({3, 5000});
  const gp::ndarray<double> before = gp::quantile(x, {.1, .9}, 1);
  x(1, 77) = NaN;
  const gp::ndarray<double> after = gp::quantile(x, {.1, .9}, 1);
  CHECK(gp::array_equal(gp::isnan(after), gp::array({{false, true, false}, {false, true, false}})));
  CHECK(gp::array_equal(after(gp::all, 2), before(gp::all, 2)));
  CHECK(std::isnan(gp::median(x).item()));
  CHECK(gp::quantile(x, std::vector<double>{}, 1).shape() == gp::dims{0, 3});
}

TEST_CASE("without NaN, and of one line what is left of it, quantiles are those of all") {
  gp::ndarray<double> x = gp::random::default_rng(4).random({3, 501});
  const std::vector<double> q{.1, .5, .93};
  CHECK(gp::array_equal(gp::nanquantile(x, q, 1), gp::quantile(x, q, 1)));
  CHECK(gp::array_equal(gp::nanmedian(x, 0), gp::median(x, 0)));
  for (const double seventh : {.0, NaN}) {  // with an even and an odd number of elements
    gp::ndarray<double> line = x.ravel().copy();
    line(gp::slice(0, gp::none, 5)) = NaN;
    line(7) = seventh;
    const gp::ndarray<double> left = line(~gp::isnan(line));
    CHECK(gp::array_equal(gp::nanquantile(line, q), gp::quantile(left, q)));
    CHECK(gp::nanmedian(line).item() == gp::median(left).item());
    CHECK(gp::nanmedian(line.reshape({-1, 3}), gp::dims{0, 1}).item() == gp::median(left).item());
    CHECK(gp::nanpercentile(line, 30, {.keepdims = true}).shape() == gp::dims{1});
  }
  CHECK(std::isnan(gp::nanmedian(gp::full(5, NaN)).item()));
  CHECK(std::isnan(gp::nanquantile(gp::full(5, NaN), .5).item()));
}

TEST_CASE("quantiles") {
  const auto v = gp::array({7., 1., 3.5, 2., 9., 4.});
  GOLDEN("np.quantile(A([7., 1., 3.5, 2., 9., 4.]), .3)", gp::quantile(v, .3));
  GOLDEN("np.quantile(A([7., 1., 3.5, 2., 9., 4.]), A([0., .25, .5, 1.]))",
         gp::quantile(v, {0., .25, .5, 1.}));
  const std::vector<double> q{0., .05, .25, .3, .5, .75, .95, 1.};
  GOLDEN("np.quantile(w, q, method='inverted_cdf')", gp::quantile(v, q, {.method = "inverted_cdf"}));
  GOLDEN("np.quantile(w, q, method='averaged_inverted_cdf')",
         gp::quantile(v, q, {.method = "averaged_inverted_cdf"}));
  GOLDEN("np.quantile(w, q, method='closest_observation')",
         gp::quantile(v, q, {.method = "closest_observation"}));
  GOLDEN("np.quantile(w, q, method='interpolated_inverted_cdf')",
         gp::quantile(v, q, {.method = "interpolated_inverted_cdf"}));
  GOLDEN("np.quantile(w, q, method='hazen')", gp::quantile(v, q, {.method = "hazen"}));
  GOLDEN("np.quantile(w, q, method='weibull')", gp::quantile(v, q, {.method = "weibull"}));
  GOLDEN("np.quantile(w, q, method='linear')", gp::quantile(v, q, {.method = "linear"}));
  GOLDEN("np.quantile(w, q, method='median_unbiased')", gp::quantile(v, q, {.method = "median_unbiased"}));
  GOLDEN("np.quantile(w, q, method='normal_unbiased')", gp::quantile(v, q, {.method = "normal_unbiased"}));
  GOLDEN("np.quantile(w, q, method='lower')", gp::quantile(v, q, {.method = "lower"}));
  GOLDEN("np.quantile(w, q, method='higher')", gp::quantile(v, q, {.method = "higher"}));
  GOLDEN("np.quantile(w, q, method='midpoint')", gp::quantile(v, q, {.method = "midpoint"}));
  GOLDEN("np.quantile(w, q, method='nearest')", gp::quantile(v, q, {.method = "nearest"}));
  GOLDEN("np.percentile(t, 40, axis=1)", gp::percentile(cube(), 40, 1));
  GOLDEN("np.percentile(t, A([10., 90.]), axis=(0, 2))", gp::percentile(cube(), {10., 90.}, gp::dims{0, 2}));
  GOLDEN("np.percentile(t, 40, axis=(0, -1), keepdims=True)",
         gp::percentile(cube(), 40, {0, -1}, {.keepdims = true}));
  GOLDEN("np.percentile(A([1, 2, 4], 'f4'), 30)", gp::percentile(gp::array<float>({1, 2, 4}), 30));
  GOLDEN("np.quantile(A([1, 2, 4]), .3)", gp::quantile(gp::array({1, 2, 4}), .3));
  GOLDEN("np.quantile(A([1., NAN, 4.]), .3)", gp::quantile(gp::array({1., NaN, 4.}), .3));
  GOLDEN("np.quantile(A([1., 2, INF]), .3, method='lower')",
         gp::quantile(gp::array({1., 2., INF}), .3, {.method = "lower"}));
  GOLDEN("np.nanquantile(A([[1., NAN, 4.], [NAN, NAN, NAN]]), .3, axis=1)",
         gp::nanquantile(gp::array({{1., NaN, 4.}, {NaN, NaN, NaN}}), .3, 1));
  GOLDEN("np.nanpercentile(A([[1., NAN, 4.], [3, 2, NAN]]), A([30., 60.]), axis=0)",
         gp::nanpercentile(gp::array({{1., NaN, 4.}, {3., 2., NaN}}), {30., 60.}, 0));
  GOLDEN("np.median(A([7., 1., 3.5, 2., 9., 4.]))", gp::median(v));
  GOLDEN("np.median(t, axis=1)", gp::median(cube(), 1));
  GOLDEN("np.median(t, axis=(0, 1), keepdims=True)", gp::median(cube(), {0, 1}, {.keepdims = true}));
  GOLDEN("np.median(A([1, 2, 3], 'i4'))", gp::median(gp::array<std::int32_t>({1, 2, 3})));
  GOLDEN("np.median(A([1, 2], 'f4'))", gp::median(gp::array<float>({1, 2})));
  GOLDEN("np.median(A([1., NAN]))", gp::median(gp::array({1., NaN})));
  GOLDEN("np.median(np.zeros((0, 3)), axis=0)", gp::median(gp::zeros({0, 3}), 0));
  GOLDEN("np.nanmedian(A([[NAN, 1], [2, 3]]), axis=1)", gp::nanmedian(gp::array({{NaN, 1.}, {2., 3.}}), 1));
  GOLDEN_THROWS("np.quantile(A([1., 2]), 1.5)", gp::quantile(gp::array({1., 2.}), 1.5));
  GOLDEN_THROWS("np.percentile(A([1., 2]), 101)", gp::percentile(gp::array({1., 2.}), 101));
  GOLDEN_THROWS("np.quantile(A([1., 2]), .5, method='best')",
                gp::quantile(gp::array({1., 2.}), .5, {.method = "best"}));
  GOLDEN_THROWS("np.quantile(A([1j]), .5)", gp::quantile(gp::array<std::complex<double>>({1.}), .5));
  GOLDEN_THROWS("np.quantile(A([]), .5)", gp::quantile(gp::zeros(0), .5));
  GOLDEN_THROWS("np.quantile(t, .5, axis=5)", gp::quantile(cube(), .5, 5));
}

TEST_CASE("quantiles of no lines are none, and those without NaN of empty lines are NaN") {
  const auto none = gp::zeros({0, 6});
  CHECK(gp::quantile(none, .5, 1).shape() == gp::dims{0});
  CHECK(gp::percentile(none, {5, 50}, 1).shape() == gp::dims{2, 0});
  CHECK(gp::quantile(gp::zeros({3, 0, 6}), .5, 0, {.keepdims = true}).shape() == gp::dims{1, 0, 6});
  CHECK(gp::nanquantile(none, {.1, .5}, 1).shape() == gp::dims{2, 0});
  CHECK_THROWS_AS(gp::quantile(none, .5, 0), gp::index_error);
  CHECK_THROWS_AS(gp::percentile(none, .5), gp::index_error);
  const auto nan = gp::nanquantile(none, {.1, .5}, 0);
  CHECK(nan.shape() == gp::dims{2, 6});
  CHECK(gp::all(gp::isnan(nan)).item());
  CHECK(std::isnan(gp::nanpercentile(none, 50).item()));
}

TEST_CASE("quantiles of many elements are those of the sorted ones") {
  const gp::ndarray<double> a = gp::remainder(0.6180339887498949 * gp::arange<double>(3 * 7001), 1.0);
  const auto lines = a.reshape({3, 7001}), sorted = gp::sort(lines);
  const auto all_sorted = gp::sort(a);
  for (const double q : {0., 0.001, 0.3, 0.5, 0.77, 1.})
    for (const char* method : {"inverted_cdf", "averaged_inverted_cdf", "closest_observation",
                               "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
                               "normal_unbiased", "lower", "higher", "midpoint", "nearest"}) {
      CHECK(gp::array_equal(gp::quantile(lines, q, 1, {.method = method}),
                            gp::quantile(sorted, q, 1, {.method = method})));
      CHECK(gp::quantile(a, q, {.method = method}).item() ==
            gp::quantile(all_sorted, q, {.method = method}).item());
    }
  CHECK(gp::median(a).item() == all_sorted.item(3 * 7001 / 2));
  CHECK(gp::array_equal(gp::median(lines, 1), sorted(gp::all, 3500)));
  CHECK(gp::array_equal(gp::quantile(a, {0.1, 0.9}), gp::quantile(all_sorted, {0.1, 0.9})));
  gp::ndarray<double> with_nan = lines.copy();
  with_nan(1, 5) = gp::nan;
  const gp::ndarray<double> medians = gp::median(with_nan, 1);
  CHECK(std::isnan(medians.item(1)));
  CHECK(medians.item(2) == sorted.item(2, 3500));
  CHECK(gp::nanmedian(with_nan, 1).item(2) == sorted.item(2, 3500));
}

TEST_CASE("quantiles with weights") {
  const auto w = numbers(), k = gp::array({1., 0., 2., 3., 1., 0.});
  GOLDEN("np.quantile(w, .5, weights=A([1., 0, 2, 3, 1, 0]), method='inverted_cdf')",
         gp::quantile(w, .5, weighted(k)));
  GOLDEN("np.quantile(w, q, weights=A([1., 0, 2, 3, 1, 0]), method='inverted_cdf')",
         gp::quantile(w, std::vector<double>{0., .05, .25, .3, .5, .75, .95, 1.}, weighted(k)));
  GOLDEN("np.percentile(t, 40, axis=1, weights=A([1, 2, 5]), method='inverted_cdf')",
         gp::percentile(cube(), 40, 1, weighted(gp::array({1, 2, 5}))));
  GOLDEN(
      "np.quantile(t, A([.2, .9]), axis=(2, 0), weights=np.arange(8).reshape(4, 2), method='inverted_cdf')",
      gp::quantile(cube(), {.2, .9}, gp::dims{2, 0}, weighted(gp::arange(8).reshape({4, 2}))));
  gp::quantile_options kept = weighted(cube() + 1);
  kept.keepdims = true;
  GOLDEN("np.quantile(t, .3, axis=-1, keepdims=True, weights=t + 1, method='inverted_cdf')",
         gp::quantile(cube(), .3, -1, kept));
  GOLDEN("np.quantile(A([1., NAN, 4.]), .3, weights=A([1, 1, 1]), method='inverted_cdf')",
         gp::quantile(gp::array({1., NaN, 4.}), .3, weighted(gp::array({1, 1, 1}))));
  GOLDEN(
      "np.nanquantile(A([[1., NAN, 4.], [3., 1, 2]]), .6, axis=1, weights=A([[1, 9, 2], [1, 1, 4]]), "
      "method='inverted_cdf')",
      gp::nanquantile(gp::array({{1., NaN, 4.}, {3., 1., 2.}}), .6, 1,
                      weighted(gp::array({{1, 9, 2}, {1, 1, 4}}))));
  GOLDEN("np.nanquantile(A([NAN, NAN]), .6)",  // where NumPy forgets the weights
         gp::nanquantile(gp::array({NaN, NaN}), .6, weighted(gp::array({1, 2}))));
  GOLDEN_THROWS("np.quantile(w, .5, weights=w)", gp::quantile(w, .5, {.weights = w}));
  GOLDEN_THROWS("np.quantile(w, .5, weights=-w, method='inverted_cdf')",
                gp::quantile(w, .5, weighted(gp::ndarray<double>(-w))));
  GOLDEN_THROWS("np.quantile(w, .5, weights=0*w, method='inverted_cdf')",
                gp::quantile(w, .5, weighted(gp::zeros(6))));
  GOLDEN_THROWS("np.quantile(t, .5, weights=A([1, 2, 3]), method='inverted_cdf')",
                gp::quantile(cube(), .5, weighted(gp::array({1, 2, 3}))));
}
