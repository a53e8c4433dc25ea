// Unique elements, and vectors as sets.
#pragma once
#include <gparray/indexing.hpp>
#include <gparray/manipulation/joining.hpp>
#include <gparray/numeric.hpp>
#include <gparray/sorting.hpp>

GPARRAY_BEGIN_NAMESPACE

struct unique_options {
  /// none: of the flattened array; else whole slices along this axis.
  detail::slice_end axis = none;
  /// All NaN are one. Slices of more than one element that hold a NaN are all different, as in NumPy.
  bool equal_nan = true;
};

/// What unique_all returns: the values, where each occurs first, which of them every element is, and how
/// often each occurs.
template<element V>
struct unique_all_result {
  ndarray<V> values;
  ndarray<std::int64_t> indices, inverse_indices, counts;
};
template<element V>
struct unique_counts_result {
  ndarray<V> values;
  ndarray<std::int64_t> counts;
};
template<element V>
struct unique_inverse_result {
  ndarray<V> values;
  ndarray<std::int64_t> inverse_indices;
};

/// intersect1d(a, b, return_indices): also where the common values are in a and in b.
struct return_indices_t {};
inline constexpr return_indices_t return_indices{};

struct set_options {
  /// The elements of each argument are known to be unique.
  bool assume_unique = false;
};

struct isin_options {
  bool assume_unique = false;
  /// Ask which are not.
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

// All waits for the device: the number of results depends on the elements.

/// The different elements in ascending order, 1-D, or with an axis the different slices in lexicographic
/// order. With equal_nan, NaN occurs once.
template<array_like A>
[[nodiscard]] auto unique(const A& a, const unique_options& options = {}) {
  using V = detail::element_t<A>;
  if (detail::compares_slices(a, options.axis)) {
    const int axis = static_cast<int>(options.axis.value);
    return detail::unique_slices(detail::order_slices<V>(a, axis), axis);
  }
  const ndarray<V> sorted = sort(a, none);
  return ndarray<V>(sorted(detail::run_starts(sorted, options.equal_nan)));
}

struct unique_all_options {
  bool equal_nan = false;
  /// none: of the flattened array; else whole slices along this axis.
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

// The array API's forms, by which every NaN is an element of its own. unique_all has what NumPy's unique
// returns with return_index, return_inverse and return_counts; along an axis inverse_indices is 1-D.

template<array_like A>
[[nodiscard]] auto unique_all(const A& a, const unique_all_options& options = {}) {
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
template<array_like A>
[[nodiscard]] auto unique_counts(const A& a, const unique_all_options& options = {}) {
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
template<array_like A>
[[nodiscard]] auto unique_inverse(const A& a, const unique_all_options& options = {}) {
  auto found = unique_all(a, options);
  return unique_inverse_result<detail::element_t<A>>{found.values, found.inverse_indices};
}
template<array_like A>
[[nodiscard]] auto unique_values(const A& a, const unique_all_options& options = {}) {
  return unique(a, {.axis = options.axis, .equal_nan = options.equal_nan});
}

/// Which elements of a are among those of b; NaN is among nothing.
template<array_like A, array_like B>
[[nodiscard]] ndarray<bool> isin(const A& a, const B& b, const isin_options& options = {}) {
  if constexpr (detail::mixed_sign_64<A, B>) {
    // No dtype holds both: what is in both is not negative and fits int64.
    using V = detail::element_t<B>;
    const ndarray<bool> fits = std::is_signed_v<V> ? a <= std::numeric_limits<V>::max() : a >= 0;
    const ndarray<bool> found = fits & isin(detail::as_elements<V>(a), b);
    return options.invert ? ndarray<bool>(~found) : found;
  }
  const auto sorted = sort(b, none);
  ndarray<bool> found = searchsorted(sorted, a, "right") > searchsorted(sorted, a, "left");
  if constexpr (is_inexact(dtype_of<detail::element_t<A>>)) found = found & ~isnan(a);
  return options.invert ? ndarray<bool>(~found) : found;
}
/// The same, flattened.
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

/// The values in both, in ascending order.
template<array_like A, array_like B>
[[nodiscard]] auto intersect1d(const A& a, const B& b, const set_options& options = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> sorted = detail::sorted_together<V>(a, b, options.assume_unique);
  if (sorted.size() < 2) return ndarray<V>(zeros<V>(0, {.device = a.device()}));
  const ndarray<bool> twice = sorted(slice(1, none)) == sorted(slice(none, -1));
  return ndarray<V>(sorted(slice(none, -1))(twice));
}
template<element V>
struct intersect1d_result {
  ndarray<V> values;
  ndarray<std::int64_t> indices1, indices2;
};
template<array_like A, array_like B>
[[nodiscard]] auto intersect1d(const A& a, const B& b, return_indices_t, const set_options& = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> values = intersect1d(a, b);
  const auto first = [&](const auto& x) {
    const ndarray<V> flat = detail::as_elements<V>(x.ravel());
    const ndarray<std::int64_t> order = argsort(flat);
    return take(order, searchsorted(take_along_axis(flat, order), values));
  };
  return intersect1d_result<V>{values, first(a), first(b)};
}
/// The values in either.
template<array_like A, array_like B>
[[nodiscard]] auto union1d(const A& a, const B& b) {
  return unique(concatenate(a.ravel(), b.ravel()));
}
/// The values of a that are not in b: in ascending order, or with assume_unique in a's.
template<array_like A, array_like B>
[[nodiscard]] auto setdiff1d(const A& a, const B& b, const set_options& options = {}) {
  using V = detail::element_t<A>;
  const ndarray<V> x = options.assume_unique ? ndarray<V>(a.ravel()) : unique(a);
  return ndarray<V>(x(isin(x, b, {.invert = true})));
}
/// The values in exactly one of the two, in ascending order.
template<array_like A, array_like B>
[[nodiscard]] auto setxor1d(const A& a, const B& b, const set_options& options = {}) {
  using V = detail::common_t<A, B>;
  const ndarray<V> sorted = detail::sorted_together<V>(a, b, options.assume_unique);
  const ndarray<bool> starts = detail::run_starts(sorted, false);
  const ndarray<bool> alone = starts & append(starts(slice(1, none)), true)(slice(none, sorted.size()));
  return ndarray<V>(sorted(alone));
}

GPARRAY_END_NAMESPACE
