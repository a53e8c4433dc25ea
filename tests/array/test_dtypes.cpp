// Limits are numbers of the type that they are about; long long is int64, as long is; kinds and constants are
// NumPy's.
#include <cmath>
#include <complex>
#include <limits>

#include "support/error_text.hpp"
#include "support/golden.hpp"

namespace gp = gparray;

namespace {

template<class R>
constexpr bool agrees_with_standard_library() {
  using info = gp::finfo<R>;
  using limits = std::numeric_limits<R>;
  return info::eps == limits::epsilon() && info::epsneg == limits::epsilon() / 2 &&
         info::max == limits::max() && info::min == limits::lowest() && info::tiny == limits::min() &&
         info::smallest_normal == limits::min() && info::smallest_subnormal == limits::denorm_min();
}

template<class H>
void check_half(float eps, float max, float tiny, float subnormal, float resolution) {
  using info = gp::finfo<H>;
  static_assert(std::is_same_v<decltype(info::max), const H> &&
                std::is_same_v<decltype(info::resolution), const H>);
  CHECK(static_cast<float>(info::eps) == eps);
  CHECK(static_cast<float>(info::epsneg) == eps / 2);
  CHECK(static_cast<float>(info::max) == max);
  CHECK(static_cast<float>(info::min) == -max);
  CHECK(static_cast<float>(info::tiny) == tiny);
  CHECK(static_cast<float>(info::smallest_normal) == tiny);
  CHECK(static_cast<float>(info::smallest_subnormal) == subnormal);
  CHECK(static_cast<float>(info::resolution) == static_cast<float>(H(resolution)));
}

}  // namespace

TEST_CASE("finfo and iinfo have the type they are about") {
  static_assert(std::is_same_v<decltype(gp::finfo<float>::max), const float>);
  static_assert(std::is_same_v<decltype(gp::finfo<float>::eps), const float>);
  static_assert(std::is_same_v<decltype(gp::finfo<float>::tiny), const float>);
  static_assert(std::is_same_v<decltype(gp::finfo<float>::resolution), const float>);
  static_assert(std::is_same_v<decltype(gp::finfo<double>::min), const double>);
  static_assert(std::is_same_v<decltype(gp::finfo<std::complex<float>>::max), const float>);
  static_assert(std::is_same_v<decltype(gp::iinfo<std::int8_t>::min), const std::int8_t>);
  static_assert(agrees_with_standard_library<float>() && agrees_with_standard_library<double>());
  check_half<gp::float16>(0x1p-10f, 65504, 0x1p-14f, 0x1p-24f, 1e-3f);
  check_half<gp::bfloat16>(0x1p-7f, 0x1.fep127f, 0x1p-126f, 0x1p-133f, 1e-2f);
  // So an expression of float stays one.
  const gp::ndarray<float> a{1.f};
  static_assert(
      std::is_same_v<decltype(gp::full({2}, gp::finfo<gp::float16>::max)), gp::ndarray<gp::float16>>);
  CHECK((a * gp::finfo<float>::eps).item() == std::numeric_limits<float>::epsilon());
}

TEST_CASE("long long is another name of int64") {
  static_assert(gp::dtype_of<long long> == gp::dtype::int64 &&
                gp::dtype_of<unsigned long long> == gp::dtype::uint64);
  static_assert(gp::iinfo<long long>::max == std::numeric_limits<long long>::max());
  const std::vector<long long> numbers{3, 1, 2};
  const gp::ndarray<long long> a(numbers);
  CHECK(a.dtype() == gp::dtype::int64);
  CHECK(a.to_vector() == numbers);
  // One array under two names.
  const gp::ndarray<std::int64_t> b = a;
  b(0) = 7;
  CHECK(a(0).item() == 7);
  const gp::ndarray<long long> sum = a + b, twice = 2 * b;
  CHECK(sum.to_vector() == std::vector<long long>{14, 2, 4});
  CHECK(twice.to_vector() == std::vector<long long>{14, 2, 4});
  gp::ndarray<long long> c;
  c = b;
  c += a;
  CHECK(gp::array_equal(b, sum));
  CHECK(gp::array(numbers).dtype() == gp::dtype::int64);
  CHECK(gp::asarray(std::vector<unsigned long long>{~0ull}).item() == ~0ull);
  const gp::ndarray<unsigned long long> u{{1, 2}, {3, 4}};
  CHECK(u(gp::array<unsigned long long>({1})).to_vector() == std::vector<unsigned long long>{3, 4});
  CHECK(gp::matmul(u, u).to_vector() == std::vector<unsigned long>{7, 10, 15, 22});
  CHECK((gp::ndarray<long long>{-1} == gp::ndarray<unsigned long>{~0ul}).to_vector() ==
        std::vector<bool>{false});
  CHECK((gp::ndarray<std::uint8_t>{1} + 1ll).dtype() == gp::dtype::uint8);  // a number is weak
  CHECK(gp::full({1}, 5ll).dtype() == gp::dtype::int64);
  static_assert(!std::convertible_to<gp::ndarray<unsigned long>, gp::ndarray<long long>>);
  static_assert(!std::convertible_to<gp::ndarray<int>, gp::ndarray<long long>>);
}

TEST_CASE("astype is a function too, and fill writes to constant handles as every write does") {
  const gp::ndarray<double> a{1.5, 2.5};
  static_assert(std::is_same_v<decltype(gp::astype<float>(a)), gp::expr<float>>);
  CHECK(gp::astype<int>(a + a).to_vector() == std::vector<int>{3, 5});
  a.fill(4);
  CHECK(a.to_vector() == std::vector<double>{4, 4});
}

TEST_CASE("constants") {
  GOLDEN("A([np.pi, np.e, np.euler_gamma, np.inf])", gp::array({gp::pi, gp::e, gp::euler_gamma, gp::inf}));
  CHECK(gp::nan != gp::nan);
}

TEST_CASE("kinds of dtypes") {
  GOLDEN("bool(np.isdtype(np.dtype('i2'), 'signed integer'))",
         gp::isdtype(gp::dtype::int16, "signed integer"));
  GOLDEN("bool(np.isdtype(np.dtype('u2'), 'signed integer'))",
         gp::isdtype(gp::dtype::uint16, "signed integer"));
  GOLDEN("bool(np.isdtype(np.dtype('?'), 'numeric'))", gp::isdtype(gp::dtype::bool_, "numeric"));
  GOLDEN("bool(np.isdtype(np.dtype('F'), 'numeric'))", gp::isdtype(gp::dtype::complex64, "numeric"));
  GOLDEN("bool(np.issubdtype('f4', np.inexact))", gp::issubdtype(gp::dtype::float32, "inexact"));
  GOLDEN("bool(np.issubdtype('f4', np.integer))", gp::issubdtype(gp::dtype::float32, "integer"));
  CHECK(gp::issubdtype(gp::dtype::float32, "float32"));
  CHECK(!gp::issubdtype(gp::dtype::float32, "float64"));
  CHECK_THROWS_AS(gp::isdtype(gp::dtype::int8, "number"), gp::value_error);
  CHECK_THROWS_AS(gp::issubdtype(gp::dtype::int8, "whole"), gp::value_error);
}
