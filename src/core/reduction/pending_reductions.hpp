// Pending reductions: those of the same elements are computed together.
#pragma once
#include <functional>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A pending array that `how` makes of an array along axes. Neither the elements nor the results may be none.
/// An expression that is a temporary is from now on its business alone.
any_array pending_along(array_rep* source, const reduction_node& what, dtype type, const dims& shape,
                        const computation& how, bool is_temporary);

/// Before a reduction reads an operand that may be pending, and whose evaluation is held: computes it if it
/// has a name that lives on and is to be stored; else the names in it that are. `make_plan` makes a plan of
/// the reduction.
void compute_names_of_operand(array_rep* source, const std::function<void(reduce_plan&)>& make_plan);

/// How a pending reduction is computed: in one pass with those beside it that read the same elements in the
/// same order.
extern const computation together_with_others;

}  // namespace core
GPARRAY_END_NAMESPACE
