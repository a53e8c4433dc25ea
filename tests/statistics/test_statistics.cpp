// Sets, order statistics and histograms against NumPy.
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/sorting/sets.hpp>
#include <gparray/statistics/histograms.hpp>
#include <gparray/statistics/quantiles.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {
const double NaN = std::nan(""), INF = std::numeric_limits<double>::infinity();
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<i64> letters() { return gp::array({3, 1, 2, 3, 1, 1}); }
}  // namespace

TEST_CASE("unique elements") {
  const auto a = letters();
  GOLDEN("np.unique(A([3, 1, 2, 3, 1, 1]))", gp::unique(a));
  GOLDEN("np.unique(A([NAN, 1, NAN, 0]))", gp::unique(gp::array({NaN, 1., NaN, 0.})));
  GOLDEN("np.unique(A([NAN, 1, NAN, 0]), equal_nan=False)",
         gp::unique(gp::array({NaN, 1., NaN, 0.}), {.equal_nan = false}));
  GOLDEN("np.unique(A([[1, 0, 0], [1, 0, 0], [0, 3, 4]]), axis=0)",
         gp::unique(gp::array({{1, 0, 0}, {1, 0, 0}, {0, 3, 4}}), {.axis = 0}));
  GOLDEN("np.unique(A([[1, 0, 0], [1, 0, 0], [0, 3, 4]]), axis=1)",
         gp::unique(gp::array({{1, 0, 0}, {1, 0, 0}, {0, 3, 4}}), {.axis = 1}));
  GOLDEN("np.unique(A([]))", gp::unique(gp::zeros(0)));
  GOLDEN("np.unique(A([True, True, False]))", gp::unique(gp::array({true, true, false})));
  const auto [values, indices, inverse, counts] = gp::unique_all(a.reshape({2, 3}));
  GOLDEN("np.unique_all(A([3, 1, 2, 3, 1, 1]).reshape(2, 3)).values", values);
  GOLDEN("np.unique_all(A([3, 1, 2, 3, 1, 1]).reshape(2, 3)).indices", indices);
  GOLDEN("np.unique_all(A([3, 1, 2, 3, 1, 1]).reshape(2, 3)).inverse_indices", inverse);
  GOLDEN("np.unique_all(A([3, 1, 2, 3, 1, 1]).reshape(2, 3)).counts", counts);
  GOLDEN("np.unique_counts(A([NAN, 1, NAN])).counts", gp::unique_counts(gp::array({NaN, 1., NaN})).counts);
  GOLDEN("np.unique_inverse(A([.5, 1, .5])).inverse_indices",
         gp::unique_inverse(gp::array({.5, 1., .5})).inverse_indices);
  GOLDEN("np.unique_values(A([NAN, 1, NAN]))", gp::unique_values(gp::array({NaN, 1., NaN})));
}

