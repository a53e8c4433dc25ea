// Keyword arguments that NumPy users know: weights of quantiles, rules for bins, results of polyfit, borders.
#include <fstream>
#include <sstream>

#include "support/golden.hpp"
#include "support/temporary_folder.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

namespace {

const double NaN = std::nan("");
gp::ndarray<double> numbers() { return gp::array({7., 1., 3.5, 2., 9., 4.}); }
gp::ndarray<double> cube() { return gp::arange<double>(24).reshape({2, 3, 4}); }
gp::ndarray<i64> matrix() { return gp::arange(6).reshape({2, 3}); }
gp::quantile_options weighted(const gp::any_array& w) { return {.method = "inverted_cdf", .weights = w}; }
std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

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

TEST_CASE("unique slices and where they are") {
  const auto a = gp::array({{1, 0, 0}, {2, 3, 4}, {1, 0, 0}, {0, 9, 9}});
  const auto rows = gp::unique_all(a, {.axis = 0});
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=0)", rows.values);
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=0, return_index=True)[1]",
         rows.indices);
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=0, return_inverse=True)[1].ravel()",
         rows.inverse_indices);
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=0, return_counts=True)[1]",
         rows.counts);
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=1, return_index=True)[1]",
         gp::unique_all(a, {.axis = -1}).indices);
  GOLDEN("np.unique(A([[1, 0, 0], [2, 3, 4], [1, 0, 0], [0, 9, 9]]), axis=1, return_counts=True)[1]",
         gp::unique_counts(a, {.axis = 1}).counts);
}

TEST_CASE("NaN in unique slices") {
  const double nan = std::nan("");
  const auto rows = gp::array({{1., nan}, {1., nan}, {0., nan}, {2., 3.}, {2., 3.}});
  GOLDEN("np.unique(A([[1, NAN], [1, NAN], [0, NAN], [2, 3], [2, 3.]]), axis=0)",
         gp::unique(rows, {.axis = 0}));
  for (const bool equal : {false, true}) {
    const auto all = gp::unique_all(rows, {.equal_nan = equal, .axis = 0});
    GOLDEN("np.unique(A([[1, NAN], [1, NAN], [0, NAN], [2, 3], [2, 3.]]), axis=0)", all.values);
    GOLDEN("np.unique(A([[1, NAN], [1, NAN], [0, NAN], [2, 3], [2, 3.]]), axis=0, return_counts=True)[1]",
           all.counts);
  }
  // The slices of a vector are its elements.
  const auto v = gp::array({nan, 1., nan, 1.});
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0)", gp::unique(v, {.axis = 0}));
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=-1, equal_nan=False)",
         gp::unique(v, {.axis = -1, .equal_nan = false}));
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0)", gp::unique_values(v, {.equal_nan = true, .axis = 0}));
  const auto one = gp::unique_all(v, {.equal_nan = true, .axis = 0});
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0)", one.values);
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0, return_index=True)[1]", one.indices);
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0, return_inverse=True)[1]", one.inverse_indices);
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0, return_counts=True)[1]", one.counts);
  GOLDEN("np.unique(A([NAN, 1, NAN, 1]), axis=0, return_counts=True, equal_nan=False)[1]",
         gp::unique_counts(v, {.axis = 0}).counts);
  GOLDEN_THROWS("np.unique(A([NAN, 1, NAN, 1]), axis=1)", gp::unique(v, {.axis = 1}));
  GOLDEN_THROWS("np.unique(A([NAN, 1, NAN, 1]), axis=1)", gp::unique_all(v, {.axis = 1}));
  GOLDEN_THROWS("np.unique(a, axis=2)", gp::unique(gp::ones({2, 3}), {.axis = 2}));
}

