// Reductions of a few elements as operands: on a GPU the sum of a vector's three components is two additions
// in the kernel that uses it, and not a pass through memory.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Makes a pending reduction of a few elements on a GPU, which is about to be an operand, an expression of
/// these elements. They are combined in the order of the kernels that reduce them, so that it has the same
/// bits. False, and nothing has changed, if it is none, or none for which that is worth it.
bool become_steps(array_rep* reduction);

/// Computes the one name that what is reduced along an axis is made of, if that reads rolled arrays and
/// nothing else does: its elements are then read where they are.
void compute_rolled_names(array_rep* source, std::size_t axis);

/// Whether a reduction along an axis of what is pending may read what index arrays pick there, by steps, so
/// that it need not be computed before.
bool may_be_gathered_by_steps(const array_rep* source, std::size_t axis);

/// Whether a reduction of few rows on a GPU is one of so many columns that it is a map of these rows as
/// quickly, and mostly more quickly than by threads that stand along rows.
bool is_of_few_rows(const array_rep* reduction);

}  // namespace core
GPARRAY_END_NAMESPACE
