// The portable half of random numbers: Philox, conversions, functions, and the host's loops against them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include <doctest/doctest.h>

#include <host/random/words.hpp>
#include <host/support/operations.hpp>
#include <plan/random_order.hpp>
#include <plan/random_plan.hpp>

using namespace gparray;
using core::distribution;

namespace {

std::vector<unsigned> block(unsigned a, unsigned b, unsigned c, unsigned d, kernel::philox_key key) {
  const kernel::philox_words words = kernel::philox(a, b, c, d, key);
  return {words.w, words.w + 4};
}

TEST_CASE("Philox gives the published numbers") {
  // kat_vectors of Random123 1.14.
  using words = std::vector<unsigned>;
  CHECK(block(0, 0, 0, 0, {0, 0}) == words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr unsigned ones = 0xffffffff;
  CHECK(block(ones, ones, ones, ones, {ones, ones}) == words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(block(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, {0xa4093822, 0x299f31d0}) ==
        words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("the AVX-512 loop makes the blocks one by one") {
  const kernel::philox_key key{0x12345678, 0x9abcdef0};
  // The second number carries into the upper word.
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0xfffffff5}, ~std::uint64_t{0} - 7})
    for (const std::int64_t n : {1, 7, 16, 17, 100}) {
      std::vector<unsigned> words(static_cast<std::size_t>(4 * n) + 1, 77);
      host::fill_random_words(words.data(), first, n, kernel::counter_kind::words64, key);
      for (std::int64_t i = 0; i < n; ++i) {
        const auto expected = kernel::philox_block(first + static_cast<std::uint64_t>(i), 0,
                                                   kernel::counter_kind::words64, key);
        CHECK(std::equal(expected.w, expected.w + 4, words.begin() + 4 * i));
      }
      CHECK(words.back() == 77);
    }
}

TEST_CASE("bits become numbers as documented") {
  constexpr unsigned ones = 0xffffffff;
  CHECK(kernel::to_unit(0u) == 0);
  CHECK(kernel::to_unit(0x100u) == 0x1p-24f);
  CHECK(kernel::to_unit(ones) == 1 - 0x1p-24f);
  CHECK(kernel::to_unit(0u, 0u) == 0);
  CHECK(kernel::to_unit(0u, 0x40u) == 0x1p-53);
  CHECK(kernel::to_unit(ones, ones) == 1 - 0x1p-53);
  CHECK(kernel::to_open(0u, 0u) == 0x1p-53);
  CHECK(kernel::to_open(ones, ones) == 1 - 0x1p-53);
  CHECK(kernel::to_positive(0u) == 0x1p-32f);
  CHECK(kernel::to_positive(ones) == 1);
  CHECK(kernel::to_inner(0u) == 0x1p-32f);
  CHECK(kernel::to_inner(ones) == 1 - 0x1p-24f);
  CHECK(kernel::to_inner(0x80000000u) == kernel::to_inner(0u));
  CHECK(kernel::to_binade(0u, 0u) == 1);
  CHECK(kernel::to_binade(ones, ones) == 2 - 0x1p-52);
  CHECK(kernel::to_binade(0u, 0x1000u) == 1 + 0x1p-52);
}

/// The largest error of f against the C library's long double in units of the last place of the result.
template<class Real, class F, class G>
double largest_error(F f, G exact, double begin, double end, bool logarithmic) {
  double worst = 0;
  for (int i = 0; i <= 100000; ++i) {
    const double at = begin + (end - begin) * i / 100000;
    const Real x = static_cast<Real>(logarithmic ? std::exp(at) : at);
    const long double wanted = exact(static_cast<long double>(x));
    const int digits = sizeof(Real) == 4 ? 23 : 52,
              exponent = wanted == 0 ? -1074 : std::ilogb(static_cast<double>(wanted));
    const double unit = std::ldexp(1.0, std::max(exponent - digits, -1074));
    worst = std::max(worst, static_cast<double>(std::abs(static_cast<long double>(f(x)) - wanted)) / unit);
  }
  return worst;
}

TEST_CASE("the portable functions are accurate") {
  namespace portable = kernel::portable;
  using wide = long double;
  const auto log = [](auto x) { return portable::log(x); };
  const auto exact_log = [](wide x) { return std::log(x); };
  CHECK(largest_error<double>(log, exact_log, -700, 700, true) < 1);
  CHECK(largest_error<double>(log, exact_log, 0.5, 2, false) < 1);
  CHECK(largest_error<double>([](double x) { return portable::exp(x); }, [](wide x) { return std::exp(x); },
                              -745, 709, false) < 1.5);
  CHECK(largest_error<double>([](double x) { return portable::expm1(x); },
                              [](wide x) { return std::expm1(x); }, -2, 2, false) < 5);
  CHECK(largest_error<double>([](double x) { return portable::log1p(x); },
                              [](wide x) { return std::log1p(x); }, -0.99, 3, false) < 2);
  CHECK(largest_error<double>([](double x) { return portable::acos(x); }, [](wide x) { return std::acos(x); },
                              -1, 1, false) < 4);
  CHECK(largest_error<double>([](double x) { return portable::log_gamma(x); },
                              [](wide x) { return std::lgamma(x); }, 1.95, 30, true) < 4);
  for (double x = 0.01; x < 7; x += 0.01) CHECK(std::abs(portable::log_gamma(x) - std::lgamma(x)) < 5e-15);
  const auto sine = [](auto x) { return portable::rotate(x, kernel::unsigned_t<decltype(x)>(0)).sine; };
  const auto cosine = [](auto x) { return portable::rotate(x, kernel::unsigned_t<decltype(x)>(0)).cosine; };
  const auto exact_sine = [](wide x) { return std::sin(x); };
  const auto exact_cosine = [](wide x) { return std::cos(x); };
  CHECK(largest_error<double>(sine, exact_sine, -0.785, 0.785, false) < 1.5);
  CHECK(largest_error<double>(cosine, exact_cosine, -0.785, 0.785, false) < 1.5);
  for (unsigned long quarters = 0; quarters < 4; ++quarters) {
    const auto rotated = portable::rotate(0.3, quarters);
    const double angle = 0.3 + static_cast<double>(quarters) * std::acos(0.0);
    CHECK(rotated.sine == doctest::Approx(std::sin(angle)));
    CHECK(rotated.cosine == doctest::Approx(std::cos(angle)));
  }
  CHECK(portable::exp(-1e300) == 0);
  CHECK(std::isinf(portable::exp(1e300)));
  CHECK(std::isnan(portable::exp(std::nan(""))));
  CHECK(portable::log(0.0) == -INFINITY);
  CHECK(std::isnan(portable::log(-1.0)));
  CHECK(portable::log(double(INFINITY)) == INFINITY);
  CHECK(portable::log(0x1p-1074) == doctest::Approx(-744.44007192138127));
}

TEST_CASE("the functions of loops over blocks are accurate") {
  namespace portable = kernel::portable;
  using wide = long double;
  const auto log = [](auto x) { return portable::fused_log(x); };
  const auto exact_log = [](wide x) { return std::log(x); };
  CHECK(largest_error<float>(log, exact_log, -22, 0, true) < 1.5);
  CHECK(largest_error<float>(log, exact_log, 0.5, 1, false) < 1.5);
  CHECK(largest_error<double>(log, exact_log, -37, 0, true) < 1.5);
  CHECK(largest_error<double>(log, exact_log, 0.5, 1, false) < 1.5);
  const auto sine = [](auto t) { return portable::diagonal(t).sine; };
  const auto cosine = [](auto t) { return portable::diagonal(t).cosine; };
  // From within a right angle, where the argument of the C library's cosine is not accurate.
  const wide right_angle = std::acos(wide(0)), root = std::sqrt(wide(2));
  const auto exact_sine = [=](wide t) { return root * std::sin(right_angle * t); };
  const auto exact_cosine = [=](wide t) { return root * std::sin(right_angle * (1 - std::abs(t))); };
  CHECK(largest_error<float>(sine, exact_sine, -1, 1, false) < 2.5);
  CHECK(largest_error<float>(cosine, exact_cosine, -1, 1, false) < 2.5);
  CHECK(largest_error<double>(sine, exact_sine, -1, 1, false) < 2.5);
  CHECK(largest_error<double>(cosine, exact_cosine, -1, 1, false) < 2.5);
  CHECK(portable::fused_log(1.f) == 0);
  CHECK(portable::fused_log(1.0) == 0);
}

TEST_CASE("normal numbers reach far and are symmetric") {
  constexpr unsigned ones = 0xffffffff, mirror = 0x80000000;
  // The word 0 is the farthest: sqrt(-2 log 2^-32) = 6.66, and for float64 sqrt(-2 log 2^-53) = 8.57.
  CHECK(kernel::normal_pair(0u, 0u).cosine == doctest::Approx(6.6604).epsilon(1e-4));
  const unsigned far[4] = {0, 0, mirror, 0}, near[4] = {ones, ones, mirror, 0};
  CHECK(kernel::normal_pair(far).cosine == doctest::Approx(8.5717).epsilon(1e-4));
  CHECK(std::abs(kernel::normal_pair(ones, 1u).cosine) < 4e-4);
  CHECK(std::abs(kernel::normal_pair(near).cosine) < 2e-8);
  // Every quarter of the circle, from words alone.
  bool met[2][4] = {};
  for (unsigned k = 0; k < 1000; ++k) {
    const kernel::philox_words words = kernel::philox(k, 0, 0, 0, kernel::philox_key{1, 2});
    const auto single = kernel::normal_pair(words.w[0], words.w[1]);
    const auto mirrored = kernel::normal_pair(words.w[0] ^ mirror, words.w[1]);
    CHECK(mirrored.sine == single.sine);
    CHECK(mirrored.cosine == -single.cosine);
    const auto wide = kernel::normal_pair(words.w);
    met[0][2 * (single.sine < 0) + (single.cosine < 0)] = true;
    met[1][2 * (wide.sine < 0) + (wide.cosine < 0)] = true;
    CHECK(std::isfinite(wide.sine + wide.cosine + single.sine + single.cosine));
  }
  for (const auto& quarters : met)
    for (const bool quarter : quarters) CHECK(quarter);
}

core::random_plan plan_of(distribution op, dtype type, std::uint64_t position, std::int64_t size, void* out) {
  core::random_plan plan;
  plan.op = op;
  plan.type = type;
  plan.key = 0xfedcba9876543210;
  plan.position = position;
  plan.size = size;
  plan.out = out;
  return plan;
}

std::uint64_t bits_of(double value) { return __builtin_bit_cast(std::uint64_t, value); }

/// The element of a block distribution without any loop.
template<class Row, class Real, class Out>
Out one_element(const core::random_plan& plan, std::int64_t i) {
  using source = typename Row::template source<Real>;
  const std::uint64_t position = plan.position + static_cast<std::uint64_t>(i);
  const auto words = kernel::philox_block(position / source::lanes, 0, source::kind, host::key_of(plan));
  typename source::value z[source::lanes];
  source::make(words.w, z);
  kernel::draw_context x = host::context_of(plan);
  x.position = position;
  return static_cast<Out>(
      Row::template call<Real>(z[position % source::lanes], host::parameter_values(plan, i).bits, x));
}

template<class Row, class Real, class Out = Real>
void check_vectorised(distribution op, dtype type) {
  for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{3}, (std::uint64_t{1} << 34) + 1}) {
    constexpr std::int64_t n = 5000;
    std::vector<Out> made(n);
    core::random_plan plan = plan_of(op, type, position, n, made.data());
    plan.parameters[0].bits = bits_of(0.75);
    plan.parameters[1].bits = bits_of(1.5);
    host::random(plan);
    std::int64_t different = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const Out expected = one_element<Row, Real, Out>(plan, i);
      different += std::memcmp(&expected, &made[static_cast<std::size_t>(i)], sizeof expected) != 0;
    }
    CAPTURE(static_cast<int>(op));
    CAPTURE(name(type));
    CHECK(different == 0);
  }
}

