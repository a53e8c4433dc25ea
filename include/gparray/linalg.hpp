// NumPy's numpy.linalg: norms and condition numbers here, the rest in the headers that this one includes.
#pragma once
#include <gparray/linalg/factor.hpp>
#include <gparray/linalg/products.hpp>
#include <gparray/linalg/solve.hpp>
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// What stands for ord: a number, the name of a matrix norm, or gp::none.
struct norm_order {
  norm_order(none_t) : number(2), name("fro"), given(false) {}
  norm_order(std::convertible_to<double> auto value) : number(static_cast<double>(value)) {}
  norm_order(const char* text) : name(text) {}

  double number = 0;
  std::string_view name;  // empty: the number counts
  bool given = true;
};

/// sum(abs(a) ** ord) ** (1 / ord) over the axes (all for nullptr), of an array converted to `element`.
GPARRAY_API any_array vector_norm(const argument& a, dtype element, double ord, const dims* axes,
                                  bool keepdims);
/// Over two axes.
GPARRAY_API any_array matrix_norm(const argument& a, dtype element, const norm_order& ord, const dims& axes,
                                  bool keepdims);
/// Over one axis or two. Throws value_error for other numbers of axes.
GPARRAY_API any_array norm(const argument& a, dtype element, const norm_order& ord, const dims& axes,
                           bool keepdims);
/// norm(a, ord) * norm(inv(a), ord); inf for singular matrices.
GPARRAY_API any_array cond(const argument& a, dtype type, const norm_order& ord);
/// The axes of norm(a, ord): all, which must be one or two. Throws value_error.
GPARRAY_API dims norm_axes(const any_array& a);

/// Norms of integers and bool are computed in float64.
template<class A>
inline constexpr dtype norm_element =
    is_inexact(dtype_of<element_t<A>>) ? dtype_of<element_t<A>> : dtype::float64;

template<array_like A>
using norm_type = dtype_t<real_dtype(norm_element<A>)>;

template<array_like A>
auto call_vector_norm(A&& a, double ord, const dims* axes, bool keepdims) {
  using V = element_t<A>;
  return typed<norm_type<A>>(
      vector_norm(make_argument<V>(std::forward<A>(a)), norm_element<A>, ord, axes, keepdims));
}

template<array_like A>
auto call_matrix_norm(A&& a, const norm_order& ord, const dims& axes, bool keepdims) {
  using V = element_t<A>;
  return typed<norm_type<A>>(
      matrix_norm(make_argument<V>(std::forward<A>(a)), norm_element<A>, ord, axes, keepdims));
}

template<array_like A>
auto call_norm(A&& a, const norm_order& ord, const dims& axes, bool keepdims) {
  using V = element_t<A>;
  return typed<norm_type<A>>(
      norm(make_argument<V>(std::forward<A>(a)), norm_element<A>, ord, axes, keepdims));
}

}  // namespace detail

