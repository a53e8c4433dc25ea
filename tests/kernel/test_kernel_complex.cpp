// Products of C99's Annex G at the border of the infinite, where both parts are NaN although a factor is
// infinite.
#include <cmath>
#include <limits>

#include <doctest/doctest.h>

#include <kernel/complex.hpp>

namespace {

namespace kernel = gparray::kernel;

template<class R>
void check_products() {
  using complex = kernel::complex<R>;
  const R nan = std::numeric_limits<R>::quiet_NaN(), infinite = std::numeric_limits<R>::infinity(),
          largest = std::numeric_limits<R>::max();
  const auto check = [&](complex a, complex b, R re, R im) {
    CAPTURE(a.re);
    CAPTURE(a.im);
    CAPTURE(b.re);
    CAPTURE(b.im);
    const auto same = [](R x, R y) { return x == y || (x != x && y != y); };
    for (const complex product : {kernel::infinite_product(a, b), kernel::infinite_product(b, a)}) {
      CHECK(same(product.re, re));
      CHECK(same(product.im, im));
    }
  };
  // The largest finite number is as finite as 1, in every place.
  for (const R finite : {R(1), largest}) {
    check({finite, nan}, {infinite, R(0)}, infinite, nan);
    check({-finite, nan}, {infinite, R(0)}, -infinite, nan);
    check({nan, finite}, {infinite, R(0)}, nan, infinite);
    check({nan, -finite}, {infinite, R(0)}, nan, -infinite);
    check({finite, nan}, {finite, finite}, nan, nan);
    check({nan, finite}, {finite, finite}, nan, nan);
    check({nan, nan}, {infinite, finite}, nan, nan);
  }
  // Where a factor is infinite in one part, the other part counts for nothing.
  for (const R finite : {R(0), R(1), largest, nan}) {
    check({infinite, finite}, {R(2), nan}, infinite, nan);
    check({finite, infinite}, {R(2), nan}, nan, infinite);
  }
  check({infinite, infinite}, {infinite, nan}, infinite, infinite);
}

}  // namespace

TEST_CASE("products with an infinite factor") {
  check_products<double>();
  check_products<float>();
}
