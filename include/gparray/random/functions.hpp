// numpy.random's functions on a generator that needs no name.
#pragma once
#include <type_traits>

#include <gparray/random.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace random {

/// NumPy's older class: a Generator with the names that came before it. Its numbers are a Generator's, not
/// those of the Mersenne Twister.
class RandomState : public Generator {
 public:
  RandomState() : Generator(default_rng()) {}
  explicit RandomState(std::uint64_t seed) : Generator(seed) {}
  explicit RandomState(const Philox& bits) : Generator(bits) {}
  explicit RandomState(const Generator& generator) : Generator(generator) {}

  void seed(std::uint64_t value) { *this = RandomState(value); }
  void seed() { *this = RandomState(); }
  const generator_state& get_state() const noexcept { return state(); }

  /// rand(2, 3): uniform in [0, 1) in an array of this shape.
  template<std::integral... N>
  auto rand(N... shape) {
    return random(detail::sample_size(dims{static_cast<std::int64_t>(shape)...}));
  }
  /// randn(2, 3): standard normal.
  template<std::integral... N>
  auto randn(N... shape) {
    return standard_normal(detail::sample_size(dims{static_cast<std::int64_t>(shape)...}));
  }
  /// Integers in [low, high), or in [0, low) without high.
  template<element V = std::int64_t>
  ndarray<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high = none,
                     const detail::sample_size& size = {}) {
    return integers<V>(low, high, size);
  }
  /// Integers in [low, high], or in [1, low] without high.
  ndarray<std::int64_t> random_integers(std::int64_t low, detail::slice_end high = none,
                                        const detail::sample_size& size = {}) {
    return integers(high.given ? low : 1, high.given ? high.value : low, size, {.endpoint = true});
  }
  /// Integers in [0, 2^63).
  ndarray<std::int64_t> tomaxint(const detail::sample_size& size = {}) {
    return integers(0, iinfo<std::int64_t>::max, size, {.endpoint = true});
  }
  // Uniform in [0, 1), by all names it has.
  ndarray<double> random_sample(const detail::sample_size& size = {}) { return random(size); }
  ndarray<double> ranf(const detail::sample_size& size = {}) { return random(size); }
  ndarray<double> sample(const detail::sample_size& size = {}) { return random(size); }
};

/// The generator behind the functions below, one for each thread, seeded by the operating system until seed()
/// is called.
inline RandomState& get_random_state() {
  static_assert(std::is_trivially_destructible_v<RandomState>, "objects that end with a thread use it, too");
  thread_local RandomState generator;
  return generator;
}
inline void set_random_state(const Generator& generator) { get_random_state() = RandomState(generator); }
inline void seed(std::uint64_t value) { get_random_state().seed(value); }
inline void seed() { get_random_state().seed(); }
inline generator_state get_state() { return get_random_state().get_state(); }
inline void set_state(const generator_state& state) { get_random_state().set_state(state); }
inline Philox get_bit_generator() { return get_random_state().bit_generator(); }
inline void set_bit_generator(const Philox& bits) { get_random_state() = RandomState(bits); }

/// Integers of a type of one's own: randint<std::int8_t>(0, 9, 20).
template<element V = std::int64_t>
ndarray<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high = none,
                   const detail::sample_size& size = {}) {
  return get_random_state().randint<V>(low, high, size);
}

