// Selections by order.
#pragma once
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

void select(const core::selection_plan& plan);
void top(const core::top_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
