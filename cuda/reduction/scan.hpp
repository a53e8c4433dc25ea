// How a scan plan is carried out on a GPU.
#pragma once
#include <cuda/runtime/counters.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Results do not depend on the device or on timing.
void run_scan(const scan_plan& plan, queue q, memory_pool& pool, counter_store& counters);
/// The same of elements that a generated kernel computes, for backend::scan_computed.
bool run_computed_scan(const scan_plan& plan, const map_plan& elements, queue q, counter_store& counters);
/// For backend::takes_scanned and reduce_scanned.
bool takes_scanned(const scan_plan& plan);
bool run_scanned_reduction(const reduce_plan& plan, int scanned, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
