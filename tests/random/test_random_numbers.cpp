// A draw of one number is a 0-d array that converts to it.
#include <cmath>
#include <type_traits>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::random::Generator;
using i64 = std::int64_t;

TEST_CASE("what is drawn without a size converts to a number") {
  Generator rng(5), twin(5);
  const double uniform = rng.random(), normal = rng.normal(3, 0.5), plain = rng.standard_normal();
  const float narrow = rng.random<float>();
  const i64 whole = rng.integers(1, 7), below = rng.integers(10), count = rng.poisson(2.0);
  CHECK(uniform == twin.random(1).item());
  CHECK(normal == twin.normal(3, 0.5, 1).item());
  CHECK(plain == twin.standard_normal(1).item());
  CHECK(narrow == twin.random<float>(1).item());
  CHECK(whole == twin.integers(1, 7, 1).item());
  CHECK(below == twin.integers(10, gp::none, 1).item());
  CHECK(count == twin.poisson(2.0, 1).item());
  CHECK(i64(rng.integers(3, 3, gp::none, {.endpoint = true})) == 3);
  std::vector<double> numbers;
  numbers.push_back(rng.exponential());
  CHECK(std::isfinite(numbers[0]));
  if (rng.random() < 2) numbers.clear();
  CHECK(numbers.empty());
  CHECK(rng.gamma(2.0).ndim() == 0);
}

TEST_CASE("a choice of one converts to a number") {
  Generator rng(6);
  const i64 one = rng.choice(1);
  CHECK(one == 0);
  const double of_array = rng.choice(gp::array({2.5}));
  CHECK(of_array == 2.5);
  const i64 certain = rng.choice(3, gp::none, {.p = {0.0, 0.0, 1.0}});
  CHECK(certain == 2);
  const i64 row = rng.choice(gp::array({{4, 4}})).sum();
  CHECK(row == 8);
}

TEST_CASE("the functions of the thread's generator do, too") {
  gp::random::seed(3);
  const double a = gp::random::random(), b = gp::random::rand(), c = gp::random::randn(),
               d = gp::random::uniform(2, 3);
  const i64 e = gp::random::randint(4), f = gp::random::random_integers(1), g = gp::random::choice(1);
  CHECK((a < 1 && b < 1 && std::isfinite(c) && d >= 2 && d < 3));
  CHECK((e < 4 && f == 1 && g == 0));
  CHECK(gp::random::rand(2, 3).shape() == gp::dims{2, 3});
}

TEST_CASE("arrays of draws do not convert where they could hold more than one number") {
  Generator rng(7);
  CHECK_FALSE(std::is_convertible_v<decltype(rng.random(3)), double>);
  CHECK_FALSE(std::is_convertible_v<decltype(rng.integers(0, 9, {3})), i64>);
  CHECK_FALSE(std::is_convertible_v<decltype(gp::random::rand(2)), double>);
  const auto each = rng.normal(gp::array({1., 100.}), 0.1);
  CHECK(each.shape() == gp::dims{2});
  CHECK_THROWS_AS((void)double(each), gp::value_error);
}
