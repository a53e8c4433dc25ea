"""Writes random.tsv: where the samples of each case of support/random_cases.hpp should fall, by SciPy.

Columns: case, upper ends of the bins but the last, their probabilities, the quantile of chi-square at 1 - 1e-6 for as
many bins, mean, standard deviation, excess kurtosis (nan where it is not finite).
"""
import os

import numpy as np
from scipy import stats

n_bins = 50
s = stats
cases = {
    "random": s.uniform(), "random float": s.uniform(), "uniform": s.uniform(-2, 5),
    "standard_normal": s.norm(), "normal": s.norm(1.5, 2), "normal float": s.norm(1.5, 2),
    "exponential": s.expon(scale=2.5), "exponential float": s.expon(scale=2.5),
    "standard_exponential": s.expon(), "standard_exponential float": s.expon(), "standard_normal float": s.norm(),
    "standard_gamma": s.gamma(4.2),
    "lognormal": s.lognorm(0.5, scale=np.exp(0.3)), "laplace": s.laplace(1, 2), "logistic": s.logistic(1, 2),
    "gumbel": s.gumbel_r(1, 2), "rayleigh": s.rayleigh(scale=2), "weibull": s.weibull_min(1.5),
    "pareto": s.lomax(3), "power": s.powerlaw(2.5), "triangular": s.triang(0.5, -1, 3),
    "standard_cauchy": s.cauchy(), "wald": s.invgauss(1.5 / 2, scale=2), "wald far": s.invgauss(1e4, scale=1),
    "vonmises": s.vonmises(2, loc=0), "vonmises wide": s.vonmises(0.05), "vonmises narrow": s.vonmises(1e3),
    "gamma below one": s.gamma(0.3), "gamma of one": s.gamma(1), "gamma": s.gamma(4.2, scale=2),
    "beta below one": s.beta(0.5, 0.3), "beta": s.beta(2, 3), "beta mixed": s.beta(0.5, 3),
    "chisquare": s.chi2(3), "f": s.f(4, 7), "standard_t": s.t(5),
    "noncentral_chisquare": s.ncx2(3, 2), "noncentral_chisquare below one": s.ncx2(0.8, 2),
    "noncentral_f": s.ncf(4, 9, 2),
    "binomial few": s.binom(10, 0.3), "binomial": s.binom(100, 0.4), "binomial likely": s.binom(100, 0.7),
    "binomial many": s.binom(1000000, 0.3), "poisson few": s.poisson(0.5), "poisson below ten": s.poisson(7),
    "poisson": s.poisson(30), "poisson many": s.poisson(1e6), "geometric": s.geom(0.2),
    "geometric likely": s.geom(0.8), "negative_binomial": s.nbinom(3.5, 0.4),
    "hypergeometric few": s.hypergeom(35, 15, 8), "hypergeometric": s.hypergeom(100, 60, 30),
    "hypergeometric most": s.hypergeom(100, 40, 80), "hypergeometric rare": s.hypergeom(1000, 100, 300),
    "zipf": s.zipf(2.5), "zipf heavy": s.zipf(1.5), "logseries": s.logser(0.6), "logseries long": s.logser(0.97),
    "integers": s.randint(-5, 12), "integers wide": s.uniform(-1e18, 3.2e18),
    "integers half": s.uniform(0, 3e9), "integers full": s.uniform(-2.0**63, 2.0**64),
    "integers byte": s.randint(-128, 128), "choice": s.rv_discrete(values=([0, 1, 2, 3], [0.1, 0.2, 0.3, 0.4])),
    "multinomial": s.binom(20, 0.3), "multinomial last": s.binom(20, 0.5),
    "multivariate_hypergeometric": s.hypergeom(60, 20, 12), "dirichlet": s.beta(1.5, 2.5),
    "dirichlet small": s.beta(0.05, 0.08), "multivariate_normal": s.norm(2, np.sqrt(3)),
    "permutation": s.randint(0, 100), "choice without replacement": s.randint(0, 100),
    "choice of few": s.uniform(0, 1e6),
}


def row(name, law):
    ends = np.unique([law.ppf(k / n_bins) for k in range(1, n_bins)])
    if not hasattr(law, "dist") or hasattr(law.dist, "pmf"):
        ends = ends[law.cdf(ends) < 1 - 1e-4]
    if law.support() == (0, 1):
        ends = ends[ends < 1 - 1e-9]  # where rounding decides
    probabilities = np.diff(np.concatenate([[0], law.cdf(ends), [1]]))
    # A bin that expects fewer than 100 of 10^6 is joined to its neighbour: chi-square is an approximation.
    while len(probabilities) > 1 and probabilities.min() < 1e-4:
        k = int(probabilities.argmin())
        j = max(k - 1, 0)
        ends = np.delete(ends, j)
        probabilities = np.concatenate([probabilities[:j], [probabilities[j] + probabilities[j + 1]], probabilities[j + 2:]])
    limit = stats.chi2.ppf(1 - 1e-6, len(probabilities) - 1)
    mean, variance, kurtosis = (float(m) for m in law.stats(moments="mvk"))
    numbers = lambda values: " ".join(repr(float(v)) for v in values)
    moment = lambda v: repr(float(v)) if np.isfinite(v) else "nan"
    return "\t".join([name, numbers(ends), numbers(probabilities), repr(float(limit)), moment(mean),
                      moment(np.sqrt(variance)), moment(kurtosis)])


path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "random.tsv")
with open(path, "w") as file:
    for name, law in cases.items():
        file.write(row(name, law) + "\n")
