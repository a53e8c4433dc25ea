// Which passes over an index array a GPU makes to check it, when it makes none, and that errors are those of
// the CPU and come before anything is written.
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
  std::size_t searches;  // passes that only look at the numbers
  passes gathers;
  std::int64_t length;  // numbers from here on are outside
  bool negative;        // numbers that count from the end are not
};

const table_row table[] = {
    {"a(i)", [](auto& line, auto&, auto& i) { line(i).eval(); }, 1, {4}, 10, true},
    {"a(i), not looked at", [](auto& line, auto&, auto& i) { auto unused = line(i); }, 1, {}, 10, true},
    {"a(:, i)", [](auto&, auto& rows, auto& i) { rows(gp::all, i).eval(); }, 1, {4}, 5, true},
    {"a(0, i)", [](auto&, auto& rows, auto& i) { rows(0, i).eval(); }, 1, {4}, 5, true},
    {"a(m, i)",
     [](auto&, auto& rows, auto& i) { rows(gp::array<std::int64_t>({0, 1, 1}), i).eval(); },
     2,
     {},
     5,
     true},
    {"a(i) = x", [](auto& line, auto&, auto& i) { line(i) = 7.f; }, 1, {}, 10, true},
    {"a(i) += x", [](auto& line, auto&, auto& i) { line(i) += 7.f; }, 1, {}, 10, true},
    {"put", [](auto& line, auto&, auto& i) { gp::put(line, i, 7.f); }, 1, {}, 10, true},
    {"take", [](auto& line, auto&, auto& i) { gp::take(line, i).eval(); }, 0, {4}, 10, true},
    {"take_along_axis",
     [](auto& line, auto&, auto& i) { gp::take_along_axis(line, i, 0).eval(); },
     0,
     {4},
     10,
     true},
    {"take_along_axis, flat",
     [](auto&, auto& rows, auto& i) { gp::take_along_axis(rows, i, gp::none).eval(); },
     0,
     {4},
     10,
     true},
    {"put_along_axis",
     [](auto& line, auto&, auto& i) { gp::put_along_axis(line, i, 7.f, 0); },
     1,
     {},
     10,
     true},
    {"unravel_index", [](auto&, auto&, auto& i) { gp::unravel_index(i, {3, 5}); }, 1, {}, 15, false},
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
    CAPTURE(std::string(row.name));
    gp::ndarray<float> line = gp::arange<float>(10), rows = gp::arange<float>(10).reshape({2, 5}).copy();
    const numbers i = gp::array<std::int64_t>({1, row.negative ? -1 : 0, 3});
    fake.gpu.gathers.clear();
    fake.gpu.reductions.clear();
    row.call(line, rows, i);
    CHECK(fake.gpu.gathers == row.gathers);
    CHECK(fake.gpu.reductions.size() == row.searches);
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
  CHECK(fake.gpu.gathers.empty());
}

