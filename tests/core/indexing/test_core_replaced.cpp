// Elements of an expression that are written through index arrays before the expression is computed: the same
// programs on the CPU and on a GPU that keeps the writes until the doubles is wanted.
#include <functional>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "core/support/fake_gpu.hpp"

using namespace gparray;

namespace {

using doubles = ndarray<double>;
using numbers = ndarray<std::int64_t>;

constexpr std::int64_t n_rows = 100, n_columns = 50;

struct inputs {
  explicit inputs(device on)
      : x((arange<double>(n_rows * n_columns, {.device = on}) % 23).reshape({n_rows, n_columns})),
        by_row(arange<double>(n_rows, {.device = on})(":, None")),
        rows(arange(n_rows, {.device = on})),
        columns(rows * 7 % n_columns) {
    eval(x, by_row, rows, columns);
  }
  doubles x, by_row;
  numbers rows, columns;
};

/// What a program leaves is the same on both; returns the kernels of maps that the GPU ran.
template<class Program>
std::size_t check(Program program) {
  fake::installed f;
  inputs there(device::cuda(0)), here(device::cpu());
  f.gpu.maps.clear();
  const std::vector<doubles> actual = program(there);
  for (const doubles& a : actual) a.eval();
  const std::size_t maps = f.gpu.maps.size();
  const std::vector<doubles> expected = program(here);
  REQUIRE(actual.size() == expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    CAPTURE(i);
    CHECK(asnumpy(actual[i]).to_vector() == expected[i].to_vector());
  }
  return maps;
}

}  // namespace

TEST_CASE("a write to elements of an expression, and what is made of it, is one pass") {
  // Elements that are read, what is made of them at their line and behind it, their numbers, and the
  // expression.
  CHECK(check([](inputs& in) {
          doubles g = in.x - in.by_row;
          g(in.rows, in.columns) -= 1;
          g /= 3;
          return std::vector{g};
        }) == 3);
  CHECK(check([](inputs& in) {
          doubles g = in.x - in.by_row;
          g(in.rows, in.columns) = in.rows.astype<double>() * 2.;
          return std::vector<doubles>{sqrt(g * 2 + 1000)};
        }) == 3);
}

TEST_CASE("nobody can tell that a write waits") {
  check([](inputs& in) {  // what it reads is written to
    doubles g = in.x * 2.;
    const doubles values = in.rows.astype<double>().copy();
    g(in.rows, in.columns) = values;
    in.x(all) = 5.;
    values(all) = 7.;
    in.columns(all) = 0;
    return std::vector{g, in.x};
  });
  check([](inputs& in) {  // made before and after, and another name
    doubles g = in.x * 2.;
    const doubles before = g + 1., column = g(":, 3");
    g(in.rows, in.columns) += 100.;
    const doubles after = g + 1., same = g, other = g * 2.;
    g *= 3.;
    g(in.rows, in.columns) = 1.;
    return std::vector{before, column, after, same, other, g};
  });
  check([](inputs& in) {  // views, reductions, other dtypes, other operands
    doubles g = in.x * 2.;
    g(in.rows, in.columns) -= 4.;
    const doubles row = g(7), flags = (g > 0.).astype<double>(), product = g * in.x, total = sum(g, 0);
    const doubles picked = g(in.rows, in.columns), halves = g.astype<float>().astype<double>();
    const doubles turned = g.T() + in.x.T();
    g(3) = 0.;
    return std::vector{g, row, flags, product, total, picked, halves, turned};
  });
  check([](inputs& in) {  // an index that occurs twice; negative ones
    doubles g = in.x + 1.;
    g(in.rows % 10, in.columns - n_columns) = in.rows.astype<double>();
    doubles h = in.x + in.by_row;
    h(in.rows, in.rows % 3) *= h(in.rows, in.columns);
    return std::vector<doubles>{g / 2., h, g + h};
  });
}

TEST_CASE("errors of a write that may wait come at its line") {
  fake::installed f;
  inputs in(device::cuda(0));
  doubles g = in.x * 2.;
  CHECK_THROWS_AS(g(in.rows, in.columns) = in.by_row(":2, 0"), value_error);
  CHECK_THROWS_AS(g(in.rows, in.rows) = 1. * in.rows, index_error);
  CHECK(array_equal(g, in.x * 2.));
}

TEST_CASE("random programs of writes to elements") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    check([seed](inputs& in) {
      std::mt19937 random(seed);
      const auto below = [&](unsigned n) { return random() % n; };
      std::vector<doubles> names{in.x * 2., in.x + in.by_row, in.x.copy()};
      for (int step = 0; step < 14; ++step) {
        doubles &a = names[below(3)], &b = names[below(3)];
        const double number = 1 + below(5);
        const numbers rows = in.rows % static_cast<std::int64_t>(1 + below(n_rows));
        switch (below(9)) {
          case 0:
            a = b * number + a;
            break;
          case 1:
            a /= number;
            break;
          case 2:
            a(rows, in.columns) -= number;
            break;
          case 3:
            a(in.rows, in.columns) = b(rows, in.columns) * number;
            break;
          case 4:
            a = b;
            break;
          case 5:
            a(step) = number;
            break;
          case 6:
            names.push_back(b + number);
            break;
          case 7:
            in.columns += 1, in.columns %= n_columns;
            break;
          default:
            names.push_back(sum(a * number, 1));
            break;
        }
      }
      return names;
    });
  }
}
