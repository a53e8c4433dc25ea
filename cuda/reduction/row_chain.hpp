// Chains of stages over rows on a GPU.
#pragma once
#include <cuda/runtime/counters.hpp>
#include <memory/pool.hpp>
#include <plan/backend.hpp>
#include <plan/row_chain.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Rows that stay in the caches of a multiprocessor; short ones in registers.
row_use takes_rows(const row_chain& chain);
/// One kernel, if it is there now and each row is reduced by one block in any case; else stage by stage.
void run_rows(const row_chain& chain, queue q, memory_pool& pool, counter_store& counters);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
