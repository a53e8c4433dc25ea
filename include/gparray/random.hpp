// Random numbers: NumPy's numpy.random.Generator over a counter-based stream.
//
// The stream. A Generator is a key (its seed) and a position. The number at a position follows from key,
// position and distribution alone: Philox4x32-10 makes it from a counter that holds the position. So the same
// seed gives the same bits on a CPU and on a GPU, with any number of threads and any launch size, and
// random(10) twice gives what random(20) gives. Every element takes one position, every vector of multinomial
// and the like one. Methods that reject and draw again do so from a sub-stream of their own position.
//
// Bits to numbers. random: the upper 24 bits of 32 over 2^24 for float, 53 of 64 over 2^53 for double, so
// never 1. Integers: Lemire's multiplication with rejection, unbiased. normal: Box-Muller, two elements from
// two words, with tails to 6.6 (float) and 8.5 (double) standard deviations. random.def lists all
// distributions.
//
// Parameters are numbers or arrays, which broadcast against each other and to `size`; arrays are checked like
// numbers, which waits for the device. Without `size` the result has the shape of the parameters: 0-d for
// numbers, and then it converts to one, `double x = gp::random::default_rng().random();`, which waits.
// Throws value_error with NumPy's text for parameters outside their range, before the generator moves on.
//
// A Generator may be used by one thread at a time; spawn() makes one for each. A graph repeats the numbers
// that it was recorded with.
#pragma once
#include <gparray/random/bit_generators.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace random {

/// The real element types of random numbers: float and double.
template<class V>
concept real_element = std::same_as<V, float> || std::same_as<V, double>;

/// numpy.random.Generator: draws from the distributions, beginning at a seed. The same seed gives the same
/// numbers on every device.
class Generator {
  using parameter = detail::distribution_parameter;
  using size_type = detail::sample_size;
  using distribution = detail::distribution;

 public:
  /// Numbers are made on `where`, or, if that is not given, on what is the default device when they are
  /// drawn.
  explicit Generator(std::uint64_t seed, std::optional<device> where = {})
      : state_{seed, 0}, device_(where) {}
  /// Begins at the state of a bit generator, which is copied.
  explicit Generator(const Philox& bits, std::optional<device> where = {})
      : state_(bits.state()), device_(where) {}

  /// The bits that it will draw, as a generator of their own.
  Philox bit_generator() const { return Philox(state_); }

  /// The key and the position of the next number.
  const generator_state& state() const noexcept { return state_; }
  /// Goes on from a state that state() returned.
  void set_state(const generator_state& state) noexcept { state_ = state; }
  /// Skips as many positions.
  Generator& advance(std::uint64_t positions) noexcept {
    state_.position += positions;
    return *this;
  }
  /// Independent generators; each call makes others.
  std::vector<Generator> spawn(int n_children) {
    std::vector<Generator> children;
    for (int i = 0; i < n_children; ++i)
      children.emplace_back(detail::child_key(state_.key, children_++), device_);
    return children;
  }

  /// Integers in [low, high), or [0, low) without high; in [low, high] with .endpoint.
  template<element V = std::int64_t>
    requires std::is_integral_v<V>
  ndarray<V> integers(const detail::drawing_bound& low, const detail::drawing_bound& high,
                      const size_type& size, const integers_options& options = {}) {
    return detail::typed<V>(
        detail::draw_integers(state_, device_, low, high, size, dtype_of<V>, options.endpoint));
  }
  /// One integer; of bounds that are arrays as many.
  template<element V = std::int64_t>
    requires std::is_integral_v<V>
  scalar_array<V> integers(const detail::drawing_bound& low, const detail::drawing_bound& high = none) {
    return detail::as_number(integers<V>(low, high, none, {}));
  }
  template<element V = std::int64_t, std::same_as<none_t> N>
    requires std::is_integral_v<V>
  scalar_array<V> integers(const detail::drawing_bound& low, const detail::drawing_bound& high, N,
                           const integers_options& options) {
    return detail::as_number(integers<V>(low, high, size_type(), options));
  }
  /// Random bytes, in host memory.
  std::vector<std::uint8_t> bytes(std::int64_t length) { return detail::draw_bytes(state_, length); }

