// The interface of random::Generator: streams, shapes, ranges, errors.
#include <cmath>
#include <set>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "support/random_cases.hpp"
#include "support/sampler.hpp"
#include "support/table.hpp"

namespace gp = gparray;
using gp::random::default_rng;
using gp::random::Generator;

namespace {

/// FNV-1a over the bytes.
std::string checksum(const gp::any_array& a) {
  std::vector<unsigned char> bytes(static_cast<std::size_t>(a.nbytes()));
  gp::detail::copy_to_host(a, bytes.data());
  std::uint64_t hash = 14695981039346656037u;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return fmt::format("{:016x}", hash);
}

TEST_CASE("a seed gives these bits on every device") {
  // Where one is missing or wrong the test says what the bits are; a change of them breaks users' results.
  const golden::table expected = golden::read_table("random/random_bits.tsv", 2);
  for (const auto& each : random_cases::all()) {
    Generator rng = default_rng(12345);
    rng.advance(7);
    const std::string have = checksum(each.draw(rng, 6001));
    const auto row = expected.find(each.name);
    CHECK_MESSAGE((row != expected.end() && row->second[1] == have), each.name << "\t" << have);
  }
}

TEST_CASE("devices and numbers of threads make no difference") {
  const int threads = gp::num_threads();
  for (const auto& each : random_cases::all()) {
    if (!taken()) continue;
    CAPTURE(each.name);
    Generator here = default_rng(77), there = default_rng(77, gp::device::cpu());
    const std::string made = checksum(each.draw(here, 100003));
    // Arguments that are arrays are where the generator is.
    const gp::device_guard on_cpu(gp::device::cpu());
    gp::set_num_threads(1);
    const std::string alone = checksum(each.draw(there, 100003));
    gp::set_num_threads(7);
    Generator again = default_rng(77, gp::device::cpu());
    const std::string together = checksum(each.draw(again, 100003));
    gp::set_num_threads(threads);
    CHECK(made == alone);
    CHECK(made == together);
    CHECK(here.state() == there.state());
  }
}

TEST_CASE("large arrays are the same on every device, wherever they begin") {
  // Large enough for the GPU's threads to make several blocks each.
  constexpr std::int64_t n = 1500001;
  const gp::ndarray<double> scales = gp::arange<double>(n);
  for (const std::uint64_t start : {0, 3}) {
    CAPTURE(start);
    const auto check = [&](auto draw) {
      if (!taken()) return;
      Generator here = default_rng(31), there = default_rng(31, gp::device::cpu());
      here.advance(start);
      there.advance(start);
      const std::string made = checksum(draw(here, scales));
      const gp::device_guard on_cpu(gp::device::cpu());
      CHECK(made == checksum(draw(there, gp::to_device(scales, gp::device::cpu()))));
    };
    check([](Generator& rng, const auto&) { return rng.standard_normal<float>(n); });
    check([](Generator& rng, const auto&) { return rng.standard_normal(n); });
    check([](Generator& rng, const auto&) { return rng.random<float>(n); });
    check([](Generator& rng, const auto&) { return rng.integers<std::int8_t>(-100, 100, n); });
    check([](Generator& rng, const auto&) { return rng.lognormal<float>(0, 1, n); });
    check([](Generator& rng, const auto& scale) { return rng.normal(0, scale); });
  }
}

TEST_CASE("two calls give what one gives") {
  for (const auto& each : random_cases::all()) {
    // These are of one piece.
    if (each.name == "permutation" || each.name.find("choice ") == 0) continue;
    CAPTURE(each.name);
    Generator once = default_rng(3), twice = default_rng(3);
    const auto whole = random_cases::as_doubles(each.draw(once, 1001)).to_vector();
    std::vector<double> parts;
    for (const std::int64_t n : {1, 2, 3, 5, 490, 500})
      for (const double x : random_cases::as_doubles(each.draw(twice, n)).to_vector()) parts.push_back(x);
    CHECK(whole == parts);
    CHECK(once.state() == twice.state());
    CHECK(once.state().position == 1001);
  }
}

TEST_CASE("seeds, states and children differ") {
  CHECK(default_rng(1).random(10).to_vector() == default_rng(1).random(10).to_vector());
  CHECK(default_rng(1).random(10).to_vector() != default_rng(2).random(10).to_vector());
  CHECK(default_rng().random(10).to_vector() != default_rng().random(10).to_vector());
  Generator rng = default_rng(1);
  std::vector<Generator> children = rng.spawn(3), others = rng.spawn(2);
  std::set<std::uint64_t> keys{rng.state().key};
  for (const Generator& child : children) keys.insert(child.state().key);
  for (const Generator& child : others) keys.insert(child.state().key);
  CHECK(keys.size() == 6);
  CHECK(default_rng(1).spawn(5)[4].state() == others[1].state());
  CHECK(rng.state() == default_rng(1).state());
  const auto saved = rng.state();
  const auto first = rng.normal(0, 1, 5).to_vector();
  rng.set_state(saved);
  CHECK(rng.normal(0, 1, 5).to_vector() == first);
}

TEST_CASE("shapes and dtypes") {
  Generator rng = default_rng(0);
  CHECK(rng.random().shape() == gp::dims{});
  CHECK(rng.random({3, 4}).shape() == gp::dims{3, 4});
  CHECK(rng.random(5).shape() == gp::dims{5});
  CHECK(rng.random(std::vector<int>{2, 3}).shape() == gp::dims{2, 3});
  CHECK(rng.random({0, 4}).size() == 0);
  CHECK(rng.random<float>({3, 4}).dtype() == gp::dtype::float32);
  CHECK(rng.gamma<float>(2, 1, 10).dtype() == gp::dtype::float32);
  CHECK(rng.integers<std::uint8_t>(10, gp::none, {2, 2}).dtype() == gp::dtype::uint8);
  const gp::ndarray<double> column{{1.}, {2.}, {3.}}, row{10., 20.};
  CHECK(rng.normal(column, row).shape() == gp::dims{3, 2});
  CHECK(rng.normal(column, 1, {4, 3, 2}).shape() == gp::dims{4, 3, 2});
  CHECK(rng.normal(gp::zeros({0, 2}), 1).shape() == gp::dims{0, 2});
  CHECK(rng.multinomial(5, {0.5, 0.5}).shape() == gp::dims{2});
  CHECK(rng.multinomial(gp::ndarray<int>{5, 6}, gp::ndarray<double>{{.5, .5}, {.1, .9}}, {3, 2}).shape() ==
        gp::dims{3, 2, 2});
  CHECK(rng.dirichlet({1, 2, 3}, {2, 5}).shape() == gp::dims{2, 5, 3});
  CHECK(rng.multivariate_normal(gp::zeros(2), gp::eye(2), 7).shape() == gp::dims{7, 2});
}

TEST_CASE("array parameters are those of their elements") {
  Generator together = default_rng(8), apart = default_rng(8);
  const gp::ndarray<double> loc{{0.}, {100.}}, scale{1., 2., 0.};
  const gp::ndarray<double> drawn = together.normal(loc, scale);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j) CHECK(drawn.item(i, j) == apart.normal(loc.item(i, 0), scale.item(j)).item());
  const gp::ndarray<std::int64_t> counts = together.binomial(gp::ndarray<int>{5, 1000}, 0.5);
  CHECK(counts.item(0) == apart.binomial(5, 0.5).item());
  CHECK(counts.item(1) == apart.binomial(1000, 0.5).item());
  const gp::ndarray<std::int64_t> bounded =
      together.integers(gp::ndarray<int>{-5, 10, 7}, gp::ndarray<std::int64_t>{-3, 11, 1000000}, {100, 3});
  CHECK(gp::min(bounded, 0).to_vector()[0] == -5);
  CHECK(gp::max(bounded, 0).to_vector()[0] == -4);
  CHECK(gp::all(bounded(gp::all, 1) == 10).item());
  CHECK(gp::max(bounded(gp::all, 2)).item() > 500000);
}

