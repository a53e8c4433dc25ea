// Two runs in order that become one.
#pragma once
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void merge_runs(const core::sort_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
