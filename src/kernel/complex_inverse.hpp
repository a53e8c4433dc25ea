// Inverse trigonometric and hyperbolic functions of a complex number, accurate on the branch cuts and
// everywhere else: Hull, Fairgrieve and Tang, ACM TOMS 23 (1997) 299, with the thresholds FreeBSD's msun
// derived for any IEEE format.
#pragma once
#include "complex_math.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

template<class R>
inline constexpr R ln2 = R(0.693147180559945309417232121458176568);
template<class R>
inline constexpr R half_pi = R(1.570796326794896619231321691639751442);
/// Where the small terms no longer matter: below it asinh(z) rounds to z; sqrt(6 epsilon) / 4.
template<class R>
inline constexpr R linear_below = is_same<R, float> ? R(2.1143198e-4) : R(9.1250624370355e-9);
template<class R>
inline constexpr R root_min_normal = is_same<R, float> ? R(0x1p-63) : R(0x1p-511);
template<class R>
inline constexpr R quarter_root_max = is_same<R, float> ? R(0x1p61) : R(0x1p509);

/// (hypot(a, b) - b) / 2 without cancellation.
template<class R>
GPARRAY_KERNEL_FN R half_excess(R a, R b, R hypotenuse) {
  if (b < R(0)) return (hypotenuse - b) / R(2);
  if (b == R(0)) return a / R(2);
  return a * a / (hypotenuse + b) / R(2);
}

/// What the paper's algorithm yields for x, y >= 0: asinh's real part, and its angle as the sine y/A or as
/// two legs.
template<class R>
struct inverse_parts {
  R real, sine, leg, opposite;
  bool sine_is_usable;
};

template<class R>
GPARRAY_KERNEL_FN inverse_parts<R> inverse_sine_parts(R x, R y) {
  constexpr R epsilon = traits<R>::epsilon;
  inverse_parts<R> parts{};
  const R upper = hypot(x, y + R(1)), lower = hypot(x, y - R(1)), mean = (upper + lower) / R(2);
  const R a = mean < R(1) ? R(1) : mean;
  const bool off_branch_point = x >= epsilon * fabs(y - R(1));
  if (a >= R(10)) {
    parts.real = log(a + sqrt(a * a - R(1)));
  } else if (y == R(1) && x < epsilon * epsilon / R(128)) {
    parts.real = sqrt(x);
  } else if (off_branch_point) {
    const R excess = half_excess(x, R(1) + y, upper) + half_excess(x, R(1) - y, lower);
    parts.real = log1p(excess + sqrt(excess * (a + R(1))));
  } else if (y < R(1)) {
    parts.real = x / sqrt((R(1) - y) * (R(1) + y));
  } else {
    parts.real = log1p((y - R(1)) + sqrt((y - R(1)) * (y + R(1))));
  }
  parts.opposite = y;
  if (y < R(4) * root_min_normal<R>) {
    // y / A could be subnormal; the legs are scaled instead.
    parts.leg = a * (R(2) / epsilon);
    parts.opposite = y * (R(2) / epsilon);
    return parts;
  }
  parts.sine = y / a;
  parts.sine_is_usable = parts.sine <= R(0.6417);
  if (parts.sine_is_usable) return parts;
  if (y == R(1) && x < epsilon / R(128)) {
    parts.leg = sqrt(x) * sqrt((a + y) / R(2));
  } else if (off_branch_point) {
    const R excess = half_excess(x, y + R(1), upper) + half_excess(x, y - R(1), lower);
    parts.leg = sqrt(excess * (a + y));
  } else if (y > R(1)) {
    parts.leg = x * (R(4) / epsilon / epsilon) * y / sqrt((y + R(1)) * (y - R(1)));
    parts.opposite = y * (R(4) / epsilon / epsilon);
  } else {
    parts.leg = sqrt((R(1) - y) * (R(1) + y));
  }
  return parts;
}

template<class R>
GPARRAY_KERNEL_FN complex<R> log_of_large(R x, R y) {
  const R angle = atan2(y, x);
  if (fabs(x) > traits<R>::max / R(4) || fabs(y) > traits<R>::max / R(4))
    return {log(hypot(x / R(4), y / R(4))) + R(2) * ln2<R>, angle};
  return {log(hypot(x, y)), angle};
}

template<class R>
GPARRAY_KERNEL_FN bool beyond_precision(R x, R y) {
  return x > R(1) / traits<R>::epsilon || y > R(1) / traits<R>::epsilon;
}