TEST_CASE("out is written to") {
  Generator rng = default_rng(1);
  gp::ndarray<float> out = gp::zeros<float>({2, 3});
  const gp::ndarray<float> alias = rng.random<float>({}, {.out = out});
  CHECK(alias.data() == out.data());
  CHECK(out.to_vector() == default_rng(1).random<float>(6).to_vector());
  CHECK_THROWS_WITH_AS(rng.random<float>(2, {.out = out}), "size must match out.shape when used together",
                       gp::value_error);
  CHECK_THROWS_WITH_AS(rng.random({2, 3}, {.out = out}),
                       "Supplied output array has the wrong type. Expected float64, got float32",
                       gp::type_error);
  CHECK_THROWS_WITH_AS(
      rng.random<float>({}, {.out = out(gp::all, 1)}),
      "Supplied output array must be contiguous, writable, aligned, and in machine byte-order.",
      gp::value_error);
}

TEST_CASE("uniform numbers are below one") {
  // 2^24 float32 of 24 bits: the largest, 1 - 2^-24, is among them with probability 0.63, values near it for
  // sure.
  Generator rng = default_rng(4);
  const float largest = gp::max(rng.random<float>(1 << 24)).item();
  CHECK(largest < 1);
  CHECK(largest > 0.999999f);
  CHECK(gp::min(rng.random<float>(1 << 22)).item() >= 0);
  CHECK(gp::max(rng.random(1 << 22)).item() < 1);
}

