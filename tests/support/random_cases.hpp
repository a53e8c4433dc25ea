// Draws from every distribution, on every path of its algorithm: random/make_random_golden.py knows what to
// expect.
#pragma once
#include <string>
#include <vector>

#include <gparray/gparray.hpp>

namespace random_cases {

namespace gp = gparray;

struct random_case {
  std::string name;
  /// n numbers, or a few less, in one dimension.
  gp::any_array (*draw)(gp::random::Generator& rng, std::int64_t n);
};

inline const gp::ndarray<double> as_doubles(const gp::any_array& a) {
  return a.dtype() == gp::dtype::float64   ? gp::ndarray<double>(a)
         : a.dtype() == gp::dtype::float32 ? gp::ndarray<double>(gp::ndarray<float>(a).astype<double>())
         : a.dtype() == gp::dtype::int8    ? gp::ndarray<double>(gp::ndarray<std::int8_t>(a).astype<double>())
                                        : gp::ndarray<double>(gp::ndarray<std::int64_t>(a).astype<double>());
}

inline gp::ndarray<std::int64_t> many_permutations(gp::random::Generator& rng, std::int64_t n, bool choose) {
  // Of each, the first number.
  std::vector<std::int64_t> firsts;
  gp::random::Generator local(rng.state().key, gp::device::cpu());
  for (std::int64_t i = 0; i < n; ++i) {
    const auto drawn = choose ? local.choice(100, 3, {.replace = false}) : local.permutation(100);
    firsts.push_back(drawn.data()[choose ? 2 : 7]);
  }
  return gp::ndarray<std::int64_t>(firsts);
}

#define RANDOM_CASE(name, expression) \
  {name, [](gp::random::Generator& rng, std::int64_t n) -> gp::any_array { return expression; }}

inline const std::vector<random_case>& all() {
  static const std::vector<random_case> cases{
      RANDOM_CASE("random", rng.random(n)),
      RANDOM_CASE("random float", rng.random<float>(n)),
      RANDOM_CASE("uniform", rng.uniform(-2, 3, n)),
      RANDOM_CASE("standard_normal", rng.standard_normal(n)),
      RANDOM_CASE("normal", rng.normal(1.5, 2, n)),
      RANDOM_CASE("normal float", rng.normal<float>(1.5, 2, n)),
      RANDOM_CASE("exponential", rng.exponential(2.5, n)),
      RANDOM_CASE("exponential float", rng.exponential<float>(2.5, n)),
      RANDOM_CASE("standard_exponential", rng.standard_exponential(n)),
      RANDOM_CASE("standard_exponential float", rng.standard_exponential<float>(n)),
      RANDOM_CASE("standard_normal float", rng.standard_normal<float>(n)),
      RANDOM_CASE("standard_gamma", rng.standard_gamma(4.2, n)),
      RANDOM_CASE("lognormal", rng.lognormal(0.3, 0.5, n)),
      RANDOM_CASE("laplace", rng.laplace(1, 2, n)),
      RANDOM_CASE("logistic", rng.logistic(1, 2, n)),
      RANDOM_CASE("gumbel", rng.gumbel(1, 2, n)),
      RANDOM_CASE("rayleigh", rng.rayleigh(2, n)),
      RANDOM_CASE("weibull", rng.weibull(1.5, n)),
      RANDOM_CASE("pareto", rng.pareto(3, n)),
      RANDOM_CASE("power", rng.power(2.5, n)),
      RANDOM_CASE("triangular", rng.triangular(-1, 0.5, 2, n)),
      RANDOM_CASE("standard_cauchy", rng.standard_cauchy(n)),
      RANDOM_CASE("wald", rng.wald(1.5, 2, n)),
      RANDOM_CASE("wald far", rng.wald(1e4, 1, n)),
      RANDOM_CASE("vonmises", rng.vonmises(0, 2, n)),
      RANDOM_CASE("vonmises wide", rng.vonmises(0, 0.05, n)),
      RANDOM_CASE("vonmises narrow", rng.vonmises(0, 1e3, n)),
      RANDOM_CASE("gamma below one", rng.standard_gamma(0.3, n)),
      RANDOM_CASE("gamma of one", rng.standard_gamma(1, n)),
      RANDOM_CASE("gamma", rng.gamma(4.2, 2, n)),
      RANDOM_CASE("beta below one", rng.beta(0.5, 0.3, n)),
      RANDOM_CASE("beta", rng.beta(2, 3, n)),
      RANDOM_CASE("beta mixed", rng.beta(0.5, 3, n)),
      RANDOM_CASE("chisquare", rng.chisquare(3, n)),
      RANDOM_CASE("f", rng.f(4, 7, n)),
      RANDOM_CASE("standard_t", rng.standard_t(5, n)),
      RANDOM_CASE("noncentral_chisquare", rng.noncentral_chisquare(3, 2, n)),
      RANDOM_CASE("noncentral_chisquare below one", rng.noncentral_chisquare(0.8, 2, n)),
      RANDOM_CASE("noncentral_f", rng.noncentral_f(4, 9, 2, n)),
      RANDOM_CASE("binomial few", rng.binomial(10, 0.3, n)),
      RANDOM_CASE("binomial", rng.binomial(100, 0.4, n)),
      RANDOM_CASE("binomial likely", rng.binomial(100, 0.7, n)),
      RANDOM_CASE("binomial many", rng.binomial(1000000, 0.3, n)),
      RANDOM_CASE("poisson few", rng.poisson(0.5, n)),
      RANDOM_CASE("poisson below ten", rng.poisson(7, n)),
      RANDOM_CASE("poisson", rng.poisson(30, n)),
      RANDOM_CASE("poisson many", rng.poisson(1e6, n)),
      RANDOM_CASE("geometric", rng.geometric(0.2, n)),
      RANDOM_CASE("geometric likely", rng.geometric(0.8, n)),
      RANDOM_CASE("negative_binomial", rng.negative_binomial(3.5, 0.4, n)),
      RANDOM_CASE("hypergeometric few", rng.hypergeometric(15, 20, 8, n)),
      RANDOM_CASE("hypergeometric", rng.hypergeometric(60, 40, 30, n)),
      RANDOM_CASE("hypergeometric most", rng.hypergeometric(40, 60, 80, n)),
      RANDOM_CASE("hypergeometric rare", rng.hypergeometric(100, 900, 300, n)),
      RANDOM_CASE("zipf", rng.zipf(2.5, n)),
      RANDOM_CASE("zipf heavy", rng.zipf(1.5, n)),
      RANDOM_CASE("logseries", rng.logseries(0.6, n)),
      RANDOM_CASE("logseries long", rng.logseries(0.97, n)),
      RANDOM_CASE("integers", rng.integers(-5, 12, n)),
      RANDOM_CASE("integers wide", rng.integers(-1000000000000000000, 2200000000000000000, n)),
      RANDOM_CASE("integers half", rng.integers(0, 3000000000, n)),
      RANDOM_CASE("integers full", rng.integers(gp::iinfo<std::int64_t>::min, gp::iinfo<std::int64_t>::max, n,
                                                {.endpoint = true})),
      RANDOM_CASE("integers byte", rng.integers<std::int8_t>(-128, 127, n, {.endpoint = true})),
      RANDOM_CASE("choice", rng.choice(4, n, {.p = gp::ndarray<double>{0.1, 0.2, 0.3, 0.4}})),
      RANDOM_CASE("multinomial", rng.multinomial(20, {0.2, 0.3, 0.5}, n)(gp::all, 1).copy()),
      RANDOM_CASE("multinomial last", rng.multinomial(20, {0.2, 0.3, 0.5}, n)(gp::all, 2).copy()),
      RANDOM_CASE("multivariate_hypergeometric",
                  rng.multivariate_hypergeometric({30, 20, 10}, 12, n)(gp::all, 1).copy()),
      RANDOM_CASE("dirichlet", rng.dirichlet({1, 1.5, 1.5}, n)(gp::all, 1).copy()),
      RANDOM_CASE("dirichlet small", rng.dirichlet({0.03, 0.05, 0.05}, n)(gp::all, 1).copy()),
      RANDOM_CASE("multivariate_normal",
                  rng.multivariate_normal(gp::ndarray<double>{1, 2}, gp::ndarray<double>{{2, 1}, {1, 3}}, n)(
                         gp::all, 1)
                      .copy()),
      RANDOM_CASE("permutation", many_permutations(rng, n / 20, false)),
      RANDOM_CASE("choice without replacement", many_permutations(rng, n / 20, true)),
      RANDOM_CASE("choice of few", rng.choice(1000000, n / 60, {.replace = false})),
  };
  return cases;
}
#undef RANDOM_CASE

}  // namespace random_cases
