// numpy.random's functions on a generator that needs no name.
#pragma once
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

// The generator's methods of these names; a size is written gp::dims{2, 3} where it is not one number.
#define GPARRAY_RANDOM_FUNCTION(name)                              \
  template<class... X>                                             \
  auto name(X&&... arguments) {                                    \
    return get_random_state().name(std::forward<X>(arguments)...); \
  }
GPARRAY_RANDOM_FUNCTION(random)
GPARRAY_RANDOM_FUNCTION(rand)
GPARRAY_RANDOM_FUNCTION(randn)
GPARRAY_RANDOM_FUNCTION(random_integers)
GPARRAY_RANDOM_FUNCTION(random_sample)
GPARRAY_RANDOM_FUNCTION(ranf)
GPARRAY_RANDOM_FUNCTION(sample)
GPARRAY_RANDOM_FUNCTION(bytes)
GPARRAY_RANDOM_FUNCTION(uniform)
GPARRAY_RANDOM_FUNCTION(normal)
GPARRAY_RANDOM_FUNCTION(standard_normal)
GPARRAY_RANDOM_FUNCTION(lognormal)
GPARRAY_RANDOM_FUNCTION(standard_cauchy)
GPARRAY_RANDOM_FUNCTION(wald)
GPARRAY_RANDOM_FUNCTION(vonmises)
GPARRAY_RANDOM_FUNCTION(exponential)
GPARRAY_RANDOM_FUNCTION(standard_exponential)
GPARRAY_RANDOM_FUNCTION(laplace)
GPARRAY_RANDOM_FUNCTION(logistic)
GPARRAY_RANDOM_FUNCTION(gumbel)
GPARRAY_RANDOM_FUNCTION(rayleigh)
GPARRAY_RANDOM_FUNCTION(weibull)
GPARRAY_RANDOM_FUNCTION(pareto)
GPARRAY_RANDOM_FUNCTION(power)
GPARRAY_RANDOM_FUNCTION(triangular)
GPARRAY_RANDOM_FUNCTION(gamma)
GPARRAY_RANDOM_FUNCTION(standard_gamma)
GPARRAY_RANDOM_FUNCTION(beta)
GPARRAY_RANDOM_FUNCTION(chisquare)
GPARRAY_RANDOM_FUNCTION(noncentral_chisquare)
GPARRAY_RANDOM_FUNCTION(f)
GPARRAY_RANDOM_FUNCTION(noncentral_f)
GPARRAY_RANDOM_FUNCTION(standard_t)
GPARRAY_RANDOM_FUNCTION(dirichlet)
GPARRAY_RANDOM_FUNCTION(binomial)
GPARRAY_RANDOM_FUNCTION(negative_binomial)
GPARRAY_RANDOM_FUNCTION(poisson)
GPARRAY_RANDOM_FUNCTION(geometric)
GPARRAY_RANDOM_FUNCTION(hypergeometric)
GPARRAY_RANDOM_FUNCTION(zipf)
GPARRAY_RANDOM_FUNCTION(logseries)
GPARRAY_RANDOM_FUNCTION(multinomial)
GPARRAY_RANDOM_FUNCTION(multivariate_normal)
GPARRAY_RANDOM_FUNCTION(permutation)
GPARRAY_RANDOM_FUNCTION(shuffle)
GPARRAY_RANDOM_FUNCTION(choice)
#undef GPARRAY_RANDOM_FUNCTION

}  // namespace random
GPARRAY_END_NAMESPACE
