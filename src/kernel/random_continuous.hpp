// Continuous distributions: by inversion from one variate, or from an element's stream.
#pragma once
#include "random_sources.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

GPARRAY_KERNEL_FN double laplace(double u, double loc, double scale) {
  const double tail = portable::log(2.0 * (u < 0.5 ? u : 1.0 - u));
  return loc + (u < 0.5 ? scale : -scale) * tail;
}

GPARRAY_KERNEL_FN double triangular(double u, double left, double mode, double right) {
  const double base = right - left, below = mode - left;
  return u <= below / base ? left + ::sqrt(u * base * below)
                           : right - ::sqrt((1.0 - u) * base * (right - mode));
}

GPARRAY_RANDOM_FN double standard_cauchy(element_draws& s) {
  const double numerator = s.normal();
  return numerator / s.normal();
}

/// Shape a >= 1: G. Marsaglia, W. W. Tsang: A simple method for generating gamma variables (2000).
GPARRAY_RANDOM_FN double gamma_above_one(element_draws& s, double a) {
  const double d = a - 1.0 / 3.0, c = 1.0 / ::sqrt(9.0 * d);
  while (true) {
    const double x = s.normal(), root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root, u = s.open(), square = x * x;
    if (u < 1.0 - 0.0331 * square * square) return d * v;
    if (portable::log(u) < 0.5 * square + d * (1.0 - v + portable::log(v))) return d * v;
  }
}

/// The logarithm of a gamma variate of shape a < 1, which itself may be too small for a double.
GPARRAY_RANDOM_FN double log_gamma_below_one(element_draws& s, double a) {
  const double larger = gamma_above_one(s, a + 1.0);
  return portable::log(larger) - s.exponential() / a;
}

GPARRAY_RANDOM_FN double standard_gamma(element_draws& s, double a) {
  if (a == 0.0) return 0.0;
  if (a == 1.0) return s.exponential();
  return a < 1.0 ? portable::exp(log_gamma_below_one(s, a)) : gamma_above_one(s, a);
}

/// A ratio of gamma variates; of their logarithms where both may vanish.
GPARRAY_RANDOM_FN double beta(element_draws& s, double a, double b) {
  if (a < 1.0 && b < 1.0) {
    const double x = log_gamma_below_one(s, a);
    return 1.0 / (1.0 + portable::exp(log_gamma_below_one(s, b) - x));
  }
  const double x = standard_gamma(s, a);
  return x / (x + standard_gamma(s, b));
}

GPARRAY_RANDOM_FN double chisquare(element_draws& s, double df) { return 2.0 * standard_gamma(s, 0.5 * df); }

GPARRAY_RANDOM_FN double f_ratio(element_draws& s, double dfnum, double dfden) {
  const double numerator = chisquare(s, dfnum) * dfden;
  return numerator / (chisquare(s, dfden) * dfnum);
}

GPARRAY_RANDOM_FN double standard_t(element_draws& s, double df) {
  const double x = s.normal();
  return ::sqrt(0.5 * df) * x / ::sqrt(standard_gamma(s, 0.5 * df));
}

/// J. R. Michael, W. R. Schucany, R. W. Haas: Generating random variates using transformations with multiple
/// roots (1976); the smaller root is written so that nothing cancels.
GPARRAY_RANDOM_FN double wald(element_draws& s, double mean, double scale) {
  const double x = s.normal(), w = mean * x * x / (2.0 * scale);
  const double root = mean / (1.0 + w + ::sqrt(w * (2.0 + w)));
  return s.unit() <= mean / (mean + root) ? root : mean * (mean / root);
}

/// The angle brought into [-pi, pi].
GPARRAY_KERNEL_FN double wrapped(double angle) {
  const double magnitude = fabs(angle) + pi;
  const double rest = magnitude - 2.0 * pi * ::floor(magnitude / (2.0 * pi)) - pi;
  return angle < 0.0 ? -rest : rest;
}

/// D. J. Best, N. I. Fisher: Efficient simulation of the von Mises distribution (1979). Uniform below a kappa
/// of 1e-8 and a wrapped normal above 1e6, which differ by less than can be seen.
GPARRAY_RANDOM_FN double vonmises(element_draws& s, double mu, double kappa) {
  if (kappa != kappa) return kappa;
  if (kappa < 1e-8) return pi * (2.0 * s.unit() - 1.0);
  if (kappa > 1e6) {
    // Wrapping rounds to multiples of 4e-16, which an angle may be less than.
    const double angle = mu + ::sqrt(1.0 / kappa) * s.normal();
    return fabs(angle) <= pi ? angle : wrapped(angle);
  }
  double r = 1.0 / kappa + kappa;
  if (kappa >= 1e-5) {
    const double tau = 1.0 + ::sqrt(1.0 + 4.0 * kappa * kappa);
    const double rho = (tau - ::sqrt(2.0 * tau)) / (2.0 * kappa);
    r = (1.0 + rho * rho) / (2.0 * rho);
  }
  double f;
  while (true) {
    // The cosine of pi u, by the rotation of a quarter turn.
    const double u = s.open(), turn = 2.0 * u, quarter = ::floor(turn + 0.5);
    const double z =
        portable::rotate((turn - quarter) * (0.5 * pi), static_cast<unsigned long>(quarter)).cosine;
    f = (1.0 + r * z) / (r + z);
    const double c = kappa * (r - f), v = s.open();
    if (c * (2.0 - c) - v > 0.0 || portable::log(c / v) + 1.0 - c >= 0.0) break;
  }
  f = f > 1.0 ? 1.0 : f < -1.0 ? -1.0 : f;
  const double angle = portable::acos(f);
  return wrapped(mu + (s.unit() < 0.5 ? -angle : angle));
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
