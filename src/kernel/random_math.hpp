// The mathematical functions that random numbers are made with. The C library's differ between processors in
// the last bit; these are + - * /, square roots and fused multiply-add, which IEEE 754 defines to the bit.
// Accurate to five units in the last place where a comment does not say otherwise.
#pragma once
#include "libm.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {
namespace portable {

/// How a b + c is rounded. Once where loops are compiled for processors that do it in an instruction; twice
/// in rejection methods, which are compiled for all, as calling a library's fma would take longer than they.
enum class rounding { once, twice };

template<rounding How>
GPARRAY_KERNEL_FN float multiply_add(float a, float b, float c) {
  return How == rounding::once ? ::fmaf(a, b, c) : a * b + c;
}
template<rounding How>
GPARRAY_KERNEL_FN double multiply_add(double a, double b, double c) {
  return How == rounding::once ? ::fma(a, b, c) : a * b + c;
}

/// c[0] x^(n-1) + ... + c[n-1] by Horner's rule.
template<rounding How, class T, int Count>
GPARRAY_KERNEL_FN T polynomial(T x, const T (&c)[Count]) {
  T sum = c[0];
#if defined(__CUDA_ARCH__)
#pragma unroll
#elif !defined(__CUDACC__)
#pragma GCC unroll 24
#endif
  for (int k = 1; k < Count; ++k) sum = multiply_add<How>(sum, x, c[k]);
  return sum;
}

/// Natural logarithm of a number >= 0: -inf at 0, NaN below (FreeBSD e_log.c). Infinity and NaN stay.
GPARRAY_KERNEL_FN double log(double x) {
  constexpr double c[] = {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01,
                          2.222219843214978396e-01, 2.857142874366239149e-01, 3.999999999940941908e-01,
                          6.666666666666735130e-01};
  const bool tiny = x < 0x1p-1022;
  const unsigned long bits = to_bits(tiny ? x * 0x1p54 : x);
  const int e = static_cast<int>(static_cast<unsigned>(bits >> 32) - 0x3fe6a09eu) >> 20;
  const double m = from_bits<double>(bits - static_cast<unsigned long>(e) * (1ul << 52));
  const double f = m - 1.0, s = f / (2.0 + f), z = s * s, exponent = static_cast<double>(tiny ? e - 54 : e);
  const double series = z * polynomial<rounding::twice>(z, c), half = 0.5 * f * f;
  const double low = multiply_add<rounding::twice>(s, half + series, exponent * 1.90821492927058770002e-10);
  const double value = multiply_add<rounding::twice>(exponent, 6.93147180369123816490e-01, f - (half - low));
  const double end = x == 0.0 ? -infinity<double>() : x < 0.0 ? quiet_nan<double>() : x;
  return x > 0.0 && x < infinity<double>() ? value : end;
}

/// e^x: 0 far below, infinity far above, NaN stays.
GPARRAY_KERNEL_FN double exp(double x) {
  // The Taylor series on |r| <= log(2) / 2, where its next term is 4e-18.
  constexpr double c[] = {1.0 / 6227020800.0,
                          1.0 / 479001600.0,
                          1.0 / 39916800.0,
                          1.0 / 3628800.0,
                          1.0 / 362880.0,
                          1.0 / 40320.0,
                          1.0 / 5040.0,
                          1.0 / 720.0,
                          1.0 / 120.0,
                          1.0 / 24.0,
                          1.0 / 6.0,
                          0.5,
                          1.0,
                          1.0};
  const double clamped = x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x;
  const double n = multiply_add<rounding::twice>(clamped, 1.4426950408889634074, 0x1.8p52) - 0x1.8p52;
  const double r = multiply_add<rounding::twice>(
      n, -1.90821492927058770002e-10, multiply_add<rounding::twice>(n, -6.93147180369123816490e-01, clamped));
  // In two factors, as 2^n itself need not be a normal number.
  const long first = static_cast<long>(static_cast<int>(n == n ? n : 0.0)) >> 1;
  const long second = static_cast<long>(static_cast<int>(n == n ? n : 0.0)) - first;
  const double scale_1 = from_bits<double>(static_cast<unsigned long>(first + 1023) << 52);
  const double scale_2 = from_bits<double>(static_cast<unsigned long>(second + 1023) << 52);
  return polynomial<rounding::twice>(r, c) * scale_1 * scale_2;
}

/// log(1 + x) for x >= -1, to full precision near 0.
GPARRAY_KERNEL_FN double log1p(double x) {
  const double sum = 1.0 + x, lost = x - (sum - 1.0);
  const double value = log(sum);
  return sum > 0.0 && sum < infinity<double>() ? value + lost / sum : value;
}

/// e^x - 1, to full precision near 0.
GPARRAY_KERNEL_FN double expm1(double x) {
  constexpr double c[] = {1.0 / 87178291200.0,
                          1.0 / 6227020800.0,
                          1.0 / 479001600.0,
                          1.0 / 39916800.0,
                          1.0 / 3628800.0,
                          1.0 / 362880.0,
                          1.0 / 40320.0,
                          1.0 / 5040.0,
                          1.0 / 720.0,
                          1.0 / 120.0,
                          1.0 / 24.0,
                          1.0 / 6.0,
                          0.5};
  const double near = multiply_add<rounding::twice>(x * x, polynomial<rounding::twice>(x, c), x),
               far = exp(x) - 1.0;
  return x > -0.35 && x < 0.35 ? near : far;
}

/// x^y for x >= 0: e^(y log x), whose relative error grows with |y log x|.
GPARRAY_KERNEL_FN double pow(double x, double y) { return y == 0.0 ? 1.0 : exp(y * log(x)); }

/// A sine and a cosine.
template<class T>
struct rotation {
  T sine, cosine;
};

/// Of x in [-pi/4, pi/4] rotated by `quarters` right angles; only its last two bits count.
template<class T>
GPARRAY_KERNEL_FN rotation<T> rotated(T sine, T cosine, unsigned_t<T> quarters) {
  constexpr int top = 8 * sizeof(T) - 1;
  const bool swap = (quarters & 1) != 0;
  const auto sine_sign = static_cast<unsigned_t<T>>((quarters >> 1 & 1) << top);
  const auto cosine_sign = static_cast<unsigned_t<T>>(((quarters + 1) >> 1 & 1) << top);
  return {from_bits<T>(to_bits(swap ? cosine : sine) ^ sine_sign),
          from_bits<T>(to_bits(swap ? sine : cosine) ^ cosine_sign)};
}

/// FreeBSD k_sin.c, k_cos.c.
GPARRAY_KERNEL_FN rotation<double> rotate(double x, unsigned long quarters) {
  constexpr double s[] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                          2.75573137070700676789e-06, -1.98412698298579493134e-04,
                          8.33333333332248946124e-03, -1.66666666666666324348e-01};
  constexpr double c[] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                          -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                          -1.38888888888741095749e-03, 4.16666666666666019037e-02};
  const double z = x * x;
  const double sine = multiply_add<rounding::twice>(polynomial<rounding::twice>(z, s) * z, x, x);
  const double cosine = multiply_add<rounding::twice>(polynomial<rounding::twice>(z, c) * z, z,
                                                      multiply_add<rounding::twice>(-0.5, z, 1.0));
  return rotated(sine, cosine, quarters);
}

