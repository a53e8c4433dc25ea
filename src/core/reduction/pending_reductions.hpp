// Reductions that wait to be computed, together with others of the same elements.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The reduction of a computed array, or of an expression that from now on is the reduction's business alone.
/// Neither the elements nor the results may be none.
any_array pending_reduction(array_rep* source, const reduction_node& what, const dims& result_shape);

/// Computes a pending reduction, whose evaluation the caller holds, and with it, in one pass, the pending
/// reductions beside it that read the same elements in the same order.
void compute_reductions(array_rep* rep);
/// The same, its own result into memory for it, and it stays pending.
void enqueue_reductions(array_rep* rep, std::byte* result);
/// Whether the pending array is a reduction; one whose value is known is one no longer.
inline bool is_reduction(const array_rep* rep) { return rep->reduces && rep->operation.arguments[0].array; }

}  // namespace core
GPARRAY_END_NAMESPACE
