// unique_counts sorts by itself, and must count as unique_all does.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

template<class V>
void check_counts(const gp::ndarray<V>& a, bool equal_nan = false) {
  const auto all = gp::unique_all(a, {.equal_nan = equal_nan});
  const auto [values, counts] = gp::unique_counts(a, {.equal_nan = equal_nan});
  CHECK(gp::array_equal(values, all.values, true));
  CHECK(gp::array_equal(counts, all.counts));
  CHECK(gp::sum(counts).item() == a.size());
}

}  // namespace

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
