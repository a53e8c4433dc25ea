// minmax and moments against the reductions that they are two of: the same bits, dtypes and errors.
#include <limits>

#include <gparray/gparray.hpp>

#include "support/random_arrays.hpp"
#include "support/same_bits.hpp"

namespace gp = gparray;
using random_arrays::random_array;

namespace {

template<class V>
void check(const gp::ndarray<V>& a, const gp::dims& axes) {
  CAPTURE(gp::name(a.dtype()));
  const auto [least, greatest] = gp::minmax(a, axes);
  CHECK(same_bits(least, gp::min(a, axes)));
  CHECK(same_bits(greatest, gp::max(a, axes)));
  const auto [count, mean, var] = gp::moments(a, axes, {.ddof = 1});
  CHECK(same_bits(mean, gp::mean(a, axes)));
  CHECK(same_bits(var, gp::var(a, axes, {.ddof = 1})));
  std::int64_t reduced = 1;
  for (const std::int64_t axis : axes) reduced *= a.shape(static_cast<int>(axis));
  CHECK(count == reduced);
}

template<class V>
void check_dtype() {
  check(random_array<V>({5003}), {0});
  check(random_array<V>({70, 301}), {1});
  check(random_array<V>({301, 70}), {0});
  check(random_array<V>({7, 40, 33}), {0, 2});
  check(
      gp::ndarray<V>(random_array<V>({40, 90})(gp::slice(gp::none, gp::none, -1), gp::slice(1, gp::none, 3))),
      {0});
}

}  // namespace

TEST_CASE("two results in one pass have the bits of two reductions, for every dtype") {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) check_dtype<type>();
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
}

TEST_CASE("without axes they reduce everything, and keepdims keeps them") {
  const auto a = random_array<float>({30, 50});
  const auto [least, greatest] = gp::minmax(a);
  CHECK(least.ndim() == 0);
  CHECK(same_bits(least, gp::min(a)));
  CHECK(same_bits(greatest, gp::max(a)));
  const auto [count, mean, var] = gp::moments(a);
  CHECK(count == 1500);
  CHECK(same_bits(mean, gp::mean(a)));
  CHECK(same_bits(var, gp::var(a)));
  CHECK(gp::minmax(a, {1}, {.keepdims = true}).max.shape() == gp::dims{30, 1});
  CHECK(gp::moments(a, 0, {.keepdims = true, .ddof = 1}).var.shape() == gp::dims{1, 50});
  CHECK(gp::moments(a, {0, -1}, {.keepdims = true}).mean.shape() == gp::dims{1, 1});
}

TEST_CASE("an expression is reduced without being stored") {
  const auto a = random_array<double>({100, 70}), b = random_array<double>({100, 70});
  const gp::ndarray<double> stored = a * 2. - b;
  const auto [least, greatest] = gp::minmax(a * 2. - b, 0);
  CHECK(same_bits(least, gp::min(stored, 0)));
  CHECK(same_bits(greatest, gp::max(stored, 0)));
  const auto [count, mean, var] = gp::moments(a * 2. - b);
  CHECK(same_bits(mean, gp::mean(stored)));
  CHECK(same_bits(var, gp::var(stored)));
  CHECK(count == 7000);
}

TEST_CASE("dtypes are those of min, max, mean and var") {
  const auto halves = gp::moments(random_array<gp::float16>({9}));
  static_assert(std::is_same_v<decltype(halves.mean), gp::ndarray<gp::float16>>);
  static_assert(std::is_same_v<decltype(halves.var), gp::ndarray<gp::float16>>);
  const auto complex = gp::moments(random_array<std::complex<float>>({9}));
  static_assert(std::is_same_v<decltype(complex.mean), gp::ndarray<std::complex<float>>>);
  static_assert(std::is_same_v<decltype(complex.var), gp::ndarray<float>>);
  const auto integers = gp::moments(random_array<std::uint8_t>({9}));
  static_assert(std::is_same_v<decltype(integers.mean), gp::ndarray<double>>);
  static_assert(std::is_same_v<decltype(integers.var), gp::ndarray<double>>);
  static_assert(std::is_same_v<decltype(gp::minmax(random_array<bool>({9})).min), gp::ndarray<bool>>);
}

TEST_CASE("a NaN is the least and the greatest element, and the mean") {
  auto a = random_array<float>({10, 300});
  a(3, 250) = std::numeric_limits<float>::quiet_NaN();
  const auto [least, greatest] = gp::minmax(a, 1);
  const auto values = least.to_vector(), others = greatest.to_vector();
  for (std::size_t i = 0; i < 10; ++i) {
    CHECK(std::isnan(values[i]) == (i == 3));
    CHECK(std::isnan(others[i]) == (i == 3));
  }
  CHECK(std::isnan(gp::moments(a).mean.item()));
  CHECK(std::isnan(gp::moments(a).var.item()));
}

TEST_CASE("nothing has no extremes, but moments that are NaN") {
  const gp::ndarray<double> none = gp::zeros<double>({0, 4});
  CHECK_THROWS_WITH_AS(gp::minmax(none), doctest::Contains("zero-size array to reduction operation minimum"),
                       gp::value_error);
  CHECK_THROWS_AS(gp::minmax(none, 0), gp::value_error);
  CHECK(gp::minmax(none, 1).min.shape() == gp::dims{0});  // no results of nothing: no error
  const auto [count, mean, var] = gp::moments(none, 0);
  CHECK(count == 0);
  CHECK(mean.shape() == gp::dims{4});
  CHECK(std::isnan(mean.to_vector()[3]));
  CHECK(std::isnan(var.to_vector()[0]));
  CHECK(gp::moments(none, 1).count == 4);
  CHECK_THROWS_AS(gp::minmax(none, 2), gp::axis_error);
  CHECK_THROWS_AS(gp::moments(none, {0, 0}), gp::value_error);
}