TEST_CASE("ranges of integers") {
  Generator rng = default_rng(6);
  const auto range = [](const auto& a) {
    return std::pair(std::int64_t{gp::min(a).item()}, std::int64_t{gp::max(a).item()});
  };
  using pair = std::pair<std::int64_t, std::int64_t>;
  CHECK(range(rng.integers(10, gp::none, 1000)) == pair{0, 9});
  CHECK(range(rng.integers(-3, 4, 1000)) == pair{-3, 3});
  CHECK(range(rng.integers(-3, 4, 1000, {.endpoint = true})) == pair{-3, 4});
  CHECK(range(rng.integers(7, 8, 100)) == pair{7, 7});
  CHECK(range(rng.integers<std::int8_t>(-128, 128, 10000)) == pair{-128, 127});
  CHECK(range(rng.integers<std::uint8_t>(0, 255, 10000, {.endpoint = true})) == pair{0, 255});
  CHECK(gp::sum(rng.integers<bool>(0, 2, 1000)).item() > 400);
  const gp::ndarray<std::uint64_t> full =
      rng.integers<std::uint64_t>(0, gp::iinfo<std::uint64_t>::max, 1000, {.endpoint = true});
  // The largest of a thousand is below 0.97 of the range with probability 6e-14.
  CHECK(gp::max(full).item() > 17893389941441265663u);
  CHECK(gp::min(full).item() < 553402322211286548u);
  const gp::ndarray<std::uint32_t> words = rng.integers<std::uint32_t>(0, std::int64_t{1} << 32, 1000);
  CHECK(gp::max(words).item() > 4166118277u);
  CHECK(rng.bytes(7).size() == 7);
  CHECK(rng.bytes(0).empty());
}

#define CHECK_VALUE_ERROR(text, ...) CHECK_THROWS_WITH_AS((void)(__VA_ARGS__), text, gp::value_error)

