// Products of matrices and vectors, and the diagonal. linalg.hpp has norms and decompositions.
#pragma once
#include <gparray/products/detail.hpp>
#include <gparray/reductions.hpp>
#include <gparray/runtime/matmul_precision.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// The dtype of a product: V, NumPy's dtype=, or what the operands promote to.
template<class A, class B, class V = void>
using product_type = std::conditional_t<std::is_void_v<V>, result_type_t<element_t<A>, element_t<B>>, V>;

/// Whether products of A and B can be asked for in V: void, or what both cast to by the same_kind rule.
template<class A, class B, class V>
concept product_dtype =
    std::is_void_v<V> || (element<V> && storable<element_t<A>, V> && storable<element_t<B>, V>);

template<product P, class V, array_like A, array_like B>
ndarray<product_type<A, B, V>> call_product(A&& a, B&& b) {
  using W = product_type<A, B, V>;
  return typed<W>(
      multiply(P, make_argument<W>(std::forward<A>(a)), make_argument<W>(std::forward<B>(b)), dtype_of<W>));
}

template<product P, array_like A, array_like B, array_like O>
O&& call_product(A&& a, B&& b, O&& out, std::string_view function) {
  store_product(out, call_product<P, void>(std::forward<A>(a), std::forward<B>(b)), function);
  return std::forward<O>(out);
}

}  // namespace detail

// The dtype of a product is what the operands promote to: int8 sums wrap as int8, sums of bool are `or`.
// f<V>(a, b) converts to V first, as dtype= does, and adds up in V: products of halves in float32 are what
// tensor cores compute from the halves as they are. Results are new arrays in C order, enqueued on the
// current stream. Operands may be views of any strides and of any size, zero included; a sum of nothing is 0.
// Shapes that do not fit throw value_error with NumPy's text, arrays on two devices device_error; a V to
// which the operands do not cast by the same_kind rule does not compile.

/// Returns the matrix product of the last two axes, (..., n, k) by (..., k, m) to (..., n, m); the axes
/// before them broadcast. A 1-D operand counts as a row on the left and as a column on the right, and that
/// axis is dropped from the result. matmul<float>(a, b) of float16 or bfloat16 is not rounded to halves.
/// Throws value_error for shapes that do not fit.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> matmul(A&& a, B&& b) {
  return detail::call_product<detail::product::matmul, V>(std::forward<A>(a), std::forward<B>(b));
}

/// Adds a bias to the sums of a product and applies an activation to them, before they are rounded to the
/// dtype of the result: matmul(x, w, {.bias = b, .activation = "relu"}). float16 and bfloat16 are rounded
/// once, where gp::maximum(gp::matmul(x, w) + b, 0.f) rounds each time. Floating dtypes only. Throws
/// value_error for a bias that does not broadcast to the product's shape and for an unknown activation,
/// type_error for a bias of a dtype that does not cast to the sums'.
template<class V = void, array_like A, array_like B>
  requires(detail::product_dtype<A, B, V> && is_floating(dtype_of<detail::product_type<A, B, V>>))
[[nodiscard]] ndarray<detail::product_type<A, B, V>> matmul(A&& a, B&& b, const matmul_options& options) {
  using W = detail::product_type<A, B, V>;
  return detail::typed<W>(detail::multiply(detail::make_argument<W>(std::forward<A>(a)),
                                           detail::make_argument<W>(std::forward<B>(b)), dtype_of<W>,
                                           options));
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
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> matvec(A&& a, B&& b) {
  return detail::call_product<detail::product::matvec, V>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns products of conjugated vectors and matrices, (..., n) by (..., n, m) to (..., m); the axes before
/// them broadcast.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> vecmat(A&& a, B&& b) {
  return detail::call_product<detail::product::vecmat, V>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns the dot products of vectors along one axis, sum(conj(a) * b); the other axes broadcast.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] scalar_array<detail::product_type<A, B, V>> vecdot(A&& a, B&& b, int axis = -1) {
  using W = detail::product_type<A, B, V>;
  return detail::as_number<W>(detail::vecdot(detail::make_argument<W>(std::forward<A>(a)),
                                             detail::make_argument<W>(std::forward<B>(b)), dtype_of<W>,
                                             axis));
}

/// Returns the sums of products over the last axis of a and the second-to-last axis of b, or its only one:
/// the dot product of two vectors, the matrix product of two matrices, and in general an array of shape
/// a.shape[:-1] + b.shape[:-2] + b.shape[-1:]. Nothing is conjugated. A 0-d operand is multiplied.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] scalar_array<detail::product_type<A, B, V>> dot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::dot, V>(std::forward<A>(a), std::forward<B>(b)));
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
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] scalar_array<detail::product_type<A, B, V>> vdot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::vdot, V>(std::forward<A>(a), std::forward<B>(b)));
}

/// Returns the sums of products over the last axes of both arrays, of shape a.shape[:-1] + b.shape[:-1].
/// Nothing is conjugated. A 0-d operand is multiplied.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] scalar_array<detail::product_type<A, B, V>> inner(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::inner, V>(std::forward<A>(a), std::forward<B>(b)));
}

/// Returns the outer product result[i, j] = a[i] * b[j] of two arrays, flattened in C order.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> outer(A&& a, B&& b) {
  return detail::call_product<detail::product::outer, V>(std::forward<A>(a), std::forward<B>(b));
}

/// Returns the sums of products over the last `axes` axes of a and as many first axes of b, in order.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> tensordot(A&& a, B&& b, int axes = 2) {
  using W = detail::product_type<A, B, V>;
  return detail::typed<W>(detail::tensordot(detail::make_argument<W>(std::forward<A>(a)),
                                            detail::make_argument<W>(std::forward<B>(b)), dtype_of<W>, axes));
}

/// Returns the sums of products over pairs of axes: tensordot(a, b, {{1, 2}, {1, 0}}) pairs axis 1 of a with
/// axis 1 of b, and axis 2 of a with axis 0 of b.
template<class V = void, array_like A, array_like B>
  requires detail::product_dtype<A, B, V>
[[nodiscard]] ndarray<detail::product_type<A, B, V>> tensordot(A&& a, B&& b,
                                                               const std::pair<dims, dims>& axes) {
  using W = detail::product_type<A, B, V>;
  return detail::typed<W>(detail::tensordot(detail::make_argument<W>(std::forward<A>(a)),
                                            detail::make_argument<W>(std::forward<B>(b)), dtype_of<W>,
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
