// Every distribution at 10^6 samples: chi-square over up to 50 bins, mean and standard deviation.
//
// Limits: chi-square may exceed its limit with probability 10^-6, mean and variance five standard errors with
// 6 * 10^-7 each; so right samples pass all 200 comparisons with probability above 0.9998, and as the seed is
// fixed they pass for good.
#include <algorithm>
#include <cmath>
#include <sstream>

#include <doctest/doctest.h>

#include "support/random_cases.hpp"
#include "support/table.hpp"

namespace gp = gparray;

namespace {

std::vector<double> numbers(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> values;
  for (std::string word; stream >> word;) values.push_back(std::stod(word));
  return values;
}

void check_sample(const std::vector<double>& sample, const std::vector<std::string>& expected) {
  const std::vector<double> ends = numbers(expected[1]), probabilities = numbers(expected[2]);
  const auto n = static_cast<double>(sample.size());
  std::vector<double> counts(probabilities.size());
  double sum = 0;
  for (const double x : sample) {
    ++counts[static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), x) - ends.begin())];
    sum += x;
  }
  double chi_square = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double wanted = n * probabilities[k];
    chi_square += (counts[k] - wanted) * (counts[k] - wanted) / wanted;
  }
  CHECK(chi_square < std::stod(expected[3]));

  const double mean = std::stod(expected[4]), deviation = std::stod(expected[5]);
  const double kurtosis = std::stod(expected[6]);
  // With heavy tails sample moments are far from normal yet at 10^6.
  if (std::isnan(kurtosis) || kurtosis > 100) return;
  CHECK(std::abs(sum / n - mean) < 5 * deviation / std::sqrt(n));
  double squares = 0;
  for (const double x : sample) squares += (x - mean) * (x - mean);
  CHECK(std::abs(squares / n / (deviation * deviation) - 1) < 5 * std::sqrt((kurtosis + 2) / n));
}

TEST_CASE("distributions are what they say") {
  const golden::table expected = golden::read_table("random/random.tsv", 7);
  CHECK(expected.size() == random_cases::all().size());
  for (const auto& each : random_cases::all()) {
    CAPTURE(each.name);
    gp::random::Generator rng = gp::random::default_rng(20260722);
    check_sample(random_cases::as_doubles(each.draw(rng, 1000000)).to_vector(),
                 golden::find_row(expected, each.name, "run random/make_random_golden.py"));
  }
}

TEST_CASE("neighbours are independent") {
  // The correlation of n independent pairs has a standard error of 1 / sqrt(n); five of them at most.
  constexpr std::int64_t n = 1000000;
  for (const std::int64_t lag : {1, 2, 3, 4, 1024, 4096}) {
    CAPTURE(lag);
    gp::random::Generator rng = gp::random::default_rng(5);
    const auto correlation = [&](const gp::ndarray<double>& x) {
      const gp::ndarray<double> a = x(gp::slice(0, n - lag)), b = x(gp::slice(lag, n));
      return gp::mean(a * b).item();
    };
    CHECK(std::abs(correlation(rng.standard_normal(n))) < 5e-3);
    CHECK(std::abs(correlation(rng.standard_normal<float>(n).astype<double>())) < 5e-3);
    const gp::ndarray<double> uniform = (rng.random(n) - 0.5) * std::sqrt(12.0);
    CHECK(std::abs(correlation(uniform)) < 5e-3);
  }
}

/// The share of numbers above a limit, which should be `wanted`, within five standard errors.
void check_share(const gp::ndarray<double>& x, double limit, double wanted) {
  CAPTURE(limit);
  const double n = static_cast<double>(x.size());
  CHECK(std::abs(gp::mean((x > limit).astype<double>()).item() - wanted) <
        5 * std::sqrt(wanted * (1 - wanted) / n));
}

