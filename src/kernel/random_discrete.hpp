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

/// From here on logarithms of factorials are so large that their differences are rounding errors.
inline constexpr double large_count = 0x1p30;

/// -log(mean^k e^-mean / k!) in terms that are as small as it: how far k is from the mean, then what
/// k log k - k lacks of log k! (C. Loader: Fast and accurate computation of binomial probabilities, 2000).
GPARRAY_RANDOM_CALL inline double unlikelihood(double k, double mean) {
  if (k == 0.0) return mean;
  const double d = (k - mean) / mean;
  const double series = d * d * (0.5 - d * (1.0 / 6.0 - d * (1.0 / 12.0 - d * (1.0 / 20.0 - d / 30.0))));
  const double distance = fabs(d) < 0x1p-10 ? series : (1.0 + d) * portable::log1p(d) - d;
  const double rest = k < 16.0 ? log_factorial(k) - k * portable::log(k) + k
                               : 0.5 * portable::log(2.0 * pi * k) + (1.0 / 12.0 - 1.0 / 360.0 / (k * k)) / k;
  return mean * distance + rest;
}

/// Below a mean of 10 by counting how many uniform variates multiply to e^-mean; above W. Hoermann: The
/// transformed rejection method for generating Poisson random variables (1993), PTRS.
struct poisson_method {
  double mean = -1.0, limit = 0.0, log_mean = 0.0, a = 0.0, b = 0.0, inverse_alpha = 0.0, v_r = 0.0;

  poisson_method() = default;
  GPARRAY_RANDOM_FN explicit poisson_method(double mean, double = 0.0) : mean(mean) {
    if (mean < 10.0) {
      limit = portable::exp(-mean);
      return;
    }
    log_mean = portable::log(mean);
    b = 0.931 + 2.53 * ::sqrt(mean);
    a = -0.059 + 0.02483 * b;
    inverse_alpha = 1.1239 + 1.1328 / (b - 3.4);
    v_r = 0.9277 - 3.6224 / (b - 2.0);
  }
  GPARRAY_RANDOM_FN bool is_of(double other, double) const { return mean == other; }

  GPARRAY_RANDOM_FN double draw(element_draws& s) const {
    if (mean < 10.0) return s.count_factors(limit);
    while (true) {
      const double u = s.open() - 0.5, v = s.open(), us = 0.5 - fabs(u);
      const double k = ::floor((2.0 * a / us + b) * u + mean + 0.43);
      if (us >= 0.07 && v <= v_r) return k;
      if (k < 0.0 || (us < 0.013 && v > us)) continue;
      const double likely =
          mean < large_count ? k * log_mean - mean - log_factorial(k) : -unlikelihood(k, mean);
      if (portable::log(v * inverse_alpha / (a / (us * us) + b)) <= likely) return k;
    }
  }
};

/// p <= 1/2. For n p < 10: V. Kachitvichyanukul, B. W. Schmeiser: Binomial random variate generation (1988),
/// BINV, where sums far beyond all likely ones are rounding errors; they start again. Else W. Hoermann: The
/// generation of binomial random variates (1993), BTRS.
struct binomial_method {
  double n = -1.0, p = 0.0, q = 0.0, bound = 0.0, at_zero = 0.0;
  double a = 0.0, b = 0.0, c = 0.0, alpha = 0.0, v_r = 0.0, m = 0.0, log_odds = 0.0, h = 0.0;

  binomial_method() = default;
  GPARRAY_RANDOM_FN binomial_method(double n, double p) : n(n), p(p), q(1.0 - p) {
    if (n * p < 10.0) {
      const double mean = n * p, likely = mean + 10.0 * ::sqrt(mean * q + 1.0);
      bound = n < likely ? n : likely;
      at_zero = portable::exp(n * portable::log1p(-p));
      return;
    }
    const double deviation = ::sqrt(n * p * q);
    b = 1.15 + 2.53 * deviation;
    a = -0.0873 + 0.0248 * b + 0.01 * p;
    c = n * p + 0.5;
    alpha = (2.83 + 5.1 / b) * deviation;
    v_r = 0.92 - 4.2 / b;
    m = ::floor((n + 1.0) * p);
    log_odds = portable::log(p / q);
    h = n < large_count ? log_factorial(m) + log_factorial(n - m)
                        : unlikelihood(m, n * p) + unlikelihood(n - m, n * q);
  }
  GPARRAY_RANDOM_FN bool is_of(double other_n, double other_p) const { return n == other_n && p == other_p; }

  GPARRAY_RANDOM_FN double draw(element_draws& s) { return n * p < 10.0 ? by_inversion(s) : by_rejection(s); }

