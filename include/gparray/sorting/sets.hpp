// Unique elements, and vectors as sets.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of unique.
struct unique_options {
  /// The axis whose slices are compared as a whole; gp::none compares the elements of the flattened array.
  detail::slice_end axis = none;
  /// Count all NaN as one value. Slices of more than one element that hold a NaN always differ, as in NumPy.
  bool equal_nan = true;
};

/// The result of unique_all.
template<element V>
struct unique_all_result {
  /// The different values, in ascending order.
  ndarray<V> values;
  /// Where each value occurs first in the flattened array.
  ndarray<std::int64_t> indices;
  /// Which of the values each element is, of the shape of the array: take(values, inverse_indices) is the
  /// array.
  ndarray<std::int64_t> inverse_indices;
  /// How often each value occurs.
  ndarray<std::int64_t> counts;
};
/// The result of unique_counts.
template<element V>
struct unique_counts_result {
  /// The different values, in ascending order.
  ndarray<V> values;
  /// How often each value occurs.
  ndarray<std::int64_t> counts;
};
/// The result of unique_inverse.
template<element V>
struct unique_inverse_result {
  /// The different values, in ascending order.
  ndarray<V> values;
  /// Which of the values each element is, of the shape of the array: take(values, inverse_indices) is the
  /// array.
  ndarray<std::int64_t> inverse_indices;
};

/// The type of gp::return_indices.
struct return_indices_t {
  explicit constexpr return_indices_t(detail::tag) {}
};
/// As the third argument of intersect1d: return also where the common values are in both arrays.
inline constexpr return_indices_t return_indices{detail::tag::constant};

/// The keyword arguments of intersect1d, setdiff1d and setxor1d.
struct set_options {
  /// Take the elements of each array to be unique already, which saves a sort of each.
  bool assume_unique = false;
};

/// The keyword arguments of isin and in1d.
struct isin_options {
  /// Changes nothing, as in NumPy the result is the same; here it is also as quick, for repeated elements
  /// cost nothing more.
  bool assume_unique = false;
  /// Return true for the elements that are not in the other array.
  bool invert = false;
};

namespace detail {

/// Whether an element of a sorted vector differs from the one before it.
template<element V>
ndarray<bool> run_starts(const ndarray<V>& sorted, bool equal_nan) {
  ndarray<bool> starts = ones<bool>(sorted.shape(), {.device = sorted.device()});
  if (sorted.size() < 2) return starts;
  const ndarray<V> later = sorted(slice(1, none)), earlier = sorted(slice(none, -1));
  if constexpr (is_inexact(dtype_of<V>)) {
    if (equal_nan) {
      starts(slice(1, none)) = (later != earlier) & ~(isnan(later) & isnan(earlier));
      return starts;
    }
  }
  starts(slice(1, none)) = later != earlier;
  return starts;
}

/// The order of the rows of a matrix, by the first column first.
template<element V>
ndarray<std::int64_t> order_of_rows(const ndarray<V>& rows) {
  if (rows.shape(1) == 0) return gparray::arange(rows.shape(0), {.device = rows.device()});
  return lexsort(flip(rows, 1).T());
}

/// Slices along the first axis in order, where each was, and where a new one begins.
template<element V>
struct ordered_slices {
  ndarray<V> sorted;
  ndarray<std::int64_t> order;
  ndarray<bool> starts;
};

template<element V>
ordered_slices<V> order_slices(const ndarray<V>& a, int axis) {
  const ndarray<V> slices = moveaxis(a, axis, 0);
  const std::int64_t n = slices.shape(0);
  const ndarray<V> rows = slices.reshape({n, n == 0 ? 0 : slices.size() / n});
  const ndarray<std::int64_t> order = order_of_rows(rows);
  const ndarray<V> sorted = take(slices, order, 0);
  ndarray<bool> starts = ones<bool>(n, {.device = a.device()});
  if (n > 1) {
    const ndarray<V> flat = take(rows, order, 0);
    starts(slice(1, none)) = any(flat(slice(1, none)) != flat(slice(none, -1)), 1);
  }
  return {sorted, order, starts};
}

/// Whether slices are compared: those of a vector are its elements. Throws axis_error.
inline bool compares_slices(const any_array& a, const slice_end& axis) {
  if (axis.given) (void)a.shape(static_cast<int>(axis.value));
  return axis.given && a.ndim() != 1;
}

template<element V>
ndarray<V> unique_slices(const ordered_slices<V>& slices, int axis) {
  return moveaxis(compress(slices.starts, slices.sorted, 0), 0, axis);
}

template<array_like A, array_like B>
using common_t = dtype_t<promote_types(dtype_of<element_t<A>>, dtype_of<element_t<B>>)>;

}  // namespace detail