// The generator's methods of these names, spelled out, for a braced shape or option is no deduced argument.
template<real_element V = double>
ndarray<V> random(const detail::sample_size& size = {}, const out_options& options = {}) {
  return get_random_state().random<V>(size, options);
}
template<real_element V = double>
ndarray<V> standard_normal(const detail::sample_size& size = {}, const out_options& options = {}) {
  return get_random_state().standard_normal<V>(size, options);
}
template<real_element V = double>
ndarray<V> standard_exponential(const detail::sample_size& size = {}, const out_options& options = {}) {
  return get_random_state().standard_exponential<V>(size, options);
}
template<real_element V = double>
ndarray<V> standard_gamma(const detail::distribution_parameter& shape, const detail::sample_size& size = {},
                          const out_options& options = {}) {
  return get_random_state().standard_gamma<V>(shape, size, options);
}
template<real_element V = double>
ndarray<V> uniform(const detail::distribution_parameter& low = 0,
                   const detail::distribution_parameter& high = 1, const detail::sample_size& size = {}) {
  return get_random_state().uniform<V>(low, high, size);
}
template<real_element V = double>
ndarray<V> normal(const detail::distribution_parameter& loc = 0,
                  const detail::distribution_parameter& scale = 1, const detail::sample_size& size = {}) {
  return get_random_state().normal<V>(loc, scale, size);
}
template<real_element V = double>
ndarray<V> lognormal(const detail::distribution_parameter& mean = 0,
                     const detail::distribution_parameter& sigma = 1, const detail::sample_size& size = {}) {
  return get_random_state().lognormal<V>(mean, sigma, size);
}
template<real_element V = double>
ndarray<V> standard_cauchy(const detail::sample_size& size = {}) {
  return get_random_state().standard_cauchy<V>(size);
}
template<real_element V = double>
ndarray<V> wald(const detail::distribution_parameter& mean, const detail::distribution_parameter& scale,
                const detail::sample_size& size = {}) {
  return get_random_state().wald<V>(mean, scale, size);
}
template<real_element V = double>
ndarray<V> vonmises(const detail::distribution_parameter& mu, const detail::distribution_parameter& kappa,
                    const detail::sample_size& size = {}) {
  return get_random_state().vonmises<V>(mu, kappa, size);
}
template<real_element V = double>
ndarray<V> exponential(const detail::distribution_parameter& scale = 1,
                       const detail::sample_size& size = {}) {
  return get_random_state().exponential<V>(scale, size);
}
template<real_element V = double>
ndarray<V> laplace(const detail::distribution_parameter& loc = 0,
                   const detail::distribution_parameter& scale = 1, const detail::sample_size& size = {}) {
  return get_random_state().laplace<V>(loc, scale, size);
}
template<real_element V = double>
ndarray<V> logistic(const detail::distribution_parameter& loc = 0,
                    const detail::distribution_parameter& scale = 1, const detail::sample_size& size = {}) {
  return get_random_state().logistic<V>(loc, scale, size);
}
template<real_element V = double>
ndarray<V> gumbel(const detail::distribution_parameter& loc = 0,
                  const detail::distribution_parameter& scale = 1, const detail::sample_size& size = {}) {
  return get_random_state().gumbel<V>(loc, scale, size);
}
template<real_element V = double>
ndarray<V> rayleigh(const detail::distribution_parameter& scale = 1, const detail::sample_size& size = {}) {
  return get_random_state().rayleigh<V>(scale, size);
}
template<real_element V = double>
ndarray<V> weibull(const detail::distribution_parameter& a, const detail::sample_size& size = {}) {
  return get_random_state().weibull<V>(a, size);
}
template<real_element V = double>
ndarray<V> pareto(const detail::distribution_parameter& a, const detail::sample_size& size = {}) {
  return get_random_state().pareto<V>(a, size);
}
template<real_element V = double>
ndarray<V> power(const detail::distribution_parameter& a, const detail::sample_size& size = {}) {
  return get_random_state().power<V>(a, size);
}
template<real_element V = double>
ndarray<V> triangular(const detail::distribution_parameter& left, const detail::distribution_parameter& mode,
                      const detail::distribution_parameter& right, const detail::sample_size& size = {}) {
  return get_random_state().triangular<V>(left, mode, right, size);
}
template<real_element V = double>
ndarray<V> gamma(const detail::distribution_parameter& shape, const detail::distribution_parameter& scale = 1,
                 const detail::sample_size& size = {}) {
  return get_random_state().gamma<V>(shape, scale, size);
}
template<real_element V = double>
ndarray<V> beta(const detail::distribution_parameter& a, const detail::distribution_parameter& b,
                const detail::sample_size& size = {}) {
  return get_random_state().beta<V>(a, b, size);
}
template<real_element V = double>
ndarray<V> chisquare(const detail::distribution_parameter& df, const detail::sample_size& size = {}) {
  return get_random_state().chisquare<V>(df, size);
}
template<real_element V = double>
ndarray<V> noncentral_chisquare(const detail::distribution_parameter& df,
                                const detail::distribution_parameter& nonc,
                                const detail::sample_size& size = {}) {
  return get_random_state().noncentral_chisquare<V>(df, nonc, size);
}
template<real_element V = double>
ndarray<V> f(const detail::distribution_parameter& dfnum, const detail::distribution_parameter& dfden,
             const detail::sample_size& size = {}) {
  return get_random_state().f<V>(dfnum, dfden, size);
}
template<real_element V = double>
ndarray<V> noncentral_f(const detail::distribution_parameter& dfnum,
                        const detail::distribution_parameter& dfden,
                        const detail::distribution_parameter& nonc, const detail::sample_size& size = {}) {
  return get_random_state().noncentral_f<V>(dfnum, dfden, nonc, size);
}
template<real_element V = double>
ndarray<V> standard_t(const detail::distribution_parameter& df, const detail::sample_size& size = {}) {
  return get_random_state().standard_t<V>(df, size);
}
inline ndarray<std::int64_t> binomial(const detail::distribution_parameter& n,
                                      const detail::distribution_parameter& p,
                                      const detail::sample_size& size = {}) {
  return get_random_state().binomial(n, p, size);
}
inline ndarray<std::int64_t> negative_binomial(const detail::distribution_parameter& n,
                                               const detail::distribution_parameter& p,
                                               const detail::sample_size& size = {}) {
  return get_random_state().negative_binomial(n, p, size);
}
inline ndarray<std::int64_t> poisson(const detail::distribution_parameter& lam = 1,
                                     const detail::sample_size& size = {}) {
  return get_random_state().poisson(lam, size);
}
inline ndarray<std::int64_t> geometric(const detail::distribution_parameter& p,
                                       const detail::sample_size& size = {}) {
  return get_random_state().geometric(p, size);
}
inline ndarray<std::int64_t> hypergeometric(const detail::distribution_parameter& ngood,
                                            const detail::distribution_parameter& nbad,
                                            const detail::distribution_parameter& nsample,
                                            const detail::sample_size& size = {}) {
  return get_random_state().hypergeometric(ngood, nbad, nsample, size);
}
inline ndarray<std::int64_t> zipf(const detail::distribution_parameter& a,
                                  const detail::sample_size& size = {}) {
  return get_random_state().zipf(a, size);
}
inline ndarray<std::int64_t> logseries(const detail::distribution_parameter& p,
                                       const detail::sample_size& size = {}) {
  return get_random_state().logseries(p, size);
}
inline ndarray<double> random_sample(const detail::sample_size& size = {}) {
  return get_random_state().random_sample(size);
}
inline ndarray<double> ranf(const detail::sample_size& size = {}) { return get_random_state().ranf(size); }
inline ndarray<double> sample(const detail::sample_size& size = {}) {
  return get_random_state().sample(size);
}
template<std::integral... N>
ndarray<double> rand(N... shape) {
  return get_random_state().rand(shape...);
}
template<std::integral... N>
ndarray<double> randn(N... shape) {
  return get_random_state().randn(shape...);
}
inline ndarray<std::int64_t> random_integers(std::int64_t low, detail::slice_end high = none,
                                             const detail::sample_size& size = {}) {
  return get_random_state().random_integers(low, high, size);
}
inline std::vector<std::uint8_t> bytes(std::int64_t length) { return get_random_state().bytes(length); }
template<array_like A>
ndarray<std::int64_t> multinomial(const detail::distribution_parameter& n, const A& pvals,
                                  const detail::sample_size& size = {}) {
  return get_random_state().multinomial(n, pvals, size);
}
inline ndarray<std::int64_t> multinomial(const detail::distribution_parameter& n,
                                         std::initializer_list<double> pvals,
                                         const detail::sample_size& size = {}) {
  return get_random_state().multinomial(n, pvals, size);
}
template<array_like A>
ndarray<double> dirichlet(const A& alpha, const detail::sample_size& size = {}) {
  return get_random_state().dirichlet(alpha, size);
}
inline ndarray<double> dirichlet(std::initializer_list<double> alpha, const detail::sample_size& size = {}) {
  return get_random_state().dirichlet(alpha, size);
}
template<array_like A, array_like B>
ndarray<double> multivariate_normal(const A& mean, const B& cov, const detail::sample_size& size = {},
                                    const multivariate_normal_options& options = {}) {
  return get_random_state().multivariate_normal(mean, cov, size, options);
}
inline ndarray<double> multivariate_normal(std::initializer_list<double> mean,
                                           std::initializer_list<std::initializer_list<double>> cov,
                                           const detail::sample_size& size = {},
                                           const multivariate_normal_options& options = {}) {
  return get_random_state().multivariate_normal(mean, cov, size, options);
}
inline ndarray<std::int64_t> permutation(std::int64_t x) { return get_random_state().permutation(x); }
template<array_like A>
ndarray<detail::element_t<A>> permutation(const A& x, int axis = 0) {
  return get_random_state().permutation(x, axis);
}
template<array_like A>
void shuffle(const A& x, int axis = 0) {
  get_random_state().shuffle(x, axis);
}
inline ndarray<std::int64_t> choice(std::int64_t a, const detail::sample_size& size = {},
                                    const choice_options& options = {}) {
  return get_random_state().choice(a, size, options);
}
template<array_like A>
ndarray<detail::element_t<A>> choice(const A& a, const detail::sample_size& size = {},
                                     const choice_options& options = {}) {
  return get_random_state().choice(a, size, options);
}

}  // namespace random
GPARRAY_END_NAMESPACE
