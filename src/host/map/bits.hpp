#pragma once
#include <plan/bit_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void move_bits(const core::bit_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
