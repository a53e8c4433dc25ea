// Products of matrices and vectors, and the diagonal. linalg.hpp has norms and decompositions.
#pragma once
#include <gparray/products/detail.hpp>
#include <gparray/reductions.hpp>
#include <gparray/runtime/tf32.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

template<class A, class B>
using product_type = result_type_t<element_t<A>, element_t<B>>;

template<product P, array_like A, array_like B>
ndarray<product_type<A, B>> call_product(A&& a, B&& b) {
  using V = product_type<A, B>;
  return typed<V>(
      multiply(P, make_argument<V>(std::forward<A>(a)), make_argument<V>(std::forward<B>(b)), dtype_of<V>));
}

template<product P, array_like A, array_like B, array_like O>
O&& call_product(A&& a, B&& b, O&& out, std::string_view function) {
  store_product(out, call_product<P>(std::forward<A>(a), std::forward<B>(b)), function);
  return std::forward<O>(out);
}

}  // namespace detail

// The dtype of a product is what the operands promote to: int8 sums wrap as int8, sums of bool are `or`.
// Results are new arrays in C order, enqueued on the current stream. Operands may be views of any strides and
// of any size, zero included; a sum of nothing is 0. Shapes that do not fit throw value_error with NumPy's
// text, arrays on two devices device_error.

/// Returns the matrix product of the last two axes, (..., n, k) by (..., k, m) to (..., n, m); the axes
/// before them broadcast. A 1-D operand counts as a row on the left and as a column on the right, and that
/// axis is dropped from the result. Throws value_error for shapes that do not fit.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> matmul(A&& a, B&& b) {
  return detail::call_product<detail::product::matmul>(std::forward<A>(a), std::forward<B>(b));
}

/// Writes the matrix product to out and returns it. The shape of out must be the product's, and the product
/// must cast to its dtype by the same_kind rule. out may overlap the operands.
template<array_like A, array_like B, array_like O>
  requires detail::storable<detail::product_type<A, B>, detail::element_t<O>>
O&& matmul(A&& a, B&& b, O&& out) {
  return detail::call_product<detail::product::matmul>(std::forward<A>(a), std::forward<B>(b),
                                                       std::forward<O>(out), "matmul");
}

/// Returns products of matrices and vectors, (..., m, n) by (..., n) to (..., m); the axes before them
/// broadcast.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> matvec(A&& a, B&& b) {
  return detail::call_product<detail::product::matvec>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns products of conjugated vectors and matrices, (..., n) by (..., n, m) to (..., m); the axes before
/// them broadcast.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> vecmat(A&& a, B&& b) {
  return detail::call_product<detail::product::vecmat>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns the dot products of vectors along one axis, sum(conj(a) * b); the other axes broadcast.
template<array_like A, array_like B>
[[nodiscard]] scalar_array<detail::product_type<A, B>> vecdot(A&& a, B&& b, int axis = -1) {
  using V = detail::product_type<A, B>;
  return detail::as_number<V>(detail::vecdot(detail::make_argument<V>(std::forward<A>(a)),
                                             detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>,
                                             axis));
}

/// Returns the sums of products over the last axis of a and the second-to-last axis of b, or its only one:
/// the dot product of two vectors, the matrix product of two matrices, and in general an array of shape
/// a.shape[:-1] + b.shape[:-2] + b.shape[-1:]. Nothing is conjugated. A 0-d operand is multiplied.
template<array_like A, array_like B>
[[nodiscard]] scalar_array<detail::product_type<A, B>> dot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::dot>(std::forward<A>(a), std::forward<B>(b)));
}

/// Writes the product to out and returns it. As in NumPy, out must have exactly the product's dtype and shape
/// and be in C order. It may overlap the operands.
template<array_like A, array_like B, array_like O>
  requires std::same_as<detail::product_type<A, B>, detail::element_t<O>>
O&& dot(A&& a, B&& b, O&& out) {
  return detail::call_product<detail::product::dot>(std::forward<A>(a), std::forward<B>(b),
                                                    std::forward<O>(out), "dot");
}

/// Returns the sum of conj(a) * b over all elements of both arrays, flattened in C order.
template<array_like A, array_like B>
[[nodiscard]] scalar_array<detail::product_type<A, B>> vdot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::vdot>(std::forward<A>(a), std::forward<B>(b)));
}

/// Returns the sums of products over the last axes of both arrays, of shape a.shape[:-1] + b.shape[:-1].
/// Nothing is conjugated. A 0-d operand is multiplied.
template<array_like A, array_like B>
[[nodiscard]] scalar_array<detail::product_type<A, B>> inner(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::inner>(std::forward<A>(a), std::forward<B>(b)));
}

/// Returns the outer product result[i, j] = a[i] * b[j] of two arrays, flattened in C order.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> outer(A&& a, B&& b) {
  return detail::call_product<detail::product::outer>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns the sums of products over the last `axes` axes of a and as many first axes of b, in order.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> tensordot(A&& a, B&& b, int axes = 2) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::tensordot(detail::make_argument<V>(std::forward<A>(a)),
                                            detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>, axes));
}

/// Returns the sums of products over pairs of axes: tensordot(a, b, {{1, 2}, {1, 0}}) pairs axis 1 of a with
/// axis 1 of b, and axis 2 of a with axis 0 of b.
template<array_like A, array_like B>
[[nodiscard]] ndarray<detail::product_type<A, B>> tensordot(A&& a, B&& b, const std::pair<dims, dims>& axes) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::tensordot(detail::make_argument<V>(std::forward<A>(a)),
                                            detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>,
                                            axes.first, axes.second));
}

/// Returns a read-only view of the diagonals of axis1 and axis2, the elements (i, i + offset), as the last
/// axis of the result. Throws value_error for fewer than two axes or the same axis twice, axis_error for axes
/// that do not exist.
template<array_like A>
[[nodiscard]] ndarray<detail::element_t<A>> diagonal(A&& a, std::int64_t offset = 0, int axis1 = 0,
                                                     int axis2 = 1) {
  return detail::typed<detail::element_t<A>>(detail::diagonal(a, offset, axis1, axis2));
}

/// Returns the sums along the diagonals of axis1 and axis2. Integers and bool add up in 64 bits, as in sum.
template<array_like A>
[[nodiscard]] auto trace(A&& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return detail::as_number(sum(diagonal(std::forward<A>(a), offset, axis1, axis2), -1));
}

GPARRAY_END_NAMESPACE
