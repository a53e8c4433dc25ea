// How many kernels programs of rolled arrays and of neighbours become on a GPU, and what they compute.
#include <algorithm>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

namespace gp = gparray;

namespace {

using bytes = gp::ndarray<std::uint8_t>;
using calls = std::vector<fake::gpu_backend::map_call>;

bytes generation(const bytes& world) {
  bytes neighbours = gp::zeros_like(world);
  for (const auto& [dy, dx] : {std::pair{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}})
    neighbours += gp::roll(world, {dy, dx}, {0, 1});
  return ((neighbours == 3) | ((neighbours == 2) & (world == 1))).astype<std::uint8_t>();
}

/// The same, one cell after the other.
std::vector<std::uint8_t> next(const std::vector<std::uint8_t>& world, int height, int width) {
  std::vector<std::uint8_t> result(world.size());
  const auto at = [&](int y, int x) {
    return static_cast<std::size_t>((y + height) % height * width + (x + width) % width);
  };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int neighbours = -world[at(y, x)];
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) neighbours += world[at(y + dy, x + dx)];
      result[at(y, x)] = neighbours == 3 || (neighbours == 2 && world[at(y, x)] == 1);
    }
  return result;
}

}  // namespace

TEST_CASE("kernels: a generation of a game of life is one") {
  fake::installed fake;
  const bytes start = (gp::arange(60 * 70) % 7 % 3 == 0).astype<std::uint8_t>().reshape({60, 70});
  bytes world = start.copy();
  std::vector<std::uint8_t> expected = world.to_vector();
  fake.gpu.maps.clear();
  for (int step = 0; step < 3; ++step) {
    world = generation(world);
    expected = next(expected, 60, 70);
  }
  world.eval();
  const calls made = fake.gpu.maps;
  CHECK(std::ranges::count_if(made, [](const auto& m) { return m.jumps > 0; }) == 3);
  CHECK(made.size() == 3);
  CHECK(world.to_vector() == expected);
}

TEST_CASE("kernels: rolled along one axis and then along another one, elements are read where they are") {
  fake::installed fake;
  gp::ndarray<float> x = gp::arange<float>(60 * 70).reshape({60, 70}).eval();
  const std::vector<float> elements = x.to_vector();
  const auto expected = [&](int down, int right) {
    std::vector<float> result;
    for (int y = 0; y < 60; ++y)
      for (int at = 0; at < 70; ++at)
        result.push_back(
            elements[static_cast<std::size_t>((y - down + 120) % 60 * 70 + (at - right + 140) % 70)]);
    return result;
  };
  for (const auto& [down, right] : {std::pair{3, -2}, {0, 31}, {-45, 0}, {0, 0}, {60, 69}}) {
    fake.gpu.maps.clear();
    const gp::ndarray<float> y = gp::roll(gp::roll(x, down, 0), right, 1);
    CHECK(y.to_vector() == expected(down, right));
    CHECK(fake.gpu.maps.size() == 1);
  }
  // There and back; a name between them that lives on; and a write behind both.
  CHECK(gp::roll(gp::roll(x, 7, 1), -7, 1).to_vector() == elements);
  const gp::ndarray<float> down = gp::roll(x, 59, 0), both = gp::roll(down, {1, 1}, {0, 1});
  x += 1.f;
  CHECK(both.to_vector() == expected(60, 1));
  CHECK(down.to_vector() == expected(59, 0));
  CHECK(x(0, 0).item() == 1.f);
  // Other steps are behind the first, and neighbours are no way round.
  const gp::ndarray<float> twice = gp::roll(gp::roll(x, 1, 0) * 2.f, 1, 1);
  CHECK(twice(1, 1).item() == 2.f);
  const gp::ndarray<float> steps = gp::roll(gp::diff(x, 1, 1), 1, 0);
  CHECK(steps.to_vector() == std::vector<float>(60 * 69, 1.f));
}

