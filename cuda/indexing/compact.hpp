// How a compaction is carried out on a GPU.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Counts in chunks, then writes every chunk's elements behind those of the chunks before it.
void run_compact(const compact_plan& plan, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