TEST_CASE("what polyfit found out") {
  const auto x = gp::array({0., 1., 2., 3., 4., 6.}), y = numbers();
  const auto [c, residuals, rank, s, rcond] = gp::polyfit(x, y, 2, gp::return_full);
  // Least squares of 6 points with a condition below 20 by two algorithms.
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[0]", 400, c);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[1]", 400, residuals);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, full=True)[3]", 16, s);
  CHECK(rank == 3);
  CHECK(rcond == 6 * 0x1p-52);
  const auto fit = gp::polyfit(x, y, 2, gp::return_cov);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 2, cov=True)[1]", 400, fit.cov);
  GOLDEN_NEAR("np.polyfit(A([0., 1, 2, 3, 4, 6]), w, 1, cov='unscaled', w=w)[1]", 400,
              gp::polyfit(x, y, 1, gp::return_cov_t{.unscaled = true}, {.w = y}).cov);
  const auto columns = gp::stack(y, gp::ndarray<double>(y * 2 + x), 1);
  GOLDEN_NEAR(
      "np.polyfit(A([0., 1, 2, 3, 4, 6]), np.stack([w, w * 2 + A([0., 1, 2, 3, 4, 6])], 1), 1, cov=True)[1]",
      400, gp::polyfit(x, columns, 1, gp::return_cov).cov);
  GOLDEN_THROWS("np.polyfit(A([0., 1]), A([0., 1]), 1, cov=True)",
                gp::polyfit(gp::array({0., 1.}), gp::array({0., 1.}), 1, gp::return_cov));
}

TEST_CASE("averages with their weights") {
  const auto a = cube();
  const auto [mean, sums] = gp::average(a, gp::dims{1}, gp::array({1., 2., 5.}), gp::returned);
  GOLDEN("np.average(t, axis=1, weights=A([1., 2, 5]), returned=True)[0]", mean);
  GOLDEN("np.average(t, axis=1, weights=A([1., 2, 5]), returned=True)[1]", sums);
  GOLDEN("np.average(t, weights=t, returned=True)[1]", gp::average(a, none, a, gp::returned).sum_of_weights);
  GOLDEN("np.average(t, axis=2, returned=True)[1]", gp::average(a, gp::dims{2}, gp::returned).sum_of_weights);
  GOLDEN("np.average(t, returned=True)[1]", gp::average(a, gp::returned).sum_of_weights);
}

TEST_CASE("borders of statistics, and odd reflections") {
  const auto a = matrix();
  GOLDEN("np.pad(v, 3, mode='maximum', stat_length=2)",
         gp::pad(gp::arange(5), 3, "maximum", {.stat_length = 2}));
  GOLDEN("np.pad(v, 2, mode='mean', stat_length=(2, 3))",
         gp::pad(gp::arange(5), 2, "mean", {.stat_length = gp::detail::per_side<i64>(2, 3)}));
  GOLDEN("np.pad(a, 2, mode='minimum', stat_length=((1, 2), (9, 1)))",
         gp::pad(a, 2, "minimum", {.stat_length = gp::detail::per_side<i64>({{1, 2}, {9, 1}})}));
  GOLDEN("np.pad(v, (7, 9), mode='reflect', reflect_type='odd')",
         gp::pad(gp::arange(5), {7, 9}, "reflect", {.reflect_type = "odd"}));
  GOLDEN("np.pad(v, (7, 12), mode='symmetric', reflect_type='odd')",
         gp::pad(gp::arange(5), {7, 12}, "symmetric", {.reflect_type = "odd"}));
  GOLDEN("np.pad(t, 2, mode='reflect', reflect_type='odd')",
         gp::pad(cube(), 2, "reflect", {.reflect_type = "odd"}));
  GOLDEN("np.pad(A([[4.], [7.]]), 2, mode='reflect', reflect_type='odd')",
         gp::pad(gp::array({{4.}, {7.}}), 2, "reflect", {.reflect_type = "odd"}));
  GOLDEN_THROWS("np.pad(v, 2, mode='maximum', stat_length=0)",
                gp::pad(gp::arange(5), 2, "maximum", {.stat_length = 0}));
  CHECK_THROWS_AS(gp::pad(a, 1, "reflect", {.reflect_type = "other"}), gp::value_error);
  CHECK_THROWS_AS(gp::pad(a, 1, "mean", {.stat_length = -1}), gp::value_error);
}

