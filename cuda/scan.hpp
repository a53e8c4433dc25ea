// How a scan plan is carried out on a GPU.
#pragma once
#include <core/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Enqueues one kernel, or two for few long rows. Results do not depend on the device or on timing.
void run_scan(const scan_plan& plan, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
