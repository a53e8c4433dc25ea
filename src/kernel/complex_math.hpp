// Exponential, logarithm, power, root, trigonometric and hyperbolic functions of a complex number.
// Special values are those of C99 Annex G, which NumPy follows.
#pragma once
#include "complex.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class R>
GPARRAY_KERNEL_FN bool finite(R x) {
  return fabs(x) <= traits<R>::max;
}

template<class R>
GPARRAY_KERNEL_FN bool infinite(R x) {
  return fabs(x) > traits<R>::max;
}

/// Beyond this exp(x) overflows although exp(x) cos(y) may not.
template<class R>
inline constexpr R largest_exponent = is_same<R, float> ? R(88) : R(709);

template<class R>
GPARRAY_KERNEL_FN complex<R> multiply_by_i(complex<R> z) {
  return {-z.im, z.re};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> divide_by_i(complex<R> z) {
  return {z.im, -z.re};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> exp(complex<R> z) {
  if (z.im == R(0)) return {exp(z.re), z.im};
  if (!finite(z.im)) {
    if (infinite(z.re)) return z.re < R(0) ? complex<R>{R(0), R(0)} : complex<R>{z.re, z.im - z.im};
    return {z.im - z.im, z.im - z.im};
  }
  const R cosine = cos(z.im), sine = sin(z.im);
  if (z.re > largest_exponent<R> && finite(z.re)) {
    const R root = exp(z.re / R(2));
    return {root * cosine * root, root * sine * root};
  }
  const R scale = exp(z.re);
  return {scale * cosine, scale * sine};
}

/// x^2 + y^2 - 1 without cancellation, for x >= y >= 0: exact products by Dekker's splitting, then an exact
/// sum.
template<class R>
GPARRAY_KERNEL_FN R sum_of_squares_minus_one(R x, R y) {
  constexpr R splitter = is_same<R, float> ? R(4097) : R(134217729);
  const R x_square = x * x, y_square = y * y;
  const R x_scaled = splitter * x, x_high = x_scaled - (x_scaled - x), x_low = x - x_high;
  const R y_scaled = splitter * y, y_high = y_scaled - (y_scaled - y), y_low = y - y_high;
  const R x_error = ((x_high * x_high - x_square) + R(2) * x_high * x_low) + x_low * x_low;
  const R y_error = ((y_high * y_high - y_square) + R(2) * y_high * y_low) + y_low * y_low;
  const R shifted = x_square - R(1), sum = shifted + y_square;
  const R part = sum - shifted, sum_error = (shifted - (sum - part)) + (y_square - part);
  return sum + (sum_error + (x_error + y_error));
}

template<class R>
GPARRAY_KERNEL_FN R log_modulus(R re, R im) {
  const R a = fabs(re), b = fabs(im), x = a < b ? b : a, y = a < b ? a : b;
  // Near |z| = 1 the logarithm of the rounded modulus would keep no correct digit.
  if (x > R(0.5) && x < R(1.5)) return log1p(sum_of_squares_minus_one(x, y)) / R(2);
  if (x > traits<R>::max / R(2))
    return log(hypot(re / R(2), im / R(2))) + R(0.693147180559945309417232121458176568);
  // The modulus of subnormal numbers has few digits.
  if (x < traits<R>::min_normal) return log(hypot(re * R(0x1p54), im * R(0x1p54))) - R(37.42994775023704666);
  return log(hypot(re, im));
}

template<class R>
GPARRAY_KERNEL_FN complex<R> log(complex<R> z) {
  return {log_modulus(z.re, z.im), atan2(z.im, z.re)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> scaled(complex<R> z, R factor) {
  return {z.re * factor, z.im * factor};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> log2(complex<R> z) {
  return scaled(log(z), R(1.442695040888963407359924681001892137));
}

template<class R>
GPARRAY_KERNEL_FN complex<R> log10(complex<R> z) {
  return scaled(log(z), R(0.434294481903251827651128918916605082));
}

/// log(1 + z). (1 + x)^2 + y^2 - 1 = x (2 + x) + y^2 keeps the digits of a small z.
template<class R>
GPARRAY_KERNEL_FN complex<R> log1p(complex<R> z) {
  const R x = z.re + R(1), angle = atan2(z.im, x);
  if (fabs(z.re) < R(0.25) && fabs(z.im) < R(0.25))
    return {log1p(z.re * (R(2) + z.re) + z.im * z.im) / R(2), angle};
  return {log_modulus(x, z.im), angle};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> exp2(complex<R> z) {
  return exp(scaled(z, R(0.693147180559945309417232121458176568)));
}

/// e^z - 1: the real part is expm1(x) cos(y) - 2 sin(y/2)^2.
template<class R>
GPARRAY_KERNEL_FN complex<R> expm1(complex<R> z) {
  const R half_sine = sin(z.im / R(2));
  return {expm1(z.re) * cos(z.im) - R(2) * half_sine * half_sine, exp(z.re) * sin(z.im)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> sqrt(complex<R> z) {
  if (z.re == R(0) && z.im == R(0)) return {R(0), z.im};
  if (infinite(z.im)) return {fabs(z.im), z.im};
  if (z.re != z.re || (z.im != z.im && finite(z.re))) return {z.re + z.im, z.re + z.im};
  if (infinite(z.re)) {
    if (z.re < R(0)) return {fabs(z.im - z.im), copysign(z.re, z.im)};
    return {z.re, copysign(z.im - z.im, z.im)};
  }
  // Powers of four keep hypot from overflowing and from losing digits to subnormal numbers.
  constexpr R huge = traits<R>::max / R(4), tiny = traits<R>::min_normal * (R(4) / traits<R>::epsilon);
  const bool large = fabs(z.re) > huge || fabs(z.im) > huge, small = fabs(z.re) < tiny && fabs(z.im) < tiny;
  const R down = R(1) / traits<R>::epsilon / R(is_same<R, float> ? 2 : 1);
  const R before = large   ? R(0.0625)
                   : small ? down * down
                           : R(1),
          after = large   ? R(4)
                  : small ? R(1) / down
                          : R(1);
  const R x = z.re * before, y = z.im * before;
  const R root = sqrt((fabs(x) + hypot(x, y)) / R(2));
  if (x >= R(0)) return {root * after, y / (R(2) * root) * after};
  return {fabs(y) / (R(2) * root) * after, copysign(root * after, z.im)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> cosh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (y == R(0)) return {cosh(x), copysign(R(1), x) * (x == x ? y : copysign(y, R(1)))};
  if (!finite(y)) {
    if (x == R(0)) return {y - y, copysign(R(0), x)};
    return {infinite(x) ? fabs(x) : y - y, y - y};
  }
  const R cosine = cos(y), sine = sin(y);
  if (x == R(0)) return {cosine, x * sine};
  if (fabs(x) > largest_exponent<R> && finite(x)) {
    const R root = exp(fabs(x) / R(2)), half = root / R(2);
    return {half * cosine * root, copysign(half, x) * sine * root};
  }
  return {cosh(x) * cosine, sinh(x) * sine};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> sinh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (y == R(0)) return {sinh(x), y};
  if (!finite(y)) {
    if (x == R(0)) return {x, y - y};
    return {infinite(x) ? fabs(x) : y - y, y - y};
  }
  const R cosine = cos(y), sine = sin(y);
  if (x == R(0)) return {x * cosine, sine};
  if (fabs(x) > largest_exponent<R> && finite(x)) {
    const R root = exp(fabs(x) / R(2)), half = root / R(2);
    return {copysign(half, x) * cosine * root, half * sine * root};
  }
  return {sinh(x) * cosine, cosh(x) * sine};
}

/// Kahan's formula (Branch cuts for complex elementary functions, 1987).
template<class R>
GPARRAY_KERNEL_FN complex<R> tanh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (!finite(x)) {
    if (x != x) return {x, y == R(0) ? y : x * y};
    return {copysign(R(1), x), copysign(R(0), finite(y) ? sin(y) * cos(y) : y)};
  }
  if (!finite(y)) return {x == R(0) ? x : y - y, y - y};
  if (fabs(x) >= R(is_same<R, float> ? 11 : 22)) {
    const R decay = exp(-fabs(x));
    return {copysign(R(1), x), R(4) * sin(y) * cos(y) * decay * decay};
  }
  const R tangent = tan(y), beta = R(1) + tangent * tangent, s = sinh(x), rho = sqrt(R(1) + s * s);
  const R denominator = R(1) + beta * s * s;
  // tan of an argument close to pi/2 squares to infinity in float only for arguments that float does not
  // have.
  return {beta * rho * s / denominator, tangent / denominator};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> cos(complex<R> z) {
  return cosh(complex<R>{-z.im, z.re});
}

template<class R>
GPARRAY_KERNEL_FN complex<R> sin(complex<R> z) {
  return divide_by_i(sinh(multiply_by_i(z)));
}

template<class R>
GPARRAY_KERNEL_FN complex<R> tan(complex<R> z) {
  return divide_by_i(tanh(multiply_by_i(z)));
}

/// a to a power of two integers by squaring: NumPy's way for exponents below 100, exact for small Gaussian
/// integers.
template<class R>
GPARRAY_KERNEL_FN complex<R> integer_complex_power(complex<R> a, int exponent) {
  if (exponent == 1) return a;
  if (exponent == 2) return a * a;
  if (exponent == 3) return a * (a * a);
  complex<R> result{R(1), R(0)};
  int rest = exponent < 0 ? -exponent : exponent;
  while (true) {
    if (rest & 1) result = result * a;
    rest >>= 1;
    if (rest == 0) break;
    a = a * a;
  }
  return exponent < 0 ? complex<R>{R(1), R(0)} / result : result;
}

template<class R>
GPARRAY_KERNEL_FN complex<R> complex_power(complex<R> a, complex<R> b) {
  if (b.re == R(0) && b.im == R(0)) return {R(1), R(0)};
  if (a.re == R(0) && a.im == R(0)) {
    if (b.re > R(0)) return {R(0), R(0)};
    return {quiet_nan<R>(), quiet_nan<R>()};
  }
  if (b.im == R(0) && fabs(b.re) < R(100) && b.re == trunc(b.re))
    return integer_complex_power(a, static_cast<int>(b.re));
  return exp(infinite_product(b, log(a)));
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
