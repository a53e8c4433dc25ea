// Products of matrices beyond matmul: cross, kron, powers, chains, tensor equations, the exponential.
#pragma once
#include <optional>

#include <gparray/linalg/types.hpp>
#include <gparray/manipulation.hpp>
#include <gparray/products.hpp>

GPARRAY_BEGIN_NAMESPACE

/// NumPy's keyword arguments of cross.
struct cross_options {
  /// The axis of a along which its vectors lie.
  int axisa = -1;
  /// The axis of b along which its vectors lie.
  int axisb = -1;
  /// The axis of the result along which its vectors lie.
  int axisc = -1;
  /// One axis for a, b and the result, which goes before the other three.
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

/// Returns the cross products of the vectors along an axis, by default the last; the other axes broadcast. A
/// vector of two elements has the third element 0; where both have two, only the third component of the
/// product is returned, without the axis. Throws value_error for vectors of other sizes. Arrays of bool do
/// not compile.
template<array_like A, array_like B>
  requires(!std::same_as<detail::product_type<A, B>, bool>)
[[nodiscard]] ndarray<detail::product_type<A, B>> cross(A&& a, B&& b, const cross_options& options = {}) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::cross(detail::make_argument<V>(std::forward<A>(a)),
                                        detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>, options));
}

/// Returns the Kronecker product: each element of a is replaced by a block, which is that element times b.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> kron(A&& a, B&& b) {
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
  /// The axes of a that are moved to its end first, in this order.
  detail::dims_option axes = {};
};

/// NumPy's keyword arguments of tensorinv.
struct tensorinv_options {
  /// How many of the first axes belong to the rows of the matrix that is inverted.
  int ind = 2;
};

/// Returns the cross products of vectors of three elements along an axis; the other axes broadcast. Throws
/// value_error for vectors of other sizes.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> cross(A&& x1, B&& x2, int axis = -1) {
  detail::check_three_dimensional(x1, x2, axis);
  return gparray::cross(std::forward<A>(x1), std::forward<B>(x2), cross_options{.axis = axis});
}

/// Returns the outer product of two vectors, result[i, j] = x1[i] * x2[j]. Throws value_error unless both
/// have one dimension.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> outer(A&& x1, B&& x2) {
  detail::check_vectors(x1, x2);
  return gparray::outer(std::forward<A>(x1), std::forward<B>(x2));
}

/// Returns a read-only view of the diagonals of the matrices in the last two axes.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> diagonal(A&& x, std::int64_t offset = 0) {
  return gparray::diagonal(std::forward<A>(x), offset, -2, -1);
}

/// Returns the sums of the diagonals of the matrices in the last two axes. Integers and bool add up in 64
/// bits.
template<array_like A>
[[nodiscard]] auto trace(A&& x, std::int64_t offset = 0) {
  return gparray::trace(std::forward<A>(x), offset, -2, -1);
}

/// Returns square matrices raised to the integer power n by repeated squaring: the identity for n = 0, powers
/// of the inverse for n < 0. Negative powers wait for the device and throw linalg_error for singular
/// matrices, type_error for integers.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> matrix_power(A&& a, std::int64_t n) {
  using V = detail::element_t<A>;
  return detail::typed<V>(detail::matrix_power(detail::make_argument<V>(std::forward<A>(a)), dtype_of<V>, n));
}

/// Returns the product of two or more matrices, multiplied in the order that takes the fewest
/// multiplications. The first and the last may be vectors. Throws linalg_error for other operands that are
/// not 2-D, value_error for shapes that do not fit.
template<array_like A, array_like B, array_like... Rest>
[[nodiscard]] ndarray<result_type_t<detail::element_t<A>, detail::element_t<B>, detail::element_t<Rest>...>>
multi_dot(A&& a, B&& b, Rest&&... rest) {
  using V = result_type_t<detail::element_t<A>, detail::element_t<B>, detail::element_t<Rest>...>;
  const any_array arrays[] = {a, b, rest...};
  return detail::typed<V>(detail::multi_dot(arrays, dtype_of<V>));
}
/// Takes the matrices as a vector of arrays, of which there must be at least two.
template<element V>
[[nodiscard]] ndarray<V> multi_dot(const std::vector<ndarray<V>>& arrays) {
  const std::vector<any_array> list(arrays.begin(), arrays.end());
  return detail::typed<V>(detail::multi_dot(list, dtype_of<V>));
}
template<element V>
[[nodiscard]] ndarray<V> multi_dot(std::initializer_list<ndarray<V>> arrays) {
  return multi_dot(std::vector<ndarray<V>>(arrays));
}

/// Returns the solution x of the tensor equation tensordot(a, x, x.ndim()) = b. The shape of a is that of b
/// followed by that of x, and both have the same number of elements. Waits for the device. Throws
/// linalg_error if the sizes differ or the equation is singular.
template<detail::factorable A, detail::factorable B>
[[nodiscard]] ndarray<detail::factor_t<A, B>> tensorsolve(A&& a, B&& b,
                                                          const tensorsolve_options& options = {}) {
  using V = detail::factor_t<A, B>;
  return detail::typed<V>(detail::tensorsolve(detail::factor_argument(std::forward<A>(a)),
                                              detail::factor_argument(std::forward<B>(b)), dtype_of<V>,
                                              options.axes ? &*options.axes : nullptr));
}

/// Returns the inverse of a as the operator x -> tensordot(a, x, ind), of shape a.shape[ind:] +
/// a.shape[:ind]. Waits for the device. Throws linalg_error if a is singular or not square in this sense,
/// value_error for an ind below 1.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> tensorinv(A&& a, const tensorinv_options& options = {}) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(
      detail::tensorinv(detail::factor_argument(std::forward<A>(a)), dtype_of<V>, options.ind));
}

/// Returns the matrix exponential of square matrices, 1 + a + a a / 2 + ... Waits for the device.
template<detail::factorable A>
[[nodiscard]] ndarray<detail::factor_t<A>> expm(A&& a) {
  using V = detail::factor_t<A>;
  return detail::typed<V>(detail::expm(detail::factor_argument(std::forward<A>(a)), dtype_of<V>));
}

}  // namespace linalg

GPARRAY_END_NAMESPACE