TEST_CASE("vector loops give the bits of one element at a time") {
  check_vectorised<kernel::standard_uniform_row, float>(distribution::standard_uniform, dtype::float32);
  check_vectorised<kernel::standard_uniform_row, double>(distribution::standard_uniform, dtype::float64);
  check_vectorised<kernel::standard_normal_row, float>(distribution::standard_normal, dtype::float32);
  check_vectorised<kernel::standard_normal_row, double>(distribution::standard_normal, dtype::float64);
  check_vectorised<kernel::uniform_row, float>(distribution::uniform, dtype::float32);
  check_vectorised<kernel::uniform_row, double>(distribution::uniform, dtype::float64);
  check_vectorised<kernel::normal_row, float>(distribution::normal, dtype::float32);
  check_vectorised<kernel::normal_row, double>(distribution::normal, dtype::float64);
  check_vectorised<kernel::exponential_row, float>(distribution::exponential, dtype::float32);
  check_vectorised<kernel::exponential_row, double>(distribution::exponential, dtype::float64);
  check_vectorised<kernel::lognormal_row, double>(distribution::lognormal, dtype::float64);
  check_vectorised<kernel::laplace_row, double>(distribution::laplace, dtype::float64);
  check_vectorised<kernel::logistic_row, double>(distribution::logistic, dtype::float64);
  check_vectorised<kernel::gumbel_row, double>(distribution::gumbel, dtype::float64);
  check_vectorised<kernel::weibull_row, double>(distribution::weibull, dtype::float64);
  check_vectorised<kernel::pareto_row, double>(distribution::pareto, dtype::float64);
  check_vectorised<kernel::power_row, double>(distribution::power, dtype::float64);
  check_vectorised<kernel::geometric_row, double, long>(distribution::geometric, dtype::int64);
}