TEST_CASE("errors are NumPy's, and leave the generator alone") {
  Generator rng = default_rng(0);
  using gp::ndarray;
  CHECK_VALUE_ERROR("high <= 0", rng.integers(0));
  CHECK_VALUE_ERROR("low >= high", rng.integers(5, 5));
  CHECK_VALUE_ERROR("low > high", rng.integers(5, 4, {}, {.endpoint = true}));
  CHECK_VALUE_ERROR("high < 0", rng.integers(-1, gp::none, {}, {.endpoint = true}));
  CHECK_VALUE_ERROR("high is out of bounds for uint8", rng.integers<std::uint8_t>(0, 300));
  CHECK_VALUE_ERROR("low is out of bounds for uint8", rng.integers<std::uint8_t>(-1, 3));
  CHECK_VALUE_ERROR("low >= high", rng.integers(ndarray<int>{1, 5}, ndarray<int>{3, 2}));
  CHECK_VALUE_ERROR("low is out of bounds for uint8", rng.integers<std::uint8_t>(ndarray<int>{-1}, 3));
  CHECK_VALUE_ERROR("high is out of bounds for uint8", rng.integers<std::uint8_t>(ndarray<int>{1}, 300));
  // The upper bound is named alone where the lower one is 0, and before a lower one that is too large.
  CHECK_VALUE_ERROR("high <= 0", rng.integers(ndarray<int>{-5}));
  CHECK_VALUE_ERROR("high <= 0", rng.integers(0, -5));
  CHECK_VALUE_ERROR("high < 0", rng.integers(ndarray<int>{0}, -5, {}, {.endpoint = true}));
  CHECK_VALUE_ERROR("high is out of bounds for uint8", rng.integers<std::uint8_t>(300, 400));
  CHECK_VALUE_ERROR("low >= high", rng.integers<std::uint8_t>(300, 200));
  CHECK_VALUE_ERROR("low >= high", rng.integers(ndarray<std::uint64_t>{~std::uint64_t{0}}, 5));
  CHECK_VALUE_ERROR("scale < 0", rng.normal(0, -1));
  CHECK_VALUE_ERROR("scale < 0", rng.normal(0, ndarray<double>{-1, 1}));
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(1, 0));
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(ndarray<double>{1, 0}, ndarray<double>{0, 1}));
  CHECK_THROWS_WITH_AS(rng.uniform(0, INFINITY), "high - low range exceeds valid bounds", gp::overflow_error);
  CHECK_THROWS_WITH_AS(rng.uniform(INFINITY, 0), "high - low range exceeds valid bounds", gp::overflow_error);
  CHECK_THROWS_WITH_AS(rng.uniform<float>(-3e38, 3e38), "high - low range exceeds valid bounds",
                       gp::overflow_error);
  CHECK_VALUE_ERROR("shape < 0", rng.gamma(-1));
  CHECK_VALUE_ERROR("a <= 0", rng.beta(0, 1));
  CHECK_VALUE_ERROR("b <= 0", rng.beta(1, ndarray<double>{0, 1}));
  CHECK_VALUE_ERROR("nonc < 0", rng.noncentral_f(1, 1, -1));
  CHECK_VALUE_ERROR("kappa < 0", rng.vonmises(0, -1));
  CHECK_VALUE_ERROR("mean <= 0", rng.wald(0, 1));
  CHECK_VALUE_ERROR("left > mode", rng.triangular(1, 0, 2));
  CHECK_VALUE_ERROR("mode > right", rng.triangular(0, ndarray<double>{3, 1}, 2));
  CHECK_VALUE_ERROR("left == right", rng.triangular(1, 1, 1));
  CHECK_VALUE_ERROR("n < 0", rng.binomial(-1, .5));
  CHECK_VALUE_ERROR("cannot convert float NaN to integer", rng.binomial(NAN, .5));
  CHECK_VALUE_ERROR("cannot convert float NaN to integer", rng.binomial(ndarray<double>{1, NAN}, .5));
  CHECK_VALUE_ERROR("cannot convert float infinity to integer", rng.binomial(INFINITY, .5));
  CHECK_VALUE_ERROR("cannot convert float NaN to integer", rng.hypergeometric(NAN, 5, 3));
  CHECK_VALUE_ERROR("cannot convert float NaN to integer", rng.multinomial(NAN, {.5, .5}));
  CHECK_VALUE_ERROR("n must not be NaN", rng.negative_binomial(NAN, .5));
  CHECK_VALUE_ERROR("n too large or p too small, see Generator.negative_binomial Notes",
                    rng.negative_binomial(INFINITY, 1));
  CHECK_VALUE_ERROR("p < 0, p > 1 or p is NaN", rng.binomial(5, 1.5));
  CHECK_VALUE_ERROR("p < 0, p > 1 or p is NaN", rng.binomial(5, NAN));
  CHECK_VALUE_ERROR("p < 0, p > 1 or p contains NaNs", rng.binomial(5, ndarray<double>{.5, 2}));
  CHECK_VALUE_ERROR("p <= 0, p > 1 or p contains NaNs", rng.geometric(0));
  CHECK_VALUE_ERROR("n too large or p too small, see Generator.negative_binomial Notes",
                    rng.negative_binomial(1e19, 1e-10));
  CHECK_VALUE_ERROR("lam < 0 or lam is NaN", rng.poisson(-1));
  CHECK_VALUE_ERROR("lam value too large", rng.poisson(1e20));
  CHECK_VALUE_ERROR("lam < 0 or lam contains NaNs", rng.poisson(ndarray<double>{-1, 1}));
  CHECK_VALUE_ERROR("a <= 1 or a is NaN", rng.zipf(1));
  CHECK_VALUE_ERROR("p < 0, p >= 1 or p is NaN", rng.logseries(1));
  CHECK_VALUE_ERROR("ngood < 0", rng.hypergeometric(-1, 2, 1));
  CHECK_VALUE_ERROR("ngood + nbad < nsample", rng.hypergeometric(1, 2, 5));
  CHECK_VALUE_ERROR("both ngood and nbad must be less than 1000000000", rng.hypergeometric(1000000000, 2, 5));
  CHECK_VALUE_ERROR(
      "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 with shape "
      "(3,) and arg 1 with shape (2,).",
      rng.normal(ndarray<double>{0, 1}, 1, 3));
  CHECK_VALUE_ERROR("Output size (2,) is not compatible with broadcast dimensions of inputs (3, 2).",
                    rng.normal(gp::ones({3, 2}), 1, 2));
  CHECK_VALUE_ERROR("negative dimensions are not allowed", rng.random({2, -1}));
  CHECK_VALUE_ERROR("pvals < 0, pvals > 1 or pvals contains NaNs", rng.multinomial(5, {.5, -.5}));
  CHECK_VALUE_ERROR("sum(pvals[:-1]) > 1.0", rng.multinomial(5, {.5, .6, .7}));
  CHECK_VALUE_ERROR("alpha < 0", rng.dirichlet({0, -1}));
  CHECK_VALUE_ERROR("nsample > sum(colors)", rng.multivariate_hypergeometric({2, 3}, 6));
  CHECK_VALUE_ERROR("nsample must be nonnegative.", rng.multivariate_hypergeometric({2, 3}, -1));
  CHECK_VALUE_ERROR(
      "colors must be a one-dimensional sequence of nonnegative integers not exceeding 9223372036854775807.",
      rng.multivariate_hypergeometric({1.5, 3}, 2));
  CHECK_VALUE_ERROR("cov must be 2 dimensional and square",
                    rng.multivariate_normal(gp::zeros(2), gp::zeros({3, 2})));
  CHECK_VALUE_ERROR("mean and cov must have same length", rng.multivariate_normal(gp::zeros(3), gp::eye(2)));
  CHECK_VALUE_ERROR(
      "covariance is not symmetric positive-semidefinite.",
      rng.multivariate_normal(gp::zeros(2), ndarray<double>{{-1, 0}, {0, 1}}, {}, {.check_valid = "raise"}));
  CHECK_VALUE_ERROR(
      "covariance is not symmetric positive-semidefinite.",
      rng.multivariate_normal(gp::zeros(2), ndarray<double>{{1, 2}, {0, 1}}, {}, {.check_valid = "raise"}));
  CHECK_THROWS_WITH_AS(rng.multivariate_normal(gp::zeros(2), gp::zeros({2, 2}), {}, {.method = "cholesky"}),
                       "Matrix is not positive definite", gp::linalg_error);
  CHECK_THROWS_WITH_AS(rng.multivariate_normal(gp::zeros(2), ndarray<double>{{1, NAN}, {NAN, 1}}),
                       "SVD did not converge", gp::linalg_error);
  CHECK(rng.state() == default_rng(0).state());
}

