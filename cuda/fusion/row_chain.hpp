// Chains of stages over rows on a GPU.
#pragma once
#include <cuda/runtime/counters.hpp>
#include <memory/pool.hpp>
#include <plan/backend.hpp>
#include <plan/row_chain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether a row of them is short enough to stay in the caches of its multiprocessor.
bool takes_rows(const row_chain& chain);
/// One kernel, if it is there now and each row is reduced by one block in any case; else stage by stage.
void run_rows(const row_chain& chain, queue q, memory_pool& pool, counter_store& counters);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
