// The step-by-step executor.
#include <array>
#include <cstring>
#include <memory>

#include <cuda/device/loop_nest.hpp>
#include <cuda/fusion/jit_launch.hpp>
#include <cuda/map/elementwise.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/runtime/scratch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

constexpr int max_values = max_inputs + max_steps;

/// Casts are folded into the kernel that reads their result, or the last one into the kernel that makes its
/// argument, so most of them cost no pass over memory.
class step_runner {
 public:
  step_runner(const map_plan& plan, const output& out, queue q, memory_pool& pool)
      : plan_(plan), out_(out), q_(q), pool_(pool) {
    contiguous_strides(plan.ndim, plan.shape, 1, unit_strides_);
    for (int s = 0; s < plan.n_steps; ++s)
      for (int i = 0; i < arity(plan.steps[s]); ++i) {
        ++uses_[plan.steps[s].args[i]];
        if (plan.steps[s].op == ufunc::cast) feeds_cast_[plan.steps[s].args[i]] = true;
      }
    for (int s = 0; s < plan.n_steps; ++s) fold(s);
    find_last_uses();
  }

  void run() {
    const int last = plan_.last_value();
    for (int s = 0; s < plan_.n_steps; ++s) {
      const int v = plan_.n_inputs + s;
      if (folded_[v] || (output_cast_ && v == last)) continue;
      const bool final = v == last || (output_cast_ && v == plan_.steps[last - plan_.n_inputs].args[0]);
      execute(s, final);
      release_after(s);
    }
  }

 private:
  const step& step_of(int v) const { return plan_.steps[v - plan_.n_inputs]; }
  bool is_cast(int v) const { return v >= plan_.n_inputs && step_of(v).op == ufunc::cast; }

  void fold(int s) {
    const int v = plan_.n_inputs + s;
    const step& own = plan_.steps[s];
    if (own.op != ufunc::cast) return;
    const int from = own.args[0];
    if (v != plan_.last_value()) {
      // A kernel makes one conversion at a load, so what another cast reads has to be there.
      folded_[v] = !feeds_cast_[v] && !store_of(v);
    } else if (from >= plan_.n_inputs && !folded_[from] && !is_cast(from) && uses_[from] == 1 &&
               !store_of(from)) {
      output_cast_ = true;
    }
  }

  /// Where the value is wanted in memory, beside the plan's result.
  const stored_value* store_of(int v) const {
    for (int k = 0; k < plan_.n_stores; ++k)
      if (plan_.stores[k].value == v) return &plan_.stores[k];
    return nullptr;
  }

  int source_of(int v) const { return folded_[v] ? step_of(v).args[0] : v; }

  void find_last_uses() {
    for (int s = 0; s < plan_.n_steps; ++s) {
      if (folded_[plan_.n_inputs + s]) continue;
      for (int i = 0; i < arity(plan_.steps[s].op); ++i) last_use_[source_of(plan_.steps[s].args[i])] = s;
    }
  }

  /// The operand that value v is read from.
  const input* operand(int v) {
    const int source = source_of(v);
    return source < plan_.n_inputs ? &plan_.inputs[source] : results_[source].get();
  }

  void execute(int s, bool final) {
    const step& own = plan_.steps[s];
    const int v = plan_.n_inputs + s;
    elementwise e{};
    e.op = own.op;
    e.loop = own.loop;
    for (int i = 0; i < arity(own.op); ++i) e.in[i] = operand(own.args[i]);
    e.ndim = plan_.ndim;
    e.shape = plan_.shape;
    e.size = plan_.size;
    if (final) {
      e.out = out_.data;
      e.out_type = out_.type;
      e.out_strides = out_.strides;
    } else {
      const input& result = make_result(v);
      e.out = const_cast<void*>(result.data);
      e.out_type = result.type;
      e.out_strides = result.strides;
    }
    run_elementwise(e, q_);
  }

  const input& make_result(int v) {
    const dtype type = plan_.value_type(v);
    const std::size_t size = itemsize(type);
    const stored_value* const kept = store_of(v);
    if (!kept) temporaries_[v] = scratch(pool_, static_cast<std::size_t>(plan_.size) * size, q_.stream);
    results_[v] = std::make_unique<input>();
    input& result = *results_[v];
    result.kind = input_kind::array;
    result.type = type;
    result.data = kept ? kept->data : temporaries_[v].data();
    for (int d = 0; d < plan_.ndim; ++d)
      result.strides[d] = kept ? plan_.store_stride(static_cast<int>(kept - plan_.stores), d)
                               : unit_strides_[d] * static_cast<std::int64_t>(size);
    return result;
  }

  /// Later work on the stream may take the memory of values that no later step reads.
  void release_after(int s) {
    for (int i = 0; i < arity(plan_.steps[s]); ++i) {
      const int v = source_of(plan_.steps[s].args[i]);
      if (last_use_[v] == s) temporaries_[v].release();
    }
  }

  const map_plan& plan_;
  const output& out_;
  queue q_;
  memory_pool& pool_;
  std::int64_t unit_strides_[max_ndim];
  std::array<bool, max_values> folded_{};
  std::array<int, max_values> last_use_{}, uses_{};
  std::array<bool, max_values> feeds_cast_{};
  std::array<scratch, max_values> temporaries_;
  std::array<std::unique_ptr<input>, max_values> results_;
  bool output_cast_ = false;
};

}  // namespace

void run_steps(const map_plan& plan, queue q, memory_pool& pool) {
  step_runner(plan, plan.out, q, pool).run();
}

namespace {

output contiguous_output(const map_plan& plan, void* data, dtype type) {
  output out;
  out.data = data;
  out.type = type;
  contiguous_strides(plan.ndim, plan.shape, itemsize(type), out.strides);
  return out;
}

}  // namespace

void materialise(const jumping_plan& plan, void* out, dtype type, queue q, memory_pool& pool) {
  if (plan.n_jumps == 0) return materialise(plan.map, out, type, q, pool);
  const auto whole = std::make_unique<jumping_plan>(plan);
  whole->map.out = contiguous_output(plan.map, out, type);
  run_jumping(*whole, q, pool, false);
}

void materialise(const map_plan& plan, void* out, dtype type, queue q, memory_pool& pool) {
  const output target = contiguous_output(plan, out, type);
  // No kernel compiled ahead of time knows a step of the user's, and steps with so many numbers are many.
  if (plan.has_user_step() || plan.has_more_numbers()) {
    const auto whole = std::make_unique<map_plan>(plan);
    whole->out = target;
    if (run_fused(*whole, q) || plan.has_user_step()) return;
  }
  if (plan.n_steps > 0) return step_runner(plan, target, q, pool).run();
  elementwise e{ufunc::cast,    type,      {&plan.inputs[0]}, out,      type,
                target.strides, plan.ndim, plan.shape,        plan.size};
  run_elementwise(e, q);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
