// gp::explain: the plan of an expression and how each backend would carry it out, without computing it.
#include <bit>
#include <iterator>

#include <core/array/array_rep.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/plan_builder.hpp>
#include <core/array/program_order.hpp>
#include <core/array/reduction_plan.hpp>
#include <core/array/rolled.hpp>
#include <core/array/row_fusion.hpp>
#include <core/reduction/pending_reductions.hpp>
#include <gparray/explain.hpp>
#include <plan/explain.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

#if !GPARRAY_HAS_CUDA
std::string gpu_text(const map_plan&, device) {
  return "on a GPU: this build of gparray has no CUDA backend\n";
}
std::string gpu_text(const reduce_plan& plan, device on_device) { return gpu_text(plan.map, on_device); }
std::string gpu_text(const jumping_plan& plan, device on_device) { return gpu_text(plan.map, on_device); }
#endif

namespace {

/// "float32 array of shape (2,3) on cpu".
std::string title(const array_rep* rep) {
  return fmt::format("{} array of shape {} on {}\n", name(rep->type), text(rep->shape), rep->device_.str());
}

/// Where an expression is carried out, and how, there and on a GPU.
template<class Plan>
std::string executors_text(const Plan& plan, device on_device) {
  std::string result;
  if (on_device.is_cpu()) result = cpu_text(plan);
  return result + gpu_text(plan, on_device);
}

std::string executors_text(const jumping_plan& plan, device on_device) {
  std::string result;
  if (on_device.is_cpu())
    result = fmt::format("in {} parts, in each of which nothing jumps\n", plan_boxes(plan).count()) +
             cpu_text(plan.map);
  return result + gpu_text(plan, on_device);
}

/// Why there is no plan to show; empty if there is one.
std::string without_plan(const array_rep* rep) {
  if (rep->pending.load(std::memory_order_acquire) && rep->of_unknown_shape)
    return fmt::format(
        "{} elements selected by a mask or index arrays on {}: how many is known once they are read\n",
        name(rep->type), rep->device_.str());
  if (rep->pending.load(std::memory_order_acquire) && rep->computed_by && rep->selected &&
      rep->operation.count == 0)
    return title(rep) + "gathered by a kernel of its own, or read by the kernel that reduces them\n";
  if (rep->size == 0) return title(rep) + "no elements: nothing is computed\n";
  return {};
}

std::string text_of_reduction(const reduce_plan& plan, const array_rep* source) {
  std::string results = std::string(name(plan.out.type));
  if (has_two_results(plan.op))
    results += fmt::format(" and {}", name(second_result_dtype(plan.op, plan.element)));
  return fmt::format("{} of a {}{}then {} of {} elements for each of {} results of {}\n", name(plan.op),
                     title(source), plan_text(plan.map), name(plan.op), plan.n_reduced, plan.n_out, results) +
         executors_text(plan, source->device_);
}

/// A reduction, or element-wise steps.
std::string text_of_plan(const array_rep* rep) {
  if (is_reduction(rep)) {
    reduce_plan plan;
    make_reduce_plan(plan, rep, nullptr);
    return text_of_reduction(plan, rep->operation.arguments[0].array);
  }
  if (is_scan(rep))
    return title(rep) + fmt::format("{} of all elements up to each one along axis {}\n",
                                    name(rep->reduced.op), std::countr_zero(rep->reduced.axes));
  if (rep->operation.rolls && !rep->roll && !reads_rolled(rep))
    return title(rep) + "what is rolled is stored first\n";
  jumping_plan plan;
  plan_builder builder(plan.map, rep->shape);
  builder.set_jumps(plan);
  const pending_nodes nodes(const_cast<array_rep*>(rep));
  if (nodes.end() - nodes.begin() > fewest_in_order) builder.steps_in_order(in_program_order(nodes));
  const int value = builder.expression(rep);
  builder.store_to(nullptr, rep->type, result_strides(rep));
  builder.finish(value);
  if (plan.n_jumps > 0) return title(rep) + plan_text(plan) + executors_text(plan, rep->device_);
  return title(rep) + plan_text(plan.map) + executors_text(plan.map, rep->device_);
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

std::string explain(const any_array& a) {
  const array_rep* rep = described(a);
  const auto lock = hold_expression(rep);
  if (std::string reason = without_plan(rep); !reason.empty()) return reason;
  if (!rep->pending.load(std::memory_order_acquire))
    return title(rep) + "in memory: there is nothing to compute\n";
  if (rep->operation.reductions == 0) return text_of_plan(rep);
  const planned_stages stages = stages_of(const_cast<array_rep*>(rep));
  if (stages.reps.size() == 1) return text_of_plan(rep);
  std::string text =
      fmt::format("{} stages, {}\n", stages.reps.size(),
                  stages.row_by_row ? "of which a few rows at a time go through all" : "one after the other");
  for (std::size_t i = 0; i < stages.reps.size(); ++i)
    text += fmt::format("{}. {}", i + 1, text_of_plan(stages.reps[i]));
  return text;
}

std::string explain(const any_array& a, reduction r, const dims* axes_or_null) {
  const array_rep* rep = described(a);
  if (rep->computed_by && !rep->of_unknown_shape) rep = computed(a);
  const auto lock = hold_expression(rep);
  if (std::string reason = without_plan(rep); !reason.empty()) return reason;
  // bool is no number to reductions that subtract.
  const bool is_defined =
      row(r).domain.find(kind(rep->type) == 'u' ? 'i' : kind(rep->type)) != std::string_view::npos;
  const gparray::dtype element = is_defined ? rep->type : gparray::dtype::int8;
  const reduction_axes axes(rep->shape, reduced_axes(r, axes_or_null, static_cast<int>(rep->shape.size())),
                            false);
  reduce_plan plan;
  make_reduce_plan(plan, r, rep, element, axes, 0, nullptr);
  return text_of_reduction(plan, rep);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
