// The way from products.hpp into the library.
#pragma once
#include <string_view>

#include <gparray/products/options.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

enum class product : std::uint8_t { matmul, matvec, vecmat, dot, vdot, inner, outer };

// Both operands are converted to `type`, which is also the result's.
GPARRAY_API any_array multiply(product p, const argument& a, const argument& b, dtype type);
/// matmul with an epilogue; `type` is a floating dtype.
GPARRAY_API any_array multiply(const argument& a, const argument& b, dtype type,
                               const matmul_options& options);
GPARRAY_API any_array vecdot(const argument& a, const argument& b, dtype type, int axis);
/// Sums over the last `count` axes of a and the first of b.
GPARRAY_API any_array tensordot(const argument& a, const argument& b, dtype type, int count);
GPARRAY_API any_array tensordot(const argument& a, const argument& b, dtype type, const dims& axes_a,
                                const dims& axes_b);
GPARRAY_API any_array diagonal(const any_array& a, std::int64_t offset, int axis1, int axis2);

/// Writes a product to out. Throws value_error unless out has exactly its shape.
GPARRAY_API void store_product(const any_array& out, const any_array& product, std::string_view function);

}  // namespace detail
GPARRAY_END_NAMESPACE