  // The distributions are the rows of random.def, which says what each is. V is float or double:
  //   ndarray<V> normal(const parameter& loc, const parameter& scale, const size_type& size)
  //   scalar_array<V> normal(const parameter& loc = 0, const parameter& scale = 1)
#define GPARRAY_DISTRIBUTION(name, source, result, p1, p2, p3, expression, doc)                        \
  template<real_element V = double>                                                                    \
  ndarray<V> name(GPARRAY_DECLARED p1 GPARRAY_DECLARED p2 GPARRAY_DECLARED p3 const size_type& size) { \
    return draw<V>(distribution::name, {GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3}, size);    \
  }                                                                                                    \
  template<real_element V = double>                                                                    \
  scalar_array<V> name(GPARRAY_DEFAULTED p1 GPARRAY_AND_DEFAULTED p2 GPARRAY_AND_DEFAULTED p3) {       \
    return detail::as_number(                                                                          \
        draw<V>(distribution::name, {GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3}, {}));        \
  }
#define GPARRAY_INNER_DISTRIBUTION(name, source, result, expression)
  // Counts. Numbers of things lose their fractions, and are exact up to 2^53; a count above 2^63 - 1 is that.
  //   ndarray<std::int64_t> poisson(const parameter& lam, const size_type& size)
  //   scalar_array<std::int64_t> poisson(const parameter& lam = 1)
#define GPARRAY_COUNT_DISTRIBUTION(name, source, p1, p2, p3, expression, doc)                               \
  ndarray<std::int64_t> name(                                                                               \
      GPARRAY_DECLARED p1 GPARRAY_DECLARED p2 GPARRAY_DECLARED p3 const size_type& size) {                  \
    return draw<std::int64_t>(distribution::name, {GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3},     \
                              size);                                                                        \
  }                                                                                                         \
  scalar_array<std::int64_t> name(GPARRAY_DEFAULTED p1 GPARRAY_AND_DEFAULTED p2 GPARRAY_AND_DEFAULTED p3) { \
    return detail::as_number(                                                                               \
        draw<std::int64_t>(distribution::name, {GPARRAY_NAMED p1 GPARRAY_NAMED p2 GPARRAY_NAMED p3}, {}));  \
  }
  // random, uniform in [0, 1), and what has a standard form also write to an array that is given:
  //   ndarray<V> standard_normal(const size_type& size, const out_options& options = {})
  //   scalar_array<V> standard_normal()
#define GPARRAY_STANDARD_FUNCTION(function, name, p1, arguments, doc)                               \
  template<real_element V = double>                                                                 \
  ndarray<V> function(GPARRAY_DECLARED p1 const size_type& size, const out_options& options = {}) { \
    return draw<V>(distribution::name, {GPARRAY_UNPACKED arguments}, size, options.out);            \
  }                                                                                                 \
  template<real_element V = double>                                                                 \
  scalar_array<V> function(GPARRAY_DEFAULTED p1) {                                                  \
    return detail::as_number(draw<V>(distribution::name, {GPARRAY_UNPACKED arguments}, {}));        \
  }
#include <gparray/tables/random.def>

  // Vectors: the result has one axis more than `size`, the last.

  /// How often each outcome occurs in n trials. pvals is (..., k), its leading axes broadcast against n; the
  /// last probability is what the others leave.
  template<array_like A>
  ndarray<std::int64_t> multinomial(const parameter& n, const A& pvals, const size_type& size = {}) {
    return detail::typed<std::int64_t>(detail::draw_multinomial(state_, device_, n, pvals, size));
  }
  /// How often each outcome occurs in n trials, for probabilities in braces.
  ndarray<std::int64_t> multinomial(const parameter& n, std::initializer_list<double> pvals,
                                    const size_type& size = {}) {
    return multinomial(n, vector(pvals), size);
  }
  /// How many things of each colour are among nsample drawn without replacement. colors is (k,): how many of
  /// each there are, fewer than 10^9 in all.
  template<array_like A>
  ndarray<std::int64_t> multivariate_hypergeometric(const A& colors, std::int64_t nsample,
                                                    const size_type& size = {},
                                                    const multivariate_hypergeometric_options& options = {}) {
    return detail::typed<std::int64_t>(
        detail::draw_multivariate_hypergeometric(state_, device_, colors, nsample, size, options));
  }
  /// How many things of each colour are among nsample drawn, for numbers in braces.
  ndarray<std::int64_t> multivariate_hypergeometric(std::initializer_list<double> colors,
                                                    std::int64_t nsample, const size_type& size = {},
                                                    const multivariate_hypergeometric_options& options = {}) {
    return multivariate_hypergeometric(vector(colors), nsample, size, options);
  }
  /// Vectors of the Dirichlet distribution. alpha is (k,); the numbers of a vector add up to 1.
  template<array_like A>
  ndarray<double> dirichlet(const A& alpha, const size_type& size = {}) {
    return detail::typed<double>(detail::draw_dirichlet(state_, device_, alpha, size));
  }
  /// Vectors of the Dirichlet distribution, for concentrations in braces.
  ndarray<double> dirichlet(std::initializer_list<double> alpha, const size_type& size = {}) {
    return dirichlet(vector(alpha), size);
  }
  /// Normal vectors. mean is (k,), cov (k, k), which the host decomposes.
  template<array_like A, array_like B>
  ndarray<double> multivariate_normal(const A& mean, const B& cov, const size_type& size = {},
                                      const multivariate_normal_options& options = {}) {
    return detail::typed<double>(detail::draw_multivariate_normal(state_, device_, mean, cov, size, options));
  }
  /// Normal vectors, for a mean and a covariance in braces. Throws value_error for rows of another length.
  ndarray<double> multivariate_normal(std::initializer_list<double> mean,
                                      std::initializer_list<std::initializer_list<double>> cov,
                                      const size_type& size = {},
                                      const multivariate_normal_options& options = {}) {
    std::vector<double> elements;
    for (const auto& row : cov) {
      if (row.size() != mean.size()) detail::throw_ragged();
      for (const double x : row) elements.push_back(x);
    }
    const auto n = static_cast<std::int64_t>(mean.size());
    const device where = device_.value_or(default_device());
    return multivariate_normal(
        vector(mean),
        detail::typed<double>(detail::from_host(elements.data(), {static_cast<std::int64_t>(cov.size()), n},
                                                dtype::float64, where)),
        size, options);
  }

