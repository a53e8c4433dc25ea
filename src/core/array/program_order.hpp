// The steps of long programs in the order in which the program made them.
#pragma once
#include <vector>

#include <core/array/pending_nodes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Up to so many steps may as well be made as they are met below an expression.
inline constexpr int fewest_in_order = 64;

/// The steps in the order of the program, but for the expression itself: then the turns of a loop are one
/// behind the other, and no value waits longer for its use than in the program. Empty where some are computed
/// at a view's places.
std::vector<const array_rep*> in_program_order(const pending_nodes& nodes);

}  // namespace core
GPARRAY_END_NAMESPACE
