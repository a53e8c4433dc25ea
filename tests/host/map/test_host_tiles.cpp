// How the map executor divides its work, on both sides of each limit, and the copies that tiles are made of.
#include <array>
#include <complex>

#include <doctest/doctest.h>

#include <host/map/map_direct.hpp>
#include <host/map/rows.hpp>
#include <host/map/strided_tiles.hpp>
#include <host/map/tile_program.hpp>

#include "host/plans.hpp"
#include "support/same_bits.hpp"

using namespace host_test;

namespace {

// What the limits are about is decided without a look at the elements.
alignas(64) const char nothing[64] = {};

/// The sum of n arrays of `columns` columns, every other row of which is taken.
core::map_plan sum_of_rows(int n, dtype type, std::int64_t columns, std::int64_t step = 1) {
  const auto size = static_cast<std::int64_t>(itemsize(type));
  core::map_plan plan = plan_of({100000, columns});
  for (int i = 0; i < n; ++i) add_input(plan, type, nothing, {2 * columns * step * size, step * size});
  if (n == 1) add_step(plan, ufunc::negative, type, {0});
  for (int i = 1, sum = 0; i < n; ++i) sum = add_step(plan, ufunc::add, type, {sum, i});
  return plan;
}

std::int64_t tile_size(const core::map_plan& plan) { return host::tile_program(plan).tile_size(); }

/// Two arrays and their sum as rows of `columns` elements, each array `offset` bytes behind an address that
/// all types may have, and rows `gap` bytes apart.
template<class T>
struct two_rows {
  std::int64_t columns, stride;
  std::vector<char> memory;
  core::map_plan plan;

  two_rows(dtype type, std::int64_t n, std::int64_t offset, std::int64_t gap, ufunc op = ufunc::add)
      : columns(n),
        stride(n * static_cast<std::int64_t>(sizeof(T)) + gap),
        memory(static_cast<std::size_t>(6 * stride + 256)),
        plan(plan_of({2, n})) {
    for (int i = 0; i < 2; ++i) add_input(plan, type, at(i, 0, 0, offset), {stride, sizeof(T)});
    add_step(plan, op, type, {0, 1});
    set_output(plan.out, type, at(2, 0, 0, offset), {stride, sizeof(T)});
  }

  char* at(int array, std::int64_t row, std::int64_t column, std::int64_t offset) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    char* const first = memory.data() + (64 - address % 64) % 64 + offset;
    // Arrays begin 16 bytes apart, or a multiple of that.
    return first + array * ((2 * stride + 15) / 16 * 16) + row * stride +
           column * static_cast<std::int64_t>(sizeof(T));
  }
};

template<class T>
bool taken_by_rows(dtype type, std::int64_t columns, std::int64_t offset = 0, std::int64_t gap = 0) {
  two_rows<T> rows(type, columns, offset, gap);
  const auto store = [&](int array, std::int64_t r, std::int64_t c, T value) {
    std::memcpy(rows.at(array, r, c, offset), &value, sizeof value);
  };
  for (std::int64_t r = 0; r < 2; ++r)
    for (std::int64_t c = 0; c < columns; ++c) store(0, r, c, T(3)), store(1, r, c, T(static_cast<float>(c)));
  if (!host::map_rows(rows.plan)) return false;
  for (std::int64_t r = 0; r < 2; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      T sum;
      std::memcpy(&sum, rows.at(2, r, c, offset), sizeof sum);
      REQUIRE(sum == T(static_cast<float>(c + 3)));
    }
  return true;
}

/// Bytes between elements along rows and along columns.
struct steps {
  std::int64_t row, column;
};

template<class Element>
void check_copies() {
  constexpr std::int64_t size = sizeof(Element);
  const auto number = [](std::int64_t n) {
    Element e{};
    std::memcpy(&e, &n, std::min(sizeof e, sizeof n));
    return e;
  };
  for (const std::int64_t rows : {1, 2, 5, 8, 64, 65})
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 8, 64, 67}) {
      const steps to_steps[] = {{columns * size, size}, {size, rows * size}, {2 * columns * size, 2 * size}};
      const steps from_steps[] = {{columns * size, size},
                                  {size, rows * size},
                                  {2 * columns * size, 2 * size},
                                  {columns * size, -size},
                                  {size, 0},
                                  {0, size},
                                  {0, 0}};
      for (const steps& to : to_steps)
        for (const steps& from : from_steps) {
          CAPTURE(size);
          CAPTURE(rows);
          CAPTURE(columns);
          CAPTURE(&to - to_steps);
          CAPTURE(&from - from_steps);
          const auto count = static_cast<std::size_t>(2 * rows * columns);
          std::vector<Element> source(count), target(count, number(99)), expected = target;
          for (std::size_t i = 0; i < count; ++i) source[i] = number(static_cast<std::int64_t>(i % 97));
          const Element* const first = source.data() + (from.column < 0 ? columns - 1 : 0);
          for (std::int64_t r = 0; r < rows; ++r)
            for (std::int64_t c = 0; c < columns; ++c)
              expected[static_cast<std::size_t>((r * to.row + c * to.column) / size)] =
                  first[(r * from.row + c * from.column) / size];
          host::copy_2d(target.data(), to.row, to.column, first, {rows, columns, from.row, from.column},
                        sizeof(Element), false);
          CHECK(same_bits(target, expected));
        }
    }
}

}  // namespace

