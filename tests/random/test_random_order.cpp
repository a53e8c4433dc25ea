// Permutations, shuffles and samples.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;
using gp::ndarray;
using gp::random::default_rng;
using gp::random::Generator;

namespace {

template<class V>
std::vector<V> sorted(std::vector<V> values) {
  std::sort(values.begin(), values.end());
  return values;
}

TEST_CASE("a permutation has every number once") {
  Generator rng = default_rng(1);
  for (const std::int64_t n : {0, 1, 2, 10, 1000, 100000}) {
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(n));
    std::iota(numbers.begin(), numbers.end(), 0);
    const auto drawn = rng.permutation(n).to_vector();
    CHECK(sorted(drawn) == numbers);
    CHECK((n < 10 || drawn != numbers));
  }
  CHECK(rng.state().position == 101013);
  CHECK(rng.permutation(-1).size() == 0);
}

TEST_CASE("every device has the CPU's orders") {
  const auto on_both = [](auto make) {
    const gp::device cpu = gp::device::cpu(), other = gp::default_device();
    CHECK(gp::array_equal(gp::asnumpy(make(default_rng(7, other), other)), make(default_rng(7, cpu), cpu)));
  };
  for (const std::int64_t n : {0, 1, 7, 4096, 4097, 30000, 1000000}) {
    CAPTURE(n);
    on_both([=](Generator rng, gp::device) { return rng.permutation(n); });
    on_both([=](Generator rng, gp::device) { return rng.choice(n, n / 3, {.replace = false}); });
    on_both([=](Generator rng, gp::device where) {
      const ndarray<float> a = gp::arange<float>(n, {.device = where});
      rng.shuffle(a);
      return a;
    });
  }
  for (const auto& [rows, n] : {std::pair{1000, 30}, std::pair{5, 5000}, std::pair{600, 4097}})
    on_both([rows = rows, n = n](Generator rng, gp::device where) {
      return rng.permuted(gp::arange<int>(rows * n, {.device = where}).reshape({rows, n}), {.axis = 1});
    });
}

TEST_CASE("all permutations of four are equally likely") {
  // Chi-square with 23 degrees of freedom exceeds 76.9 with probability 10^-7.
  Generator rng = default_rng(2, gp::device::cpu());
  std::map<std::vector<std::int64_t>, int> counts;
  constexpr int n = 24000;
  for (int i = 0; i < n; ++i) ++counts[rng.permutation(4).to_vector()];
  CHECK(counts.size() == 24);
  double chi_square = 0;
  for (const auto& [order, count] : counts) chi_square += (count - 1000.) * (count - 1000.) / 1000;
  CHECK(chi_square < 76.9);
}

TEST_CASE("permutation and shuffle move slices") {
  Generator rng = default_rng(3);
  const ndarray<int> a = gp::arange<int>(60).reshape({20, 3});
  const ndarray<int> rows = rng.permutation(a);
  CHECK(rows.shape() == a.shape());
  CHECK(sorted(rows(gp::all, 0).copy().to_vector()) == a(gp::all, 0).copy().to_vector());
  CHECK(rows.to_vector() != a.to_vector());
  CHECK(gp::all(rows(gp::all, 1) == rows(gp::all, 0) + 1).item());
  const ndarray<int> columns = rng.permutation(a.T(), -1);
  CHECK(gp::all(columns(1, gp::all) == columns(0, gp::all) + 1).item());

  Generator again = default_rng(3);
  ndarray<int> b = a.copy();
  again.shuffle(b);
  CHECK(b.to_vector() == rows.to_vector());
  // Through a view, and along another axis.
  ndarray<int> c = a.copy();
  again.shuffle(c("::2"), 0);
  CHECK(c("1::2").to_vector() == a("1::2").to_vector());
  CHECK(sorted(c("::2").to_vector()) == a("::2").to_vector());
  again.shuffle(c, 1);
  CHECK(sorted(c.to_vector()) == a.to_vector());
  CHECK_THROWS_AS(rng.permutation(a, 2), gp::axis_error);
  CHECK_THROWS_AS(rng.shuffle(a, 2), gp::axis_error);
  CHECK_THROWS_WITH_AS(rng.shuffle(gp::array(5)), "len() of unsized object", gp::type_error);
  CHECK_THROWS_AS(rng.permutation(gp::array(5)), gp::axis_error);
}

