// Pending reductions: those of the same elements are computed together.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// How a pending reduction is computed: in one pass with those beside it that read the same elements in the
/// same order.
extern const computation together_with_others;

/// Whether the pending array is a reduction; one whose value is known is one no longer.
bool is_reduction(const array_rep* rep);

/// Computes a pending reduction whose operand is computed with it, whatever names there are in it: the caller
/// knows that none is wanted in memory.
void compute_without_names(array_rep* rep);

}  // namespace core
GPARRAY_END_NAMESPACE