TEST_CASE("parameters on both sides of 0 and 1") {
  Generator rng = default_rng(0);
  const double above_zero = std::numeric_limits<double>::denorm_min(), above_one = std::nextafter(1., 2.),
               below_one = std::nextafter(1., 0.);
  CHECK_VALUE_ERROR("scale < 0", rng.normal(0, -above_zero));
  CHECK(rng.exponential(0).item() == 0);
  CHECK_VALUE_ERROR("scale < 0", rng.exponential(-above_zero));
  CHECK(rng.chisquare(above_zero).item() >= 0);
  CHECK_VALUE_ERROR("df <= 0", rng.chisquare(0));
  CHECK(rng.binomial(5, above_zero).item() == 0);
  CHECK(rng.binomial(5, below_one).item() == 5);
  CHECK_VALUE_ERROR("p < 0, p > 1 or p is NaN", rng.binomial(5, -above_zero));
  CHECK_VALUE_ERROR("p < 0, p > 1 or p is NaN", rng.binomial(5, above_one));
  CHECK(rng.geometric(above_zero).item() > 0);
  CHECK_VALUE_ERROR("p <= 0, p > 1 or p contains NaNs", rng.geometric(above_one));
  CHECK_VALUE_ERROR("p < 0, p >= 1 or p is NaN", rng.logseries(-above_zero));
  CHECK(rng.logseries(0.999).item() > 0);
  CHECK(rng.zipf(above_one).item() > 0);
  CHECK(rng.multinomial(5, {1, 0}).to_vector() == std::vector<std::int64_t>{5, 0});
  CHECK_VALUE_ERROR("alpha < 0", rng.dirichlet({1, -above_zero}));
  CHECK(rng.triangular(0, 0, 1).item() <= 1);
  CHECK(rng.triangular(0, 1, 1).item() <= 1);
  CHECK_VALUE_ERROR("left > mode", rng.triangular(above_zero, 0, 1));
  CHECK_VALUE_ERROR("mode > right", rng.triangular(0, above_one, 1));
  CHECK(rng.uniform(1, 1).item() == 1);
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(1, below_one));
  CHECK_VALUE_ERROR("ngood + nbad < nsample", rng.hypergeometric(1, 2, 4));
  CHECK(rng.hypergeometric(1, 2, 3).item() == 1);
}