TEST_CASE("kernels: the length of a gradient reads its array and two distances") {
  fake::installed fake;
  const gp::ndarray<float> image = gp::arange<float>(60 * 70).reshape({60, 70}).copy();
  image.eval();
  fake.gpu.maps.clear();
  const auto length = [&] {
    const auto [gy, gx] = gp::unpack<2>(gp::gradients(image));
    return gp::sqrt(gx * gx + gy * gy);
  };
  const gp::ndarray<float> result = length();
  result.eval();
  REQUIRE(fake.gpu.maps.size() == 3);
  CHECK(fake.gpu.maps[2].inputs == 6);
  CHECK(fake.gpu.maps[2].jumps == 6);
}

TEST_CASE("kernels: a cross product is one, with what is made of it") {
  fake::installed fake;
  const gp::ndarray<double> u = gp::arange<double>(300).reshape({100, 3}).copy(),
                            v = gp::arange<double>(300, 600).reshape({100, 3}).copy();
  u.eval(), v.eval();
  fake.gpu.maps.clear();
  const gp::ndarray<double> w = 2. * gp::cross(u, v) + 1.;
  w.eval();
  REQUIRE(fake.gpu.maps.size() == 1);
  CHECK(fake.gpu.maps[0].inputs == 6);
}

TEST_CASE("kernels: a reduction along rows reads what is rolled where it is") {
  fake::installed fake;
  const gp::ndarray<float> a = gp::arange<float>(60 * 72).reshape({60, 72}).copy();
  a.eval();
  const auto products = [&] { return a * (gp::roll(a, 1, 0) + gp::roll(a, 1, 1)); };
  const gp::ndarray<float> stored = products();
  stored.eval();
  const auto calls_of = [&](const auto& reduce) {
    fake.gpu.maps.clear();
    fake.gpu.reductions.clear();
    const auto result = reduce(products()).eval();
    const std::pair calls{fake.gpu.maps.size(), fake.gpu.reductions.size()};
    CHECK(gp::all(result == reduce(stored)).item());
    return calls;
  };
  CHECK(calls_of([](const auto& x) { return gp::mean(x); }) == std::pair<std::size_t, std::size_t>{0, 1});
  CHECK(calls_of([](const auto& x) { return gp::max(x, 1); }) == std::pair<std::size_t, std::size_t>{0, 1});
  // Along columns kernels walk from row to row.
  CHECK(calls_of([](const auto& x) { return gp::sum(x, 0); }) == std::pair<std::size_t, std::size_t>{1, 1});
}

TEST_CASE("kernels: sums of all rolled bytes read them where they are") {
  fake::installed fake;
  const auto maps_of = [&](std::int64_t columns, const auto& reduce) {
    const gp::ndarray<std::int8_t> a =
        gp::arange<std::int8_t>(columns).copy() + gp::zeros<std::int8_t>({60, 1});
    a.eval();
    const gp::ndarray<std::int8_t> stored = a * (gp::roll(a, 1, 0) + gp::roll(a, 1, 1));
    stored.eval();
    fake.gpu.maps.clear();
    const auto result = reduce(a * (gp::roll(a, 1, 0) + gp::roll(a, 1, 1))).eval();
    const std::size_t maps = fake.gpu.maps.size();
    CHECK(gp::all(result == reduce(stored)).item());
    return maps;
  };
  const auto sum = [](const auto& x) { return gp::sum(x); };
  CHECK(maps_of(96, sum) == 0);
  CHECK(maps_of(96, [](const auto& x) { return gp::mean(x); }) == 0);
  // Rows that are not cut evenly, some of the sums, another reduction.
  CHECK(maps_of(72, sum) == 1);
  CHECK(maps_of(96, [](const auto& x) { return gp::sum(x, 1); }) == 1);
  CHECK(maps_of(96, [](const auto& x) { return gp::max(x); }) == 1);
}