template<class R>
GPARRAY_KERNEL_FN complex<R> asinh(complex<R> z) {
  const R x = z.re, y = z.im, ax = fabs(x), ay = fabs(y);
  if (x != x || y != y) {
    if (infinite(x)) return {x, y + y};
    if (infinite(y)) return {y, x + x};
    if (y == R(0)) return {x + x, y};
    return {x + y, x + y};
  }
  if (beyond_precision(ax, ay)) {
    const complex<R> w = log_of_large(ax, ay);
    return {copysign(w.re + ln2<R>, x), copysign(w.im, y)};
  }
  if (ax < linear_below<R> && ay < linear_below<R>) return z;
  const inverse_parts<R> parts = inverse_sine_parts(ax, ay);
  const R angle = parts.sine_is_usable ? asin(parts.sine) : atan2(parts.opposite, parts.leg);
  return {copysign(parts.real, x), copysign(angle, y)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> asin(complex<R> z) {
  const complex<R> w = asinh(complex<R>{z.im, z.re});
  return {w.im, w.re};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> acos(complex<R> z) {
  const R x = z.re, y = z.im, ax = fabs(x), ay = fabs(y);
  const bool negative_x = copysign(R(1), x) < R(0), negative_y = copysign(R(1), y) < R(0);
  if (x != x || y != y) {
    if (infinite(x)) return {y + y, -infinity<R>()};
    if (infinite(y)) return {x + x, -y};
    if (x == R(0)) return {half_pi<R>, y + y};
    return {x + y, x + y};
  }
  if (beyond_precision(ax, ay)) {
    const complex<R> w = log_of_large(x, y);
    const R size = w.re + ln2<R>;
    return {fabs(w.im), negative_y ? size : -size};
  }
  if (x == R(1) && y == R(0)) return {R(0), -y};
  if (ax < linear_below<R> && ay < linear_below<R>) return {half_pi<R> - x, -y};
  const inverse_parts<R> parts = inverse_sine_parts(ay, ax);
  const R angle = parts.sine_is_usable ? acos(negative_x ? -parts.sine : parts.sine)
                                       : atan2(parts.leg, negative_x ? -parts.opposite : parts.opposite);
  return {angle, negative_y ? parts.real : -parts.real};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> acosh(complex<R> z) {
  const complex<R> w = acos(z);
  if (w.re != w.re && w.im != w.im) return {w.im, w.re};
  if (w.re != w.re) return {fabs(w.im), w.re};
  if (w.im != w.im) return {w.im, w.re};
  return {fabs(w.im), copysign(w.re, z.im)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> atanh(complex<R> z) {
  const R x = z.re, y = z.im, ax = fabs(x), ay = fabs(y), epsilon = traits<R>::epsilon;
  if (y == R(0) && ax <= R(1)) return {atanh(x), y};
  if (x == R(0)) return {x, atan(y)};
  if (x != x || y != y) {
    if (infinite(x)) return {copysign(R(0), x), y + y};
    if (infinite(y)) return {copysign(R(0), x), copysign(half_pi<R>, y)};
    return {x + y, x + y};
  }
  if (beyond_precision(ax, ay)) {
    const bool any_infinite = infinite(x) || infinite(y);
    // The real part of 1/z.
    const R re = any_infinite ? R(0)
                 : ax >= ay   ? R(1) / (ax + ay * (ay / ax))
                              : (ax / ay) / (ax * (ax / ay) + ay);
    return {copysign(re, x), copysign(half_pi<R>, y)};
  }
  if (ax < linear_below<R> && ay < linear_below<R>) return z;
  const R from_one = ax - R(1);
  const R distance = ay < root_min_normal<R> ? from_one * from_one : from_one * from_one + ay * ay;
  const R re = ax == R(1) && ay < epsilon ? (ln2<R> - log(ay)) / R(2) : log1p(R(4) * ax / distance) / R(4);
  const R across = (R(1) - ax) * (R(1) + ax);
  const R im = ax == R(1) ? atan2(R(2), -ay) : atan2(R(2) * ay, ay < epsilon ? across : across - ay * ay);
  return {copysign(re, x), copysign(im / R(2), y)};
}

template<class R>
GPARRAY_KERNEL_FN complex<R> atan(complex<R> z) {
  const complex<R> w = atanh(complex<R>{z.im, z.re});
  return {w.im, w.re};
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
