// Element-wise functions of C++ numbers alone: a C++ number of NumPy's dtype.
#include <complex>
#include <type_traits>

#include "support/golden.hpp"

namespace gp = gparray;

namespace {

template<class R, class V>
void check(V value, R expected) {
  static_assert(std::is_same_v<V, R>);
  CHECK(value == expected);
}

}  // namespace

TEST_CASE("functions of numbers are numbers") {
  check<double>(gp::sqrt(4), 2.);
  check<float>(gp::sqrt(4.F), 2.F);
  check<double>(gp::sqrt(2 * gp::pi) * gp::sqrt(2 * gp::pi) > 6.28 ? 1. : 0., 1.);
  check<double>(gp::abs(std::complex<double>(3, -4)), 5.);
  check<std::int64_t>(gp::abs(-3), 3);
  check<bool>(gp::isnan(gp::nan), true);
  check<std::int64_t>(gp::maximum(2, 3), 3);
  check<float>(gp::maximum(2, 3.5F), 3.5F);
  check<double>(gp::divide(1, 4), 0.25);
  check<std::int64_t>(gp::floor_divide(-7, 2), -4);
  check<double>(gp::clip(5.5, 0, 3), 3.);
  check<double>(gp::power(2, 0.5) * gp::power(2, 0.5) > 1.9 ? 1. : 0., 1.);
}

TEST_CASE("a function of a number has the bits that it has of an array") {
  const gp::ndarray<double> x = gp::array({0.1, 0.7, 3.9}), y = gp::asnumpy(gp::exp(x)),
                            z = gp::asnumpy(gp::arctan2(x, 2.5));
  if (x.device().is_cpu())
    for (int i = 0; i < 3; ++i) {
      CHECK(gp::exp(x(i).item()) == y(i).item());
      CHECK(gp::arctan2(x(i).item(), 2.5) == z(i).item());
    }
}

TEST_CASE("the result is weak beside arrays") {
  const auto a = gp::ones<float>({3}) * gp::sqrt(4.0);
  static_assert(std::is_same_v<decltype(a)::value_type, float>);
  CHECK(a(1).item() == 2.F);
}
