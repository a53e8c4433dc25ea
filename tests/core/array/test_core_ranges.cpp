// Ranges on a GPU wait as numbers: what is made of them reads nothing, and has the bits of a CPU.
#include <limits>
#include <thread>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/recorded_maps.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;

namespace {

using gparray::core::input_kind;
using array = gp::ndarray<float>;
using doubles = gp::ndarray<double>;
using integers = gp::ndarray<std::int64_t>;
using fixture = fake::recorded_maps;

/// Checks a program that is one map on a GPU.
template<class Program>
void check_one_map(const Program& program) {
  const auto expected = fake::on_cpu(program);
  fixture f;
  decltype(program()) result;
  CHECK(f.calls_of([&] { (result = program()).eval(); }).size() == 1);
  CHECK(result.to_vector() == expected);
}
/// Checks what a program leaves, however many kernels it is.
template<class Program>
void check_values(const Program& program) {
  const auto expected = fake::on_cpu(program);
  const fixture f;
  CHECK(program().to_vector() == expected);
}

}  // namespace

TEST_CASE("ranges: arithmetic of ranges alone is one kernel") {
  check_one_map([] { return array(gp::arange<float>(1000)); });
  check_one_map([] { return integers(gp::arange<std::int64_t>(-7, 5000, 3)); });
  check_one_map([] { return integers(gp::arange<std::int64_t>(100, -100, -9)); });
  check_one_map([] { return gp::ndarray<std::uint8_t>(gp::arange<std::uint8_t>(250)); });
  check_one_map([] { return gp::ndarray<std::int32_t>(gp::arange<std::int32_t>(3, 90, 7)); });
  check_one_map([] {
    constexpr std::int64_t large = std::numeric_limits<std::int64_t>::max();
    return integers(gp::arange<std::int64_t>(-large, large, large / 9)("::-2"));
  });
  check_one_map([] { return doubles(gp::arange(-1., 1., 0.01)); });
  check_one_map([] { return array((gp::arange<float>(2160) + 0.5) * 1080 / 2160 - 0.5); });
  check_one_map([] { return doubles(gp::sin(gp::arange<double>(300) * 0.1)); });
  check_one_map([] { return doubles(gp::arange<double>(100)("10:90:4") * 2.); });
  check_one_map([] { return doubles(gp::arange<double>(100)("::-1") - 1.); });
}

TEST_CASE("ranges: a name that lives on is a range, and not stored for what is made of it") {
  fixture f;
  array i, y;
  const auto made = f.calls_of([&] {
    i = gp::arange<float>(100);
    y = i * i;
    y.eval();
  });
  REQUIRE(made.size() == 1);
  CHECK(made[0].stores == 0);
  CHECK(i.pending());
  CHECK(i(7).item() == 7);
  i += 1.f;
  CHECK(i(7).item() == 8);
  CHECK(y(7).item() == 49);
}

TEST_CASE("ranges: as operands of larger arrays, of rows, reductions, scans and selections") {
  const auto matrix = [] { return array(gp::sin(gp::arange<float>(6000)).reshape({60, 100})); };
  check_values([&] { return array(matrix() + gp::arange<float>(100)); });
  check_values([&] { return array(matrix() * gp::arange<float>(60)(":, None") - gp::arange<float>(100)); });
  check_values([&] {
    const array biased = matrix() - gp::arange<float>(100) * 0.01;
    const array e = gp::exp(biased - gp::max(biased, {1}, {.keepdims = true}));
    return array(e / gp::sum(e, {1}, {.keepdims = true}));
  });
  check_values([&] {
    const array x = matrix(), position = gp::arange<float>(100);
    return array(gp::sum((x - gp::mean(x, {1}, {.keepdims = true})) * position, 1));
  });
  check_values([] { return doubles(gp::sum(gp::arange<double>(7000))); });
  check_values([] { return doubles(gp::cumsum(gp::arange<double>(7000) * 0.5)); });
  check_values([] { return integers(gp::roll(gp::arange<std::int64_t>(50), 7)); });
  check_values(
      [] { return integers(gp::concatenate(gp::arange<std::int64_t>(9), gp::arange<std::int64_t>(3))); });
  check_values([] {
    const integers i = gp::arange<std::int64_t>(500);
    return integers(i(i % 3 == 0));
  });
  check_values([] { return doubles(gp::where(gp::arange<double>(40) > 20, gp::arange<double>(40), -1.)); });
}

TEST_CASE("ranges: what goes along rows reads them as rows") {
  const fixture f;
  const array x = gp::sin(gp::arange<float>(6000)).reshape({60, 100}), position = gp::arange<float>(100);
  x.eval();
  const array biased = x - position * 0.01;
  const array e = gp::exp(biased - gp::max(biased, {1}, {.keepdims = true}));
  CHECK(position.pending());
  array(e / gp::sum(e, {1}, {.keepdims = true})).eval();
  CHECK_FALSE(position.pending());
}

TEST_CASE("ranges: as indices they are inside without a look") {
  const auto picked = [] {
    const doubles table = gp::exp(gp::arange<double>(300) * 0.01);
    const integers i = gp::minimum((gp::arange<float>(900) * 0.3).astype<std::int64_t>(), 298);
    return doubles(table(i) + table(i + 1));
  };
  check_values(picked);
  check_values([] {
    const doubles table = gp::exp(gp::arange<double>(300) * 0.01);
    return doubles(table(gp::arange<std::int64_t>(299, -1, -1)) - table(gp::arange<std::int64_t>(300)));
  });
  check_values([] {
    const doubles image = gp::sin(gp::arange<double>(1200)).reshape({30, 40});
    return doubles(image(gp::arange<std::int64_t>(2, 30)(":, None"), gp::arange<std::int64_t>(0, 40, 3)));
  });
  const fixture f;
  const doubles table = gp::exp(gp::arange<double>(300) * 0.01);
  table.eval();
  check_contains(error_of<gp::index_error>([&] { table(gp::arange<std::int64_t>(301)).eval(); }), "300");
  check_contains(error_of<gp::index_error>([&] { table(gp::arange<std::int64_t>(-301, 0)).eval(); }), "-301");
}

TEST_CASE("ranges: in loops, and into arrays") {
  check_values([] {
    const doubles t = gp::arange<double>(200) * 0.01;
    doubles x = gp::zeros<double>({200});
    for (int turn = 0; turn < 300; ++turn) {
      const doubles step = gp::cos(t) * 0.01;
      x += step * (gp::arange<double>(200) + turn);
      x *= 0.999;
    }
    return x;
  });
  check_values([] {
    doubles x = gp::zeros<double>({10, 50});
    x(3) = gp::arange<double>(50);
    x("5:, ::2") = gp::arange<double>(0, 100, 4);
    x(0) += gp::arange<float>(50);
    return x;
  });
}

TEST_CASE("ranges: another thread computes them; memory asked for by name is there at once") {
  const fixture f;
  doubles i = gp::arange<double>(64);
  REQUIRE(i.pending());
  std::thread([i] { CHECK(i(63).item() == 63); }).join();
  CHECK(gp::sum(i).item() == 63 * 32);
  CHECK(!gp::arange<double>(64, {.space = gp::memory_space::pinned}).pending());
  CHECK(!gp::arange<double>(64, {.device = gp::device::cpu()}).pending());
  CHECK(gp::arange<double>(0).size() == 0);
  CHECK_THROWS_AS(gp::arange<double>(64, {.device = gp::device::cuda(40)}), gp::error);
}
