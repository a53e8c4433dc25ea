// What the CPU backend does with a plan, as text.
#pragma once
#include <string>

#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

std::string explain(const core::map_plan& plan);
std::string explain(const core::reduce_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
