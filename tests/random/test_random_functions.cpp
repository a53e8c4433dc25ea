// The functions of numpy.random on a generator without a name, and reductions that write into an output.
#include <thread>

#include "support/golden.hpp"

namespace gp = gparray;
using gp::none;
using i64 = std::int64_t;

TEST_CASE("functions draw from the generator that seed() sets") {
  gp::random::seed(5);
  gp::random::Generator same = gp::random::default_rng(5);
  const auto equal = [](const auto& a, const auto& b) {
    CHECK(a.shape() == b.shape());
    CHECK(a.to_vector() == b.to_vector());
  };
  equal(gp::random::rand(2, 3), same.random({2, 3}));
  equal(gp::random::randn(4), same.standard_normal(4));
  equal(gp::random::random_sample(3), same.random(3));
  equal(gp::random::ranf(3), same.random(3));
  equal(gp::random::sample(3), same.random(3));
  equal(gp::random::randint(0, 9, 20), same.integers(0, 9, 20));
  equal(gp::random::random_integers(6, none, 20), same.integers(1, 6, 20, {.endpoint = true}));
  equal(gp::random::random_integers(-2, 2, 20), same.integers(-2, 2, 20, {.endpoint = true}));
  equal(gp::random::normal(1., 2., gp::dims{2, 2}), same.normal(1., 2., {2, 2}));
  equal(gp::random::permutation(7), same.permutation(7));
  CHECK(gp::random::rand().ndim() == 0);
  const gp::random::Generator kept = gp::random::get_random_state();
  const auto first = gp::random::rand(3);
  gp::random::set_random_state(kept);
  equal(gp::random::rand(3), first);
  std::vector<double> other;
  std::thread([&] { other = gp::random::rand(3).to_vector(); }).join();
  CHECK(other != first.to_vector());
}

TEST_CASE("each row of random.def makes a method and a function that draw the same") {
  gp::random::seed(8);
  gp::random::Generator same = gp::random::default_rng(8);
  const double low = -1, high = 2, loc = 0.5, scale = 2, mean = 1.5, sigma = 0.25, a = 2.5, b = 3, left = -2,
               mode = 0, right = 1, p = 0.4, shape = 2, df = 5, dfnum = 3, dfden = 6, nonc = 1, mu = 0.5,
               kappa = 4, lam = 3, n = 9, ngood = 8, nbad = 7, nsample = 6;
  int rows = 0;
  const auto equal = [&](const char* name, const auto& first, const auto& second) {
    INFO(name);
    CHECK(first.shape() == gp::dims{5});
    CHECK(first.to_vector() == second.to_vector());
    ++rows;
  };
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc)        \
  equal(#name, gp::random::name(GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 5), \
        same.name(GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 5));
#define GPARRAY_INNER_DISTRIBUTION(name, source, result, expression)
#define GPARRAY_STANDARD_FUNCTION(function, name, p1, arguments, doc) \
  equal(#function, gp::random::function(GPARRAY_NAMED p1 5), same.function(GPARRAY_NAMED p1 5));
#include <gparray/tables/random.def>
  CHECK(rows > 30);
}

TEST_CASE("reductions into an output") {
  const auto a = gp::arange<double>(6).reshape({2, 3});
  const auto out = gp::zeros(3);
  const auto r = gp::sum(a, 0, {.out = out});
  CHECK(gp::shares_memory(r, out));
  GOLDEN("a.sum(axis=0) * 1.0", out);
  const auto ints = gp::zeros<std::int32_t>(2);
  gp::max(a, 1, {.out = ints});
  GOLDEN("a.max(axis=1).astype('i4')", ints);
  gp::mean(a, 0, {.out = a(0)});  // an output that is a view of the argument
  GOLDEN("a.mean(axis=0)", a(0));
  const auto none_of_it = gp::zeros(5);
  CHECK_THROWS_AS(gp::sum(a, 0, {.out = none_of_it}), gp::value_error);
  GOLDEN_THROWS("np.sum(a, axis=0, out=np.zeros(()))", gp::sum(a, 0, {.out = gp::zeros(gp::dims{})}));
  GOLDEN_THROWS("np.max(a, axis=1, keepdims=True, out=np.zeros(2))",
                gp::max(a, 1, {.out = gp::zeros(2), .keepdims = true}));
  CHECK(none_of_it.to_vector() == std::vector<double>(5));
  const auto sums = gp::zeros<float>({2, 3});
  gp::cumsum(gp::arange(6).reshape({2, 3}), 1, sums);
  GOLDEN("np.cumsum(a, axis=1).astype('f4')", sums);
  gp::cumprod(sums, 0, sums);
  GOLDEN("np.cumprod(np.cumsum(a, axis=1), axis=0).astype('f4')", sums);
  CHECK_THROWS_AS(gp::cumsum(a, 1, gp::zeros(5)), gp::value_error);
}
