// Plans of one step whose operands need no tiles: loops run on them where they lie.
#pragma once
#include <plan/plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Executes a plan of one step on contiguous operands and constants; false, and nothing done, for another.
bool map_direct(const core::map_plan& plan);
/// The same for rows of medium length, along or across which operands may be broadcast.
bool map_rows(const core::map_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
