// Distributions made of others, and those of vectors.
#pragma once
#include "random_discrete.hpp"
#include "random_integers.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// With more than one degree of freedom the square of a shifted normal variate and the others, with fewer a
/// Poisson mixture (Johnson, Kotz, Balakrishnan: Continuous univariate distributions 2, chapter 29).
GPARRAY_RANDOM_FN double noncentral_chisquare(element_draws& s, double df, double nonc) {
  if (nonc != nonc) return nonc;
  if (nonc == 0.0) return chisquare(s, df);
  if (df > 1.0) {
    const double rest = chisquare(s, df - 1.0), x = s.normal() + ::sqrt(nonc);
    return rest + x * x;
  }
  const double mixed = poisson_count(s, 0.5 * nonc);
  return chisquare(s, df + 2.0 * mixed);
}

GPARRAY_RANDOM_FN double noncentral_f(element_draws& s, double dfnum, double dfden, double nonc) {
  const double numerator = noncentral_chisquare(s, dfnum, nonc) * dfden;
  return numerator / (chisquare(s, dfden) * dfnum);
}

/// x.table: the probabilities. One binomial variate after the other, each of what is left.
GPARRAY_RANDOM_FN void multinomial(element_draws& s, double n, const draw_context& x, long* out) {
  double left = n, probability = 1.0;
  for (long k = 0; k < x.count; ++k) {
    const double share = x.table[k] / probability;
    const bool last = k == x.count - 1;
    const double drawn = last ? left : left > 0.0 ? binomial_count(s, left, share < 1.0 ? share : 1.0) : 0.0;
    out[k] = to_count(drawn);
    left -= drawn;
    probability -= x.table[k];
  }
}

/// x.table: how many things of each colour there are. The same with hypergeometric variates.
GPARRAY_RANDOM_FN void multivariate_hypergeometric(element_draws& s, double sample, const draw_context& x,
                                                   long* out) {
  double others = 0.0;
  for (long k = 0; k < x.count; ++k) others += x.table[k];
  for (long k = 0; k < x.count; ++k) {
    others -= x.table[k];
    const double drawn = sample > 0.0 ? hypergeometric_count(s, x.table[k], others, sample) : 0.0;
    out[k] = to_count(drawn);
    sample -= drawn;
  }
}

/// x.table: the parameters alpha. Gamma variates over their sum; where all of them might vanish, by their
/// logarithms, from which the largest is taken off.
GPARRAY_RANDOM_FN void dirichlet(element_draws& s, const draw_context& x, double* out) {
  double largest = 0.0, sum = 0.0, top = -infinity<double>();
  for (long k = 0; k < x.count; ++k) largest = x.table[k] > largest ? x.table[k] : largest;
  const bool vanishing = largest < 0.1;
  for (long k = 0; k < x.count; ++k) {
    if (!vanishing) out[k] = standard_gamma(s, x.table[k]);
    else out[k] = x.table[k] == 0.0 ? -infinity<double>() : log_gamma_below_one(s, x.table[k]);
    top = out[k] > top ? out[k] : top;
  }
  for (long k = 0; k < x.count; ++k) {
    if (vanishing) out[k] = largest == 0.0 ? 0.0 : portable::exp(out[k] - top);
    sum += out[k];
  }
  for (long k = 0; k < x.count && sum != 0.0; ++k) out[k] /= sum;
}

/// x.table: the mean, then the rows of a lower triangular factor of the covariance. The standard normal
/// variates are put into the result, and combined from the last on, each row needing those before it only.
GPARRAY_RANDOM_FN void multivariate_normal(element_draws& s, const draw_context& x, double* out) {
  const double* const mean = x.table;
  const double* const factor = x.table + x.count;
  for (long k = 0; k < x.count; ++k) out[k] = s.normal();
  for (long k = x.count - 1; k >= 0; --k) {
    double sum = mean[k];
    for (long j = 0; j <= k; ++j)
      sum = portable::multiply_add<portable::rounding::twice>(factor[k * x.count + j], out[j], sum);
    out[k] = sum;
  }
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
