// The two primitives that every product is made of.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/products/detail.hpp>
#include <plan/epilogue.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An operand computed and converted to `type`; conjugated first if asked.
any_array product_operand(const detail::argument& x, dtype type, bool conjugate = false);
/// The conjugate, which may be pending; of real numbers themselves.
any_array conjugated(const any_array& a);

/// The dtype that both operands of a product with this result are converted to: that of the result, or the
/// one that they have if their products are exact in the result's.
dtype factor_dtype(const detail::argument& a, const detail::argument& b, dtype result);

/// (batch..., m, k) by (batch..., k, n) to (broadcast batch..., m, n): a new array of dtype `type`. Both
/// operands have their factor_dtype(), at least two axes, equal k and batches that broadcast.
any_array multiply_matrices(dtype type, const any_array& a, const any_array& b);
/// The same with an epilogue; an array without a rep if the backend has no routine for the two together.
any_array multiply_matrices(const epilogue& after, const any_array& a, const any_array& b);

/// Sums over the last axes of a * b, whose shapes broadcast.
any_array sum_of_products(dtype type, const any_array& a, const any_array& b, int n_axes = 1);

/// A view with an axis of size 1 inserted or removed at `axis`; with axes in another order; with another
/// shape (a copy where strides do not allow a view).
any_array insert_axis(const any_array& a, std::size_t axis);
any_array remove_axis(const any_array& a, std::size_t axis);
any_array permute_axes(const any_array& a, const dims& axes);
any_array reshaped(const any_array& a, const dims& shape);

}  // namespace core
GPARRAY_END_NAMESPACE
