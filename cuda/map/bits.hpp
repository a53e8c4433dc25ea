// Bits of bytes, put together and taken apart.
#pragma once
#include <plan/backend.hpp>
#include <plan/bit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_bits(const bit_plan& plan, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