namespace linalg {

/// NumPy's keyword arguments of norm.
struct norm_options {
  /// Not to be given: it makes the members below need their names.
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// One axis, along which vector norms are computed, or a pair of axes, over which matrix norms are; instead
  /// of an axis by position.
  detail::axis_value axis = {};
  /// Keep the reduced axes in the result with size 1.
  bool keepdims = false;
};

// Norms have the real dtype of the array, float64 for integers, and are arrays on its device.

/// Returns the Euclidean or Frobenius norm of all elements, sqrt(sum(abs(a) ** 2)), whatever the shape; with
/// {.axis = ...} the norms along one axis or over a pair of axes. An expression is read once: norm(a - b)
/// makes no array of the difference.
template<array_like A>
[[nodiscard]] scalar_expr<detail::norm_type<A>> norm(A&& a, const norm_options& options = {}) {
  if (const dims* axes = options.axis.get())
    return scalar_expr<detail::norm_type<A>>(
        detail::call_norm(std::forward<A>(a), none, *axes, options.keepdims), detail::adopt_t{});
  return detail::reduce_to_number<reduction::norm, void>(std::forward<A>(a), {.keepdims = options.keepdims});
}

/// Returns the norm of all elements as one vector, or of the vectors along the axes: sum(abs(a) ** ord) ** (1
/// / ord). The order inf gives the largest magnitude, -inf the smallest, 0 the number of elements that are
/// not zero.
template<array_like A>
[[nodiscard]] scalar_array<detail::norm_type<A>> vector_norm(A&& a, double ord = 2,
                                                             const norm_options& options = {}) {
  return detail::as_number(
      detail::call_vector_norm(std::forward<A>(a), ord, options.axis.get(), options.keepdims));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::norm_type<A>> vector_norm(A&& a, double ord, const D& axis,
                                                        const norm_options& options = {}) {
  const dims axes(axis);
  return detail::call_vector_norm(std::forward<A>(a), ord, &axes, options.keepdims);
}
template<array_like A>
[[nodiscard]] ndarray<detail::norm_type<A>> vector_norm(A&& a, double ord, const detail::axis_list& axis,
                                                        const norm_options& options = {}) {
  return vector_norm(std::forward<A>(a), ord, dims(axis), options);
}

/// Returns the norms of the matrices in the last two axes. Order 1 is the largest sum of magnitudes of a
/// column and -1 the smallest; inf and -inf are the largest and the smallest sum of magnitudes of a row;
/// "fro" is the Frobenius norm sqrt(sum(abs(a) ** 2)); 2 is the largest singular value, -2 the smallest and
/// "nuc" the sum of all. Throws value_error for other orders.
template<array_like A>
[[nodiscard]] scalar_array<detail::norm_type<A>> matrix_norm(A&& a, const detail::norm_order& ord = "fro",
                                                             const norm_options& options = {}) {
  return detail::as_number(detail::call_matrix_norm(std::forward<A>(a), ord, dims{-2, -1}, options.keepdims));
}

/// Returns the vector norms of an order along one axis, or the matrix norms over a pair of axes. The order
/// gp::none, NumPy's None, means 2 for vectors and "fro" for matrices.
template<array_like A, detail::axes_like D>
[[nodiscard]] ndarray<detail::norm_type<A>> norm(A&& a, const detail::norm_order& ord, const D& axis,
                                                 const norm_options& options = {}) {
  return detail::call_norm(std::forward<A>(a), ord, dims(axis), options.keepdims);
}
template<array_like A>
[[nodiscard]] ndarray<detail::norm_type<A>> norm(A&& a, const detail::norm_order& ord,
                                                 const detail::axis_list& axis,
                                                 const norm_options& options = {}) {
  return detail::call_norm(std::forward<A>(a), ord, dims(axis), options.keepdims);
}
/// Returns the vector norm of a 1-D array or the matrix norm of a 2-D one. Throws value_error for other
/// numbers of dimensions.
template<array_like A>
[[nodiscard]] scalar_array<detail::norm_type<A>> norm(A&& a, const detail::norm_order& ord,
                                                      const norm_options& options = {}) {
  const dims axes = options.axis.get() ? *options.axis.get() : detail::norm_axes(a);
  return detail::as_number(detail::call_norm(std::forward<A>(a), ord, axes, options.keepdims));
}

/// Returns the condition numbers norm(x, p) * norm(inv(x), p) of the matrices in the last two axes, which are
/// inf for singular matrices. For p = gp::none and 2 they are the largest singular value divided by the
/// smallest, for -2 the smallest divided by the largest, and the matrices may have any shape. Waits for the
/// device. Throws linalg_error for empty arrays and, for other orders, for matrices that are not square.
template<detail::factorable A>
[[nodiscard]] scalar_array<detail::real_t<detail::factor_t<A>>> cond(A&& x,
                                                                     const detail::norm_order& p = none) {
  using V = detail::factor_t<A>;
  return detail::as_number<detail::real_t<V>>(
      detail::cond(detail::factor_argument(std::forward<A>(x)), dtype_of<V>, p));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
