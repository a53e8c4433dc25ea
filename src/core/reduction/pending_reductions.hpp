// Reductions that wait to be computed, together with others of the same elements.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The reduction of a computed array, or of an expression that from now on only the reduction computes.
/// Neither the elements nor the results may be none. It is computed in one pass with the pending reductions
/// beside it that read the same elements in the same order.
any_array pending_reduction(array_rep* source, const reduction_node& what, const dims& result_shape);

/// Whether the pending array is a reduction; one whose value is known is one no longer.
bool is_reduction(const array_rep* rep);

}  // namespace core
GPARRAY_END_NAMESPACE
