// Counts and histograms against NumPy.
#include <cmath>
#include <limits>

#include <gparray/statistics/histograms.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

const double NaN = std::nan("");
const double INF = std::numeric_limits<double>::infinity();
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<i64> letters() { return gp::array({3, 1, 2, 3, 1, 1}); }
gp::ndarray<double> numbers() { return gp::array({7., 1., 3.5, 2., 9., 4.}); }

}  // namespace

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
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), 3, range=(1, 4))[0]",
         gp::histogram(a, 3, {1, 4}).hist);
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), 3, range=(1, 4))[0]",
         gp::histogram(a, {.bins = 3, .range = {1, 4}}).hist);
  CHECK(gp::histogram_bin_edges(a, 3, {1, 4}).to_vector() == std::vector{1., 2., 3., 4.});
  CHECK(gp::histogram_bin_edges(a, {.bins = 3, .range = {1, 4}}).to_vector() == std::vector{1., 2., 3., 4.});
  CHECK(gp::histogram(a, {.range = {1, 4}}).hist.size() == 10);
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), A([0, 1, 2, 5]))[0]",
         gp::histogram(a, {0, 1, 2, 5}).hist);
  CHECK(gp::histogram(a, 3, {1, 4}, gp::density).hist.to_vector() ==
        gp::histogram(a, 3, gp::density, {.range = {{1, 4}}}).hist.to_vector());
  CHECK(gp::histogram(gp::array({1, 2, 1, 4, 5, 3}), 4, {}).hist.to_vector() == hist.to_vector());
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
  // Between fewer than two edges is no bin, and no memory for a count.
  const auto one_edge = gp::histogram(a, gp::array({3.}));
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), A([3.]))[0]", one_edge.hist);
  GOLDEN("np.histogram(A([1., 2., 1., 4.5, 5., 3., NAN]), A([3.]))[1]", one_edge.bin_edges);
  GOLDEN("np.histogram(A([1, 2]), A([1]), weights=A([.5, 1]))[0]",
         gp::histogram(gp::array({1, 2}), gp::array({1}), gp::array({.5, 1.})).hist);
  CHECK(gp::histogram(gp::array({1, 2}), gp::array({1}), gp::density).hist.size() == 0);
  CHECK(gp::histogram(gp::array({1, 2}), gp::zeros(0)).hist.size() == 0);
  GOLDEN("np.histogram2d(A([0., 1]), A([0., 3]), [A([0.]), A([0., 1, 4])])[0]",
         gp::histogram2d(gp::array({0., 1.}), gp::array({0., 3.}), {{0.}, {0., 1., 4.}}).H);
  CHECK_THROWS_AS((void)gp::histogramdd(gp::zeros({3, 1}), gp::zeros(0)), gp::value_error);
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

TEST_CASE("bins by a rule") {
  const auto x = gp::array<double>({1, 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30});
  GOLDEN("np.histogram(np.sqrt(np.arange(60.)), bins='auto')[0]",
         gp::histogram(gp::sqrt(gp::arange(60.)), "auto").hist);
  GOLDEN("np.histogram(np.sqrt(np.arange(60.)), bins='fd')[0]",
         gp::histogram(gp::sqrt(gp::arange(60.)), "fd").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='auto')[0]",
         gp::histogram(x, "auto").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='fd')[0]",
         gp::histogram(x, "fd").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='doane')[0]",
         gp::histogram(x, "doane").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='scott')[0]",
         gp::histogram(x, "scott").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='stone')[0]",
         gp::histogram(x, "stone").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='rice')[0]",
         gp::histogram(x, "rice").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='sturges')[0]",
         gp::histogram(x, "sturges").hist);
  GOLDEN("np.histogram(A([1., 2, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 9, 11, 30]), bins='sqrt')[1]",
         gp::histogram_bin_edges(x, "sqrt"));
  GOLDEN("np.histogram(A([1, 1, 2, 2, 2, 3]), bins='auto')[0]",
         gp::histogram(gp::array({1, 1, 2, 2, 2, 3}), "auto").hist);
  GOLDEN("np.histogram(A([5., 5, 5]), bins='fd')[0]", gp::histogram(gp::array({5., 5., 5.}), "fd").hist);
  GOLDEN("np.histogram(A([]), bins='auto')[0]", gp::histogram(gp::zeros(0), "auto").hist);
  GOLDEN("np.histogram(w, bins='sturges', range=(0, 5))[0]",
         gp::histogram(numbers(), "sturges", {.range = gp::histogram_range{0, 5}}).hist);
  GOLDEN("np.histogram(w, bins='sqrt', density=True)[0]", gp::histogram(numbers(), "sqrt", gp::density).hist);
  GOLDEN_THROWS("np.histogram(w, bins='best')", gp::histogram(numbers(), "best"));
}
