// Plans as text, for gp::explain.
#include <format/array.hpp>
#include <plan/explain.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

std::string list(int n, const std::int64_t* numbers) {
  return text(dims(std::span(numbers, static_cast<std::size_t>(n))));
}

/// How an array is read: from its strides in the plan's dimensions.
const char* access_text(const map_plan& plan, const input& in) {
  const auto item = static_cast<std::int64_t>(itemsize(in.type));
  bool contiguous = true, constant = true;
  std::int64_t expected = item;
  for (int d = plan.ndim - 1; d >= 0; --d) {
    contiguous = contiguous && in.strides[d] == expected;
    constant = constant && in.strides[d] == 0;
    expected *= plan.shape[d];
  }
  if (contiguous) return "contiguous";
  if (constant) return "one element, repeated";
  const std::int64_t inner = in.strides[plan.ndim - 1];
  if (inner == item) return "side by side along the rows";
  return inner == 0 ? "one element for each row" : "strided";
}

std::string input_text(const map_plan& plan, int v) {
  const input& in = plan.inputs[v];
  switch (in.kind) {
    case input_kind::constant:
      return fmt::format("{} {}", name(in.type),
                         scalar_str(gparray::detail::row(in.type).code, in.value.bytes));
    case input_kind::iota:
      return fmt::format("int64 {} + index times {}", in.first, list(plan.ndim, in.strides));
    default:
      return fmt::format("{} array with strides {}: {}", name(in.type), list(plan.ndim, in.strides),
                         access_text(plan, in));
  }
}

std::string step_text(const step& s) {
  std::string arguments;
  for (int i = 0; i < arity(s); ++i) arguments += fmt::format("{}v{}", i ? ", " : "", s.args[i]);
  const std::string_view called = s.op == ufunc::user ? s.user->function->name : name(s.op);
  return fmt::format("{}<{}>({}), {}", called, name(s.loop), arguments, name(output_dtype(s)));
}

}  // namespace

std::string plan_text(const map_plan& plan) {
  std::string result = fmt::format("plan of {} operands and {} steps over {}\n", plan.n_inputs, plan.n_steps,
                                   list(plan.ndim, plan.shape));
  for (int v = 0; v < plan.n_inputs; ++v) result += fmt::format("  v{} = {}\n", v, input_text(plan, v));
  for (int s = 0; s < plan.n_steps; ++s)
    result += fmt::format("  v{} = {}\n", plan.n_inputs + s, step_text(plan.steps[s]));
  return result;
}

std::string plan_text(const jumping_plan& plan) {
  std::string result = plan_text(plan.map);
  for (const jump& j : plan.all_jumps())
    result += fmt::format("  v{} {} bytes further on outside [{}, {}) of dimension {}\n", j.input, j.bytes,
                          j.begin, j.end, j.dim);
  return result;
}

}  // namespace core
GPARRAY_END_NAMESPACE