TEST_CASE("a line of elements gets the order that rows of one element get") {
  for (const std::int64_t n : {0, 1, 2, 50, 1000, 30000}) {
    CAPTURE(n);
    const ndarray<double> a = 0.5 * gp::arange<double>(n);
    const auto expected = default_rng(9).permutation(a.reshape({n, 1})).to_vector();
    Generator rng = default_rng(9);
    CHECK(rng.permutation(a).to_vector() == expected);
    CHECK(rng.state().position == n);
    CHECK(default_rng(9).permuted(a).to_vector() == expected);
    const ndarray<double> b = gp::zeros<double>(2 * n), line = b(gp::slice(gp::none, gp::none, -2));
    line(gp::all) = a;
    CHECK(default_rng(9).permutation(line).to_vector() == expected);
    const auto twice = b * 2.;  // of what b was
    default_rng(9).shuffle(line);
    CHECK(line.to_vector() == expected);
    CHECK(gp::array_equal(twice(gp::slice(gp::none, gp::none, -2)), gp::arange<double>(n)));
    CHECK(gp::all(b("::2") == 0.).item());
  }
  const ndarray<int> a = gp::arange<int>(5);
  CHECK_THROWS_AS(default_rng(1).shuffle(a, 1), gp::axis_error);
  CHECK_THROWS_AS(default_rng(1).permutation(a, 1), gp::axis_error);
  CHECK_THROWS_AS(default_rng(1).shuffle(gp::broadcast_to(gp::array(1), {3})), gp::value_error);
}

TEST_CASE("few of many are Floyd's") {
  // Each number is below the one that it may be replaced by, whether bits or a table remember the others.
  for (const std::int64_t population : {std::int64_t{100000}, std::int64_t{200000}, std::int64_t{1} << 40})
    for (const std::int64_t count : {1, 30, 1500, 1900}) {
      const ndarray<std::int64_t> bounds = gp::arange(population - count, population);
      const auto drawn = default_rng(8).integers(0, bounds, gp::none, {.endpoint = true}).to_vector();
      std::vector<std::int64_t> expected;
      std::set<std::int64_t> chosen;
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        expected.push_back(chosen.count(drawn[i]) ? bounds.item(static_cast<std::int64_t>(i)) : drawn[i]);
        chosen.insert(expected.back());
      }
      Generator rng = default_rng(8);
      CHECK(rng.choice(population, count, {.replace = false, .shuffle = false}).to_vector() == expected);
      CHECK(rng.state().position == count);
    }
}

TEST_CASE("permuted writes to no memory but its own") {
  // Numbers of lines lie between arrays of their size, all of which the pool keeps side by side.
  const auto filled = [] { return gp::full<std::int64_t>({4, 512}, -1); };
  std::vector<ndarray<std::int64_t>> others, gaps;
  for (int i = 0; i < 40; ++i) (i % 2 ? gaps : others).push_back(filled());
  gaps.clear();
  Generator rng = default_rng(4);
  const auto lines = gp::zeros<std::int8_t>({4, 512});
  for (int i = 0; i < 20; ++i) CHECK(gp::all(rng.permuted(lines, {.axis = 1}) == 0).item());
  for (const auto& each : others) CHECK(gp::all(each == -1).item());
}

TEST_CASE("permuted gives every line an order of its own") {
  Generator rng = default_rng(4);
  const ndarray<int> a = gp::arange<int>(400).reshape({4, 100});
  const ndarray<int> lines = rng.permuted(a, {.axis = 1});
  for (int i = 0; i < 4; ++i) {
    CHECK(sorted(lines(i).to_vector()) == a(i).to_vector());
    const bool as_first = gp::all(lines(i) == lines(0) + 100 * i).item();
    CHECK(as_first == (i == 0));
  }
  const ndarray<int> columns = rng.permuted(a, {.axis = 0});
  CHECK(gp::all(columns % 100 == a % 100).item());
  const ndarray<int> mixed = rng.permuted(a);
  CHECK(mixed.shape() == a.shape());
  CHECK(sorted(mixed.to_vector()) == a.to_vector());
  CHECK(sorted(mixed(0).to_vector()) != a(0).to_vector());
  ndarray<int> out = gp::zeros_like(a);
  CHECK(rng.permuted(a, {.axis = 1, .out = out}).data() == out.data());
  CHECK(sorted(out(2).to_vector()) == a(2).to_vector());
  CHECK_THROWS_WITH_AS(rng.permuted(a, {.out = gp::zeros<int>(3)}), "out must have the same shape as x",
                       gp::value_error);
  CHECK_THROWS_AS(rng.permuted(a, {.axis = 2}), gp::axis_error);
}

