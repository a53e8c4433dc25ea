// Which passes over an index array a GPU makes to check it, and that errors are those of the CPU and come
// before anything is written.
#include <functional>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"
#include "support/error_text.hpp"

namespace gp = gparray;
using numbers = gp::ndarray<std::int64_t>;
using passes = std::vector<std::size_t>;  // bytes of what each moves

namespace {

struct table_row {
  const char* name;
  /// Of ten floats, two rows of five, and three numbers, of which one may be outside.
  std::function<void(gp::ndarray<float>& line, gp::ndarray<float>& rows, const numbers& index)> call;
  passes expected;
  std::int64_t length;  // numbers from here on are outside
  bool negative;        // numbers that count from the end are not
};

const table_row table[] = {
    {"a(i)", [](auto& line, auto&, auto& i) { line(i).eval(); }, {0, 4}, 10, true},
    {"a(i), not looked at", [](auto& line, auto&, auto& i) { auto unused = line(i); }, {0}, 10, true},
    {"a(:, i)", [](auto&, auto& rows, auto& i) { rows(gp::all, i).eval(); }, {0, 4}, 5, true},
    {"a(0, i)", [](auto&, auto& rows, auto& i) { rows(0, i).eval(); }, {0, 4}, 5, true},
    {"a(m, i)",
     [](auto&, auto& rows, auto& i) { rows(gp::array<std::int64_t>({0, 1, 1}), i).eval(); },
     {0, 0, 4},
     5,
     true},
    {"a(i) = x", [](auto& line, auto&, auto& i) { line(i) = 7.f; }, {0}, 10, true},
    {"a(i) += x", [](auto& line, auto&, auto& i) { line(i) += 7.f; }, {0, 4}, 10, true},
    {"put", [](auto& line, auto&, auto& i) { gp::put(line, i, 7.f); }, {0}, 10, true},
    {"take", [](auto& line, auto&, auto& i) { gp::take(line, i).eval(); }, {4}, 10, true},
    {"take_along_axis",
     [](auto& line, auto&, auto& i) { gp::take_along_axis(line, i, 0).eval(); },
     {4},
     10,
     true},
    {"take_along_axis, flat",
     [](auto&, auto& rows, auto& i) { gp::take_along_axis(rows, i, gp::none).eval(); },
     {4},
     10,
     true},
    {"put_along_axis",
     [](auto& line, auto&, auto& i) { gp::put_along_axis(line, i, 7.f, 0); },
     {0},
     10,
     true},
    {"unravel_index", [](auto&, auto&, auto& i) { gp::unravel_index(i, {3, 5}); }, {0}, 15, false},
};

std::vector<float> values_of(const gp::ndarray<float>& line, const gp::ndarray<float>& rows) {
  std::vector<float> all = line.to_vector();
  for (const float x : rows.to_vector()) all.push_back(x);
  return all;
}

std::string error_on(gp::device where, const table_row& row, const std::vector<std::int64_t>& index,
                     std::vector<float>& after) {
  const gp::device_guard guard(where);
  gp::ndarray<float> line = gp::arange<float>(10), rows = gp::arange<float>(10).reshape({2, 5}).copy();
  const numbers i = gp::array<std::int64_t>({index[0], index[1], index[2]});
  std::string text = "no error";
  try {
    row.call(line, rows, i);
  } catch (const gp::error& e) {
    text = e.what();
  }
  after = values_of(line, rows);
  return text;
}

}  // namespace

TEST_CASE("index checks: a GPU makes one pass, which nothing waits for twice") {
  fake::installed fake;
  for (const table_row& row : table) {
    CAPTURE(row.name);
    gp::ndarray<float> line = gp::arange<float>(10), rows = gp::arange<float>(10).reshape({2, 5}).copy();
    const numbers i = gp::array<std::int64_t>({1, row.negative ? -1 : 0, 3});
    fake.gpu.gathers.clear();
    fake.gpu.reductions.clear();
    row.call(line, rows, i);
    CHECK(fake.gpu.gathers == row.expected);
    CHECK(fake.gpu.reductions.empty());
  }
}

TEST_CASE("index checks: without a place for the answer indices are checked all the same") {
  fake::installed fake;
  fake.gpu.has_slots = false;
  for (const table_row& row : table) {
    CAPTURE(row.name);
    std::vector<float> after, expected;
    const std::vector<std::int64_t> bad{1, row.length, 3}, good{1, 2, 3};
    CHECK(error_on(gp::device::cuda(0), row, bad, after) == error_on(gp::device::cpu(), row, bad, expected));
    CHECK(error_on(gp::device::cuda(0), row, good, after) == "no error");
    CHECK(error_on(gp::device::cpu(), row, good, expected) == "no error");
    CHECK(after == expected);
  }
}

TEST_CASE("index checks: errors are the CPU's, and nothing is written") {
  fake::installed fake;
  for (const table_row& row : table)
    for (std::size_t at = 0; at < 3; ++at)
      for (const std::int64_t bad : {row.length, row.negative ? -row.length - 1 : std::int64_t{-1}}) {
        CAPTURE(row.name);
        CAPTURE(bad);
        std::vector<std::int64_t> index{1, 2, 3};
        index[at] = bad;
        std::vector<float> on_gpu, on_cpu;
        const std::string text = error_on(gp::device::cuda(0), row, index, on_gpu);
        CHECK(text.find("index " + std::to_string(bad) + " is out of bounds for ") == 0);
        CHECK(text == error_on(gp::device::cpu(), row, index, on_cpu));
        for (std::size_t k = 0; k < on_gpu.size(); ++k) CHECK(on_gpu[k] == static_cast<float>(k % 10));
      }
}

TEST_CASE("index checks: arrays of nothing have no bad numbers") {
  fake::installed fake;
  const numbers none = gp::zeros<std::int64_t>({0});
  const gp::ndarray<float> line = gp::arange<float>(10), empty = gp::zeros<float>({0});
  CHECK(line(none).shape() == gp::dims{0});
  CHECK(gp::take_along_axis(line, none, 0).shape() == gp::dims{0});
  CHECK(gp::take_along_axis(empty, none, 0).shape() == gp::dims{0});
  const numbers one = gp::array<std::int64_t>({0});
  CHECK_THROWS_WITH_AS(gp::take_along_axis(empty, one, 0), "index 0 is out of bounds for axis 0 with size 0",
                       gp::index_error);
  CHECK_THROWS_WITH_AS(empty(one), "index 0 is out of bounds for axis 0 with size 0", gp::index_error);
  // A selection's bad number is looked for once more, to name it.
  CHECK(fake.gpu.gathers == passes{0, 0, 0});
}