TEST_CASE("index checks: numbers that are known are not looked at again until they are written to") {
  fake::installed fake;
  const gp::ndarray<float> line = gp::arange<float>(10);
  numbers i = gp::array<std::int64_t>({1, 0, 8});
  const auto searches_of = [&](auto&& work) {
    fake.gpu.reductions.clear();
    work();
    return fake.gpu.reductions.size();
  };
  CHECK(searches_of([&] { line(i).eval(); }) == 1);
  CHECK(searches_of([&] { line(i).eval(); }) == 0);
  CHECK(searches_of([&] { line(i("::-1")).eval(); }) == 0);
  CHECK(searches_of([&] { (line(i + 1) + line(gp::minimum(i, 7))).eval(); }) == 0);
  CHECK(searches_of([&] { line(gp::arange(10)).eval(); }) == 0);
  CHECK(searches_of([&] { line(gp::arange(9, -1, -1)).eval(); }) == 0);
  CHECK_THROWS_WITH_AS(line(i + 2), "index 10 is out of bounds for axis 0 with size 10", gp::index_error);
  CHECK_THROWS_AS(line(i - 12), gp::index_error);
  CHECK_THROWS_AS(line(gp::arange(11)), gp::index_error);
  // By each way to write to an array.
  const std::function<void()> writes[] = {
      [&] { i(1) = 10; },
      [&] { i += 1; },
      [&] { i("1:") += 1; },
      [&] { i(gp::arange(1)) = 11; },
      [&] { gp::put(i, gp::arange(1), 12); },
      [&] { gp::copyto(i, gp::array<std::int64_t>({0, 10, 0})); },
      [&] { i(i < 5) = 11; },
      [&] { gp::ufuncs::add.at(i, {0}, 5); },
      [&] { gp::add(i, 4, {.out = i}); },
  };
  for (std::size_t k = 0; k < std::size(writes); ++k) {
    CAPTURE(k);
    i = gp::array<std::int64_t>({6, 4, 9});
    const numbers same = i;
    line(i).eval();
    writes[k]();
    CHECK_THROWS_AS(line(i), gp::index_error);
    CHECK_THROWS_AS(line(same), gp::index_error);
  }
}

TEST_CASE("index checks: numbers whose address is known are looked at each time") {
  const gp::device_guard guard(gp::device::cpu());
  const gp::ndarray<float> line = gp::arange<float>(10);
  numbers i = gp::array<std::int64_t>({1, 0, 8});
  line(i).eval();
  std::int64_t* const data = i.data();
  line(i).eval();
  data[1] = 10;
  CHECK_THROWS_WITH_AS(line(i), "index 10 is out of bounds for axis 0 with size 10", gp::index_error);
}

TEST_CASE("index checks: numbers that the core is given may be pending") {
  const fake::installed gpu;
  const gp::ndarray<float> line = gp::arange<float>(10);
  const numbers i = gp::array<std::int64_t>({1, 0, 8});
  const auto next = i + 1;
  REQUIRE(next.pending());
  const gp::any_array taken = gp::detail::take(line, next, 0, gp::detail::index_mode::raise);
  CHECK(gp::detail::typed<float>(gp::any_array(taken)).to_vector() == std::vector<float>{2, 1, 9});
}

TEST_CASE("values put onto places are read as they are, one by one or one for all") {
  const fake::installed fake;
  const gp::ndarray<double> x = gp::linspace(0, 1, 12);
  const auto check = [&](const gp::ndarray<std::int64_t>& index, const gp::ndarray<double>& values) {
    gp::ndarray<double> on_gpu = gp::zeros(12), on_cpu = gp::asnumpy(on_gpu).copy();
    gp::put(on_gpu, index, values);
    gp::put(on_cpu, gp::asnumpy(index), gp::asnumpy(values));
    CHECK(gp::asnumpy(on_gpu).to_vector() == on_cpu.to_vector());
    std::vector<double> expected(12);
    const auto places = gp::asnumpy(index).to_vector();
    const auto all = gp::asnumpy(values).ravel().to_vector();
    for (std::size_t k = 0; k < places.size(); ++k)
      expected[static_cast<std::size_t>((places[k] + 12) % 12)] = all[k % all.size()];
    CHECK(on_cpu.to_vector() == expected);
  };
  const gp::ndarray<std::int64_t> index = gp::array<std::int64_t>({3, -1, 0, 3, 11, 5});
  check(index, x(gp::slice(0, 6)));
  check(index, gp::ndarray<double>(x("::2")));
  check(index, gp::ndarray<double>(x("::2").reshape({2, 3}).T()));
  check(index, gp::ndarray<double>(x("7:8")));
  check(index, x(gp::slice(0, 4)));
  check(index, x);
  // Values that are elements of what is written to.
  gp::ndarray<double> a = x.copy();
  gp::put(a, gp::arange(12), a("::-1"));
  CHECK(gp::asnumpy(a).to_vector() == gp::asnumpy(x("::-1")).to_vector());
}