TEST_CASE("every element of parameters is looked at, and no element has no error") {
  Generator rng = default_rng(0);
  const double most = std::numeric_limits<double>::max();
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(gp::ndarray<double>{0, 1}, gp::ndarray<double>{1, 0}));
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(0.5, gp::ndarray<double>{1, 0}));
  CHECK_VALUE_ERROR("high - low < 0", rng.uniform(gp::ndarray<double>{0, 1}, 0.5));
  CHECK_VALUE_ERROR("p < 0, p > 1 or p contains NaNs", rng.binomial(5, gp::ndarray<double>{.5, 1, NAN}));
  const char* const too_far = "Range exceeds valid bounds";
  CHECK_THROWS_WITH_AS(rng.uniform(gp::ndarray<double>{0, -most}, most), too_far, gp::overflow_error);
  CHECK_THROWS_WITH_AS(rng.uniform(-most, gp::ndarray<double>{0, most}), too_far, gp::overflow_error);
  CHECK(rng.binomial(5, gp::zeros(0)).size() == 0);
  CHECK(rng.normal(0, gp::zeros({2, 0})).size() == 0);
  CHECK(rng.uniform(gp::zeros(0), 1).size() == 0);
}

TEST_CASE("parameters on both sides of their limits") {
  Generator rng = default_rng(0);
  const double most = std::numeric_limits<double>::max();
  const float most_single = std::numeric_limits<float>::max();
  CHECK_VALUE_ERROR("When method is \"marginals\", sum(colors) must be less than 1000000000.",
                    rng.multivariate_hypergeometric({500000000, 500000000}, 5));
  CHECK(gp::sum(rng.multivariate_hypergeometric({500000000, 499999999}, 5)).item() == 5);
  CHECK(gp::sum(rng.multivariate_hypergeometric({2, 3}, 5)).item() == 5);
  CHECK(gp::sum(rng.multivariate_hypergeometric({2, 3}, 0)).item() == 0);
  const char* const too_many = "both ngood and nbad must be less than 1000000000";
  CHECK_VALUE_ERROR(too_many, rng.hypergeometric(2, 1000000000, 5));
  CHECK(rng.hypergeometric(999999999, 999999999, 5).item() <= 5);
  // The mean and ten standard deviations, 1 (n + 10 sqrt(n)) here, are the largest mean of a Poisson variate.
  const double n = 9.223371976114766e18;
  CHECK(rng.negative_binomial(n, .5).item() > 0);
  CHECK_VALUE_ERROR("n too large or p too small, see Generator.negative_binomial Notes",
                    rng.negative_binomial(std::nextafter(n, INFINITY), .5));
  const char* const too_far = "high - low range exceeds valid bounds";
  CHECK(std::isfinite(rng.uniform(-most / 2, most / 2).item()));
  CHECK(rng.uniform(most / 2, most).item() >= most / 2);
  CHECK(rng.uniform(-most, -most / 2).item() <= -most / 2);
  CHECK_THROWS_WITH_AS(rng.uniform(-most / 2, most * 0.51), too_far, gp::overflow_error);
  CHECK_THROWS_WITH_AS(rng.uniform(-most, most), too_far, gp::overflow_error);
  CHECK(rng.uniform<float>(most_single / 2, most_single).item() >= most_single / 2);
  CHECK_THROWS_WITH_AS(rng.uniform<float>(-most_single / 2, most_single * 0.51f), too_far,
                       gp::overflow_error);
}

