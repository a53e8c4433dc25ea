// arange, linspace, logspace and geomspace against NumPy, bit for bit.
#include <cmath>
#include <limits>

#include "support/golden.hpp"

namespace gp = gparray;
using i64 = std::int64_t;

TEST_CASE("arange") {
  GOLDEN("np.arange(5)", gp::arange(5));
  GOLDEN("np.arange(3, dtype='f4')", gp::arange<float>(3));
  GOLDEN("np.arange(2, 9, 3)", gp::arange(2, 9, 3));
  GOLDEN("np.arange(5, 0, -2)", gp::arange(5, 0, -2));
  GOLDEN("np.arange(3, 0)", gp::arange(3, 0));
  GOLDEN("np.arange(0., -1.)", gp::arange(0., -1.));
  GOLDEN("np.arange(0, 1, .1)", gp::arange(0, 1, .1));
  GOLDEN("np.arange(1, 1.3, .1)", gp::arange(1, 1.3, .1));
  GOLDEN("np.arange(0, 1, .1, dtype='f4')", gp::arange<float>(0, 1, .1));
  GOLDEN("np.arange(0, 1, .1, dtype='f2')", gp::arange<gp::float16>(0, 1, .1));
  GOLDEN("np.arange(0.5, 5, 1, dtype=int)", gp::arange<i64>(0.5, 5, 1));
  GOLDEN("np.arange(300, dtype='u1')", gp::arange<std::uint8_t>(300));
  GOLDEN("np.arange(10, 0, -3, dtype='u1')", gp::arange<std::uint8_t>(10, 0, -3));
  GOLDEN("np.arange(-3, 3, dtype='i2')", gp::arange<std::int16_t>(-3, 3));
  GOLDEN("np.arange(5, dtype='c8')", gp::arange<std::complex<float>>(5));
  GOLDEN("np.arange(2, dtype=bool)", gp::arange<bool>(2));
  GOLDEN("np.arange(2**63 - 3, 2**63 - 1)",
         gp::arange(std::numeric_limits<i64>::max() - 2, std::numeric_limits<i64>::max()));
  GOLDEN("np.arange(100000)[-2:]", gp::arange(100000)("-2:"));
  CHECK(gp::arange(5).dtype() == gp::dtype::int64);
  CHECK(gp::arange(5.f).dtype() == gp::dtype::float32);
  GOLDEN_THROWS("np.arange(3, dtype=bool)", gp::arange<bool>(3));
  GOLDEN_THROWS("np.arange(0, NAN)", gp::arange(0, std::nan("")));
  GOLDEN_THROWS("np.arange(0, INF)", gp::arange(0, std::numeric_limits<double>::infinity()));
  CHECK_THROWS_WITH_AS(gp::arange(0, 5, 0), "arange: division by zero, the step is 0", gp::value_error);
  CHECK_THROWS_AS(gp::arange(0, 5, 0.), gp::value_error);
  CHECK_THROWS_AS(gp::arange<std::uint8_t>(300, 310), gp::overflow_error);
  CHECK_THROWS_AS(gp::arange(std::numeric_limits<i64>::min(), std::numeric_limits<i64>::max()),
                  gp::value_error);
}

