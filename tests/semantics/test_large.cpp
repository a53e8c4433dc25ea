// Arrays of more than 2^31 elements: every index, offset and count must be 64-bit. Elements are bytes, so
// that this takes 5 GiB at most; with less free memory the cases say so and check nothing.
#include <cstdint>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

namespace gp = gparray;

namespace {

constexpr std::int64_t beyond = (std::int64_t{1} << 31) + 12345;

bool fits(std::size_t gibibytes = 8) {
  const auto [free, total] = gp::default_device().memory_info();
  if (free > gibibytes << 30) return true;
  MESSAGE("not checked: it takes " << gibibytes << " GiB of free memory");
  return false;
}

}  // namespace

TEST_CASE("large: element-wise, in place and as a view") {
  if (!fits()) return;
  auto a = gp::ones<std::int8_t>({beyond});
  CHECK(a.size() == beyond);
  a += a;
  CHECK(a(beyond - 1).item() == 2);
  a(gp::slice(beyond - 3, gp::none)) = std::int8_t{7};
  CHECK(a(beyond - 4).item() == 2);
  CHECK(a(beyond - 3).item() == 7);
  // Every other element: offsets beyond 2^31 while the count is below it.
  auto every_other = a(gp::slice(gp::none, gp::none, 2));
  every_other *= std::int8_t{3};
  CHECK(a(beyond - 1).item() == 21);
  CHECK(a(beyond - 2).item() == 7);
  CHECK(a(std::int64_t{0}).item() == 6);
  CHECK(a(std::int64_t{1}).item() == 2);
}

TEST_CASE("large: reductions count and add every element") {
  if (!fits()) return;
  auto a = gp::ones<std::int8_t>({beyond});
  a(beyond - 2) = std::int8_t{5};
  CHECK(gp::sum(a).item() == beyond + 4);
  CHECK(gp::max(a).item() == 5);
  CHECK(gp::argmax(a).item() == beyond - 2);
  CHECK(gp::count_nonzero(a).item() == beyond);
  // mean and var by hand: one 5 among ones.
  const double n = static_cast<double>(beyond), mean = 1 + 4 / n;
  CHECK(gp::mean(a).item() == doctest::Approx(mean).epsilon(1e-12));
  CHECK(gp::var(a).item() == doctest::Approx(16 / n * (1 - 1 / n)).epsilon(1e-9));
}

TEST_CASE("large: rows and columns") {
  if (!fits()) return;
  constexpr std::int64_t columns = 3, rows = beyond / columns;
  auto a = gp::ones<std::int8_t>({rows, columns});
  a(rows - 1, 2) = std::int8_t{4};
  const auto by_column = gp::sum(a, 0).to_vector();
  CHECK(by_column == std::vector<std::int64_t>{rows, rows, rows + 3});
  const auto by_row = gp::sum(a, 1);
  CHECK(by_row(rows - 1).item() == 6);
  CHECK(by_row(rows - 2).item() == 3);
}

TEST_CASE("large: a copy of a transposed matrix") {
  if (!fits()) return;
  constexpr std::int64_t rows = 1 << 16, columns = (1 << 15) + 1;
  auto a = gp::zeros<std::int8_t>({rows, columns});
  a(rows - 1, columns - 2) = std::int8_t{9};
  a(std::int64_t{5}, columns - 1) = std::int8_t{8};
  const auto t = gp::ascontiguousarray(a.T());
  CHECK(t(columns - 2, rows - 1).item() == 9);
  CHECK(t(columns - 1, std::int64_t{5}).item() == 8);
  CHECK(gp::count_nonzero(t).item() == 2);
}

TEST_CASE("large: a running sum") {
  if (!fits(24)) return;  // the result is in 64 bits
  const auto flags = gp::ones<std::uint8_t>({beyond});
  const auto sums = gp::cumsum(flags);
  CHECK(sums(-1).item() == static_cast<std::uint64_t>(beyond));
  CHECK(sums(beyond / 2).item() == static_cast<std::uint64_t>(beyond / 2 + 1));
}