/// Returns the different elements of an array in ascending order, as a vector; with an axis the different
/// slices along it, in lexicographic order. All NaN count as one value unless {.equal_nan = false}.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> unique(const A& a, const unique_options& options = {}) {
  using V = detail::element_t<A>;
  if (detail::compares_slices(a, options.axis)) {
    const int axis = static_cast<int>(options.axis.value);
    return detail::unique_slices(detail::order_slices<V>(a, axis), axis);
  }
  const ndarray<V> sorted = sort(a, none);
  return ndarray<V>(sorted(detail::run_starts(sorted, options.equal_nan)));
}

/// The keyword arguments of unique_all, unique_counts, unique_inverse and unique_values.
struct unique_all_options {
  /// Count all NaN as one value; by default each is a value of its own, as the array API asks.
  bool equal_nan = false;
  /// The axis whose slices are compared as a whole; gp::none compares the elements of the flattened array.
  detail::slice_end axis = none;
};

namespace detail {

/// The unique values, and what follows from where their runs start in the order.
template<element V>
unique_all_result<V> unique_runs(const ndarray<V>& values, const ndarray<std::int64_t>& order,
                                 const ndarray<bool>& starts, const dims& shape) {
  const ndarray<std::int64_t> first = flatnonzero(starts),
                              end = array<std::int64_t>({order.size()}, {.device = order.device()});
  const ndarray<std::int64_t> inverse = empty_like(order);
  put(inverse, order, cumsum(starts) - 1);
  return {values, ndarray<std::int64_t>(order(starts)), inverse.reshape(shape),
          diff(first, 1, {.append = end})};
}

}  // namespace detail

/// Returns the different elements with the index of the first occurrence, the inverse indices and the counts:
/// what NumPy's unique returns with return_index, return_inverse and return_counts. Along an axis
/// inverse_indices has one dimension.
template<array_like A>
[[nodiscard]] unique_all_result<detail::element_t<A>> unique_all(const A& a,
                                                                 const unique_all_options& options = {}) {
  using V = detail::element_t<A>;
  if (detail::compares_slices(a, options.axis)) {
    const int axis = static_cast<int>(options.axis.value);
    const auto slices = detail::order_slices<V>(a, axis);
    return detail::unique_runs(detail::unique_slices(slices, axis), slices.order, slices.starts,
                               slices.order.shape());
  }
  const ndarray<V> flat = a.ravel();
  const ndarray<std::int64_t> order = argsort(flat);
  const ndarray<V> sorted = take_along_axis(flat, order);
  const ndarray<bool> starts = detail::run_starts(sorted, options.equal_nan);
  return detail::unique_runs<V>(sorted(starts), order, starts, a.shape());
}
/// Returns the different elements and how often each of them occurs.
template<array_like A>
[[nodiscard]] unique_counts_result<detail::element_t<A>> unique_counts(
    const A& a, const unique_all_options& options = {}) {
  using V = detail::element_t<A>;
  if (!detail::compares_slices(a, options.axis)) {
    // The positions, which take most of the time of unique_all, are not needed.
    const ndarray<V> sorted = sort(a, none);
    const ndarray<std::int64_t> first = flatnonzero(detail::run_starts(sorted, options.equal_nan)),
                                end = array<std::int64_t>({sorted.size()}, {.device = sorted.device()});
    return unique_counts_result<V>{ndarray<V>(take(sorted, first)), diff(first, 1, {.append = end})};
  }
  auto found = unique_all(a, options);
  return unique_counts_result<detail::element_t<A>>{found.values, found.counts};
}
/// Returns the different elements and, for each element of the array, which of them it is. Along an axis
/// inverse_indices has one dimension.
template<array_like A>
[[nodiscard]] unique_inverse_result<detail::element_t<A>> unique_inverse(
    const A& a, const unique_all_options& options = {}) {
  auto found = unique_all(a, options);
  return unique_inverse_result<detail::element_t<A>>{found.values, found.inverse_indices};
}
/// Returns the different elements in ascending order: the array API's form of unique, by which every NaN is a
/// value of its own.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> unique_values(const A& a,
                                                          const unique_all_options& options = {}) {
  return unique(a, {.axis = options.axis, .equal_nan = options.equal_nan});
}

namespace detail {
/// Whether each int64 number of a is one of b, by a table of all from the least of b to its greatest. Null
/// where that would be too large, and for few on a GPU, which waits for their range.
GPARRAY_API any_array found_in_table(const any_array& a, const any_array& b);
/// Whether each of the values is one of a sorted vector's, as numbers of `common`: bool.
GPARRAY_API any_array found_among(const any_array& sorted, const any_array& values, dtype common);
}  // namespace detail

