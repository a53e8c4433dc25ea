// numpy.random's functions on a generator that needs no name.
#pragma once
#include <type_traits>

#include <gparray/random.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {
/// What is drawn into an array of these sizes; without any it is a number.
template<element V, class... N>
using drawn = std::conditional_t<sizeof...(N) == 0, scalar_array<V>, ndarray<V>>;
}  // namespace detail

namespace random {

/// NumPy's older class: a Generator with the names that came before it. Its numbers are a Generator's, not
/// those of the Mersenne Twister.
class RandomState : public Generator {
 public:
  /// Seeded by the operating system.
  RandomState() : Generator(default_rng()) {}
  /// Begins at a seed.
  explicit RandomState(std::uint64_t seed) : Generator(seed) {}
  /// Goes on from the state of a bit generator.
  explicit RandomState(const Philox& bits) : Generator(bits) {}
  /// Goes on from the state of a generator.
  explicit RandomState(const Generator& generator) : Generator(generator) {}

  /// Begins again at a seed.
  void seed(std::uint64_t value) { *this = RandomState(value); }
  /// Begins again at a seed of the operating system.
  void seed() { *this = RandomState(); }
  /// The key and the position of the next number.
  const generator_state& get_state() const noexcept { return state(); }

  /// rand(2, 3): uniform in [0, 1) in an array of this shape.
  template<std::integral... N>
  detail::drawn<double, N...> rand(N... shape) {
    return {random(dims{static_cast<std::int64_t>(shape)...}), detail::adopt_t{}};
  }
  /// randn(2, 3): standard normal.
  template<std::integral... N>
  detail::drawn<double, N...> randn(N... shape) {
    return {standard_normal(dims{static_cast<std::int64_t>(shape)...}), detail::adopt_t{}};
  }
  /// Integers in [low, high), or in [0, low) without high.
  template<element V = std::int64_t>
  ndarray<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high,
                     const detail::sample_size& size) {
    return integers<V>(low, high, size);
  }
  /// One integer in [low, high), or in [0, low) without high.
  template<element V = std::int64_t>
  scalar_array<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high = none) {
    return integers<V>(low, high);
  }
  /// Integers in [low, high], or in [1, low] without high.
  ndarray<std::int64_t> random_integers(std::int64_t low, detail::slice_end high,
                                        const detail::sample_size& size) {
    return integers(high.given ? low : 1, high.given ? high.value : low, size, {.endpoint = true});
  }
  /// One integer in [low, high], or in [1, low] without high.
  scalar_array<std::int64_t> random_integers(std::int64_t low, detail::slice_end high = none) {
    return detail::as_number(random_integers(low, high, {}));
  }
  /// Integers in [0, 2^63).
  ndarray<std::int64_t> tomaxint(const detail::sample_size& size) {
    return integers(0, iinfo<std::int64_t>::max, size, {.endpoint = true});
  }
  /// One integer in [0, 2^63).
  scalar_array<std::int64_t> tomaxint() { return detail::as_number(tomaxint(none)); }
  /// Uniform in [0, 1).
  ndarray<double> random_sample(const detail::sample_size& size) { return random(size); }
  /// One number, uniform in [0, 1).
  scalar_array<double> random_sample() { return random(); }
  /// Uniform in [0, 1).
  ndarray<double> ranf(const detail::sample_size& size) { return random(size); }
  /// One number, uniform in [0, 1).
  scalar_array<double> ranf() { return random(); }
  /// Uniform in [0, 1).
  ndarray<double> sample(const detail::sample_size& size) { return random(size); }
  /// One number, uniform in [0, 1).
  scalar_array<double> sample() { return random(); }
};

/// The generator behind the functions below, one for each thread, seeded by the operating system until seed()
/// is called.
inline RandomState& get_random_state() {
  static_assert(std::is_trivially_destructible_v<RandomState>, "objects that end with a thread use it, too");
  thread_local RandomState generator;
  return generator;
}
/// Makes the functions of this namespace go on, in the calling thread, from the state of a generator.
inline void set_random_state(const Generator& generator) { get_random_state() = RandomState(generator); }
/// Begins the stream of the calling thread's functions anew, at a seed.
inline void seed(std::uint64_t value) { get_random_state().seed(value); }
/// Begins the stream of the calling thread's functions anew, at a seed of the operating system.
inline void seed() { get_random_state().seed(); }
/// The state of the calling thread's generator.
inline generator_state get_state() { return get_random_state().get_state(); }
/// Makes the calling thread's generator go on from a state.
inline void set_state(const generator_state& state) { get_random_state().set_state(state); }
/// The bits that the calling thread's generator will draw, as a copy.
inline Philox get_bit_generator() { return get_random_state().bit_generator(); }
/// Makes the calling thread's generator go on from the state of a bit generator.
inline void set_bit_generator(const Philox& bits) { get_random_state() = RandomState(bits); }

/// Random integers in [low, high), or in [0, low) without high, of the dtype of the template argument:
/// randint<std::int8_t>(0, 9, 20).
template<element V = std::int64_t>
ndarray<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high,
                   const detail::sample_size& size) {
  return get_random_state().randint<V>(low, high, size);
}
template<element V = std::int64_t>
scalar_array<V> randint(const detail::drawing_bound& low, const detail::drawing_bound& high = none) {
  return get_random_state().randint<V>(low, high);
}

