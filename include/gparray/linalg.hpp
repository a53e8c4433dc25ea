// Norms of vectors and matrices, NumPy's numpy.linalg.
#pragma once
#include <gparray/reductions.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// sum(abs(a) ** ord) ** (1 / ord) over the axes (all for nullptr), of an array converted to `element`.
GPARRAY_API any_array vector_norm(const argument& a, dtype element, double ord, const dims* axes,
                                  bool keepdims);
/// Over the two axes; ord is "fro", or empty for `number`.
GPARRAY_API any_array matrix_norm(const argument& a, dtype element, std::string_view ord, double number,
                                  const dims& axes, bool keepdims);
/// The axes of norm(a, ord): all of them, one or two. Throws value_error for more.
GPARRAY_API dims norm_axes(const any_array& a);

/// Norms of integers and bool are computed in float64.
template<class A>
inline constexpr dtype norm_element = is_inexact(dtype_of<element_t<A>>) ? dtype_of<element_t<A>>
                                                                         : dtype::float64;

template<array_like A>
using norm_type = dtype_t<real_dtype(norm_element<A>)>;

}  // namespace detail

namespace linalg {

/// NumPy's keyword arguments of norm.
struct norm_options {
  /// Leave the reduced axes in the result with size 1.
  bool keepdims = false;
};

// Norms have the real dtype of the array, float64 for integers, and are arrays on its device (0-d for all
// axes); nothing waits for them. Throws axis_error, value_error with NumPy's text for an order that does not
// exist, and for order -inf of nothing.

/// sqrt(sum(abs(a) ** 2)) over all elements whatever the shape. A temporary is read once: norm(a - b) makes
/// no array.
template<array_like A>
auto norm(A&& a, const norm_options& options = {}) {
  return detail::call_reduction<reduction::norm, void>(std::forward<A>(a), nullptr,
                                                       {.keepdims = options.keepdims});
}

/// The norm of vectors: sum(abs(a) ** ord) ** (1 / ord) over all elements or over the axes; inf gives the
/// largest magnitude, -inf the smallest, 0 the number of elements that are not zero.
template<array_like A>
auto vector_norm(A&& a, double ord = 2, const norm_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<detail::norm_type<A>>(detail::vector_norm(
      detail::make_argument<V>(std::forward<A>(a)), detail::norm_element<A>, ord, nullptr, options.keepdims));
}
template<array_like A>
auto vector_norm(A&& a, double ord, const dims& axis, const norm_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<detail::norm_type<A>>(detail::vector_norm(
      detail::make_argument<V>(std::forward<A>(a)), detail::norm_element<A>, ord, &axis, options.keepdims));
}

/// Matrix norms over two axes: 1 is the largest sum of magnitudes of a column and -1 the smallest, inf and
/// -inf the same of rows. Throws value_error for other numbers.
template<array_like A>
auto matrix_norm(A&& a, double ord, const dims& axes = {-2, -1}, const norm_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<detail::norm_type<A>>(detail::matrix_norm(detail::make_argument<V>(std::forward<A>(a)),
                                                                 detail::norm_element<A>, {}, ord, axes,
                                                                 options.keepdims));
}
/// "fro", the Frobenius norm: sqrt(sum(abs(a) ** 2)).
template<array_like A>
auto matrix_norm(A&& a, std::string_view ord = "fro", const dims& axes = {-2, -1},
                 const norm_options& options = {}) {
  using V = detail::element_t<A>;
  return detail::typed<detail::norm_type<A>>(detail::matrix_norm(
      detail::make_argument<V>(std::forward<A>(a)), detail::norm_element<A>, ord, 0, axes, options.keepdims));
}

/// The vector norm of a 1-D array or along one axis, the matrix norm of a 2-D array or over a pair of axes.
/// Throws value_error for other numbers of axes.
template<array_like A>
auto norm(A&& a, double ord, const dims& axis, const norm_options& options = {}) {
  return axis.size() == 1 ? vector_norm(std::forward<A>(a), ord, axis, options)
                          : matrix_norm(std::forward<A>(a), ord, axis, options);
}
template<array_like A>
auto norm(A&& a, double ord, const norm_options& options = {}) {
  const dims axes = detail::norm_axes(a);
  return norm(std::forward<A>(a), ord, axes, options);
}
template<array_like A>
auto norm(A&& a, std::string_view ord, const dims& axes, const norm_options& options = {}) {
  return matrix_norm(std::forward<A>(a), ord, axes, options);
}
template<array_like A>
auto norm(A&& a, std::string_view ord, const norm_options& options = {}) {
  const dims axes = detail::norm_axes(a);
  return norm(std::forward<A>(a), ord, axes, options);
}
/// norm(a, gp::none, axis) is NumPy's norm(a, axis=axis): sqrt(sum(abs(a) ** 2)) over one axis or two.
template<array_like A>
auto norm(A&& a, none_t, const dims& axis, const norm_options& options = {}) {
  return axis.size() == 1 ? vector_norm(std::forward<A>(a), 2, axis, options)
                          : matrix_norm(std::forward<A>(a), "fro", axis, options);
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
