// Discrete distributions. Numbers of things are whole numbers in float64, exact up to 2^53.
#pragma once
#include "random_continuous.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

inline constexpr long largest_long = 0x7fffffffffffffffl;

/// A whole number as an integer, and the largest one for all above.
GPARRAY_KERNEL_FN long to_count(double x) { return x < 0x1p63 ? static_cast<long>(x) : largest_long; }

/// By inversion, from an exponential variate.
GPARRAY_KERNEL_FN long geometric(double z, double p) {
  const double x = ::ceil(z / -portable::log1p(-p));
  return x < 1.0 ? 1l : to_count(x);
}

GPARRAY_RANDOM_FN double log_factorial(double n) { return portable::log_gamma(n + 1.0); }

/// Below a mean of 10 by counting how many uniform variates multiply to e^-mean; above W. Hoermann: The
/// transformed rejection method for generating Poisson random variables (1993), PTRS.
GPARRAY_RANDOM_FN double poisson_count(element_draws& s, double mean) {
  if (mean == 0.0) return 0.0;
  if (mean < 10.0) {
    const double limit = portable::exp(-mean);
    double product = s.open(), count = 0.0;
    for (; product > limit; product *= s.open()) count += 1.0;
    return count;
  }
  const double root = ::sqrt(mean), log_mean = portable::log(mean);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2.0);
  while (true) {
    const double u = s.open() - 0.5, v = s.open(), us = 0.5 - fabs(u);
    const double k = ::floor((2.0 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    if (portable::log(v * inverse_alpha / (a / (us * us) + b)) <= k * log_mean - mean - log_factorial(k))
      return k;
  }
}

GPARRAY_RANDOM_FN long poisson(element_draws& s, double mean) { return to_count(poisson_count(s, mean)); }

/// p <= 1/2 and n p < 10: V. Kachitvichyanukul, B. W. Schmeiser: Binomial random variate generation (1988),
/// BINV. Sums far beyond all likely ones are rounding errors; they start again.
GPARRAY_RANDOM_FN double binomial_by_inversion(element_draws& s, double n, double p) {
  const double q = 1.0 - p, mean = n * p, likely = mean + 10.0 * ::sqrt(mean * q + 1.0);
  const double bound = n < likely ? n : likely, at_zero = portable::exp(n * portable::log1p(-p));
  while (true) {
    double u = s.unit(), at_k = at_zero, k = 0.0;
    while (u > at_k && k <= bound) {
      k += 1.0;
      u -= at_k;
      at_k = (n - k + 1.0) * p * at_k / (k * q);
    }
    if (k <= bound) return k;
  }
}

/// p <= 1/2 and n p >= 10: W. Hoermann: The generation of binomial random variates (1993), BTRS.
GPARRAY_RANDOM_FN double binomial_by_rejection(element_draws& s, double n, double p) {
  const double q = 1.0 - p, deviation = ::sqrt(n * p * q);
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p, c = n * p + 0.5;
  const double alpha = (2.83 + 5.1 / b) * deviation, v_r = 0.92 - 4.2 / b;
  const double m = ::floor((n + 1.0) * p), log_odds = portable::log(p / q);
  const double h = log_factorial(m) + log_factorial(n - m);
  while (true) {
    const double u = s.open() - 0.5, v = s.open(), us = 0.5 - fabs(u);
    const double k = ::floor((2.0 * a / us + b) * u + c);
    if (us >= 0.07 && v <= v_r) return k;
    if (k < 0.0 || k > n) continue;
    if (portable::log(v * alpha / (a / (us * us) + b)) <=
        h - log_factorial(k) - log_factorial(n - k) + (k - m) * log_odds)
      return k;
  }
}

GPARRAY_RANDOM_FN double binomial_count(element_draws& s, double n, double p) {
  if (n == 0.0 || p == 0.0) return 0.0;
  if (p == 1.0) return n;
  const double rarer = p <= 0.5 ? p : 1.0 - p;
  const double k = n * rarer < 10.0 ? binomial_by_inversion(s, n, rarer) : binomial_by_rejection(s, n, rarer);
  return p <= 0.5 ? k : n - k;
}

GPARRAY_RANDOM_FN long binomial(element_draws& s, double n, double p) {
  return to_count(binomial_count(s, n, p));
}

/// A Poisson variate whose mean is a gamma variate.
GPARRAY_RANDOM_FN long negative_binomial(element_draws& s, double n, double p) {
  const double mean = standard_gamma(s, n) * ((1.0 - p) / p);
  return poisson(s, mean);
}

/// One thing after the other from an urn.
GPARRAY_RANDOM_FN double hypergeometric_by_drawing(element_draws& s, double good, double bad, double sample) {
  double total = good + bad, left = good;
  for (; sample > 0.0 && left > 0.0 && total > left; sample -= 1.0) {
    if (s.unit() * total < left) left -= 1.0;
    total -= 1.0;
  }
  // Only good ones were left: the rest of the sample is good.
  if (total == left) left -= sample;
  return good - left;
}

/// E. Stadlober: The ratio of uniforms approach for generating discrete random variates (1990), HRUA.
GPARRAY_RANDOM_FN double hypergeometric_by_rejection(element_draws& s, double fewer, double more,
                                                     double sample) {
  const double total = fewer + more, p = fewer / total, a = sample * p + 0.5;
  const double variance = (total - sample) * sample * p * (1.0 - p) / (total - 1.0);
  const double c = ::sqrt(variance + 0.5);
  // 2 sqrt(2 / e) and 3 - 2 sqrt(3 / e)
  const double h = 1.7155277699214135 * c + 0.8989161620588988;
  const double m = ::floor((sample + 1.0) * (fewer + 1.0) / (total + 2.0));
  const double g = log_factorial(m) + log_factorial(fewer - m) + log_factorial(sample - m) +
                   log_factorial(more - sample + m);
  const double most = (sample < fewer ? sample : fewer) + 1.0, far = ::floor(a + 16.0 * c);
  const double bound = most < far ? most : far;
  while (true) {
    const double u = s.open(), v = s.open(), x = a + h * (v - 0.5) / u;
    if (!(x >= 0.0 && x < bound)) continue;
    const double k = ::floor(x);
    const double t = g - log_factorial(k) - log_factorial(fewer - k) - log_factorial(sample - k) -
                     log_factorial(more - sample + k);
    if (u * (4.0 - u) - 3.0 <= t) return k;
    if (u * (u - t) >= 1.0) continue;
    if (2.0 * portable::log(u) <= t) return k;
  }
}

/// How many of `sample` things drawn from good + bad are good.
GPARRAY_RANDOM_FN double hypergeometric_count(element_draws& s, double good, double bad, double sample) {
  const double total = good + bad;
  // What is not drawn is a sample too.
  const bool complement = sample > total - sample;
  const double drawn = complement ? total - sample : sample;
  double k;
  if (drawn < 10.0) {
    k = hypergeometric_by_drawing(s, good, bad, drawn);
  } else {
    k = hypergeometric_by_rejection(s, good < bad ? good : bad, good < bad ? bad : good, drawn);
    if (good >= bad) k = drawn - k;
  }
  return complement ? good - k : k;
}

GPARRAY_RANDOM_FN long hypergeometric(element_draws& s, double good, double bad, double sample) {
  return to_count(hypergeometric_count(s, good, bad, sample));
}

/// L. Devroye: Non-uniform random variate generation (1986), chapter X.6. What an int64 cannot hold is drawn
/// again.
GPARRAY_RANDOM_FN long zipf(element_draws& s, double a) {
  if (a >= 1025.0) return 1;
  const double exponent = a - 1.0, b = portable::pow(2.0, exponent);
  const double least = portable::pow(0x1p63, -exponent);
  while (true) {
    const double part = s.unit(), u = part * least + (1.0 - part), v = s.unit();
    const double x = ::floor(portable::pow(u, -1.0 / exponent));
    if (!(x >= 1.0 && x < 0x1p63)) continue;
    const double t = portable::pow(1.0 + 1.0 / x, exponent);
    if (v * x * (t - 1.0) / (b - 1.0) <= t / b) return static_cast<long>(x);
  }
}

/// A. W. Kemp: Efficient generation of logarithmically distributed pseudo-random variables (1981), LK.
GPARRAY_RANDOM_FN long logseries(element_draws& s, double p) {
  const double r = portable::log1p(-p);
  while (true) {
    const double v = s.unit();
    if (v >= p) return 1;
    const double q = -portable::expm1(r * s.unit());
    if (v <= q * q) {
      const double x = ::floor(1.0 + portable::log(v) / portable::log(q));
      if (!(x >= 1.0) || v == 0.0) continue;
      return to_count(x);
    }
    return v >= q ? 1 : 2;
  }
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
