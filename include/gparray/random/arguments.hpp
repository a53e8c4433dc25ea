// What the methods of random::Generator take: shapes, parameters that may be arrays, bounds.
#pragma once
#include <optional>
#include <string_view>

#include <gparray/indexing/index.hpp>
#include <gparray/ndarray.hpp>
#include <gparray/tables/random_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// NumPy's size=: gp::none (the shape that the parameters broadcast to), a number, a shape.
struct sample_size {
  sample_size() = default;
  sample_size(none_t) {}
  sample_size(std::integral auto n) : given(true), shape(n) {}
  sample_size(std::initializer_list<std::int64_t> sizes) : given(true), shape(sizes) {}
  sample_size(const dims& sizes) : given(true), shape(sizes) {}
  template<size_list R>
  sample_size(const R& sizes) : given(true), shape(sizes) {}

  bool given = false;
  dims shape;
};

/// A parameter of a distribution: a real number, or an array of them.
struct distribution_parameter {
  template<scalar_like S>
    requires(!is_complex_scalar<std::remove_cvref_t<S>>::value)
  distribution_parameter(S number) : value(static_cast<double>(number)) {}
  template<array_like A>
    requires(!is_complex(dtype_of<element_t<A>>))
  distribution_parameter(const A& a) : array(a), is_array(true) {}

  double value = 0;
  any_array array;
  bool is_array = false;
};

/// A bound of integers: a number, an array of integers, or gp::none.
struct drawing_bound {
  drawing_bound(none_t) : given(false) {}
  template<std::integral I>
  drawing_bound(I number)
      : value(static_cast<std::int64_t>(number)), is_unsigned(std::is_unsigned_v<I> && sizeof(I) == 8) {}
  template<array_like A>
    requires(std::is_integral_v<element_t<A>>)
  drawing_bound(const A& a) : array(a), is_array(true) {}

  std::int64_t value = 0;
  bool is_unsigned = false;  // value is the bits of a uint64
  any_array array;
  bool is_array = false, given = true;
};

/// An array among options, or a braced list of numbers, which goes to the default device.
struct array_or_list : any_array {
  array_or_list() = default;
  array_or_list(const any_array& a) : any_array(a) {}
  array_or_list(std::initializer_list<double> values)
      : any_array(from_host(values.begin(), dims(values.size()), dtype::float64, default_device())) {}
};

}  // namespace detail

namespace random {

/// All of a Generator's state: key and position name its next number.
struct generator_state {
  std::uint64_t key = 0;       ///< The seed.
  std::uint64_t position = 0;  ///< How many positions of the stream have been used.
  friend bool operator==(const generator_state&, const generator_state&) = default;
};

/// Keyword arguments of the standard distributions.
struct out_options {
  /// A C-contiguous array of the result's type and shape to write to and return.
  any_array out = {};
};

/// Keyword arguments of Generator::integers.
struct integers_options {
  /// Draw from [low, high] instead of [low, high).
  bool endpoint = false;
};

/// Keyword arguments of multivariate_normal.
struct multivariate_normal_options {
  /// What to do with a covariance that is not symmetric positive-semidefinite: "raise" throws value_error,
  /// "ignore" and "warn" go on (the library prints nothing).
  std::string_view check_valid = "warn";
  /// By how much a covariance may be off before check_valid finds it so.
  double tol = 1e-8;
  /// "cholesky" throws linalg_error unless the covariance is positive definite; "eigh" and "svd" decompose it
  /// into eigenvalues and eigenvectors, and take the magnitudes of negative ones.
  std::string_view method = "svd";
};

/// Keyword arguments of Generator::multivariate_hypergeometric.
struct multivariate_hypergeometric_options {
  /// "marginals" or "count": NumPy's two algorithms. Both are the same here.
  std::string_view method = "marginals";
};

/// Keyword arguments of choice.
struct choice_options {
  /// Whether an element may be drawn several times.
  bool replace = true;
  /// The probability of each element, 1-D; uniform without it.
  detail::array_or_list p = {};
  /// The axis of an array along which its slices are chosen.
  int axis = 0;
  /// Without replacement: false may leave the sample in the order of the population.
  bool shuffle = true;
};

/// Keyword arguments of Generator::permuted.
struct permuted_options {
  /// The axis whose slices are shuffled independently; gp::none shuffles all elements.
  detail::slice_end axis = none;
  /// An array of the shape and dtype of x to write to and return.
  any_array out = {};
};

}  // namespace random

namespace detail {

using generator_device = std::optional<gparray::device>;

// The typed skin's way into the library. Each draws on the device of its array arguments, else on
// `on_device`, else on the default device; checks all before it advances `state` by one position for each
// element (or vector).
GPARRAY_API any_array draw(random::generator_state& state, const generator_device& on_device, distribution d,
                           dtype type, std::initializer_list<distribution_parameter> parameters,
                           const sample_size& size, const any_array& out = {});
GPARRAY_API any_array draw_integers(random::generator_state& state, const generator_device& on_device,
                                    const drawing_bound& low, const drawing_bound& high,
                                    const sample_size& size, dtype type, bool endpoint);
GPARRAY_API std::vector<std::uint8_t> draw_bytes(random::generator_state& state, std::int64_t length);
GPARRAY_API any_array draw_multinomial(random::generator_state& state, const generator_device& on_device,
                                       const distribution_parameter& n, const any_array& pvals,
                                       const sample_size& size);
GPARRAY_API any_array draw_dirichlet(random::generator_state& state, const generator_device& on_device,
                                     const any_array& alpha, const sample_size& size);
GPARRAY_API any_array draw_multivariate_normal(random::generator_state& state,
                                               const generator_device& on_device, const any_array& mean,
                                               const any_array& covariance, const sample_size& size,
                                               const random::multivariate_normal_options& options);
GPARRAY_API any_array
draw_multivariate_hypergeometric(random::generator_state& state, const generator_device& on_device,
                                 const any_array& colors, std::int64_t nsample, const sample_size& size,
                                 const random::multivariate_hypergeometric_options& options);
GPARRAY_API std::uint64_t child_key(std::uint64_t key, std::uint64_t child);
GPARRAY_API std::uint64_t system_seed();

/// The numbers 0 to n - 1 in random order.
GPARRAY_API any_array permuted_range(random::generator_state& state, const generator_device& on_device,
                                     std::int64_t n);
GPARRAY_API any_array permuted_slices(random::generator_state& state, const any_array& x, int axis);
GPARRAY_API void shuffle_slices(random::generator_state& state, const any_array& x, int axis);
GPARRAY_API any_array permuted_elements(random::generator_state& state, const any_array& x,
                                        const random::permuted_options& options);
/// Numbers below `population`.
GPARRAY_API any_array choose(random::generator_state& state, const generator_device& on_device,
                             std::int64_t population, const sample_size& size,
                             const random::choice_options& options);
GPARRAY_API any_array choose_from(random::generator_state& state, const any_array& a, const sample_size& size,
                                  const random::choice_options& options);

}  // namespace detail
GPARRAY_END_NAMESPACE
