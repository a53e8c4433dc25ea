#include <cuda/fusion/jit_launch.hpp>
#include <cuda/fusion/jit_parameters.hpp>
#include <gparray/error.hpp>
#include <gparray/runtime/jit.hpp>
#include <support/log.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

void launch_map(const map_plan& plan, const fused_plan& fused, std::span<const jump> jumps,
                const loaded_kernel& kernel, queue q) {
  for_each_part(fused.nest, [&](const loop_nest& part) {
    use_map_parameters(plan, fused.key, part, jumps, [&](const auto& parameters, std::int64_t n_blocks) {
      launch("a fused expression", loaded(kernel.kernel), n_blocks, map_threads, parameters, q);
    });
  });
}

/// `plan`: whose kernel computes the map.
template<class Plan>
bool run_fused(const Plan& plan, const map_plan& map, queue q) {
  const bool required = map.has_user_step();
  if (jit_mode() == jit::off && !required) return false;
  fused_plan fused;
  if (!plan_map(plan, q.device, fused)) {
    if (!required) {
      static warned before;
      warn(before, log_category::fallback,
           "an expression of {} operations on {} elements runs step by step on cuda:{}: it has too many "
           "operands "
           "and dimensions for one kernel",
           map.n_steps, map.size, q.device);
      return false;
    }
    throw value_error(
        "an expression of more than 8 operands in more than 8 dimensions that calls a function of "
        "the program's own does not fit one kernel; compute a part of it with eval() first");
  }
  const auto found = fused_kernels().find(fused.key, is_captured(stream_of(q.stream)), required);
  if (!found) return false;
  launch_map(map, fused, {}, *found, q);
  return true;
}

}  // namespace

bool run_fused(const map_plan& plan, queue q) { return run_fused(plan, plan, q); }

bool run_fused(const looped_plan& plan, queue q) { return run_fused(plan, plan.map, q); }

bool run_fused(const jumping_plan& plan, queue q) {
  const bool required = plan.map.has_user_step();
  fused_plan fused;
  if ((jit_mode() == jit::off && !required) || !plan_map(plan, q.device, fused)) return false;
  const auto found = fused_kernels().find(fused.key, is_captured(stream_of(q.stream)), required);
  if (found) launch_map(plan.map, fused, plan.all_jumps(), *found, q);
  return found != nullptr;
}

bool find_fused_reduction(fused_reduction& fused, queue q) {
  const bool required = fused.map && fused.map->has_user_step() && fused.plan.key.n_reductions == 1;
  fused.kernel = fused_kernels().find(fused.plan.key, is_captured(stream_of(q.stream)), required);
  return fused.kernel != nullptr;
}

template<class Params>
void launch_fused(const fused_reduction& fused, const Params& params, const joined_results& joined,
                  std::int64_t n_blocks, queue q) {
  use_reduction_parameters(fused.map, fused.jumps, fused.plan, params, joined, [&](const auto& parameters) {
    const bool scans = fused.plan.key.form == kernel_form::scan;
    launch(scans                              ? "a fused scan"
           : fused.plan.key.n_reductions == 1 ? "a fused reduction"
                                              : "joined reductions",
           loaded(fused.kernel->kernel), n_blocks, reduce_threads, parameters, q);
  });
}
template void launch_fused(const fused_reduction&, const inner_params&, const joined_results&, std::int64_t,
                           queue);
template void launch_fused(const fused_reduction&, const whole_params&, const joined_results&, std::int64_t,
                           queue);
template void launch_fused(const fused_reduction&, const neighbour_params&, const joined_results&,
                           std::int64_t, queue);
template void launch_fused(const fused_reduction&, const column_params&, const joined_results&, std::int64_t,
                           queue);
template void launch_fused(const fused_reduction&, const scan_params&, const joined_results&, std::int64_t,
                           queue);
static_assert(scan_threads == reduce_threads);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