TEST_CASE("rejected integers come from the element's own stream") {
  // A range of 2^31 + 1 rejects almost half of all words.
  constexpr std::int64_t n = 10000;
  std::vector<unsigned long> made(n);
  core::random_plan plan = plan_of(distribution::integers32, dtype::uint64, 5, n, made.data());
  plan.parameters[1].bits = 0x80000000u;
  host::random(plan);
  std::int64_t retried = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t position = 5 + static_cast<std::uint64_t>(i);
    const auto words =
        kernel::philox_block(position / 4, 0, kernel::counter_kind::words32, host::key_of(plan));
    const std::uint64_t product = std::uint64_t{words.w[position % 4]} * 0x80000001u;
    const bool rejected = static_cast<unsigned>(product) < (0u - 0x80000001u) % 0x80000001u;
    retried += rejected;
    if (!rejected) CHECK(made[static_cast<std::size_t>(i)] == product >> 32);
    CHECK(made[static_cast<std::size_t>(i)] <= 0x80000000u);
  }
  // (2^31 - 1) / 2^32 of 10^4, five standard deviations around.
  CHECK(std::abs(static_cast<double>(retried) - 5000) < 250);
}

/// Two words each agree in all bits, so that they keep their order, or in all but the last.
std::uint64_t ordered_word(std::size_t i, bool equal) {
  return kernel::element_draws({1, 2}, i / 2).word() | (equal ? 1 : 1 ^ i % 2);
}