TEST_CASE("choice") {
  Generator rng = default_rng(5);
  CHECK(rng.choice(5).shape() == gp::dims{});
  CHECK(rng.choice(5, {2, 3}).shape() == gp::dims{2, 3});
  const ndarray<double> a{{1., 2.}, {3., 4.}, {5., 6.}};
  CHECK(rng.choice(a).shape() == gp::dims{2});
  CHECK(rng.choice(a, {4, 2}).shape() == gp::dims{4, 2, 2});
  CHECK(rng.choice(a, {4, 5}, {.axis = 1}).shape() == gp::dims{3, 4, 5});
  CHECK(sorted(rng.choice(10, 10, {.replace = false}).to_vector()) ==
        gp::arange<std::int64_t>(10).to_vector());
  const auto few = rng.choice(1000000, 1000, {.replace = false}).to_vector();
  CHECK(std::set<std::int64_t>(few.begin(), few.end()).size() == 1000);
  CHECK(*std::max_element(few.begin(), few.end()) > 900000);
  CHECK(!std::is_sorted(few.begin(), few.end()));
  const auto unshuffled = rng.choice(1000000, 1000, {.replace = false, .shuffle = false}).to_vector();
  CHECK(std::set<std::int64_t>(unshuffled.begin(), unshuffled.end()).size() == 1000);

  // Elements of probability 0 never occur; the others in proportion: five standard errors of 10^5 are 0.0080.
  const ndarray<double> p{0.5, 0., 0.125, 0.375};
  const ndarray<std::int64_t> drawn = rng.choice(4, 100000, {.p = p});
  for (int k = 0; k < 4; ++k)
    CHECK(std::abs(gp::mean((drawn == k).template astype<double>()).item() - p.item(k)) <
          (p.item(k) > 0) * 0.008 + 1e-300);
}

TEST_CASE("weighted choice without replacement") {
  // Two of three with weights 1/2, 1/3, 1/6, one after the other: the first is 0 with probability 1/2, and
  // then the second is 1 with probability 2/3. Five standard errors of 20000 are below 0.0177.
  Generator rng = default_rng(6, gp::device::cpu());
  const ndarray<double> p =
      gp::array(std::vector<double>{3. / 6, 2. / 6, 1. / 6}, {.device = gp::device::cpu()});
  int first = 0, both = 0;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    const auto drawn = rng.choice(3, 2, {.replace = false, .p = p}).to_vector();
    CHECK(drawn[0] != drawn[1]);
    first += drawn[0] == 0;
    both += drawn[0] == 0 && drawn[1] == 1;
  }
  CHECK(std::abs(first / double(n) - 0.5) < 0.0177);
  CHECK(std::abs(both / double(n) - 1. / 3) < 0.0177);
}

#define CHECK_VALUE_ERROR(text, ...) CHECK_THROWS_WITH_AS((void)(__VA_ARGS__), text, gp::value_error)

TEST_CASE("choice complains as NumPy does") {
  Generator rng = default_rng(0);
  const auto p = [](std::initializer_list<double> values) {
    return gp::random::choice_options{.p = ndarray<double>(values.begin(), values.end())};
  };
  CHECK_VALUE_ERROR("a must be a positive integer unless no samples are taken", rng.choice(0));
  CHECK_VALUE_ERROR("a must be a positive integer unless no samples are taken", rng.choice(-1, 3));
  CHECK(rng.choice(0, 0).size() == 0);
  CHECK_VALUE_ERROR("a cannot be empty unless no samples are taken", rng.choice(ndarray<double>(), 3));
  CHECK(rng.choice(ndarray<double>(), 0).size() == 0);
  CHECK_VALUE_ERROR("Cannot take a larger sample than population when replace is False",
                    rng.choice(5, 6, {.replace = false}));
  CHECK_VALUE_ERROR("a and p must have same size", rng.choice(5, 2, p({.5, .5})));
  CHECK_VALUE_ERROR("Probabilities do not sum to 1. See Notes section of docstring for more information.",
                    rng.choice(2, 2, p({.5, .6})));
  CHECK_VALUE_ERROR("Probabilities are not non-negative", rng.choice(2, 2, p({1.5, -.5})));
  CHECK_VALUE_ERROR("Probabilities contain NaN", rng.choice(2, 2, p({NAN, .5})));
  CHECK_VALUE_ERROR("p must be 1-dimensional", rng.choice(2, 2, {.p = ndarray<double>{{.5, .5}}}));
  auto one = p({1, 0, 0});
  one.replace = false;
  CHECK_VALUE_ERROR("Fewer non-zero entries in p than size", rng.choice(3, 3, one));
  CHECK_VALUE_ERROR("negative dimensions are not allowed", rng.choice(2, -1));
  CHECK_THROWS_AS(rng.choice(ndarray<double>{1., 2.}, 3, {.axis = 1}), gp::axis_error);
  CHECK(rng.state() == default_rng(0).state());
}

TEST_CASE("few without replacement are the first of a permutation") {
  for (const std::int64_t n : {10, 16, 100, 1000, 10000})
    for (const std::int64_t count : {std::int64_t{1}, n / 50 + 1, n / 17 + 1, n / 16, n / 3})
      for (std::uint64_t seed = 0; seed < 3; ++seed)
        CHECK(gp::array_equal(default_rng(seed).choice(n, count, {.replace = false}),
                              default_rng(seed).permutation(n)(gp::slice(0, count))));
}

}  // namespace