/// Returns for each element of a whether it is an element of b. NaN is equal to nothing. Many integers on a
/// GPU are waited for once.
template<array_like A, array_like B>
[[nodiscard]] ndarray<bool> isin(const A& a, const B& b, const isin_options& options = {}) {
  if constexpr (detail::mixed_sign_64<A, B>) {
    // No dtype holds both: what is in both is not negative and fits int64.
    using V = detail::element_t<B>;
    const ndarray<bool> fits = std::is_signed_v<V> ? a <= std::numeric_limits<V>::max() : a >= 0;
    const ndarray<bool> found = fits & isin(detail::as_elements<V>(a), b);
    return options.invert ? ndarray<bool>(~found) : found;
  }
  if constexpr (std::is_integral_v<detail::element_t<A>> && std::is_integral_v<detail::element_t<B>>) {
    const any_array found =
        detail::found_in_table(detail::as_elements<std::int64_t>(a), detail::as_elements<std::int64_t>(b));
    if (found.rep())
      return options.invert ? ndarray<bool>(~detail::typed<bool>(any_array(found)))
                            : detail::typed<bool>(any_array(found));
  }
  constexpr dtype common = promote_types(dtype_of<detail::element_t<A>>, dtype_of<detail::element_t<B>>);
  const auto found = detail::typed<bool>(detail::found_among(sort(b, none), a, common));
  return options.invert ? ndarray<bool>(~found) : found;
}
/// Returns for each element of the flattened array a whether it is an element of b. NaN is equal to nothing.
template<array_like A, array_like B>
[[nodiscard]] ndarray<bool> in1d(const A& a, const B& b, const isin_options& options = {}) {
  return isin(a.ravel(), b, options);
}

namespace detail {

/// The values of each array once, of both together in ascending order: what is in both is there twice.
template<class V, array_like A, array_like B>
ndarray<V> sorted_together(const A& a, const B& b, bool assume_unique) {
  const auto x = assume_unique ? ndarray<element_t<A>>(a.ravel()) : unique(a);
  const auto y = assume_unique ? ndarray<element_t<B>>(b.ravel()) : unique(b);
  return sort(concatenate(x, y));
}

}  // namespace detail

/// Returns the values that are in both arrays, each once and in ascending order.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::common_t<A, B>> intersect1d(const A& a, const B& b,
                                                          const set_options& options = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> sorted = detail::sorted_together<V>(a, b, options.assume_unique);
  if (sorted.size() < 2) return ndarray<V>(zeros<V>(0, {.device = a.device()}));
  const ndarray<bool> twice = sorted(slice(1, none)) == sorted(slice(none, -1));
  return ndarray<V>(sorted(slice(none, -1))(twice));
}
/// The result of intersect1d with return_indices.
template<element V>
struct intersect1d_result {
  /// The common values, in ascending order.
  ndarray<V> values;
  /// Where each of them occurs first in the first array, flattened.
  ndarray<std::int64_t> indices1;
  /// Where each of them occurs first in the second array, flattened.
  ndarray<std::int64_t> indices2;
};
/// Returns the common values and where each of them occurs first in either array: intersect1d(a, b,
/// gp::return_indices).
template<array_like A, array_like B>
[[nodiscard]] intersect1d_result<detail::common_t<A, B>> intersect1d(const A& a, const B& b, return_indices_t,
                                                                     const set_options& options = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> values = intersect1d(a, b, options);
  const auto first = [&](const auto& x) {
    const ndarray<V> flat = detail::as_elements<V>(x.ravel());
    const ndarray<std::int64_t> order = argsort(flat);
    return take(order, searchsorted(take_along_axis(flat, order), values));
  };
  return intersect1d_result<V>{values, first(a), first(b)};
}
/// Returns the values that are in at least one of the arrays, each once and in ascending order.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::common_t<A, B>> union1d(const A& a, const B& b) {
  return unique(concatenate(a.ravel(), b.ravel()));
}
/// Returns the values of a that are not in b, each once and in ascending order; with {.assume_unique = true}
/// in the order of a.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::element_t<A>> setdiff1d(const A& a, const B& b,
                                                      const set_options& options = {}) {
  using V = detail::element_t<A>;
  const ndarray<V> x = options.assume_unique ? ndarray<V>(a.ravel()) : unique(a);
  return ndarray<V>(x(isin(x, b, {.invert = true})));
}
/// Returns the values that are in exactly one of the arrays, each once and in ascending order.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::common_t<A, B>> setxor1d(const A& a, const B& b,
                                                       const set_options& options = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> sorted = detail::sorted_together<V>(a, b, options.assume_unique);
  const ndarray<bool> starts = detail::run_starts(sorted, false);
  const ndarray<bool> alone = starts & append(starts(slice(1, none)), true)(slice(none, sorted.size()));
  return ndarray<V>(sorted(alone));
}

GPARRAY_END_NAMESPACE
