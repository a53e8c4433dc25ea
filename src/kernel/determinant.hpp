// The determinant of a triangle.
#pragma once
#include "arithmetic.hpp"
#include "math.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The product of the elements of a diagonal, in their order: its sign (of complex numbers a number of
/// magnitude 1, or 0), and its magnitude as product * 2^exponent, which does not overflow.
template<class T>
struct diagonal_product {
  using R = real_t<T>;
  T sign;
  double product = 1;
  long exponent = 0;

  GPARRAY_KERNEL_FN diagonal_product() {
    if constexpr (is_complex<T>) sign = {R(1), R(0)};
    else sign = T(1);
  }

  /// `exchanged`: rows were, so that the sign changes.
  GPARRAY_KERNEL_FN void take(T x, bool exchanged) {
    sign = sign * kernel::sign(x);
    if (exchanged) sign = -sign;
    product = scaled(product * scaled(static_cast<double>(absolute(x))));
  }

  GPARRAY_KERNEL_FN T determinant() const {
    const long most = 10000;
    const R magnitude = static_cast<R>(ldexp(product, static_cast<int>(exponent > most    ? most
                                                                       : exponent < -most ? -most
                                                                                          : exponent)));
    if constexpr (is_complex<T>) return {sign.re * magnitude, sign.im * magnitude};
    else return sign * magnitude;
  }
  GPARRAY_KERNEL_FN R logarithm() const {
    return static_cast<R>(log(product) + 0.693147180559945309417232121458 * static_cast<double>(exponent));
  }

 private:
  GPARRAY_KERNEL_FN double scaled(double x) {
    exponent += frexp_exponent(x);
    return frexp_mantissa(x);
  }
};

}  // namespace kernel
GPARRAY_END_NAMESPACE