TEST_CASE("formats of text files") {
  const temporary_folder folder;
  const std::string file = (folder.path / "a.txt").string();
  const auto a = gp::array({{1., 2.5}, {-3., 4.}});
  gp::savetxt(file, a, {.fmt = {"%d", "%.2f"}, .delimiter = ";", .header = "x;y", .footer = "end"});
  CHECK(text_of(file) == "# x;y\n1;2.50\n-3;4.00\n# end\n");
  gp::savetxt(file, a, {.fmt = "%d -> %4.1f (100 %%)"});
  CHECK(text_of(file) == "1 ->  2.5 (100 %)\n-3 ->  4.0 (100 %)\n");
  CHECK_THROWS_AS(gp::savetxt(file, a, {.fmt = {"%d"}}), gp::value_error);
  CHECK_THROWS_AS(gp::savetxt(file, a, {.fmt = "%d %d %d"}), gp::value_error);
  CHECK(text_of(file) == "1 ->  2.5 (100 %)\n-3 ->  4.0 (100 %)\n");  // refused before it is touched
  std::ofstream(file) << "h\n1,,3\n4,5,6\n7,8,9\n";
  const gp::genfromtxt_options some{.delimiter = ",",
                                    .skip_header = 1,
                                    .filling_values = -1,
                                    .usecols = {0, -2},
                                    .unpack = true,
                                    .max_rows = 2};
  const auto columns = gp::genfromtxt(file, some);
  CHECK(columns.shape() == gp::dims{2, 2});
  CHECK(columns.to_vector() == std::vector<double>{1, 4, -1, 5});
  CHECK_THROWS_AS(gp::genfromtxt(file, {.delimiter = ",", .skip_header = 1, .usecols = {3}}),
                  gp::value_error);
}

TEST_CASE("methods of bytes and sizes") {
  auto a = matrix();
  const auto bytes = [](const std::vector<std::uint8_t>& b) { return gp::array(b); };
  GOLDEN("np.frombuffer(a.tobytes(), 'u1')", bytes(a.tobytes()));
  GOLDEN("np.frombuffer(a.tobytes('F'), 'u1')", bytes(a.tobytes(gp::order::F)));
  GOLDEN("np.frombuffer(a.T.tobytes('A'), 'u1')", bytes(a.T().tobytes(gp::order::A)));
  GOLDEN("a.T.byteswap()", a.T().byteswap());
  GOLDEN("A([1 + 2j, 3]).byteswap()",
         gp::array<std::complex<double>>({std::complex<double>(1, 2), 3.}).byteswap());
  GOLDEN("A([1, 2], 'i2').byteswap()", gp::array<std::int16_t>({1, 2}).byteswap());
  GOLDEN("A([True]).byteswap()", gp::array({true}).byteswap());
  const auto same = a;
  CHECK(gp::shares_memory(a.byteswap(true), same));
  GOLDEN("a.byteswap()", same);
  a = matrix();
  const auto before = a;
  a.resize({4, 2});
  GOLDEN("np.append(a, [0, 0]).reshape(4, 2)", a);
  a.resize({3});
  GOLDEN("a.ravel()[:3]", a);
  GOLDEN("a", before);
  CHECK_THROWS_AS(a.resize({-1}), gp::value_error);
  CHECK(a.shape() == gp::dims{3});
  CHECK(a.itemsize() == 8);
  auto t = matrix();
  t.T().flat()[1] = 50;
  CHECK(t.item(1, 0) == 50);
  const temporary_folder folder;
  t.tofile((folder.path / "t.bin").string());
  CHECK(gp::fromfile<i64>((folder.path / "t.bin").string()).to_vector() == t.to_vector());
}