  // Orders and samples. The order of n things is that of n random 64-bit words, one from each of n positions,
  // with ties in the order of the things. The host sorts them, also for arrays on a GPU, and waits for
  // nothing else.

  /// The numbers 0 to x - 1 in random order.
  ndarray<std::int64_t> permutation(std::int64_t x) {
    return detail::typed<std::int64_t>(detail::permuted_range(state_, device_, x));
  }
  /// A copy of x with the slices along an axis in random order.
  template<array_like A>
  ndarray<detail::element_t<A>> permutation(const A& x, int axis = 0) {
    return detail::typed<detail::element_t<A>>(detail::permuted_slices(state_, x, axis));
  }
  /// Puts the slices of x along an axis into random order, in place.
  template<array_like A>
  void shuffle(const A& x, int axis = 0) {
    detail::shuffle_slices(state_, x, axis);
  }
  /// A copy of x in which every line along the axis has an order of its own; without axis, all elements are
  /// mixed.
  template<array_like A>
  ndarray<detail::element_t<A>> permuted(const A& x, const permuted_options& options = {}) {
    return detail::typed<detail::element_t<A>>(detail::permuted_elements(state_, x, options));
  }
  /// Random numbers below a. With .p by searching the cumulated probabilities for a uniform variate; without
  /// replacement those with the smallest keys: random words, or exponential variates over the probabilities
  /// (P. S. Efraimidis, P. G. Spirakis: Weighted random sampling with a reservoir, 2006), which the host
  /// sorts.
  ndarray<std::int64_t> choice(std::int64_t a, const size_type& size, const choice_options& options = {}) {
    return detail::typed<std::int64_t>(detail::choose(state_, device_, a, size, options));
  }
  /// One number below a.
  template<std::same_as<none_t> N = none_t>
  scalar_array<std::int64_t> choice(std::int64_t a, N = none, const choice_options& options = {}) {
    return detail::as_number(choice(a, size_type(), options));
  }
  /// Random slices of a along options.axis.
  template<array_like A>
  ndarray<detail::element_t<A>> choice(const A& a, const size_type& size,
                                       const choice_options& options = {}) {
    return detail::typed<detail::element_t<A>>(detail::choose_from(state_, a, size, options));
  }
  /// One slice of a along its first axis: of a vector a number.
  template<array_like A, std::same_as<none_t> N = none_t>
  scalar_array<detail::element_t<A>> choice(const A& a, N = none, const choice_options& options = {}) {
    return detail::as_number(choice(a, size_type(), options));
  }

 private:
  template<class V>
  ndarray<V> draw(distribution d, std::initializer_list<parameter> parameters, const size_type& size,
                  const any_array& out = {}) {
    return detail::typed<V>(detail::draw(state_, device_, d, dtype_of<V>, parameters, size, out));
  }
  ndarray<double> vector(std::initializer_list<double> values) const {
    return detail::typed<double>(detail::from_host(values.begin(), dims(values.size()), dtype::float64,
                                                   device_.value_or(default_device())));
  }

  generator_state state_;
  std::optional<device> device_;
  std::uint64_t children_ = 0;
};

/// A generator whose numbers follow from the seed.
inline Generator default_rng(std::uint64_t seed, std::optional<device> where = {}) {
  return Generator(seed, where);
}
/// A generator whose key is the first word of 64 bits of the sequence.
inline Generator default_rng(const SeedSequence& seed, std::optional<device> where = {}) {
  return Generator(Philox(seed), where);
}
/// A generator that goes on from the state of a bit generator, which is copied.
inline Generator default_rng(const Philox& bits, std::optional<device> where = {}) {
  return Generator(bits, where);
}
/// A generator seeded by the operating system.
inline Generator default_rng() { return Generator(detail::system_seed()); }

}  // namespace random
GPARRAY_END_NAMESPACE
