// Singular values in the core.
#pragma once
#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Norms of matrices over two axes that are made of singular values: the largest (2), the smallest (-2), or
/// the sum (0).
any_array singular_norm(const any_array& a, dtype element, int which, int row_axis, int column_axis,
                        bool keepdims);

}  // namespace core
GPARRAY_END_NAMESPACE
