// How a map plan is carried out on a GPU.
#pragma once
#include <plan/backend.hpp>
#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether one kernel compiled ahead of time is all that the plan needs.
bool is_direct(const map_plan& plan);

/// Chooses an executor for the plan and enqueues it. Temporaries come from `pool`.
void run_map(const map_plan& plan, queue q, memory_pool& pool);

/// The same of a plan with more steps than a kernel has.
void run_long_map(const map_plan& plan, queue q, memory_pool& pool);
/// As one kernel that goes round a loop, or step by step while that is compiled; false if it is no loop.
bool run_as_loop(const map_plan& plan, queue q, memory_pool& pool);

/// The same of inputs that jump: as one generated kernel, or box by box. Of a loop that may become one kernel
/// the boxes are steps, unless what reads them would not say so.
void run_jumping(const jumping_plan& plan, queue q, memory_pool& pool, bool is_step = true);

/// Executor: step by step with ahead-of-time kernels, temporaries between them.
void run_steps(const map_plan& plan, queue q, memory_pool& pool);

/// Writes the plan's value to `out`, C-contiguous in the plan's dimensions, in dtype `type`.
void materialise(const map_plan& plan, void* out, dtype type, queue q, memory_pool& pool);
void materialise(const jumping_plan& plan, void* out, dtype type, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
