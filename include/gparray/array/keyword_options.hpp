// NumPy's keyword arguments of functions that take them by position, triu(a, {.k = 1}): with their names, in
// NumPy's order, behind the arrays.
#pragma once
#include <gparray/array/axis_option.hpp>
#include <gparray/creation.hpp>
#include <gparray/fft.hpp>
#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/math/gradient.hpp>
#include <gparray/numeric.hpp>
#include <gparray/products.hpp>
#include <gparray/signal/convolution.hpp>
#include <gparray/sorting.hpp>
#include <gparray/statistics/histograms.hpp>

GPARRAY_BEGIN_NAMESPACE

// Each begins with what no braced list of numbers converts to, so that {1, 2} stays a list of numbers.

/// The keyword argument of tril, triu, diag, diagflat, tril_indices and triu_indices.
struct k_option {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The diagonal: 0 is the main one, those above it are positive.
  std::int64_t k = 0;
};
/// The keyword arguments of eye and tri.
struct diagonal_matrix_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The number of columns; as many as rows if not given.
  detail::slice_end M = none;
  /// The diagonal: 0 is the main one, those above it are positive.
  std::int64_t k = 0;
};
/// The keyword arguments of diagonal and trace.
struct diagonal_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The diagonal: 0 is the main one, those above it are positive.
  std::int64_t offset = 0;
  /// The axis of the rows.
  int axis1 = 0;
  /// The axis of the columns.
  int axis2 = 1;
};
/// The keyword arguments of vander.
struct vander_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The number of columns; as many as elements if not given.
  detail::slice_end N = none;
  /// Whether the powers rise from left to right.
  bool increasing = false;
};
/// The keyword argument of bincount.
struct bincount_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The least number of counts.
  std::int64_t minlength = 0;
};
/// The keyword argument of digitize.
struct digitize_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// Whether bins include their right edge instead of the left one.
  bool right = false;
};
/// The keyword arguments of searchsorted.
struct searchsorted_options {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// "left" or "right": before equal elements or behind them.
  std::string_view side = "left";
  /// The numbers of the elements in ascending order, where they are not in that order themselves.
  std::optional<ndarray<std::int64_t>> sorter = {};
};
/// The keyword argument of round and around.
struct decimals_option {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The number of decimals; negative ones are in front of the point.
  int decimals = 0;
};
/// The keyword argument of convolve, correlate and put.
struct mode_option {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// What the function says of its modes.
  std::string_view mode = {};
};

/// The keyword argument of array_equal.
struct equal_nan_option {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// Whether NaN equals NaN.
  bool equal_nan = false;
};
/// The keyword argument of fftshift and ifftshift.
struct axes_option {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; all if not given.
  detail::axis_value axes = {};
};
/// The keyword arguments of pad, its mode among them.
struct pad_keywords {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// What the border is made of: a mode of pad.
  std::string_view mode = "constant";
  /// Mode "constant": the value of the border.
  detail::per_side<scalar> constant_values = 0;
  /// Mode "linear_ramp": the values at the outer end of the border.
  detail::per_side<scalar> end_values = 0;
  /// Modes "maximum", "mean" and "minimum": how many elements at the edge are looked at; all if not given.
  std::optional<detail::per_side<std::int64_t>> stat_length = {};
  /// Modes "reflect" and "symmetric": "even" or "odd".
  std::string_view reflect_type = "even";
};

/// The keyword arguments of histogram and histogram_bin_edges, the number of bins among them.
struct histogram_keywords {
  /// Nothing: what follows is given by its name.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// How many equal bins.
  std::int64_t bins = 10;
  /// The least and the greatest value that counts; those of the data if not given.
  detail::optional_range range = {};
};

template<array_like A>
[[nodiscard]] auto histogram(const A& a, const histogram_keywords& options) {
  return histogram(a, options.bins, histogram_options{options.range});
}
template<array_like A>
[[nodiscard]] auto histogram_bin_edges(const A& a, const histogram_keywords& options) {
  return histogram_bin_edges(a, options.bins, histogram_options{options.range});
}

#define GPARRAY_K_OF_ARRAY(name)                                 \
  template<array_like A>                                         \
  [[nodiscard]] auto name(const A& a, const k_option& options) { \
    return name(a, options.k);                                   \
  }
GPARRAY_K_OF_ARRAY(tril)
GPARRAY_K_OF_ARRAY(triu)
GPARRAY_K_OF_ARRAY(diag)
GPARRAY_K_OF_ARRAY(diagflat)
#undef GPARRAY_K_OF_ARRAY

[[nodiscard]] inline auto tril_indices(std::int64_t n, const k_option& options) {
  return tril_indices(n, options.k);
}
[[nodiscard]] inline auto triu_indices(std::int64_t n, const k_option& options) {
  return triu_indices(n, options.k);
}

