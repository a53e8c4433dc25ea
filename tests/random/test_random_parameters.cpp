// One parameter for all elements, or one for each: the same numbers, however the CPU takes them together.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::random::default_rng;

namespace {

constexpr std::int64_t count = 1000;

gp::ndarray<double> each(double value) { return gp::full<double>({count}, value); }

}  // namespace

TEST_CASE("gamma of shapes below 1") {
  for (const double shape : {0.003, 0.5, 0.999}) {
    CAPTURE(shape);
    CHECK(
        gp::array_equal(default_rng(5).gamma(shape, 3, count), default_rng(5).gamma(each(shape), 3, count)));
    CHECK(gp::array_equal(default_rng(5).standard_gamma<float>(shape, count),
                          default_rng(5).standard_gamma<float>(each(shape), count)));
    CHECK(
        gp::array_equal(default_rng(5).gamma(shape, each(2), count), default_rng(5).gamma(shape, 2, count)));
  }
}

TEST_CASE("binomial variates whose parameters take turns") {
  struct parameters {
    double n, p;
  };
  // Small and larger means; and more probabilities of one n than methods are remembered.
  std::vector<parameters> all{{3, 0.2},      {10, 0.3},   {10, 0.7}, {40, 0.2},
                              {1000, 0.009}, {1000, 0.4}, {5, 0.5}};
  for (int i = 1; i <= 40; ++i) all.push_back({20, 0.012 * i});
  gp::ndarray<std::int64_t> n = gp::zeros<std::int64_t>({count}), want = gp::zeros<std::int64_t>({count});
  gp::ndarray<double> p = gp::zeros<double>({count});
  const auto turns = static_cast<std::int64_t>(all.size());
  for (std::int64_t k = 0; k < turns; ++k) {
    const gp::slice own(k, gp::none, turns);
    const parameters& q = all[static_cast<std::size_t>(k)];
    n(own) = static_cast<std::int64_t>(q.n);
    p(own) = q.p;
    want(own) = default_rng(6).binomial(static_cast<std::int64_t>(q.n), q.p, count)(own);
  }
  CHECK(gp::array_equal(default_rng(6).binomial(n, p, count), want));
}