TEST_CASE("words are put in order") {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33, 1000, 5000, 100000}) {
    CAPTURE(n);
    std::vector<std::uint64_t> words(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = ordered_word(i, i / 2 % 2 == 0);
    std::vector<std::int64_t> order(words.size()), expected(words.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
      return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
    });
    core::order_words(words.data(), 1, n, order.data());
    CHECK(order == expected);
  }
}

TEST_CASE("words that are not random are put in order") {
  for (const std::int64_t n : {2, 64, 65, 66, 200, 5000, 40000}) {
    CAPTURE(n);
    const auto size = static_cast<std::size_t>(n);
    for (int how = 0; how < 4; ++how) {
      std::vector<std::uint64_t> words(size);
      for (std::size_t i = 0; i < size; ++i)
        words[i] = how == 0 ? 7 : how == 1 ? size - i : how == 2 ? (size - i) << 40 : i % 3 << 62;
      std::vector<std::int64_t> order(size), expected(size);
      std::iota(expected.begin(), expected.end(), 0);
      std::stable_sort(expected.begin(), expected.end(), [&](std::int64_t a, std::int64_t b) {
        return words[static_cast<std::size_t>(a)] < words[static_cast<std::size_t>(b)];
      });
      core::order_words(words.data(), 1, n, order.data());
      CHECK(order == expected);
    }
  }
}

/// Elements of some bytes each, of which every `apart`-th is moved: to another position, and where they are.
template<class T>
void check_moving(std::int64_t n, std::int64_t apart) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = ordered_word(i, i % 3 == 0);
  std::vector<std::int64_t> order(words.size());
  core::order_words(words.data(), 1, n, order.data());
  const auto at = [=](std::int64_t i) { return static_cast<std::size_t>(i * apart); };
  std::vector<T> from(at(n)), to(words.size());
  if (n > 0) std::memset(from.data(), 1, from.size() * sizeof(T));
  for (std::size_t i = 0; i < from.size(); ++i) std::memcpy(&from[i], &i, std::min(sizeof i, sizeof(T)));
  const auto step = static_cast<std::int64_t>(sizeof(T)), far = apart * step;
  std::vector<T> expected = from;
  core::move_by_words(words.data(), n, {from.data(), far}, {to.data(), step}, sizeof(T));
  std::vector<T> gathered;
  for (const std::int64_t source : order) gathered.push_back(from[at(source)]);
  CHECK(to == gathered);
  for (std::int64_t i = 0; i < n; ++i) expected[at(i)] = gathered[static_cast<std::size_t>(i)];
  core::move_by_words(words.data(), n, {from.data(), far}, {from.data(), far}, sizeof(T));
  CHECK(from == expected);
}

TEST_CASE("elements move as their words are put in order") {
  for (const std::int64_t n : {0, 1, 2, 127, 128, 5000})
    for (const std::int64_t apart : {1, 2}) {
      CAPTURE(n);
      check_moving<std::uint8_t>(n, apart);
      check_moving<std::uint16_t>(n, apart);
      check_moving<std::uint32_t>(n, apart);
      check_moving<std::uint64_t>(n, apart);
      check_moving<std::array<std::uint64_t, 2>>(n, apart);
    }
}

}  // namespace