TEST_CASE("host tiles: what is live in a tile fits in its share of the cache") {
  // 32 KiB for all slots, in tiles of 256 to 4096 elements, whole units of 64.
  CHECK(tile_size(sum_of_rows(1, dtype::float64, 50, 2)) == 4096);
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 50, 2)) == 2048);
  CHECK(tile_size(sum_of_rows(3, dtype::float64, 50, 2)) == 1365 / 64 * 64);
  CHECK(tile_size(sum_of_rows(2, dtype::float32, 50, 2)) == 4096);
  CHECK(tile_size(sum_of_rows(3, dtype::float32, 50, 2)) == 2730 / 64 * 64);
  CHECK(tile_size(sum_of_rows(2, dtype::complex128, 50, 2)) == 1024);
  CHECK(tile_size(sum_of_rows(8, dtype::complex128, 50, 2)) == 256);
  CHECK(tile_size(sum_of_rows(10, dtype::complex128, 50, 2)) == 256);
  CHECK(tile_size(sum_of_rows(1, dtype::int8, 50, 2)) == 4096);
}

TEST_CASE("host tiles: a step takes the place of an operand that dies with it and is as large") {
  const std::vector<std::int64_t> apart{200 * 8, 2 * 8};
  core::map_plan plan = plan_of({100000, 50});
  const int a = add_input(plan, dtype::float64, nothing, apart);
  core::map_plan dies = plan, lives = plan, grows = plan, constant = plan;
  add_step(dies, ufunc::negative, dtype::float64, {add_step(dies, ufunc::multiply, dtype::float64, {a, a})});
  CHECK(tile_size(dies) == 4096);
  add_step(lives, ufunc::add, dtype::float64, {add_step(lives, ufunc::multiply, dtype::float64, {a, a}), a});
  CHECK(tile_size(lives) == 2048);
  add_step(grows, ufunc::not_equal, dtype::float64, {a, a});
  CHECK(tile_size(grows) == 2048);
  const int two = add_constant(constant, dtype::float64, 2.);
  add_step(constant, ufunc::negative, dtype::float64, {two});
  CHECK(tile_size(constant) == 1365 / 64 * 64);  // it is there for all tiles
}

TEST_CASE("host tiles: rows that are read in place have tiles of their own from 128 columns on") {
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 127)) == 2048);
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 128)) == 128);
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 129)) == 192);
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 5000)) == 2048);
  // Not where nothing is read in place, nor where the loops need padding.
  CHECK(tile_size(sum_of_rows(2, dtype::float64, 128, 2)) == 2048);
  core::map_plan padded = sum_of_rows(2, dtype::float64, 128);
  add_step(padded, ufunc::sin, dtype::float64, {2});
  CHECK(tile_size(padded) == 2048);
}

TEST_CASE("host tiles: one step over dense arrays has larger tiles") {
  const auto dense = [](std::int64_t n, int steps) {
    core::map_plan plan = plan_of({n});
    int value = add_input(plan, dtype::float64, nothing, {8});
    for (int s = 0; s < steps; ++s) value = add_step(plan, ufunc::negative, dtype::float64, {value});
    return plan;
  };
  CHECK(tile_size(dense(100000, 1)) == 16384);
  CHECK(tile_size(dense(100000, 2)) == 4096);
  CHECK(tile_size(dense(16384, 1)) == 16384);
  CHECK(tile_size(dense(16383, 1)) == 16384);  // padded
  CHECK(tile_size(dense(65, 1)) == 128);
  CHECK(tile_size(dense(64, 2)) == 64);
}

TEST_CASE("host tiles: arrays that are dense") {
  const std::int64_t shape[] = {3, 1, 5, 4};
  const host::row_space space(shape, 4);
  const auto dense = [&](std::vector<std::int64_t> strides) { return space.dense(strides.data(), 8); };
  CHECK(dense({160, 160, 32, 8}));
  CHECK(dense({160, 7, 32, 8}));  // of one element
  CHECK_FALSE(dense({160, 160, 32, 16}));
  CHECK_FALSE(dense({160, 160, 40, 8}));
  CHECK_FALSE(dense({168, 160, 32, 8}));
  CHECK_FALSE(dense({0, 160, 32, 8}));
  CHECK_FALSE(space.dense(std::vector<std::int64_t>{160, 160, 32, 8}.data(), 4));
  const std::int64_t column[] = {6, 1}, strides[] = {8, 99}, apart[] = {16, 8};
  CHECK(host::row_space(column, 2).dense(strides, 8));
  CHECK_FALSE(host::row_space(column, 2).dense(apart, 8));
  CHECK(host::row_space(column, 1).dense(strides, 8));
  CHECK_FALSE(host::row_space(column, 1).dense(apart, 8));
  CHECK(host::row_space(nullptr, 0).dense(nullptr, 8));
}

