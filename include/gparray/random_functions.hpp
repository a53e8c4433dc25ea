// numpy.random's functions on a generator that needs no name.
#pragma once
#include <gparray/random.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace random {

/// The generator behind the functions below, one for each thread, seeded by the operating system until seed()
/// is called. Its numbers are those of default_rng(seed), not of NumPy's Mersenne Twister.
inline Generator& get_random_state() {
  thread_local Generator generator = default_rng();
  return generator;
}
inline void set_random_state(const Generator& generator) { get_random_state() = generator; }
inline void seed(std::uint64_t value) { get_random_state() = Generator(value); }
inline void seed() { get_random_state() = default_rng(); }

/// rand(2, 3): uniform in [0, 1) in an array of this shape.
template<std::integral... N>
auto rand(N... shape) {
  return get_random_state().random(detail::sample_size(dims{static_cast<std::int64_t>(shape)...}));
}
/// randn(2, 3): standard normal.
template<std::integral... N>
auto randn(N... shape) {
  return get_random_state().standard_normal(detail::sample_size(dims{static_cast<std::int64_t>(shape)...}));
}
/// Integers in [low, high), or in [0, low) without high.
template<element V = std::int64_t>
ndarray<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high = none,
                   const detail::sample_size& size = {}) {
  return get_random_state().integers<V>(low, high, size);
}
/// Integers in [low, high], or in [1, low] without high.
inline ndarray<std::int64_t> random_integers(std::int64_t low, detail::slice_end high = none,
                                             const detail::sample_size& size = {}) {
  return get_random_state().integers(high.given ? low : 1, high.given ? high.value : low, size,
                                     {.endpoint = true});
}

// Uniform in [0, 1), by all names it has.
inline ndarray<double> random_sample(const detail::sample_size& size = {}) {
  return get_random_state().random(size);
}
inline ndarray<double> ranf(const detail::sample_size& size = {}) { return random_sample(size); }
inline ndarray<double> sample(const detail::sample_size& size = {}) { return random_sample(size); }

// The generator's methods of these names; a size is written gp::dims{2, 3} where it is not one number.
#define GPARRAY_RANDOM_FUNCTION(name)                              \
  template<class... X>                                             \
  auto name(X&&... arguments) {                                    \
    return get_random_state().name(std::forward<X>(arguments)...); \
  }
GPARRAY_RANDOM_FUNCTION(uniform)
GPARRAY_RANDOM_FUNCTION(normal)
GPARRAY_RANDOM_FUNCTION(standard_normal)
GPARRAY_RANDOM_FUNCTION(lognormal)
GPARRAY_RANDOM_FUNCTION(exponential)
GPARRAY_RANDOM_FUNCTION(standard_exponential)
GPARRAY_RANDOM_FUNCTION(gamma)
GPARRAY_RANDOM_FUNCTION(beta)
GPARRAY_RANDOM_FUNCTION(binomial)
GPARRAY_RANDOM_FUNCTION(poisson)
GPARRAY_RANDOM_FUNCTION(chisquare)
GPARRAY_RANDOM_FUNCTION(geometric)
GPARRAY_RANDOM_FUNCTION(laplace)
GPARRAY_RANDOM_FUNCTION(permutation)
GPARRAY_RANDOM_FUNCTION(shuffle)
GPARRAY_RANDOM_FUNCTION(choice)
#undef GPARRAY_RANDOM_FUNCTION

}  // namespace random
GPARRAY_END_NAMESPACE
