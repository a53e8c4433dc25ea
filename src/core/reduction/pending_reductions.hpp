// Pending reductions: those of the same elements are computed together.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pending array that `how` makes of an array along axes. Neither the elements nor the results may be none.
/// An expression that is a temporary is from now on its business alone.
any_array pending_along(array_rep* source, const reduction_node& what, dtype type, const dims& shape,
                        const computation& how, bool is_temporary);

/// How a pending reduction is computed: in one pass with those beside it that read the same elements in the
/// same order.
extern const computation together_with_others;

}  // namespace core
GPARRAY_END_NAMESPACE