// The generator's methods of these names, with the same parameters: a braced shape or option is no deduced
// argument.
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc)                      \
  template<real_element V = double>                                                                  \
  ndarray<V> name(                                                                                   \
      GPARRAY_DECLARED p1 GPARRAY_DECLARED p2 GPARRAY_DECLARED p3 const detail::sample_size& size) { \
    return get_random_state().name<V>(GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 size);      \
  }                                                                                                  \
  template<real_element V = double>                                                                  \
  scalar_array<V> name(GPARRAY_DEFAULTED p1 GPARRAY_AND_DEFAULTED p2 GPARRAY_AND_DEFAULTED p3) {     \
    return detail::as_number(get_random_state().name<V>(                                             \
        GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 detail::sample_size()));                  \
  }
#define GPARRAY_INNER_DISTRIBUTION(name, source, result, expression)
#define GPARRAY_COUNT_DISTRIBUTION(name, source, p1, p2, p3, expression, doc)                               \
  inline ndarray<std::int64_t> name(                                                                        \
      GPARRAY_DECLARED p1 GPARRAY_DECLARED p2 GPARRAY_DECLARED p3 const detail::sample_size& size) {        \
    return get_random_state().name(GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 size);                \
  }                                                                                                         \
  inline scalar_array<std::int64_t> name(                                                                   \
      GPARRAY_DEFAULTED p1 GPARRAY_AND_DEFAULTED p2 GPARRAY_AND_DEFAULTED p3) {                             \
    return detail::as_number(                                                                               \
        get_random_state().name(GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3 detail::sample_size())); \
  }
#define GPARRAY_STANDARD_FUNCTION(function, name, p1, arguments, doc)                                 \
  template<real_element V = double>                                                                   \
  ndarray<V> function(GPARRAY_DECLARED p1 const detail::sample_size& size,                            \
                      const out_options& options = {}) {                                              \
    return get_random_state().function<V>(GPARRAY_NAMED p1 size, options);                            \
  }                                                                                                   \
  template<real_element V = double>                                                                   \
  scalar_array<V> function(GPARRAY_DEFAULTED p1) {                                                    \
    return detail::as_number(get_random_state().function<V>(GPARRAY_NAMED p1 detail::sample_size())); \
  }
#include <gparray/tables/random.def>

/// Uniform random numbers in [0, 1).
inline ndarray<double> random_sample(const detail::sample_size& size) {
  return get_random_state().random_sample(size);
}
inline scalar_array<double> random_sample() { return get_random_state().random_sample(); }
/// Uniform random numbers in [0, 1).
inline ndarray<double> ranf(const detail::sample_size& size) { return get_random_state().ranf(size); }
inline scalar_array<double> ranf() { return get_random_state().ranf(); }
/// Uniform random numbers in [0, 1).
inline ndarray<double> sample(const detail::sample_size& size) { return get_random_state().sample(size); }
inline scalar_array<double> sample() { return get_random_state().sample(); }
/// Uniform random numbers in [0, 1) in an array of the sizes given: rand(2, 3).
template<std::integral... N>
detail::drawn<double, N...> rand(N... shape) {
  return get_random_state().rand(shape...);
}
/// Standard normal random numbers in an array of the sizes given: randn(2, 3).
template<std::integral... N>
detail::drawn<double, N...> randn(N... shape) {
  return get_random_state().randn(shape...);
}
/// Random integers in [low, high], or in [1, low] without high.
inline ndarray<std::int64_t> random_integers(std::int64_t low, detail::slice_end high,
                                             const detail::sample_size& size) {
  return get_random_state().random_integers(low, high, size);
}
inline scalar_array<std::int64_t> random_integers(std::int64_t low, detail::slice_end high = none) {
  return get_random_state().random_integers(low, high);
}
/// Random bytes, in host memory.
inline std::vector<std::uint8_t> bytes(std::int64_t length) { return get_random_state().bytes(length); }
/// How often each of several outcomes occurs in n trials.
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
/// Random vectors of the Dirichlet distribution: their numbers are in [0, 1] and add up to 1.
template<array_like A>
ndarray<double> dirichlet(const A& alpha, const detail::sample_size& size = {}) {
  return get_random_state().dirichlet(alpha, size);
}
inline ndarray<double> dirichlet(std::initializer_list<double> alpha, const detail::sample_size& size = {}) {
  return get_random_state().dirichlet(alpha, size);
}
/// Random vectors of the normal distribution with a mean and a covariance.
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
/// The numbers 0 to x - 1 in random order.
inline ndarray<std::int64_t> permutation(std::int64_t x) { return get_random_state().permutation(x); }
/// A copy of x with the slices along an axis in random order.
template<array_like A>
ndarray<detail::element_t<A>> permutation(const A& x, int axis = 0) {
  return get_random_state().permutation(x, axis);
}
/// Puts the slices of x along an axis into random order, in place.
template<array_like A>
void shuffle(const A& x, int axis = 0) {
  get_random_state().shuffle(x, axis);
}
/// A random sample of the numbers 0 to a - 1.
inline ndarray<std::int64_t> choice(std::int64_t a, const detail::sample_size& size,
                                    const choice_options& options = {}) {
  return get_random_state().choice(a, size, options);
}
template<std::same_as<none_t> N = none_t>
scalar_array<std::int64_t> choice(std::int64_t a, N = none, const choice_options& options = {}) {
  return get_random_state().choice(a, none, options);
}
/// A random sample of the slices of an array along an axis.
template<array_like A>
ndarray<detail::element_t<A>> choice(const A& a, const detail::sample_size& size,
                                     const choice_options& options = {}) {
  return get_random_state().choice(a, size, options);
}
template<array_like A, std::same_as<none_t> N = none_t>
scalar_array<detail::element_t<A>> choice(const A& a, N = none, const choice_options& options = {}) {
  return get_random_state().choice(a, none, options);
}

}  // namespace random
GPARRAY_END_NAMESPACE
