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

/// Matrix product of the last two axes, (..., n, k) by (..., k, m) to (..., n, m); the axes before them
/// broadcast. A 1-D operand is a row on the left, a column on the right, and that axis is dropped from the
/// result.
template<array_like A, array_like B>
[[nodiscard]] auto matmul(A&& a, B&& b) {
  return detail::call_product<detail::product::matmul>(std::forward<A>(a), std::forward<B>(b));
}

/// Writes to out, whose shape must be the product's and whose dtype one to which it casts by the same_kind
/// rule. out may overlap the operands.
template<array_like A, array_like B, array_like O>
  requires detail::storable<detail::product_type<A, B>, detail::element_t<O>>
O&& matmul(A&& a, B&& b, O&& out) {
  return detail::call_product<detail::product::matmul>(std::forward<A>(a), std::forward<B>(b),
                                                       std::forward<O>(out), "matmul");
}

/// Matrices times vectors: (..., m, n) by (..., n) to (..., m).
template<array_like A, array_like B>
[[nodiscard]] auto matvec(A&& a, B&& b) {
  return detail::call_product<detail::product::matvec>(std::forward<A>(a), std::forward<B>(b));
}

/// Conjugated vectors times matrices: (..., n) by (..., n, m) to (..., m).
template<array_like A, array_like B>
[[nodiscard]] auto vecmat(A&& a, B&& b) {
  return detail::call_product<detail::product::vecmat>(std::forward<A>(a), std::forward<B>(b));
}

/// Sum over one axis of conj(a) * b; the other axes broadcast.
template<array_like A, array_like B>
[[nodiscard]] auto vecdot(A&& a, B&& b, int axis = -1) {
  using V = detail::product_type<A, B>;
  return detail::as_number<V>(detail::vecdot(detail::make_argument<V>(std::forward<A>(a)),
                                             detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>,
                                             axis));
}

/// Sum over the last axis of a and the second-to-last of b (its only one if b is 1-D): the matrix product of
/// two matrices, result.shape = a.shape[:-1] + b.shape[:-2] + b.shape[-1:] in general. With a 0-d operand, a
/// * b.
template<array_like A, array_like B>
[[nodiscard]] auto dot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::dot>(std::forward<A>(a), std::forward<B>(b)));
}

/// Writes to out, of exactly the product's dtype, shape and C order, as in NumPy. It may overlap the
/// operands.
template<array_like A, array_like B, array_like O>
  requires std::same_as<detail::product_type<A, B>, detail::element_t<O>>
O&& dot(A&& a, B&& b, O&& out) {
  return detail::call_product<detail::product::dot>(std::forward<A>(a), std::forward<B>(b),
                                                    std::forward<O>(out), "dot");
}

/// Sum of conj(a) * b over all elements in C order; 0-d.
template<array_like A, array_like B>
[[nodiscard]] auto vdot(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::vdot>(std::forward<A>(a), std::forward<B>(b)));
}

/// Sum over the last axes of both; nothing is conjugated. With a 0-d operand, a * b.
template<array_like A, array_like B>
[[nodiscard]] auto inner(A&& a, B&& b) {
  return detail::as_number(
      detail::call_product<detail::product::inner>(std::forward<A>(a), std::forward<B>(b)));
}

/// result[i, j] = a[i] * b[j], for operands flattened in C order.
template<array_like A, array_like B>
[[nodiscard]] auto outer(A&& a, B&& b) {
  return detail::call_product<detail::product::outer>(std::forward<A>(a), std::forward<B>(b));
}

/// Sum over the last `axes` axes of a and the first of b, in order.
template<array_like A, array_like B>
[[nodiscard]] auto tensordot(A&& a, B&& b, int axes = 2) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::tensordot(detail::make_argument<V>(std::forward<A>(a)),
                                            detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>, axes));
}

/// Sum over pairs of axes: tensordot(a, b, {{1, 2}, {1, 0}}) pairs axis 1 of a with axis 1 of b, and 2 with
/// 0.
template<array_like A, array_like B>
[[nodiscard]] auto tensordot(A&& a, B&& b, const std::pair<dims, dims>& axes) {
  using V = detail::product_type<A, B>;
  return detail::typed<V>(detail::tensordot(detail::make_argument<V>(std::forward<A>(a)),
                                            detail::make_argument<V>(std::forward<B>(b)), dtype_of<V>,
                                            axes.first, axes.second));
}

/// A read-only view of the elements (..., i, i + offset) of axis1 and axis2, as the last axis of the result;
/// fill_diagonal and einsum's "ii->i" write. Throws value_error for fewer than two axes or the same axis
/// twice, axis_error.
template<array_like A>
[[nodiscard]] auto diagonal(A&& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return detail::typed<detail::element_t<A>>(detail::diagonal(a, offset, axis1, axis2));
}

/// The sum along the diagonal; integers and bool add up in 64 bits, as in sum.
template<array_like A>
[[nodiscard]] auto trace(A&& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return detail::as_number(sum(diagonal(std::forward<A>(a), offset, axis1, axis2), -1));
}

GPARRAY_END_NAMESPACE
