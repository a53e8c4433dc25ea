// The one place that chooses how a map plan runs.
#include <algorithm>
#include <cstdlib>

#include <cuda/device/jump_params.hpp>
#include <cuda/fusion/jit_launch.hpp>
#include <cuda/fusion/persistent_trace.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/runtime/map_launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

/// Whether neighbouring elements of the result, or of an operand, do not lie side by side, and are so many
/// that a kernel which takes several of them at once is worth compiling.
bool is_scattered(const map_plan& plan) {
  constexpr std::int64_t fewest = std::int64_t{1} << 18, farthest = 64;
  const int last = plan.ndim - 1;
  if (plan.size < fewest || last < 0 || last >= max_jump_dims) return false;
  const auto lies_apart = [&](std::int64_t stride, dtype type) {
    return stride != 0 && stride != static_cast<std::int64_t>(itemsize(type)) && std::abs(stride) <= farthest;
  };
  if ((last > 0 && plan.shape[last] < min_row) || lies_apart(plan.out.strides[last], plan.out.type))
    return true;
  return std::any_of(plan.inputs, plan.inputs + plan.n_inputs, [&](const input& in) {
    return in.kind == input_kind::array && lies_apart(in.strides[last], in.type);
  });
}

}  // namespace

bool is_direct(const map_plan& plan) {
  if (plan.n_steps == 0) return true;
  if (plan.n_steps > 1 || plan.n_stores > 0 || is_scattered(plan)) return false;
  const step& s = plan.steps[0];
  if (s.op == ufunc::user) return false;
  for (int i = 0; i < arity(s.op); ++i)
    if (s.args[i] >= plan.n_inputs) return false;
  return true;
}

namespace {

/// Plans of one step: no temporaries, one kernel.
void run_direct(const map_plan& plan, queue q) {
  elementwise e{};
  e.op = plan.n_steps ? plan.steps[0].op : ufunc::cast;
  e.loop = plan.n_steps ? plan.steps[0].loop : plan.out.type;
  for (int i = 0; i < arity(e.op); ++i) e.in[i] = &plan.inputs[plan.n_steps ? plan.steps[0].args[i] : 0];
  e.out = plan.out.data;
  e.out_type = plan.out.type;
  e.out_strides = plan.out.strides;
  e.ndim = plan.ndim;
  e.shape = plan.shape;
  e.size = plan.size;
  run_elementwise(e, q);
}

}  // namespace

void run_map(const map_plan& plan, queue q, memory_pool& pool) {
  if (plan.n_steps > max_kernel_steps) return run_long_map(plan, q, pool);
  if (persistent_trace* trace = persistent_trace::of(q)) trace->add(plan);
  if (is_direct(plan)) run_direct(plan, q);
  else if (!run_fused(plan, q)) run_steps(plan, q, pool);
}

void run_jumping(const jumping_plan& plan, queue q, memory_pool& pool, bool is_step) {
  const bool is_traced = is_step && persistent_trace::of(q) != nullptr;
  const plan_boxes boxes(plan);
  // Copies of boxes need no compiler, and are as quick where they are so large that launches do not count.
  constexpr std::int64_t large = std::int64_t{4} << 20;
  const bool by_boxes = plan.map.n_steps == 0 && (boxes.count() == 1 || plan.map.size >= large);
  if (!is_traced && !by_boxes && run_fused(plan, q)) return;
  boxes.for_each([&](const map_plan& box) {
    if (is_traced || plan.map.has_user_step()) run_map(box, q, pool);
    else if (is_direct(box)) run_direct(box, q);
    else run_steps(box, q, pool);  // the kernel of the whole may be on its way: none for these
  });
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