TEST_CASE("counts so large that logarithms of factorials cancel") {
  constexpr std::int64_t n = 400000;
  const auto check_normal = [](const gp::ndarray<std::int64_t>& x, double mean, double deviation) {
    CAPTURE(mean);
    const gp::ndarray<double> z = (x.astype<double>() - mean) / deviation;
    for (const double limit : {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0})
      check_share(z, limit, 0.5 * std::erfc(limit * std::sqrt(0.5)));
  };
  gp::random::Generator rng = gp::random::default_rng(11);
  for (const double mean : {1e12, 1e15, 1e17, 9e18})
    check_normal(rng.poisson(mean, n), mean, std::sqrt(mean));
  for (const double many : {0x1p45, 0x1p53, 0x1p60})
    for (const double p : {0.5, 0.2})
      check_normal(rng.binomial(many, p, n), many * p, std::sqrt(many * p * (1 - p)));
  // Few of many are Poisson variates: of mean 20, above 30 with this probability.
  check_share(rng.binomial(0x1p60, 20 * 0x1p-60, n).astype<double>(), 30, 0.0134746813);
}

TEST_CASE("zipf near 1") {
  // P(x >= k) is (f(2^63) - f(k)) / (f(2^63) + 0.5772), f(k) = (1 - k^-e) / e, for small e = a - 1 and large
  // k.
  for (const double e : {0x1p-52, 1e-12, 1e-6, 1e-3}) {
    CAPTURE(e);
    const gp::ndarray<double> x = gp::random::default_rng(12).zipf(1 + e, 400000).astype<double>();
    const double all = -std::expm1(-e * std::log(0x1p63)) / e + 0.5772157;
    for (const double k : {0x1p20, 0x1p32, 0x1p44, 0x1p54, 0x1p60})
      check_share(x, k, (std::expm1(-e * std::log(k)) - std::expm1(-e * std::log(0x1p63))) / e / all);
  }
}

TEST_CASE("angles far below the rounding errors of pi") {
  const gp::ndarray<double> z = gp::random::default_rng(13).vonmises(0, 1e40, 100000) * 1e20;
  CHECK(std::abs(gp::mean(z * z).item() - 1) < 0.03);
}

TEST_CASE("components of vectors vary together as they should") {
  // Standard errors at n = 10^6: of a covariance at most sqrt(2 * 3 * 3 / n) = 0.0042.
  constexpr std::int64_t n = 1000000;
  gp::random::Generator rng = gp::random::default_rng(9);
  const gp::ndarray<double> cov{{2, 1, -0.5}, {1, 3, 0.25}, {-0.5, 0.25, 1}};
  for (const char* method : {"svd", "eigh", "cholesky"}) {
    CAPTURE(method);
    const gp::ndarray<double> x =
        rng.multivariate_normal(gp::ndarray<double>{1, -2, 0.5}, cov, n, {.method = method});
    const gp::ndarray<double> y = x - gp::ndarray<double>{1, -2, 0.5};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        CHECK(std::abs(gp::mean(y(gp::all, i) * y(gp::all, j)).item() - cov.item(i, j)) < 0.022);
  }
  // A covariance of rank 1: the second is always twice the first.
  const gp::ndarray<double> flat =
      rng.multivariate_normal(gp::ndarray<double>{0, 0}, gp::ndarray<double>{{1, 2}, {2, 4}}, 1000);
  CHECK(gp::max(gp::abs(flat(gp::all, 1) - 2. * flat(gp::all, 0))).item() < 1e-6);
  // Squares of these variances are 0 or infinite. The standard error of the quotient is 0.003.
  for (const double unit : {1e-170, 1e170}) {
    CAPTURE(unit);
    const gp::ndarray<double> x =
        rng.multivariate_normal(gp::zeros(2), gp::ndarray<double>{{2, 1}, {1, 2}} * unit, 100000) /
        std::sqrt(unit);
    CHECK(std::abs(gp::mean(x(gp::all, 0) * x(gp::all, 1)).item() - 1) < 0.05);
  }
  // Of 20 trials with probabilities 0.2 and 0.3 the covariance is -20 * 0.06; its standard error below 0.006.
  const gp::ndarray<double> counts = rng.multinomial(20, {0.2, 0.3, 0.5}, n).astype<double>();
  CHECK(std::abs(gp::mean((counts(gp::all, 0) - 4.) * (counts(gp::all, 1) - 6.)).item() + 1.2) < 0.03);
  CHECK(gp::all(gp::sum(counts, 1) == 20.).item());
  CHECK(gp::max(gp::abs(gp::sum(rng.dirichlet({0.5, 2, 3}, 1000), 1) - 1.)).item() < 4e-16 * 3);
}

}  // namespace
