// Maps that broadcast a row along all rows, as `matrix * row` does.
#pragma once
#include <cuda/fusion/jit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Makes a plan along rows, whose modes and lanes are set, one of the form broadcast if it has operands that
/// are the same in all rows and so many elements that threads have several rows. False, and the key is as it
/// was, if not.
bool plan_broadcast(const map_plan& plan, fused_plan& fused);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