TEST_CASE("vectors as sets") {
  const auto a = letters(), b = gp::array({3, 4, 3, 1});
  GOLDEN("np.isin(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3, 1]))", gp::isin(a, b));
  GOLDEN("np.isin(A([[3, 1, 2], [3, 1, 1]]), A([3, 4]), invert=True)",
         gp::isin(a.reshape({2, 3}), gp::array({3, 4}), {.invert = true}));
  GOLDEN("np.isin(A([NAN, 1.5, 2]), A([NAN, 2]))", gp::isin(gp::array({NaN, 1.5, 2.}), gp::array({NaN, 2.})));
  GOLDEN("np.isin(A([1.5, 2]), A([2, 7]))", gp::in1d(gp::array({1.5, 2.}), gp::array({2, 7})));
  GOLDEN("np.isin(A([1, 2]), A([]))", gp::isin(gp::array({1, 2}), gp::zeros(0)));
  GOLDEN("np.intersect1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3, 1]))", gp::intersect1d(a, b));
  GOLDEN("np.intersect1d(A([1, 2]), A([2.5, 2]))", gp::intersect1d(gp::array({1, 2}), gp::array({2.5, 2.})));
  const auto [common, in_a, in_b] = gp::intersect1d(a, b, gp::return_indices);
  GOLDEN("np.intersect1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3, 1]), return_indices=True)[0]", common);
  GOLDEN("np.intersect1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3, 1]), return_indices=True)[1]", in_a);
  GOLDEN("np.intersect1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3, 1]), return_indices=True)[2]", in_b);
  GOLDEN("np.union1d(A([3, 1, 2, 3, 1, 1]), A([[3, 4], [3, 1]]))", gp::union1d(a, b.reshape({2, 2})));
  GOLDEN("np.setdiff1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3]))", gp::setdiff1d(a, gp::array({3, 4, 3})));
  GOLDEN("np.setdiff1d(A([5, 1, 2]), A([2]), assume_unique=True)",
         gp::setdiff1d(gp::array({5, 1, 2}), gp::array({2}), {.assume_unique = true}));
  GOLDEN("np.setxor1d(A([3, 1, 2, 3, 1, 1]), A([3, 4, 3]))", gp::setxor1d(a, gp::array({3, 4, 3})));
  GOLDEN("np.setxor1d(A([1]), A([1]))", gp::setxor1d(gp::array({1}), gp::array({1})));
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

TEST_CASE("bincount and digitize") {
  GOLDEN("np.bincount(A([3, 1, 2, 3, 1, 1]))", gp::bincount(letters()));
  GOLDEN("np.bincount(A([3, 1, 2, 3, 1, 1]), minlength=7)", gp::bincount(letters(), 7));
  GOLDEN("np.bincount(A([3, 1, 2, 3, 1, 1]), weights=A([.5, 1, 2, 3, 4, 5]))",
         gp::bincount(letters(), gp::array({.5, 1., 2., 3., 4., 5.})));
  GOLDEN("np.bincount(A([1, 0], 'u1'), weights=A([1, 2]))",
         gp::bincount(gp::array<std::uint8_t>({1, 0}), gp::array({1, 2})));
  GOLDEN("np.bincount(A([], 'i8'))", gp::bincount(gp::zeros<i64>(0)));
  GOLDEN_THROWS("np.bincount(A([-1]))", gp::bincount(gp::array({-1})));
  GOLDEN_THROWS("np.bincount(A([[1]]))", gp::bincount(gp::array({{1}})));
  GOLDEN_THROWS("np.bincount(A([1]), weights=A([1, 2]))", gp::bincount(gp::array({1}), gp::array({1, 2})));
  GOLDEN_THROWS("np.bincount(A([1]), minlength=-1)", gp::bincount(gp::array({1}), -1));
  const auto many = gp::arange(100000) % 7;
  CHECK(gp::bincount(many).to_vector() == std::vector<i64>{14286, 14286, 14286, 14286, 14286, 14285, 14285});
  const auto bins = gp::array({0., 1., 2.5, 4.});
  GOLDEN("np.digitize(A([.2, 6.4, 2.5, 1]), A([0., 1., 2.5, 4.]))",
         gp::digitize(gp::array({.2, 6.4, 2.5, 1.}), bins));
  GOLDEN("np.digitize(A([.2, 6.4, 2.5, 1]), A([0., 1., 2.5, 4.]), right=True)",
         gp::digitize(gp::array({.2, 6.4, 2.5, 1.}), bins, true));
  GOLDEN("np.digitize(A([.2, 6.4, 2.5, 1]), A([4., 2.5, 1., 0.]))",
         gp::digitize(gp::array({.2, 6.4, 2.5, 1.}), gp::flip(bins)));
  GOLDEN("np.digitize(A([.2, 6.4, 2.5, 1]), A([4., 2.5, 1., 0.]), right=True)",
         gp::digitize(gp::array({.2, 6.4, 2.5, 1.}), gp::flip(bins), true));
  GOLDEN_THROWS("np.digitize(A([1, 2]), A([3, 1, 2]))",
                gp::digitize(gp::array({1, 2}), gp::array({3, 1, 2})));
}

TEST_CASE("histograms") {
  const auto a = gp::array({1., 2., 1., 4.5, 5., 3., NaN});
  const auto [hist, edges] = gp::histogram(gp::array({1, 2, 1, 4, 5, 3}), 4);
  GOLDEN("np.histogram(A([1, 2, 1, 4, 5, 3]), 4)[0]", hist);
  GOLDEN("np.histogram(A([1, 2, 1, 4, 5, 3]), 4)[1]", edges);
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), 3, range=(1, 4))[0]",
         gp::histogram(a, 3, {.range = {{1, 4}}}).hist);
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), A([0, 1, 2, 5]))[0]",
         gp::histogram(a, gp::array({0, 1, 2, 5})).hist);
  GOLDEN("np.histogram(A([1, 2, 1, 4], 'f4'), 3)[1]",
         gp::histogram(gp::array<float>({1, 2, 1, 4}), 3).bin_edges);
  GOLDEN("np.histogram(A([1, 2, 1, 4]), 3, weights=A([.5, 1, 2, 4]))[0]",
         gp::histogram(gp::array({1, 2, 1, 4}), 3, gp::array({.5, 1., 2., 4.})).hist);
  GOLDEN("np.histogram(A([1, 2, 1, 4]), A([1, 2, 4, 8]), density=True)[0]",
         gp::histogram(gp::array({1, 2, 1, 4}), gp::array({1, 2, 4, 8}), gp::density).hist);
  GOLDEN("np.histogram(A([]), 2)[1]", gp::histogram(gp::zeros(0), 2).bin_edges);
  GOLDEN("np.histogram(A([3., 3.]), 2)[1]", gp::histogram(gp::array({3., 3.}), 2).bin_edges);
  GOLDEN("np.histogram_bin_edges(A([1, 5]), 4)", gp::histogram_bin_edges(gp::array({1, 5}), 4));
  GOLDEN_THROWS("np.histogram(A([1, 2]), 0)", gp::histogram(gp::array({1, 2}), 0));
  GOLDEN_THROWS("np.histogram(A([1, NAN]))", gp::histogram(gp::array({1., NaN})));
  // The elements at both ends of a range count where the number of bins is estimated.
  const auto estimate = [](double first, double last) {
    return gp::histogram_bin_edges(gp::array({1., 2., 3., 4., 5.}), "sqrt", {.range = {{first, last}}})
               .size() -
           1;
  };
  CHECK(estimate(2, 4) == 2);
  CHECK(estimate(1.5, 4) == 3);
  CHECK(estimate(2, 4.5) == 3);
  CHECK(estimate(2.5, 4) == 3);
  // One end is enough.
  for (const auto& [first, last] : {std::pair{1., INF}, {-INF, 1.}, {NaN, 1.}, {1., NaN}}) {
    CHECK_THROWS_AS((void)gp::histogram(gp::array({first, last})), gp::value_error);
    CHECK_THROWS_AS((void)gp::histogram(gp::array({1.}), 10, {.range = {{first, last}}}), gp::value_error);
    CHECK_THROWS_AS((void)gp::histogram2d(gp::array({1., 2.}), gp::array({first, last}), 2), gp::value_error);
  }
  GOLDEN_THROWS("np.histogram(A([1]), range=(2, 1))", gp::histogram(gp::array({1}), 10, {.range = {{2, 1}}}));
  GOLDEN_THROWS("np.histogram(A([1]), A([2, 1]))", gp::histogram(gp::array({1}), gp::array({2, 1})));
  GOLDEN_THROWS("np.histogram(A([1]), 10, weights=A([1, 2]))",
                gp::histogram(gp::array({1}), 10, gp::array({1, 2})));
  const auto x = gp::array({0., 1., 1., 2.}), y = gp::array({0., 3., 1., 2.});
  const auto [H, xedges, yedges] = gp::histogram2d(x, y, 2);
  GOLDEN("np.histogram2d(A([0., 1, 1, 2]), A([0., 3, 1, 2]), 2)[0]", H);
  GOLDEN("np.histogram2d(A([0., 1, 1, 2]), A([0., 3, 1, 2]), 2)[2]", yedges);
  GOLDEN("np.histogram2d(A([0., 1, 1, 2]), A([0., 3, 1, 2]), 2, density=True)[0]",
         gp::histogram2d(x, y, 2, {.density = true}).H);
  GOLDEN("np.histogramdd(t.reshape(8, 3), (2, 3, 2))[0]",
         gp::histogramdd(cube().reshape({8, 3}), std::vector<i64>{2, 3, 2}).H);
  GOLDEN("np.histogramdd(t.reshape(8, 3), 2, weights=np.arange(8.), range=[(0, 20), (0, 25), (2, 20)])[0]",
         gp::histogramdd(cube().reshape({8, 3}), 2,
                         {.range = {{0, 20}, {0, 25}, {2, 20}}, .weights = gp::arange<double>(8)})
             .H);
  GOLDEN_THROWS("np.histogramdd(t.reshape(8, 3), (2, 3))",
                gp::histogramdd(cube().reshape({8, 3}), std::vector<i64>{2, 3}));
  GOLDEN_THROWS("np.histogram2d(A([1, 2]), A([1]))", gp::histogram2d(gp::array({1, 2}), gp::array({1})));
}