 private:
#if defined(__CUDACC__)
  GPARRAY_RANDOM_FN double by_inversion(element_draws& s) {
    while (true) {
      double u = s.unit(), at_k = at_zero, k = 0.0;
      while (u > at_k && k <= bound) {
        k += 1.0;
        u -= at_k;
        at_k = after(k, at_k);
      }
      if (k <= bound) return k;
    }
  }
#else
  /// The same, where probabilities are kept, and the first of them compared without branches if it is likely
  /// that many are.
  double by_inversion(element_draws& s) {
    constexpr int many = 8;
    const bool together = n * p >= 1.0;
    const int last = static_cast<int>(bound);
    if (known == 0) at[known++] = at_zero;
    for (; together && known < many; ++known) at[known] = after(known, at[known - 1]);
    while (true) {
      double u = s.unit();
      int k = 0;
      if (together)
        for (int i = 0; i < many; ++i) {
          k += u > at[i];
          u -= at[i];
        }
      if (k == (together ? many : 0))
        for (; k <= last; u -= at[k++]) {
          if (k == known) at[known++] = after(k, at[k - 1]);
          if (!(u > at[k])) break;
        }
      if (k <= last) return k;
    }
  }
  int known = 0;
  double at[48];  // bound is below 44: of a mean of 10, 10 + 10 sqrt(11)
#endif
  /// The probability of k, after that of k - 1.
  GPARRAY_RANDOM_FN double after(double k, double before) const {
    return (n - k + 1.0) * p * before / (k * q);
  }
  GPARRAY_RANDOM_FN double by_rejection(element_draws& s) const {
    while (true) {
      const double u = s.open() - 0.5, v = s.open(), us = 0.5 - fabs(u);
      const double k = ::floor((2.0 * a / us + b) * u + c);
      if (us >= 0.07 && v <= v_r) return k;
      if (k < 0.0 || k > n) continue;
      const double likely = n < large_count ? h - log_factorial(k) - log_factorial(n - k) + (k - m) * log_odds
                                            : h - unlikelihood(k, n * p) - unlikelihood(n - k, n * q);
      if (portable::log(v * alpha / (a / (us * us) + b)) <= likely) return k;
    }
  }
};

#if defined(__CUDACC__)
template<class Method>
GPARRAY_RANDOM_FN double draw_by(element_draws& s, double a, double b) {
  return Method(a, b).draw(s);
}
#else
/// Methods of parameters that were there before, which many elements share. A multinomial variate is made of
/// binomial ones of small n.
struct known_methods {
  static constexpr unsigned many = 32;
  poisson_method poisson;
  binomial_method binomial[many];
  poisson_method& find(poisson_method*, double, double) { return poisson; }
  binomial_method& find(binomial_method*, double n, double p) {
    const unsigned long mixed = to_bits(p) * 0x9e3779b97f4a7c15ul >> 32;
    return binomial[(static_cast<unsigned>(n < 1e9 ? n : 1e9) + mixed) % many];
  }
};

template<class Method>
double draw_by(element_draws& s, double a, double b) {
  if (!s.methods()) return Method(a, b).draw(s);
  Method& known = s.methods()->find(static_cast<Method*>(nullptr), a, b);
  if (!known.is_of(a, b)) known = Method(a, b);
  return known.draw(s);
}
#endif

GPARRAY_RANDOM_FN double poisson_count(element_draws& s, double mean) {
  return mean == 0.0 || mean == infinity<double>() ? mean : draw_by<poisson_method>(s, mean, 0.0);
}

GPARRAY_RANDOM_FN long poisson(element_draws& s, double mean) { return to_count(poisson_count(s, mean)); }

GPARRAY_RANDOM_FN double binomial_count(element_draws& s, double n, double p) {
  if (n == 0.0 || p == 0.0) return 0.0;
  if (p == 1.0) return n;
  const double k = draw_by<binomial_method>(s, n, p <= 0.5 ? p : 1.0 - p);
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

/// L. Devroye: Non-uniform random variate generation (1986), chapter X.6, with all powers less 1: those of a
/// small exponent and of 1 + 1 / x are too near 1. What an int64 cannot hold is drawn again.
GPARRAY_RANDOM_FN long zipf(element_draws& s, double a) {
  if (a >= 1025.0) return 1;
  const double exponent = a - 1.0, log_2 = 0.69314718055994530942;
  const double b_less = portable::expm1(exponent * log_2), range = portable::expm1(-63.0 * log_2 * exponent);
  while (true) {
    const double part = s.unit(), v = s.unit();
    const double x = ::floor(portable::exp(-portable::log1p(part * range) / exponent));
    if (!(x >= 1.0 && x < 0x1p63)) continue;
    const double t_less = portable::expm1(exponent * portable::log1p(1.0 / x));
    if (v * x * t_less / b_less <= (1.0 + t_less) / (1.0 + b_less)) return static_cast<long>(x);
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