template<element V = double>
[[nodiscard]] ndarray<V> eye(std::int64_t rows, const diagonal_matrix_options& options) {
  return eye<V>(rows, options.M, options.k);
}
template<element V = double>
[[nodiscard]] ndarray<V> eye(std::int64_t rows, std::int64_t columns, const k_option& options) {
  return eye<V>(rows, columns, options.k);
}
template<element V = double>
[[nodiscard]] ndarray<V> tri(std::int64_t rows, const diagonal_matrix_options& options) {
  return tri<V>(rows, options.M, options.k);
}
template<element V = double>
[[nodiscard]] ndarray<V> tri(std::int64_t rows, std::int64_t columns, const k_option& options) {
  return tri<V>(rows, columns, options.k);
}

template<array_like A>
[[nodiscard]] auto diagonal(A&& a, const diagonal_options& options) {
  return diagonal(std::forward<A>(a), options.offset, options.axis1, options.axis2);
}
template<array_like A>
[[nodiscard]] auto trace(A&& a, const diagonal_options& options) {
  return trace(std::forward<A>(a), options.offset, options.axis1, options.axis2);
}

template<array_like A>
[[nodiscard]] auto vander(const A& x, const vander_options& options) {
  return vander(x, options.N, options.increasing);
}
template<array_like A>
[[nodiscard]] auto vander(const A& x, detail::slice_end columns, const vander_options& options) {
  return vander(x, columns, options.increasing);
}

template<array_like A>
[[nodiscard]] auto bincount(const A& x, const bincount_options& options) {
  return bincount(x, options.minlength);
}
template<array_like A, array_like W>
[[nodiscard]] auto bincount(const A& x, const W& weights, const bincount_options& options) {
  return bincount(x, weights, options.minlength);
}
template<operand_like X, array_like B>
[[nodiscard]] auto digitize(const X& x, const B& bins, const digitize_options& options) {
  return digitize(x, bins, options.right);
}
template<array_like A, operand_like X>
[[nodiscard]] auto searchsorted(const A& a, const X& values, const searchsorted_options& options) {
  return options.sorter ? searchsorted(a, values, options.side, *options.sorter)
                        : searchsorted(a, values, options.side);
}

template<array_like A>
[[nodiscard]] auto gradient(const A& f, const gradient_options& options) {
  return gradient(f, 1, options);
}
template<array_like A>
[[nodiscard]] auto round(const A& a, const decimals_option& options) {
  return round(a, options.decimals);
}
template<array_like A>
[[nodiscard]] auto around(const A& a, const decimals_option& options) {
  return round(a, options.decimals);
}

template<array_like A, array_like B>
[[nodiscard]] auto convolve(A&& a, B&& v, const mode_option& options) {
  return convolve(std::forward<A>(a), std::forward<B>(v), options.mode);
}
template<array_like A, array_like B>
[[nodiscard]] auto correlate(A&& a, B&& v, const mode_option& options) {
  return correlate(std::forward<A>(a), std::forward<B>(v), options.mode);
}
template<array_like A, class I, operand_like X>
void put(const A& a, const I& indices, X&& values, const mode_option& options) {
  put(a, indices, std::forward<X>(values), options.mode);
}

template<array_like A>
[[nodiscard]] auto pad(const A& a, const detail::per_side<std::int64_t>& width, const pad_keywords& options) {
  return pad(a, width, options.mode,
             {.constant_values = options.constant_values,
              .end_values = options.end_values,
              .stat_length = options.stat_length,
              .reflect_type = options.reflect_type});
}
template<array_like A, array_like B>
[[nodiscard]] bool array_equal(const A& a, const B& b, const equal_nan_option& options) {
  return array_equal(a, b, options.equal_nan);
}
namespace fft {
template<array_like A>
[[nodiscard]] auto fftshift(const A& x, const axes_option& options) {
  return options.axes.written() ? fftshift(x, static_cast<dims>(options.axes)) : fftshift(x);
}
template<array_like A>
[[nodiscard]] auto ifftshift(const A& x, const axes_option& options) {
  return options.axes.written() ? ifftshift(x, static_cast<dims>(options.axes)) : ifftshift(x);
}
}  // namespace fft

// A bound that is open is gp::none, as by position.
template<array_like A, class L, class H>
  requires requires(A&& a, const L& low, const H& high) { clip(std::forward<A>(a), low, high); }
auto clip(A&& a, const L& low, const H& high, const ufunc_options& options) {
  return detail::store_as_optioned(clip(std::forward<A>(a), low, high), options);
}

GPARRAY_END_NAMESPACE
