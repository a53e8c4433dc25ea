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
  detail::only_by_name names_follow = detail::only_by_name(0);
  /// The vector norm along one axis, the matrix norm over a pair of axes; instead of an axis by position.
  detail::axis_value axis = {};
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
};

// Norms have the real dtype of the array, float64 for integers, and are arrays on its device (0-d for all
// axes); nothing waits for them. Throws axis_error, value_error with NumPy's text for an order that does not
// exist, and for order -inf of nothing.

/// sqrt(sum(abs(a) ** 2)) over all elements whatever the shape. A temporary is read once: norm(a - b) makes
/// no array.
template<array_like A>
[[nodiscard]] auto norm(A&& a, const norm_options& options = {}) {
  if (const dims* axes = options.axis.get())
    return scalar_expr<detail::norm_type<A>>(
        detail::call_norm(std::forward<A>(a), none, *axes, options.keepdims), detail::adopt_t{});
  return detail::reduce_to_number<reduction::norm, void>(std::forward<A>(a), {.keepdims = options.keepdims});
}

/// The norm of vectors: sum(abs(a) ** ord) ** (1 / ord) over all elements or over the axes; inf gives the
/// largest magnitude, -inf the smallest, 0 the number of elements that are not zero.
template<array_like A>
[[nodiscard]] auto vector_norm(A&& a, double ord = 2, const norm_options& options = {}) {
  return detail::as_number(
      detail::call_vector_norm(std::forward<A>(a), ord, options.axis.get(), options.keepdims));
}
template<array_like A, detail::axes_like D>
[[nodiscard]] auto vector_norm(A&& a, double ord, const D& axis, const norm_options& options = {}) {
  const dims axes(axis);
  return detail::call_vector_norm(std::forward<A>(a), ord, &axes, options.keepdims);
}
template<array_like A>
[[nodiscard]] auto vector_norm(A&& a, double ord, const detail::axis_list& axis,
                               const norm_options& options = {}) {
  return vector_norm(std::forward<A>(a), ord, dims(axis), options);
}

/// Norms of the matrices in the last two axes. 1 is the largest sum of magnitudes of a column and -1 the
/// smallest, inf and -inf the same of rows, "fro" the Frobenius norm sqrt(sum(abs(a) ** 2)); 2 is the largest
/// singular value, -2 the smallest and "nuc" their sum, and these wait for the device as svdvals does. Throws
/// value_error for other orders.
template<array_like A>
[[nodiscard]] auto matrix_norm(A&& a, const detail::norm_order& ord = "fro",
                               const norm_options& options = {}) {
  return detail::as_number(detail::call_matrix_norm(std::forward<A>(a), ord, dims{-2, -1}, options.keepdims));
}

/// The vector norm along one axis, or the matrix norm over a pair of axes. gp::none as the order, NumPy's
/// None, is the 2-norm or "fro".
template<array_like A, detail::axes_like D>
[[nodiscard]] auto norm(A&& a, const detail::norm_order& ord, const D& axis,
                        const norm_options& options = {}) {
  return detail::call_norm(std::forward<A>(a), ord, dims(axis), options.keepdims);
}
template<array_like A>
[[nodiscard]] auto norm(A&& a, const detail::norm_order& ord, const detail::axis_list& axis,
                        const norm_options& options = {}) {
  return detail::call_norm(std::forward<A>(a), ord, dims(axis), options.keepdims);
}
/// The vector norm of a 1-D array, the matrix norm of a 2-D one. Throws value_error for others.
template<array_like A>
[[nodiscard]] auto norm(A&& a, const detail::norm_order& ord, const norm_options& options = {}) {
  const dims axes = options.axis.get() ? *options.axis.get() : detail::norm_axes(a);
  return detail::as_number(detail::call_norm(std::forward<A>(a), ord, axes, options.keepdims));
}

/// The condition number norm(x, p) * norm(inv(x), p) of the matrices in the last two axes; for p = gp::none
/// and 2 the largest singular value by the smallest, for -2 the smallest by the largest, of matrices of any
/// shape; inf for singular matrices. Waits. Throws linalg_error for empty arrays and, for other orders, for
/// matrices that are not square.
template<detail::factorable A>
[[nodiscard]] auto cond(A&& x, const detail::norm_order& p = none) {
  using V = detail::factor_t<A>;
  return detail::as_number<detail::real_t<V>>(
      detail::cond(detail::factor_argument(std::forward<A>(x)), dtype_of<V>, p));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
