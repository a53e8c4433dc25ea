// Histograms of equal bins, which are counted without a search, against those of the same edges given as an
// array.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using i64 = std::int64_t;

namespace {

template<class V>
void check(const gp::ndarray<V>& a, i64 bins, const gp::histogram_options& options = {}) {
  CAPTURE(gp::name(gp::dtype_of<V>));
  CAPTURE(bins);
  const auto [counts, edges] = gp::histogram(a, bins, options);
  const auto searched = gp::histogram(a, edges);
  CHECK(counts.size() == bins);
  CHECK(gp::array_equal(counts, searched.hist));
}

}  // namespace

TEST_CASE("equal bins hold what a search finds in them") {
  auto rng = gp::random::default_rng(2);
  for (const i64 bins : {1, 2, 7, 100, 1000, 1024, 1025}) {
    for (const i64 n : {1, 50, 100000}) {
      check<double>(rng.standard_normal<double>(n), bins);
      check<float>(rng.standard_normal<float>(n), bins);
      check<double>(rng.random<double>(n) * 1e-300, bins);
      check<float>(rng.random<float>(n) + 1e6f, bins);  // edges that are equal
      check<double>(rng.standard_normal<double>(n), bins, {.range = {-0.5, 0.25}});
      check<i64>(rng.integers(-1000, 1000, n), bins);
      check<std::uint8_t>(rng.integers(0, 256, n).astype<std::uint8_t>(), bins);
      check<gp::float16>(rng.standard_normal<float>(n).astype<gp::float16>(), bins, {.range = {-2, 2}});
    }
    // Elements that are edges, and their neighbours.
    const gp::ndarray<double> edges = gp::linspace(0.1, 0.7, bins + 1);
    check<double>(
        gp::concatenate({gp::nextafter(edges, -1.0).eval(), edges, gp::nextafter(edges, 1.0).eval()}), bins,
        {.range = {0.1, 0.7}});
    const gp::ndarray<float> singles = gp::linspace<float>(-3, 11, bins + 1);
    check<float>(
        gp::concatenate({gp::nextafter(singles, -4.f).eval(), singles, gp::nextafter(singles, 12.f).eval()}),
        bins, {.range = {-3, 11}});
  }
}

TEST_CASE("equal bins leave out NaN and what is outside, and take the widest range") {
  const double most = std::numeric_limits<double>::max();
  const auto a = gp::array({std::nan(""), 0.0, 1.0, 2.0, -1.0, std::numeric_limits<double>::infinity(), 0.5});
  CHECK(gp::histogram(a, 2, {.range = {0, 1}}).hist.to_vector() == std::vector<i64>{1, 2});
  CHECK(gp::histogram(gp::array({true, false, true}), 2).hist.to_vector() == std::vector<i64>{1, 2});
  check<double>(gp::array({-most / 2, 0.0, most / 2, most / 4}), 8);
  CHECK(gp::histogram(gp::zeros(0), 3).hist.to_vector() == std::vector<i64>{0, 0, 0});
  CHECK_THROWS_AS((void)gp::histogram(gp::array({1., std::nan("")}), 3), gp::value_error);
  const auto view = gp::arange<double>(20)("::2");
  CHECK(gp::histogram(view, 3).hist.to_vector() == std::vector<i64>{3, 3, 4});
  CHECK(gp::histogram(view * 2 + 1, 3).hist.to_vector() == std::vector<i64>{3, 3, 4});
}