/// The angle in [0, pi] whose cosine is x in [-1, 1]: 2 atan(sqrt((1 - x) / (1 + x))), where the argument of
/// atan is brought below tan(pi/8) and its series summed to a term of 4e-18.
GPARRAY_KERNEL_FN double acos(double x) {
  const double t = ::sqrt((1.0 - x) / (1.0 + x));  // infinite at -1
  const bool inverted = t > 1.0;
  const double u = inverted ? 1.0 / t : t;
  const bool shifted = u > 0.41421356237309503;
  const double v = shifted ? (u - 1.0) / (u + 1.0) : u, z = v * v;
  constexpr double c[] = {1.0 / 41,  -1.0 / 39, 1.0 / 37,  -1.0 / 35, 1.0 / 33,  -1.0 / 31, 1.0 / 29,
                          -1.0 / 27, 1.0 / 25,  -1.0 / 23, 1.0 / 21,  -1.0 / 19, 1.0 / 17,  -1.0 / 15,
                          1.0 / 13,  -1.0 / 11, 1.0 / 9,   -1.0 / 7,  1.0 / 5,   -1.0 / 3,  1.0};
  const double sum = polynomial<rounding::twice>(z, c);
  const double angle = shifted ? 0.78539816339744830962 + v * sum : v * sum;
  return 2.0 * (inverted ? 1.57079632679489661923 - angle : angle);
}

/// log(gamma(x)) for x > 0, below 7 within 5e-15: Stirling's series (Abramowitz and Stegun 6.1.41), above 7
/// after shifting.
GPARRAY_KERNEL_FN double log_gamma(double x) {
  constexpr double c[] = {-3617.0 / 122400.0, 1.0 / 156.0,  -691.0 / 360360.0, 1.0 / 1188.0,
                          -1.0 / 1680.0,      1.0 / 1260.0, -1.0 / 360.0,      1.0 / 12.0};
  if (x == 1.0 || x == 2.0) return 0.0;
  double product = 1.0, y = x;
  for (; y < 7.0; y += 1.0) product *= y;
  const double inverse = 1.0 / y;
  const double series = polynomial<rounding::twice>(inverse * inverse, c) * inverse;
  const double large = (y - 0.5) * log(y) - y + 0.91893853320467274178 + series;
  return product == 1.0 ? large : large - log(product);
}

}  // namespace portable
}  // namespace kernel
GPARRAY_END_NAMESPACE
