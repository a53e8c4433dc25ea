// Convolution and correlation on a GPU.
#pragma once
#include <plan/backend.hpp>
#include <plan/correlation_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// With the bits of the CPU.
void run_correlate(const correlation_plan& plan, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
