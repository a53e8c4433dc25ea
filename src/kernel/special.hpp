// Special functions that neither C nor CUDA share.
#pragma once
#include "complex_math.hpp"
#include "math.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// Clenshaw's recurrence for a Chebyshev series given from the highest coefficient down, as Cephes' chbevl.
template<class T, int Count>
GPARRAY_KERNEL_FN T chebyshev(T x, const double (&coefficients)[Count]) {
  T current = T(coefficients[0]), previous = T(0), before = T(0);
  for (int k = 1; k < Count; ++k) {
    before = previous;
    previous = current;
    current = x * previous - before + T(coefficients[k]);
  }
  return T(0.5) * (current - before);
}

/// A polynomial given from the highest coefficient down.
template<class T, int Count>
GPARRAY_KERNEL_FN T horner(T x, const double (&coefficients)[Count]) {
  T sum = T(coefficients[0]);
  for (int k = 1; k < Count; ++k) sum = sum * x + T(coefficients[k]);
  return sum;
}

/// I0(x) for |x| <= 8: 1 + a P(a) with a = (x / 2)^2, the power series made shorter. P interpolates
/// (I0 - 1) / a at the zeros of a Chebyshev polynomial on [0, 16]; all of its coefficients are positive, so
/// that nothing cancels. The relative error of the float's is 1.0e-8, that of the double's 2.1e-17.
GPARRAY_KERNEL_FN float small_i0(float x) {
  constexpr double p[] = {1.460443951193108e-13, 4.964065291651941e-12, 6.67034967080182e-10,
                          3.876050258913791e-08, 1.933362166156194e-06, 6.942558335426022e-05,
                          0.0017361579005756972, 0.027777719002963865,  0.25000002857102366,
                          0.9999999977131454};
  const float a = (x / 2) * (x / 2);
  return 1 + a * horner(a, p);
}
GPARRAY_KERNEL_FN double small_i0(double x) {
  constexpr double p[] = {9.319037302519698e-25,  1.1142728859197163e-22, 2.6459481729049967e-20,
                          4.3438583592285594e-18, 6.2782596125899935e-16, 7.593826261486644e-14,
                          7.594076203674035e-12,  6.151186352073215e-10,  3.936759926835679e-08,
                          1.9290123446808463e-06, 6.944444444616768e-05,  0.0017361111111093212,
                          0.02777777777777875,    0.24999999999999978,    1.0};
  const double a = (x / 2) * (x / 2);
  return 1 + a * horner(a, p);
}

/// exp(-x) sqrt(x) I0(x) for x > 8, by the Chebyshev series in 32 / x - 2 of Cephes' i0.c, which NumPy uses.
/// Of its coefficients a float notices those from 1e-9 on.
GPARRAY_KERNEL_FN float large_i0(float z) {
  constexpr double series[] = {3.39623202570838634515E-9, 2.26666899049817806459E-8,
                               2.04891858946906374183E-7, 2.89137052083475648297E-6,
                               6.88975834691682398426E-5, 3.36911647825569408990E-3,
                               8.04490411014108831608E-1};
  return chebyshev(z, series);
}
GPARRAY_KERNEL_FN double large_i0(double z) {
  constexpr double series[] = {
      -7.23318048787475395456E-18, -4.83050448594418207126E-18, 4.46562142029675999901E-17,
      3.46122286769746109310E-17,  -2.82762398051658348494E-16, -3.42548561967721913462E-16,
      1.77256013305652638360E-15,  3.81168066935262242075E-15,  -9.55484669882830764870E-15,
      -4.15056934728722208663E-14, 1.54008621752140982691E-14,  3.85277838274214270114E-13,
      7.18012445138366623367E-13,  -1.79417853150680611778E-12, -1.32158118404477131188E-11,
      -3.14991652796324136454E-11, 1.18891471078464383424E-11,  4.94060238822496958910E-10,
      3.39623202570838634515E-9,   2.26666899049817806459E-8,   2.04891858946906374183E-7,
      2.89137052083475648297E-6,   6.88975834691682398426E-5,   3.36911647825569408990E-3,
      8.04490411014108831608E-1};
  return chebyshev(z, series);
}

/// Modified Bessel function of the first kind and order 0.
template<class T>
GPARRAY_KERNEL_FN T i0(T a) {
  const T x = fabs(a);
  if (x <= T(8)) return small_i0(x);
  return exp(x) * large_i0(T(32) / x - T(2)) / sqrt(x);
}

/// sin(pi a) / (pi a), 1 at zero.
template<class T>
GPARRAY_KERNEL_FN T sinc(T a) {
  if constexpr (is_complex<T>) {
    using R = real_t<T>;
    constexpr R pi = R(3.141592653589793238462643383279502884);
    const T y{pi * a.re, pi * a.im};
    return nonzero(y) ? sin(y) / y : T{R(1), R(0)};
  } else {
    // Zero is moved to where the quotient is 1, for a call under a condition would not vectorise.
    const T y = T(3.141592653589793238462643383279502884) * (a == T(0) ? T(1e-20) : a);
    return sin(y) / y;
  }
}

/// The argument of a complex number; 0 or pi for a real one.
template<class T>
GPARRAY_KERNEL_FN real_t<T> angle(T a) {
  if constexpr (is_complex<T>) return atan2(a.im, a.re);
  else return is_nan(a) ? a + T(0) : sign_bit(a) ? T(3.141592653589793238462643383279502884) : T(0);
}

/// a to the power b in every category.
template<class T>
GPARRAY_KERNEL_FN T power(T a, T b) {
  if constexpr (is_complex<T>) return complex_power(a, b);
  else if constexpr (is_real<T>) return pow(a, b);
  else return integer_power(a, b);
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