TEST_CASE("linspace") {
  GOLDEN("np.linspace(0, 1)", gp::linspace(0, 1));
  GOLDEN("np.linspace(0, 1, 4, endpoint=False)", gp::linspace(0, 1, 4, {.endpoint = false}));
  GOLDEN("np.linspace(2, 3, 1)", gp::linspace(2, 3, 1));
  GOLDEN("np.linspace(1, 2, 0)", gp::linspace(1, 2, 0));
  GOLDEN("np.linspace(5, 5, 3)", gp::linspace(5, 5, 3));
  GOLDEN("np.linspace(0.1, 0.7, 1000)", gp::linspace(0.1, 0.7, 1000));
  GOLDEN("np.linspace(-1.5, 1.5, 4, dtype=int)", gp::linspace<i64>(-1.5, 1.5, 4));
  GOLDEN("np.linspace(0, 10, 7, dtype='f4')", gp::linspace<float>(0, 10, 7));
  GOLDEN("np.linspace(0, 1, 7, dtype='f2')", gp::linspace<gp::float16>(0, 1, 7));
  GOLDEN("np.linspace(0, 5e-324, 3)", gp::linspace(0, 5e-324, 3));
  GOLDEN("np.linspace(0, 5e-324, 5)",
         gp::linspace(0, 5e-324, 5));  // the step underflows, the distance does not
  GOLDEN("np.linspace(-INF, 1, 3)", gp::linspace(-std::numeric_limits<double>::infinity(), 1, 3));
  GOLDEN("np.linspace(1j, 3 + 1j, 3)",
         gp::linspace(std::complex<double>(0, 1), std::complex<double>(3, 1), 3));
  const auto from = gp::array({0, 1}), to = gp::array({1, 3});
  GOLDEN("np.linspace(A([0, 1]), A([1, 3]), 3)", gp::linspace(from, to, 3));
  GOLDEN("np.linspace(A([0, 1]), A([1, 3]), 3, axis=1)", gp::linspace(from, to, 3, {.axis = 1}));
  GOLDEN("np.linspace(A([0, 1]), A([1, 3]), 3, axis=-1)", gp::linspace(from, to, 3, {.axis = -1}));
  GOLDEN("np.linspace(A([0, 1], 'f4'), 2.5, 4)", gp::linspace(gp::array<float>({0, 1}), 2.5, 4));
  GOLDEN("np.linspace(A([[1.], [2.]]), A([3., 4.]), 2)",
         gp::linspace(gp::array({{1.}, {2.}}), gp::array({3., 4.}), 2));
  GOLDEN_THROWS("np.linspace(0, 1, -1)", gp::linspace(0, 1, -1));
  GOLDEN_THROWS("np.linspace(A([0, 1]), A([1, 3]), 3, axis=2)", gp::linspace(from, to, 3, {.axis = 2}));
}

namespace {

/// pow and log10 are within an ulp or two of the result on any platform; NumPy's own differ that much between
/// builds.
void check_close(const gp::ndarray<double>& have, const std::vector<double>& want) {
  REQUIRE(have.shape() == gp::dims(want.size()));
  const std::vector<double> values = have.to_vector();
  for (std::size_t i = 0; i < want.size(); ++i)
    CHECK(std::abs(values[i] - want[i]) <= 4 * 2.3e-16 * std::abs(want[i]));
}

}  // namespace

TEST_CASE("logspace and geomspace") {
  check_close(gp::logspace(0, 2, 3), {1, 10, 100});
  check_close(gp::logspace(0, 3, 3, {.endpoint = false, .base = 2}), {1, 2, 4});
  GOLDEN("np.logspace(0, 3, 4, base=2, dtype=int)", gp::logspace<i64>(0, 3, 4, {.base = 2}));
  check_close(gp::geomspace(1, 1000, 4), {1, 10, 100, 1000});
  check_close(gp::geomspace(-1, -1000, 4), {-1, -10, -100, -1000});
  check_close(gp::geomspace(1, 256, 8, {.endpoint = false}), {1, 2, 4, 8, 16, 32, 64, 128});
  const std::vector<double> ends = gp::geomspace(0.1, 0.7, 5).to_vector();
  CHECK(ends.front() == 0.1);
  CHECK(ends.back() == 0.7);
  GOLDEN("np.geomspace(1, -4, 3)", gp::geomspace(1, -4, 3));
  GOLDEN("np.geomspace(3, 4, 1)", gp::geomspace(3, 4, 1));
  GOLDEN("np.geomspace(3, 4, 0)", gp::geomspace(3, 4, 0));
  GOLDEN_THROWS("np.geomspace(0, 1)", gp::geomspace(0, 1));
}
