// Plans carried out by generated kernels.
#pragma once
#include <memory>

#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_plan.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Enqueues the plan as one kernel (several for more than 2^30 elements); false if there is no such kernel
/// now. A plan that calls a function of the program's own has no other way: its kernel is compiled at once,
/// and compile_error is thrown if it does not compile.
bool run_fused(const map_plan& plan, queue q);
/// The same of a loop.
bool run_fused(const looped_plan& plan, queue q);
/// The same of inputs that jump: always one kernel, or false.
bool run_fused(const jumping_plan& plan, queue q);

/// The kernel of a reduction, of several, or of a scan, that computes what it combines, or reads it from
/// memory.
struct fused_reduction {
  const map_plan* map = nullptr;  // null: in memory
  std::span<const jump> jumps;    // of its inputs
  fused_plan plan;
  std::shared_ptr<const loaded_kernel> kernel;
};

/// Sets the kernel of what is planned; false if it is not there now. In no mode but `off` is a single
/// reduction of a function of the program's own without one.
bool find_fused_reduction(fused_reduction& fused, queue q);

/// Params: inner_params, whole_params, neighbour_params, column_params or scan_params, as the kernel's form
/// wants; `in` is
/// the offset in the array of the map's values, if there is a map. `joined` is for several reductions.
template<class Params>
void launch_fused(const fused_reduction& fused, const Params& params, const joined_results& joined,
                  std::int64_t n_blocks, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