TEST_CASE("edges of parameters") {
  Generator rng = default_rng(2);
  CHECK(rng.binomial(0, 0.5).item() == 0);
  CHECK(rng.binomial(7, 0).item() == 0);
  CHECK(rng.binomial(7, 1).item() == 7);
  CHECK(rng.poisson(0).item() == 0);
  CHECK(rng.geometric(1).item() == 1);
  CHECK(gp::max(rng.geometric(1e-300, 100)).item() == gp::iinfo<std::int64_t>::max);
  CHECK(rng.hypergeometric(0, 5, 3).item() == 0);
  CHECK(rng.hypergeometric(5, 0, 3).item() == 3);
  CHECK(rng.hypergeometric(100, 100, 200).item() == 100);
  CHECK(rng.gamma(0).item() == 0);
  CHECK(rng.weibull(0).item() == 0);
  CHECK(rng.normal(3, 0).item() == 3);
  CHECK(std::isnan(rng.gamma(NAN).item()));
  CHECK(std::isnan(rng.beta(NAN, 1).item()));
  CHECK(std::isnan(rng.vonmises(0, NAN).item()));
  CHECK(std::isnan(rng.normal(0, NAN).item()));
  CHECK(rng.zipf(2000).item() == 1);
  CHECK(rng.logseries(0).item() == 1);
  const auto angles = rng.vonmises(100, 3, 10000);
  CHECK(gp::max(gp::abs(angles)).item() <= 3.1415926535897932);
  CHECK(rng.multinomial(0, {0.5, 0.5}).to_vector() == std::vector<std::int64_t>{0, 0});
  // Numbers of things lose their fractions.
  CHECK(gp::array_equal(default_rng(3).binomial(10.9, 0.5, 50), default_rng(3).binomial(10, 0.5, 50)));
  CHECK(gp::array_equal(default_rng(3).hypergeometric(9.5, 8.5, 6.5, 50),
                        default_rng(3).hypergeometric(9, 8, 6, 50)));
  CHECK(rng.hypergeometric(0, 0, 0.3).item() == 0);
  CHECK(gp::array_equal(default_rng(3).multinomial(10.9, {0.5, 0.5}, 50),
                        default_rng(3).multinomial(10, {0.5, 0.5}, 50)));
  const auto unknown =
      rng.multivariate_normal(gp::zeros(2), gp::ndarray<double>{{1, NAN}, {NAN, 1}}, {}, {.method = "eigh"});
  CHECK(gp::all(gp::isnan(unknown)).item());
  CHECK(rng.dirichlet({0.5, 0}).to_vector() == std::vector<double>{1, 0});
}

}  // namespace
