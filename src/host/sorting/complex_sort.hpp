// Complex numbers are put in order by unsigned words.
#pragma once
#include <plan/order_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Rows of complex numbers, of which none is empty.
void sort_complex(const core::sort_plan& plan);

}  // namespace host
GPARRAY_END_NAMESPACE
