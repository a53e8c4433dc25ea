// What pending steps keep of arrays that the program has dropped, and that what it has not dropped counts for
// nothing.
#include <algorithm>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"

namespace gp = gparray;

namespace {

using array = gp::ndarray<float>;

constexpr std::int64_t MiB = std::int64_t{1} << 20;

/// Memory that nobody touches, so that it costs none.
gp::ndarray<std::uint8_t> untouched(std::int64_t bytes, gp::device on = gp::device::cpu()) {
  return gp::empty<std::uint8_t>({bytes}, {.device = on});
}

/// The most bytes of host memory that are in use behind any turn, beside those before.
template<class Turn>
std::int64_t most_used(int turns, Turn turn) {
  const auto pool = gp::default_memory_pool(gp::memory_space::host, gp::device::cpu());
  const auto used = [&] { return static_cast<std::int64_t>(pool.used_bytes()); };
  const std::int64_t before = used();
  std::int64_t most = 0;
  for (int k = 0; k < turns; ++k) {
    turn(k);
    most = std::max(most, used() - before);
  }
  return most;
}

}  // namespace

TEST_CASE("small results keep little of the large arrays that they are made of") {
  const std::int64_t each = 24 * MiB, bound = 6 * each;
  const int turns = 24;
  std::vector<gp::ndarray<std::uint8_t>> results;
  SUBCASE("reductions") {
    CHECK(most_used(turns, [&](int) {
            const gp::ndarray<std::uint8_t> x = untouched(each);
            x(":100") = 3;
            results.push_back(gp::max(x(":100")));
          }) <= bound);
  }
  SUBCASE("views") {
    CHECK(most_used(turns, [&](int) {
            const gp::ndarray<std::uint8_t> x = untouched(each);
            x(":100") = 3;
            const gp::ndarray<std::uint8_t> part = x(":1") * 1;
            results.push_back(part);
          }) <= bound);
  }
  SUBCASE("one after the other") {
    gp::ndarray<std::uint8_t> sum = gp::zeros<std::uint8_t>({1});
    CHECK(most_used(turns, [&](int) {
            const gp::ndarray<std::uint8_t> x = untouched(each);
            x(":100") = 3;
            sum = gp::maximum(sum, gp::max(x(":100")));
          }) <= bound);
    CHECK(sum.item() == 3);
  }
  for (const auto& r : results) CHECK(r.item() == 3);
}

TEST_CASE("a loop of large arrays is not cut for what its names would take") {
  fake::recorded_maps f;
  const gp::dims shape{2048, 2048};
  const array x = gp::empty<float>(shape), y = gp::empty<float>(shape);
  const fake::map_calls made = f.calls_of([&] {
    array zx = x, zy = y;
    gp::ndarray<int> count = gp::empty<int>(shape);
    for (int k = 0; k < 60; ++k) {  // 450 names of 4 or 16 MiB
      const array zx2 = zx * zx, zy2 = zy * zy;
      const gp::ndarray<bool> inside = zx2 + zy2 < 4;
      count += inside.astype<int>();
      const array nx = zx2 - zy2 - 0.8, ny = 2 * zx * zy + 0.156;
      zx = gp::where(inside, nx, zx);
      zy = gp::where(inside, ny, zy);
    }
  });
  CHECK(made.empty());
}

TEST_CASE("large names stay pending, and what the program has is not what they keep") {
  fake::recorded_maps f;
  const std::int64_t n = 1536 * MiB;
  const auto a = untouched(n, gp::device::cuda(0)), b = untouched(n, gp::device::cuda(0)),
             c = untouched(n, gp::device::cuda(0));
  const fake::map_calls made = f.calls_of(
      [&] { const gp::ndarray<std::uint8_t> sum = a + b, product = sum * c, both = sum + product; });
  CHECK(made.empty());
}

TEST_CASE("what steps keep of dropped arrays on a GPU is computed beyond 4 GiB") {
  fake::recorded_maps f;
  std::vector<gp::ndarray<std::uint8_t>> results;
  const auto parts = [&](int count) {
    return f
        .calls_of([&] {
          for (int k = 0; k < count; ++k) {
            const auto x = untouched(512 * MiB, gp::device::cuda(0));
            const gp::ndarray<std::uint8_t> part = x(gp::slice(k, k + 1)) + 1;
            results.push_back(part);
          }
        })
        .size();
  };
  CHECK(parts(8) == 0);
  CHECK(parts(4) >= 9);
  CHECK(parts(4) == 0);
}
