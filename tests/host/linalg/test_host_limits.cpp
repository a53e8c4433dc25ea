// Sizes that LAPACK's 32-bit numbers hold, on both sides of the limit: stacks of no matrices, as none would
// fit.
#include <climits>

#include <doctest/doctest.h>

#include <gparray/error.hpp>
#include <plan/backend.hpp>
#include <plan/linalg_engine.hpp>

namespace gp = gparray;
namespace core = gp::core;

TEST_CASE("LAPACK's matrices: 2^31 - 1 rows and columns, and one more") {
  core::linalg_engine& engine = *core::host_backend().linalg();
  const auto lu = [&](std::int64_t rows, std::int64_t columns) {
    engine.lu(gp::dtype::float64, {nullptr, rows, columns, 0}, nullptr, nullptr, {});
  };
  CHECK_NOTHROW(lu(INT_MAX, 1));
  CHECK_NOTHROW(lu(1, INT_MAX));
  CHECK_THROWS_AS(lu(std::int64_t{INT_MAX} + 1, 1), gp::value_error);
  CHECK_THROWS_AS(lu(1, std::int64_t{INT_MAX} + 1), gp::value_error);
}
