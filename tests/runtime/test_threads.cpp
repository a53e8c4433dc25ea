// The number of threads that the CPU computes with.
#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <gparray/runtime/threads.hpp>

namespace gp = gparray;

TEST_CASE("the number is set and checked") {
  const int before = gp::num_threads();
  CHECK(before >= 1);
  gp::set_num_threads(3);
  CHECK(gp::num_threads() == 3);
  CHECK_THROWS_WITH_AS(gp::set_num_threads(0), "set_num_threads: the count must be at least 1, got 0",
                       gp::value_error);
  CHECK(gp::num_threads() == 3);
  gp::set_num_threads(before);
}
