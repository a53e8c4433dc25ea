// Functions of two results on a GPU: one kernel computes both, as long as both are wanted.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>
#include <gparray/runtime/jit.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using gp::none;
using gp::slice;
using calls = fake::map_calls;
using fixture = fake::recorded_maps;

template<class V>
gp::ndarray<V> numbers() {
  using limits = std::numeric_limits<V>;
  std::vector<V> all{
      V(0), V(1), V(7), V(100), limits::max(), limits::lowest(), static_cast<V>(-1), static_cast<V>(-7)};
  if constexpr (limits::has_infinity)
    for (const V x : {-V(0), V(2.5), -V(0.3), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                      limits::denorm_min(), limits::min()})
      all.push_back(x);
  return gp::array(all);
}

/// The same numbers, with the signs of zeros.
template<class V>
bool same(const gp::ndarray<V>& a, const gp::ndarray<V>& b) {
  const std::vector<V> x = gp::asnumpy(a).to_vector(), y = gp::asnumpy(b).to_vector();
  return a.shape() == b.shape() && std::equal(x.begin(), x.end(), y.begin(), [](V p, V q) {
           const auto l = static_cast<double>(p), r = static_cast<double>(q);
           return (std::isnan(l) && std::isnan(r)) || (l == r && std::signbit(l) == std::signbit(r));
         });
}

/// That call() has the results that it has on the CPU, and from one kernel, whichever is wanted first.
template<class Call>
void check_both(fixture& f, const Call& call) {
  const auto expected = [&] {
    const gp::device_guard cpu(gp::device::cpu());
    return call([](const auto& x) { return gp::asnumpy(x); });
  }();
  const auto& [first, second] = expected;
  for (const bool second_first : {false, true}) {
    const auto results = call([](const auto& x) { return x; });
    const auto& [a, b] = results;
    const calls made = f.calls_of([&] {
      if (second_first) (void)b.eval();
      (void)a.eval();
      (void)b.eval();
    });
    CHECK(same(a, first));
    CHECK(same(b, second));
    REQUIRE(made.size() == 1);
    CHECK(made[0].stores == 1);
  }
}

template<class V>
void check_divmod(fixture& f) {
  const gp::ndarray<V> all = numbers<V>(), columns = all(":, None").copy().eval();
  const gp::ndarray<V> square = gp::broadcast_to(all, {all.size(), all.size()}).copy().eval();
  check_both(f, [&](auto at) { return gp::divmod(at(columns), at(all)); });
  check_both(f, [&](auto at) { return gp::divmod(at(all), V(7)); });
  check_both(f, [&](auto at) { return gp::divmod(V(7), at(all)); });
  check_both(f, [&](auto at) { return gp::divmod(at(square)("::-1, ::2"), at(square).T()("::-1, ::2")); });
}

template<class V>
void check_parts(fixture& f) {
  const gp::ndarray<V> all = numbers<V>();
  const gp::ndarray<V> square = gp::broadcast_to(all, {all.size(), all.size()}).copy().eval();
  check_both(f, [&](auto at) { return gp::modf(at(all)); });
  check_both(f, [&](auto at) { return gp::modf(at(square).T()); });
  check_both(f, [&](auto at) { return gp::frexp(at(all)); });
  check_both(f, [&](auto at) { return gp::frexp(at(square)("1:, ::3")); });
}

}  // namespace

TEST_CASE("kernels: both results of a function are one, of every dtype") {
  fixture f;
  check_divmod<std::int8_t>(f);
  check_divmod<std::uint8_t>(f);
  check_divmod<std::int16_t>(f);
  check_divmod<std::uint16_t>(f);
  check_divmod<std::int32_t>(f);
  check_divmod<std::uint32_t>(f);
  check_divmod<std::int64_t>(f);
  check_divmod<std::uint64_t>(f);
  check_divmod<float>(f);
  check_divmod<double>(f);
  check_parts<float>(f);
  check_parts<double>(f);
}

TEST_CASE(
    "kernels: a quotient and a remainder of the same pending numbers are one, however they are written") {
  fixture f;
  const gp::ndarray<double> x = gp::linspace(-5, 5, 100), y = gp::linspace(1, 2, 100);
  const calls made = f.calls_of([&] {
    const gp::ndarray<double> numerator = x * 3.0 + 1.0;
    const gp::ndarray<double> q = gp::floor_divide(numerator, y), r = numerator % y;
    (void)r.eval();
    CHECK(gp::allclose(q * y + r, numerator));
  });
  CHECK(std::count_if(made.begin(), made.end(), [](const auto& m) { return m.stores == 1; }) == 1);
}

TEST_CASE("kernels: a result that is dropped is not computed") {
  fixture f;
  const gp::ndarray<double> x = gp::linspace(-5, 5, 100);
  const auto one = [&](auto work) {
    const calls made = f.calls_of(work);
    REQUIRE(made.size() == 1);
    CHECK(made[0].stores == 0);
  };
  one([&] {
    const gp::ndarray<double> fraction = gp::modf(x).fractional;
    (void)fraction.eval();
  });
  one([&] {
    gp::ndarray<double> mantissa;
    {
      const auto [kept, dropped] = gp::frexp(x);
      mantissa = kept;
    }
    (void)mantissa.eval();
  });
  // What is only an operand is a step.
  one([&] {
    const auto [fraction, whole] = gp::modf(x);
    (void)gp::ndarray<double>(fraction * whole).eval();
  });
}

TEST_CASE("kernels: without a compiler each result has its own") {
  fixture f;
  const gp::ndarray<double> x = gp::linspace(-5, 5, 100);
  const gp::jit before = gp::jit_mode();
  gp::set_jit_mode(gp::jit::off);
  const calls made = f.calls_of([&] {
    const auto [fraction, whole] = gp::modf(x);
    (void)fraction.eval(), (void)whole.eval();
  });
  gp::set_jit_mode(before);
  REQUIRE(made.size() == 2);
  CHECK(made[0].stores == 0);
}

TEST_CASE("both results are those of the numbers that were there") {
  fixture f;
  gp::ndarray<double> x = gp::array({7.0, -7.0, 8.5}), y = gp::array({2.0, 2.0, 0.25});
  {
    const auto [q, r] = gp::divmod(x, y);
    (void)q.eval();
    x(0) = 100.0;
    CHECK(gp::asnumpy(r).to_vector() == std::vector{1.0, 1.0, 0.0});
    CHECK(gp::asnumpy(q).to_vector() == std::vector{3.0, -4.0, 34.0});
  }
  x(0) = 7.0;
  {
    const auto [q, r] = gp::divmod(x, y);
    x += 1.0;
    CHECK(gp::asnumpy(q).to_vector() == std::vector{3.0, -4.0, 34.0});
    CHECK(gp::asnumpy(r).to_vector() == std::vector{1.0, 1.0, 0.0});
  }
  x -= 1.0;
  // Outputs that are the operands.
  const auto [q, r] = gp::divmod(x, y, x, y);
  CHECK(gp::asnumpy(x).to_vector() == std::vector{3.0, -4.0, 34.0});
  CHECK(gp::asnumpy(y).to_vector() == std::vector{1.0, 1.0, 0.0});
  const auto [nothing, as_little] = gp::modf(gp::zeros(0));
  CHECK(nothing.size() == 0);
  CHECK(as_little.eval().size() == 0);
}
