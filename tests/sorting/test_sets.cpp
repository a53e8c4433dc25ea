// Unique elements, and vectors as sets, against NumPy.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <gparray/sorting/sets.hpp>

#include "support/golden.hpp"

namespace gp = gparray;
using u64 = std::uint64_t;
using flags = std::vector<bool>;
using gp::none;
using i64 = std::int64_t;

namespace {

const double NaN = std::nan("");
gp::ndarray<i64> letters() { return gp::array({3, 1, 2, 3, 1, 1}); }

/// unique_counts sorts by itself, and must count as unique_all does.
template<class V>
void check_counts(const gp::ndarray<V>& a, bool equal_nan = false) {
  const auto all = gp::unique_all(a, {.equal_nan = equal_nan});
  const auto [values, counts] = gp::unique_counts(a, {.equal_nan = equal_nan});
  CHECK(gp::array_equal(values, all.values, true));
  CHECK(gp::array_equal(counts, all.counts));
  CHECK(gp::sum(counts).item() == a.size());
}

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

TEST_CASE("unique_counts counts as unique_all does") {
  gp::random::Generator rng(5);
  for (const std::int64_t n : {0, 1, 2, 1000, 300000}) {
    CAPTURE(n);
    const gp::ndarray<std::int32_t> x = rng.integers<std::int32_t>(-50, 50, n);
    check_counts(x);
    check_counts<std::int64_t>(x.astype<std::int64_t>());
    check_counts<bool>(gp::ndarray<bool>(x > 0));
    gp::ndarray<double> y = x.astype<double>();
    check_counts(y);
    if (n > 2) {
      y("::7") = std::nan("");
      y("::11") = -std::nan("");
      y("::13") = -0.0;
    }
    check_counts(y);
    check_counts(y, true);
    check_counts<std::complex<float>>(x.astype<std::complex<float>>());
  }
}

TEST_CASE("unique_counts flattens, and takes a vector's axis for none") {
  const gp::ndarray<std::int64_t> m = {{3, 1, 3}, {1, 1, 2}};
  const auto [values, counts] = gp::unique_counts(m.T());
  CHECK(gp::array_equal(values, gp::array<std::int64_t>({1, 2, 3})));
  CHECK(gp::array_equal(counts, gp::array<std::int64_t>({3, 1, 2})));
  CHECK(gp::array_equal(gp::unique_counts(m("0"), {.axis = 0}).counts, gp::array<std::int64_t>({1, 2})));
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

TEST_CASE("isin of integers, in a table or not") {
  const gp::ndarray<i64> a = gp::arange(-300, 300) * 7 % 257 - 100;
  constexpr i64 least = std::numeric_limits<i64>::min(), greatest = std::numeric_limits<i64>::max();
  for (const std::vector<i64>& wanted : {std::vector<i64>{5},
                                         {-100, 156},
                                         {3, 3, -7, 90},
                                         {-1000000, 1000000},
                                         {0, 4000},
                                         {0, 3606},
                                         {0, 3607},
                                         {least, -1},
                                         {least, least},
                                         {greatest, 1},
                                         {greatest},
                                         {least, greatest}}) {
    gp::ndarray<i64> numbers = a.copy();
    numbers(0) = least;
    numbers(1) = greatest;
    const gp::ndarray<bool> found = gp::isin(numbers, gp::array(wanted));
    const std::vector<i64> list = numbers.to_vector();
    const std::vector<bool> is = [&] {
      std::vector<bool> result;
      for (const i64 number : list) result.push_back(std::count(wanted.begin(), wanted.end(), number) > 0);
      return result;
    }();
    CHECK(gp::array_equal(found, gp::array(is)));
    CHECK(gp::array_equal(gp::isin(numbers, gp::array(wanted), {.invert = true}), ~found));
  }
  const auto bytes = gp::array<std::uint8_t>({{0, 255}, {7, 8}});
  CHECK(gp::array_equal(gp::isin(bytes, gp::array({8, 300, -1, 255})),
                        gp::array({{false, true}, {false, true}})));
  CHECK(gp::array_equal(gp::isin(gp::array({true, false}), gp::array({1, 5})), gp::array({true, false})));
  CHECK(gp::isin(gp::zeros<i64>({2, 0}), a).shape() == gp::dims{2, 0});
  CHECK(!gp::any(gp::isin(a, gp::zeros<i64>(0))).item());
}

TEST_CASE("isin does not confuse neighbours of int64 and uint64") {
  constexpr i64 largest = std::numeric_limits<i64>::max();
  constexpr u64 half = u64{1} << 63;
  const gp::ndarray<i64> a = gp::array<i64>({largest, -1, 3});
  const gp::ndarray<u64> b = gp::array<u64>({half, ~u64{0}, 3});
  CHECK(gp::isin(a, b).to_vector() == flags{false, false, true});
  CHECK(gp::isin(b, a).to_vector() == flags{false, false, true});
  CHECK(gp::isin(b, a, {.invert = true}).to_vector() == flags{true, true, false});
  CHECK(gp::setdiff1d(a, b).to_vector() == std::vector<i64>{-1, largest});
}
