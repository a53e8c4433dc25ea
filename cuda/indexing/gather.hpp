// How index plans are carried out on a GPU.
#pragma once
#include <cuda/runtime/counters.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

void run_gather(const index_plan& plan, queue q, counter_store& counters);
/// Where several elements may go to one position, a first kernel finds the last one for each, so that the
/// result does not depend on timing. Throws value_error for more than 2^30 such indices.
void run_scatter(const index_plan& plan, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
