// Cumulative sums, products, maxima and minima.
#pragma once
#include <gparray/creation.hpp>
#include <gparray/math/detail.hpp>
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class V, array_like A>
using cumulative_t =
    typename value_or_type<V, ndarray<dtype_t<result_dtype(reduction::sum, dtype_of<element_t<A>>)>>>::type;

template<reduction Op, class V, array_like A>
auto cumulate(A&& a, slice_end axis) {
  using W = cumulative_t<V, A>;
  return typed<W>(cumulate(Op, make_argument<W>(std::forward<A>(a)), dtype_of<W>, axis));
}

}  // namespace detail

// cumsum<V>(a) computes in V; with an output they write there, as ufuncs do.
#define GPARRAY_CUMULATIVE(name, op)                                                                         \
  template<class V = void, array_like A>                                                                     \
  [[nodiscard]] auto name(A&& a, detail::slice_end axis = none) {                                            \
    return detail::cumulate<reduction::op, V>(std::forward<A>(a), axis);                                     \
  }                                                                                                          \
  template<class V = void, array_like A, array_like O>                                                       \
  O&& name(A&& a, detail::slice_end axis, O&& out) {                                                         \
    return detail::store(std::forward<O>(out), detail::cumulate<reduction::op, V>(std::forward<A>(a), axis), \
                         {});                                                                                \
  }
/// The cumulative sum of the elements along an axis; axis none flattens first.
GPARRAY_CUMULATIVE(cumsum, sum)
/// The cumulative product of the elements along an axis; axis none flattens first.
GPARRAY_CUMULATIVE(cumprod, prod)
/// The cumulative sum with NaN counted as 0; axis none flattens first.
GPARRAY_CUMULATIVE(nancumsum, nansum)
/// The cumulative product with NaN counted as 1; axis none flattens first.
GPARRAY_CUMULATIVE(nancumprod, nanprod)
#undef GPARRAY_CUMULATIVE

/// The keyword arguments of cumulative_sum and cumulative_prod.
struct cumulative_options {
  /// The axis; none is for vectors alone.
  detail::slice_end axis = none;
  /// Begin with the sum (0) or product (1) of nothing, which makes the result one longer.
  bool include_initial = false;
};
#define GPARRAY_CUMULATIVE(name, op)                                                                      \
  template<class V = void, array_like A>                                                                  \
  [[nodiscard]] auto name(A&& a, const cumulative_options& options = {}) {                                \
    using W = detail::cumulative_t<V, A>;                                                                 \
    if (!options.axis.given && a.ndim() > 1) detail::throw_cumulative_axis();                             \
    return detail::typed<W>(detail::cumulate(reduction::op, detail::make_argument<W>(std::forward<A>(a)), \
                                             dtype_of<W>, options.axis, options.include_initial));        \
  }
/// The cumulative sum of the elements along an axis. Throws value_error without an axis unless a is a vector.
GPARRAY_CUMULATIVE(cumulative_sum, sum)
/// The cumulative product of the elements along an axis. Throws value_error without an axis unless a is a
/// vector.
GPARRAY_CUMULATIVE(cumulative_prod, prod)
#undef GPARRAY_CUMULATIVE

namespace detail {

template<ufunc F, array_like A>
auto cumulative_extreme(A&& a, const cumulative_options& options) {
  using V = element_t<A>;
  if (options.include_initial) throw_no_initial_extreme();
  if (!options.axis.given && a.ndim() != 1) throw_cumulative_axis();
  return typed<V>(accumulate(F, make_argument<V>(std::forward<A>(a)), dtype_of<V>, options.axis));
}

}  // namespace detail

/// The largest of the elements up to each along an axis, in a's dtype; NaN from the first NaN on, as
/// maximum.accumulate. Throws value_error without an axis unless a is a vector, and for include_initial,
/// since nothing is the largest of nothing.
template<array_like A>
[[nodiscard]] auto cumulative_max(A&& a, const cumulative_options& options = {}) {
  return detail::cumulative_extreme<ufunc::maximum>(std::forward<A>(a), options);
}
/// The smallest of the elements up to each along an axis, in a's dtype; NaN from the first NaN on, as
/// minimum.accumulate. Throws value_error without an axis unless a is a vector, and for include_initial,
/// since nothing is the smallest of nothing.
template<array_like A>
[[nodiscard]] auto cumulative_min(A&& a, const cumulative_options& options = {}) {
  return detail::cumulative_extreme<ufunc::minimum>(std::forward<A>(a), options);
}

GPARRAY_END_NAMESPACE
