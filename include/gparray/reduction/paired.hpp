// Reductions that give two results in one pass over memory.
#pragma once
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The keyword arguments of minmax.
struct minmax_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
  /// Leave the reduced axes in the results with size 1.
  bool keepdims = false;
};

/// The keyword arguments of moments.
struct moments_options {
  /// Not an option: it keeps braced lists of axes apart from options.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis or several; none is all.
  detail::axis_value axis = {};
  /// Leave the reduced axes in the results with size 1.
  bool keepdims = false;
  /// The divisor of the variance is N - ddof.
  double ddof = 0;
};

/// What minmax returns: `auto [least, greatest] = gp::minmax(a);`
template<class T>
struct minmax_result {
  ndarray<T> min;  ///< the smallest elements
  ndarray<T> max;  ///< the largest elements
};

/// What moments returns: `auto [count, mean, var] = gp::moments(a);`
template<class Mean, class Variance>
struct moments_result {
  std::int64_t count;     ///< the number of elements behind each mean
  ndarray<Mean> mean;     ///< the arithmetic means
  ndarray<Variance> var;  ///< the variances, real also of complex numbers
};

namespace detail {

template<array_like A>
auto minmax(A&& a, const dims* axes, const minmax_options& options) {
  constexpr dtype type = reduction_loop<reduction::minmax, A>().loop;
  using result = dtype_t<type>;
  result_pair r = reduce_pair(reduction::minmax, make_argument<element_t<A>>(std::forward<A>(a)), type,
                              chosen_axes(axes, options.axis), options.keepdims, 0);
  return minmax_result<result>{typed<result>(std::move(r.first)), typed<result>(std::move(r.second))};
}

template<array_like A>
auto moments(A&& a, const dims* axes, const moments_options& options) {
  constexpr dtype type = reduction_loop<reduction::moments, A>().loop;
  using mean = dtype_t<result_dtype(reduction::moments, type)>;
  using variance = dtype_t<second_result_dtype(reduction::moments, type)>;
  result_pair r = reduce_pair(reduction::moments, make_argument<element_t<A>>(std::forward<A>(a)), type,
                              chosen_axes(axes, options.axis), options.keepdims, options.ddof);
  return moments_result<mean, variance>{r.count, typed<mean>(std::move(r.first)),
                                        typed<variance>(std::move(r.second))};
}

}  // namespace detail

// Each reads its argument once, an expression without storing it. The results have the bits of the functions
// called one by one; they are two views of one block of memory, on the device of `a`, and nothing waits for
// them. Throws as those functions do: axis_error, value_error.

/// min(a) and max(a) in one pass, a minmax_result<V>: over all axes, one, or several. Throws value_error if
/// there are no elements.
template<array_like A>
[[nodiscard]] auto minmax(A&& a, const minmax_options& options = {}) {
  return detail::minmax(std::forward<A>(a), nullptr, options);
}
template<array_like A, detail::axes_like D>
[[nodiscard]] auto minmax(A&& a, const D& axis, const minmax_options& options = {}) {
  const dims axes(axis);
  return detail::minmax(std::forward<A>(a), &axes, options);
}
template<array_like A>
[[nodiscard]] auto minmax(A&& a, const detail::axis_list& axis, const minmax_options& options = {}) {
  return minmax(std::forward<A>(a), dims(axis), options);
}

/// The number of elements reduced, mean(a) and var(a) in one pass, a moments_result: over all axes, one, or
/// several. Both are NaN if there are no elements.
template<array_like A>
[[nodiscard]] auto moments(A&& a, const moments_options& options = {}) {
  return detail::moments(std::forward<A>(a), nullptr, options);
}
template<array_like A, detail::axes_like D>
[[nodiscard]] auto moments(A&& a, const D& axis, const moments_options& options = {}) {
  const dims axes(axis);
  return detail::moments(std::forward<A>(a), &axes, options);
}
template<array_like A>
[[nodiscard]] auto moments(A&& a, const detail::axis_list& axis, const moments_options& options = {}) {
  return moments(std::forward<A>(a), dims(axis), options);
}

GPARRAY_END_NAMESPACE
