// Loops over the rows of arrays, which a GPU computes by one kernel: they leave the bits of single steps.
#include <doctest/doctest.h>

#include <gparray/gparray.hpp>

#include "support/random_rows.hpp"

namespace gp = gparray;

TEST_CASE("row loops: random recurrences leave the bits of single steps") {
  random_names::for_each_seed(60, random_rows::check_recurrence<float>);
  random_names::for_each_seed(60, random_rows::check_recurrence<double>);
}

TEST_CASE("row loops: what is written to a row between two turns is seen by the next") {
  gp::ndarray<float> table = gp::ones<float>({200, 50});
  gp::ndarray<float> x = gp::zeros<float>({50});
  for (std::int64_t turn = 0; turn < 200; ++turn) {
    x = x + table(turn);
    if (turn == 100) table(150) = 10;
    if (turn == 120) table("160:") *= 2;
  }
  CHECK(x(7).item() == 200 + 9 + 40);
  CHECK(table(150, 3).item() == 10);
}
