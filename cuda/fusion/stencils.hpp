// Maps whose operands are each other's next rows, as those of stencils are.
#pragma once
#include <cuda/fusion/jit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Makes a plan along rows, whose modes are set, one of the form stencil if so many of its operands share
/// their rows that a thread of several rows loads less. False, and the key is as it was, if not.
bool plan_stencil(const map_plan& plan, fused_plan& fused);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
