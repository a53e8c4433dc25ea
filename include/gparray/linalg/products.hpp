// Products of matrices beyond matmul: cross, kron, powers, chains, tensor equations, the exponential.
#pragma once
#include <optional>

#include <gparray/linalg/types.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/products.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's keyword arguments of cross: the axes of the vectors in a, b and the result, or one for all three.
struct cross_options {
  int axisa = -1, axisb = -1, axisc = -1;
  std::optional<int> axis = {};
};

namespace detail {

GPARRAY_API any_array cross(const argument& a, const argument& b, dtype type, const cross_options& options);
/// Throws value_error unless the vectors have three elements.
GPARRAY_API void check_three_dimensional(const any_array& a, const any_array& b, int axis);
GPARRAY_API any_array kron(const argument& a, const argument& b, dtype type);
GPARRAY_API any_array matrix_power(const argument& a, dtype type, std::int64_t n);
GPARRAY_API any_array multi_dot(std::span<const any_array> arrays, dtype type);
GPARRAY_API any_array tensorsolve(const argument& a, const argument& b, dtype type, const dims* axes);
GPARRAY_API any_array tensorinv(const argument& a, dtype type, int ind);
GPARRAY_API any_array expm(const argument& a, dtype type);
GPARRAY_API void check_vectors(const any_array& a, const any_array& b);

}  // namespace detail

// The dtype of a product is what the operands promote to.

/// The vector product of the vectors along an axis, by default the last; the other axes broadcast. Vectors of
/// two elements lie in a plane; of two such only the third component is returned, without the axis. Throws
/// value_error for other sizes. bool does not compile.
template<array_like A, array_like B>
  requires(!std::same_as<detail::product_type<A, B>, bool>)
[[nodiscard]] auto cross(A&& a, B&& b, const cross_options& options = {}) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::cross(detail::make_argument<V>(std::forward<A>(a)),
                                        detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>, options));
}

/// The Kronecker product: every element of a times all of b, in blocks of b's shape.
template<array_like A, array_like B>
[[nodiscard]] auto kron(A&& a, B&& b) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::kron(detail::make_argument<V>(std::forward<A>(a)),
                                       detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>));
}

namespace linalg {

using gparray::matmul;
using gparray::matrix_transpose;
using gparray::tensordot;
using gparray::vecdot;

/// NumPy's keyword arguments of tensorsolve.
struct tensorsolve_options {
  /// Axes of a that are moved to the end first.
  detail::dims_option axes = {};
};

struct tensorinv_options {
  /// How many of the first axes are the rows.
  int ind = 2;
};

/// The vector product of vectors of three elements along an axis. Throws value_error for other sizes.
template<array_like A, array_like B>
[[nodiscard]] auto cross(A&& x1, B&& x2, int axis = -1) {
  detail::check_three_dimensional(x1, x2, axis);
  return gparray::cross(std::forward<A>(x1), std::forward<B>(x2), cross_options{.axis = axis});
}

/// The products of the elements of two vectors. Throws value_error unless both are 1-D.
template<array_like A, array_like B>
[[nodiscard]] auto outer(A&& x1, B&& x2) {
  detail::check_vectors(x1, x2);
  return gparray::outer(std::forward<A>(x1), std::forward<B>(x2));
}

/// The diagonals of the matrices in the last two axes; a read-only view.
template<array_like A>
[[nodiscard]] auto diagonal(A&& x, std::int64_t offset = 0) {
  return gparray::diagonal(std::forward<A>(x), offset, -2, -1);
}

/// The sums of the diagonals of the matrices in the last two axes.
template<array_like A>
[[nodiscard]] auto trace(A&& x, std::int64_t offset = 0) {
  return gparray::trace(std::forward<A>(x), offset, -2, -1);
}

/// The product of n equal matrices, by repeated squaring; the identity for n = 0; for n < 0 of inverses,
/// which waits, and throws linalg_error for singular matrices. Throws type_error for n < 0 and integers:
/// NumPy returns float64 there, which astype<double>() asks for.
template<array_like A>
[[nodiscard]] auto matrix_power(A&& a, std::int64_t n) {
  using V = detail::element_t<A>;
  return detail::typed<V>(detail::matrix_power(detail::make_argument<V>(std::forward<A>(a)), dtype_of<V>, n));
}

/// The product of two or more matrices, in the order of the fewest multiplications (dynamic programming;
/// Cormen et al., "Introduction to Algorithms", 15.2). The first and the last may be vectors. Throws
/// linalg_error for others that are not 2-D, value_error for shapes that do not fit.
template<array_like A, array_like B, array_like... Rest>
[[nodiscard]] auto multi_dot(A&& a, B&& b, Rest&&... rest) {
  using V = result_type_t<detail::element_t<A>, detail::element_t<B>, detail::element_t<Rest>...>;
  const any_array arrays[] = {a, b, rest...};
  return detail::typed<V>(detail::multi_dot(arrays, dtype_of<V>));
}
template<element V>
[[nodiscard]] ndarray<V> multi_dot(const std::vector<ndarray<V>>& arrays) {
  const std::vector<any_array> list(arrays.begin(), arrays.end());
  return detail::typed<V>(detail::multi_dot(list, dtype_of<V>));
}

/// x with tensordot(a, x, x.ndim()) = b: a.shape is b.shape and then x.shape. Waits; linalg_error if these
/// sizes differ or there is no solution.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] auto tensorsolve(A&& a, B&& b, const tensorsolve_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::tensorsolve(detail::factor_argument(std::forward<A>(a)),
                                              detail::factor_argument(std::forward<B>(b)), dtype_of<V>,
                                              options.axes ? &*options.axes : nullptr));
}

/// The inverse for tensordot(..., ind): of shape a.shape[ind:] + a.shape[:ind]. Waits; linalg_error.
template<detail::factorable A>
[[nodiscard]] auto tensorinv(A&& a, const tensorinv_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(
      detail::tensorinv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.ind));
}

/// The exponential of square matrices, by scaling, a Pade approximant of degree 13, and squaring (Higham,
/// "The scaling and squaring method for the matrix exponential revisited", 2005). Waits for the norms.
template<detail::factorable A>
[[nodiscard]] auto expm(A&& a) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::expm(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