TEST_CASE("host tiles: rows of 16 to 1024 columns are run where they lie") {
  CHECK_FALSE(taken_by_rows<double>(dtype::float64, 15));
  CHECK(taken_by_rows<double>(dtype::float64, 16));
  CHECK(taken_by_rows<double>(dtype::float64, 1024));
  CHECK_FALSE(taken_by_rows<double>(dtype::float64, 1025));
  CHECK_FALSE(host::map_rows(two_rows<double>(dtype::float64, 16, 0, 0, ufunc::arctan2).plan));
  core::map_plan two_steps = two_rows<double>(dtype::float64, 16, 0, 0).plan;
  add_step(two_steps, ufunc::negative, dtype::float64, {2});
  CHECK_FALSE(host::map_rows(two_steps));
}

TEST_CASE("host tiles: rows are run where elements lie at multiples of their size, up to 8 bytes") {
  // 17 floats are 68 bytes: every second row begins between multiples of 8.
  CHECK(taken_by_rows<float>(dtype::float32, 17));
  CHECK(taken_by_rows<float>(dtype::float32, 17, 4));
  CHECK_FALSE(taken_by_rows<float>(dtype::float32, 17, 2));
  CHECK_FALSE(taken_by_rows<float>(dtype::float32, 17, 0, 2));
  CHECK(taken_by_rows<signed char>(dtype::int8, 17, 1, 2));
  CHECK(taken_by_rows<double>(dtype::float64, 17, 8, 8));
  CHECK_FALSE(taken_by_rows<double>(dtype::float64, 17, 4));
  CHECK_FALSE(taken_by_rows<double>(dtype::float64, 17, 0, 4));
  CHECK(taken_by_rows<std::complex<double>>(dtype::complex128, 17, 8, 8));
  CHECK_FALSE(taken_by_rows<std::complex<double>>(dtype::complex128, 17, 4));
  CHECK_FALSE(taken_by_rows<std::complex<double>>(dtype::complex128, 17, 0, 4));
}

TEST_CASE("host tiles: rows of operands that are one element, one column or one row, of several sizes") {
  constexpr std::int64_t rows = 3, columns = 20;
  const bool truth[rows] = {true, false, true};
  double each[rows] = {1, 2, 3}, across[columns], out[rows * columns], also[rows * columns],
         third[rows * columns];
  for (std::int64_t c = 0; c < columns; ++c) across[c] = 100. + static_cast<double>(c);
  core::map_plan plan = plan_of({rows, columns});
  const int condition = add_input(plan, dtype::bool_, truth, {1, 0}),
            x = add_input(plan, dtype::float64, each, {8, 0}),
            y = add_input(plan, dtype::float64, across, {0, 8});
  core::map_plan with_constant = plan, of_columns = plan;
  const int seven = add_constant(with_constant, dtype::float64, 7.);
  add_step(plan, ufunc::where, dtype::float64, {condition, x, y});
  add_step(with_constant, ufunc::where, dtype::float64, {condition, seven, y});
  const int z = add_input(of_columns, dtype::float64, across, {8, 0});
  add_step(of_columns, ufunc::where, dtype::float64, {condition, x, z});
  set_output(of_columns.out, dtype::float64, third, {columns * 8, 8});
  set_output(plan.out, dtype::float64, out, {columns * 8, 8});
  set_output(with_constant.out, dtype::float64, also, {columns * 8, 8});
  const threads_guard one(1);
  REQUIRE(host::map_rows(plan));
  REQUIRE(host::map_rows(with_constant));
  REQUIRE(host::map_rows(of_columns));
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      CHECK(out[r * columns + c] == (truth[r] ? each[r] : across[c]));
      CHECK(also[r * columns + c] == (truth[r] ? 7 : across[c]));
      CHECK(third[r * columns + c] == (truth[r] ? each[r] : across[r]));
    }
}

TEST_CASE("host tiles: rows that are written past the caches are left to the tiles") {
  const threads_guard one(1);  // all rows are written to one place
  std::vector<double> in(1024), out(1024);
  const auto taken = [&](std::int64_t rows) {
    core::map_plan plan = plan_of({rows, 1024});
    add_step(plan, ufunc::negative, dtype::float64, {add_input(plan, dtype::float64, in.data(), {0, 8})});
    set_output(plan.out, dtype::float64, out.data(), {0, 8});
    return host::map_rows(plan);
  };
  constexpr std::int64_t streamed = host::streamed_bytes / (1024 * 8);
  CHECK(taken(streamed - 1));
  CHECK_FALSE(taken(streamed));
}

TEST_CASE("host tiles: copies between arrays of any strides") {
  check_copies<std::uint8_t>();
  check_copies<std::uint16_t>();
  check_copies<std::uint32_t>();
  check_copies<std::uint64_t>();
  check_copies<std::array<std::uint64_t, 2>>();
}
