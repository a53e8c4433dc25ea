// The value of an array of one element, whether it is in memory, pending, or the end of a reduction.
#include <cmath>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

/// Values whose bytes are what a slot holds that no kernel has written yet, among others.
template<class V>
std::vector<V> telling_values() {
  if constexpr (std::is_same_v<V, bool>) {
    return {false, true};
  } else if constexpr (std::is_floating_point_v<V>) {
    V unwritten;
    std::memset(&unwritten, 0xa5, sizeof unwritten);
    return {
        V(0), V(-0.0), V(1.5), unwritten, std::numeric_limits<V>::infinity(), std::numeric_limits<V>::max()};
  } else {
    V unwritten, half = V(1);
    std::memset(&unwritten, 0xa5, sizeof unwritten);
    std::memset(&half, 0xa5, (sizeof half + 1) / 2);
    return {V(0), V(1), unwritten, half, std::numeric_limits<V>::min(), std::numeric_limits<V>::max()};
  }
}

template<class V>
bool same_bits(V a, V b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

TEST_CASE_TEMPLATE("item: of a pending reduction and of a pending map, bit for bit", V, bool, std::int8_t,
                   std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
                   std::uint64_t, float, double) {
  for (const V value : telling_values<V>()) {
    CAPTURE(value);
    const gp::ndarray<V> a = gp::full<V>({300}, value), one = gp::full<V>({1, 1}, value);
    CHECK(same_bits(V(gp::max(a)), value));
    CHECK(same_bits(gp::min(a, 0, {.keepdims = true}).item(), value));
    CHECK(same_bits(gp::where(one == one, one, one).item(), value));
    CHECK(same_bits(one.item(), value));
  }
}

TEST_CASE("item: of complex numbers and of halves") {
  using c64 = std::complex<float>;
  using c128 = std::complex<double>;
  const gp::ndarray<c128> z = gp::full<c128>({1000}, c128(3, -4));
  CHECK(gp::sum(z).item() == c128(3000, -4000));
  CHECK(gp::mean(z * 2.).item() == c128(6, -8));
  const gp::ndarray<c64> w = gp::full<c64>({1000}, c64(1, 2));
  CHECK(gp::sum(w).item() == c64(1000, 2000));
  CHECK(gp::linalg::norm(z).item() == doctest::Approx(5 * std::sqrt(1000.)));
  const gp::ndarray<gp::float16> half = gp::full<gp::float16>({100}, gp::float16(0.5f));
  const gp::ndarray<gp::bfloat16> minus_two = gp::full<gp::bfloat16>({100}, gp::bfloat16(-2.f));
  CHECK(float(gp::sum(half).item()) == 50);
  CHECK(float(gp::max(minus_two).item()) == -2);
}

TEST_CASE("item: of what is made of reductions") {
  const gp::ndarray<double> a = gp::arange<double>(1, 5);
  CHECK(gp::sqrt(gp::sum(a * a)).item() == std::sqrt(30.));
  CHECK((gp::max(a) - gp::min(a)).item() == 3);
  if (gp::linalg::norm(a) < 5.) FAIL("the norm is sqrt(30)");
  if (!gp::all(a > 0.)) FAIL("all are positive");
  CHECK(static_cast<bool>(gp::any(a > 3.)));
  CHECK(gp::argmax(a).item() == 3);
  CHECK(gp::sum<std::int8_t>(gp::ones<std::int8_t>(300)).item() == std::int8_t{44});
  CHECK(gp::nonzero(a > 2.)[0].size() == 2);
}

TEST_CASE("item: a name may be asked again, and used") {
  gp::ndarray<double> a = gp::arange<double>(1000);
  const auto total = gp::sum(a), mean = gp::mean(a);
  const auto twice = gp::sum(a) * 2.;
  CHECK(total.item() == 499500);
  CHECK(twice.item() == 999000);
  a(gp::ellipsis) = 0.;
  CHECK(total.item() == 499500);
  CHECK(twice.item() == 999000);
  CHECK((total + 1.).item() == 499501);
  CHECK((a + total + twice)(7).item() == 1498500);
  CHECK(mean.item() == 499.5);
  const gp::ndarray<double> kept = total;
  CHECK(kept.shape() == gp::dims{});
  CHECK(kept.item() == 499500);
  CHECK(gp::reshape(total, {1, 1}).to_vector() == std::vector{499500.});
}

TEST_CASE("item: what the array is made of is what it was when it was made") {
  gp::ndarray<float> a = gp::ones<float>(100);
  for (int i = 0; i < 50; ++i) {
    const auto before = gp::sum(a);
    const auto other = a * 2.f;
    a += 1.f;
    CHECK(before.item() == 100.f * static_cast<float>(i + 1));
    CHECK(gp::sum(a).item() == 100.f * static_cast<float>(i + 2));
    CHECK(other(0).item() == 2.f * static_cast<float>(i + 1));
  }
}

TEST_CASE("item: on another stream") {
  const gp::stream other = gp::stream(gp::default_device());
  const gp::ndarray<double> a = gp::ones<double>(100000);
  other.wait(gp::current_stream());
  const gp::stream_guard on_other(other);
  for (int i = 0; i < 20; ++i) CHECK(gp::sum(a * static_cast<double>(i)).item() == 100000. * i);
}

TEST_CASE("item: threads ask for their own values, and for one of all") {
  const gp::device on_device = gp::default_device();
  for (int round = 0; round < 20; ++round) {
    const gp::ndarray<std::int64_t> a = gp::arange<std::int64_t>(1000);
    const auto shared = gp::sum(a), of_map = gp::sum(a) + std::int64_t{1};
    std::vector<int> wrong(4);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        const gp::device_guard on(on_device);
        auto& errors = wrong[static_cast<std::size_t>(t)];
        for (int i = 0; i < 10; ++i) {
          errors += gp::sum(a + std::int64_t{t}).item() != 499500 + 1000 * t;
          errors += shared.item() != 499500;
          errors += (t % 2 ? of_map.item() : (shared + of_map).item()) != (t % 2 ? 499501 : 999001);
        }
      });
    for (std::thread& t : threads) t.join();
    CHECK(wrong == std::vector<int>(4));
  }
}
