// Both sides of a limit: the last value that is allowed, or goes one way, and the first that does not.
#include <cmath>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/sparse/linalg/lsmr.hpp>
#include <gparray/sparse/linalg/lsqr.hpp>

namespace gp = gparray;
namespace sl = gp::sparse::linalg;
using i64 = std::int64_t;

TEST_CASE("integers: one random word up to 2^32 values, two from there on") {
  const i64 words = i64{1} << 32;
  const auto drawn = [](i64 high) { return gp::random::default_rng(7).integers(0, high, {1 << 14}); };
  const auto one = drawn(words), two = drawn(words + 1);
  // A word is taken as it is, and for one value less multiplied by 1 - 2^-32 and rounded down: one less, as
  // none is 0 here.
  CHECK(gp::array_equal(one, drawn(words - 1) + 1));
  CHECK_FALSE(gp::array_equal(one, two));
  for (const auto& values : {one, two}) {
    CHECK(values.min().item() >= 0);
    CHECK(values.max().item() <= words);
    // The mean of 2^14 uniform numbers is normal to one part in 10^4: five standard deviations of 2^32 /
    // sqrt(12 * 2^14).
    CHECK(std::abs(gp::mean(values).item() / static_cast<double>(words) - 0.5) <
          5 / std::sqrt(12. * (1 << 14)));
  }
  const double above_half = gp::mean(two > words / 2).item();
  CHECK(std::abs(above_half - 0.5) < 5 * 0.5 / std::sqrt(1 << 14));
  CHECK(drawn(1).max().item() == 0);
  CHECK(drawn(2).max().item() == 1);
  CHECK_THROWS_AS((void)drawn(0), gp::value_error);
}

TEST_CASE("poisson: the largest mean") {
  // NumPy's POISSON_LAM_MAX: 2^63 - 1 less ten times its root.
  const double largest = 9223372006484771000.;
  auto rng = gp::random::default_rng(1);
  CHECK(std::abs(static_cast<double>(rng.poisson(largest, {}).item()) - largest) < 10 * std::sqrt(largest));
  CHECK_THROWS_AS((void)rng.poisson(std::nextafter(largest, 1e300), {}), gp::value_error);
  CHECK(rng.poisson(0., {}).item() == 0);
  CHECK_THROWS_AS((void)rng.poisson(-std::numeric_limits<double>::denorm_min(), {}), gp::value_error);
}

TEST_CASE("convolve, correlate: filters as long as the signal, and one more or less") {
  for (const i64 n : {1, 2, 3, 5, 64}) {
    for (const i64 m : {n - 1, n, n + 1}) {
      if (m == 0) continue;
      CAPTURE(n);
      CAPTURE(m);
      const auto a = gp::arange<double>(1, n + 1), v = gp::arange<double>(2, m + 2);
      std::vector<double> full(static_cast<std::size_t>(n + m - 1), 0.);
      for (i64 i = 0; i < n; ++i)
        for (i64 j = 0; j < m; ++j)
          full[static_cast<std::size_t>(i + j)] += static_cast<double>((i + 1) * (j + 2));
      const auto expected = gp::array(full);
      const i64 longer = std::max(n, m), shorter = std::min(n, m);
      CHECK(gp::array_equal(gp::convolve(a, v), expected));
      CHECK(gp::array_equal(gp::convolve(a, v, "valid"), expected(gp::slice(shorter - 1, longer))));
      const i64 from = (shorter - 1) / 2;
      CHECK(gp::array_equal(gp::convolve(a, v, "same"), expected(gp::slice(from, from + longer))));
      CHECK(gp::array_equal(gp::correlate(a, gp::flip(v), "full"), expected));
    }
  }
  CHECK_THROWS_AS((void)gp::convolve(gp::zeros({0}), gp::zeros({1})), gp::value_error);
}

TEST_CASE("lu: of pivots that are as large the first") {
  // LAPACK's i?amax: the first of the largest |x|, for complex numbers |real| + |imaginary|.
  const auto pivot_of = [](const auto& a) { return gp::linalg::lu_factor(a).piv.to_vector()[0]; };
  CHECK(pivot_of(gp::array<double>({{1, 2, 0}, {-1, 3, 1}, {1, 4, 2}})) == 0);
  CHECK(pivot_of(gp::array<double>({{1, 2, 0}, {-2, 3, 1}, {2, 4, 2}})) == 1);
  CHECK(pivot_of(gp::array<double>({{0, 2, 0}, {0, 3, 1}, {0, 4, 2}})) == 0);
  CHECK(pivot_of(gp::array<double>({{1, 2}, {std::nextafter(1., 2.), 3}})) == 1);
  const auto wide = gp::ones<float>({40, 40}) + gp::eye<float>(40);
  CHECK(pivot_of(gp::ndarray<float>(wide)) == 0);
}

TEST_CASE("lsqr, lsmr: why they stop") {
  const auto a = gp::array<double>({{1, 2}, {3, 4}, {5, 6.5}});
  const auto steep = gp::diag(gp::array<double>({1, 1e-3, 1e-6}));
  const auto none = gp::zeros<double>({3}),
             within = gp::ndarray<double>(gp::matmul(a, gp::array<double>({1, -2}))),
             beside = gp::array<double>({1, 0, 2}), ones = gp::ones<double>({3});
  // What SciPy 1.17 answers.
  CHECK(sl::lsqr(a, none).istop == 0);
  CHECK(sl::lsqr(a, within).istop == 1);
  CHECK(sl::lsqr(a, beside).istop == 2);
  CHECK(sl::lsqr(steep, ones, {.atol = 1e-14, .btol = 1e-14, .conlim = 100}).istop == 3);
  CHECK(sl::lsqr(gp::diag(gp::array<double>({1, 1e-17})), gp::ones<double>({2}),
                 {.atol = 0, .btol = 0, .conlim = 0})
            .istop == 5);
  const auto limited = sl::lsqr(steep, ones, {.atol = 0, .btol = 0, .conlim = 0, .iter_lim = 1});
  CHECK(limited.istop == 7);
  CHECK(limited.itn == 1);
  // The last iteration that is allowed may still be the one that succeeds.
  CHECK(sl::lsqr(a, within, {.iter_lim = 2}).istop == 1);
  CHECK(sl::lsqr(a, within, {.iter_lim = 1}).istop == 7);

  CHECK(sl::lsmr(a, none).istop == 0);
  CHECK(sl::lsmr(a, within).istop == 1);
  CHECK(sl::lsmr(a, beside).istop == 2);
  CHECK(sl::lsmr(steep, ones, {.atol = 1e-14, .btol = 1e-14, .conlim = 100}).istop == 3);
  CHECK(sl::lsmr(steep, ones, {.atol = 0, .btol = 0, .conlim = 0, .maxiter = 1}).istop == 7);
  CHECK(sl::lsmr(a, within, {.maxiter = 2}).istop == 1);
}
