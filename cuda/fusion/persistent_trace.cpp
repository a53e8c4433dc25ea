#include <fmt/format.h>

#include <cuda/fusion/jit_parameters.hpp>
#include <cuda/fusion/jit_source.hpp>
#include <cuda/fusion/persistent_trace.hpp>
#include <plan/recording.hpp>
#include <support/thread_lifetime.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

thread_local constinit lasting<persistent_trace*> innermost = nullptr;

memory_range range_of(const void* data, dtype type, std::size_t item, int ndim, const std::int64_t* shape,
                      const std::int64_t* strides, bool is_written) {
  const char* begin = static_cast<const char*>(data);
  const char* end = begin + item;
  for (int d = 0; d < ndim; ++d) {
    const std::int64_t last_offset = (shape[d] - 1) * strides[d];
    (last_offset < 0 ? begin : end) += last_offset;
  }
  return {begin, end, is_written, type};
}

std::vector<memory_range> inputs_of(const map_plan& plan) {
  std::vector<memory_range> ranges;
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    if (in.kind == input_kind::array)
      ranges.push_back(
          range_of(in.data, in.type, itemsize(in.type), plan.ndim, plan.shape, in.strides, false));
  }
  return ranges;
}

/// What blocks read that take so many elements of a row each.
std::vector<parted_operand> parts_of(const map_plan& plan, std::int64_t elements) {
  std::vector<parted_operand> parts;
  for (int i = 0; i < plan.n_inputs; ++i) {
    const input& in = plan.inputs[i];
    const auto item = static_cast<std::int64_t>(itemsize(in.type));
    if (in.kind == input_kind::array && plan.ndim == 1 && in.strides[0] == item &&
        elements * item <= max_launch_size)
      parts.push_back({static_cast<const char*>(in.data), static_cast<std::uint32_t>(elements * item)});
  }
  return parts;
}

/// Of a map whose output is at most one dimension of rows, in order: bytes from one to the next, else 0.
template<class Parameters>
std::uint32_t row_bytes_of(const Parameters& p, const memory_range& out) {
  const std::int64_t all = out.end - out.begin;
  if (p.out != out.begin || p.n_outer > 1 || all > max_launch_size) return 0;
  if (p.n_outer == 0) return static_cast<std::uint32_t>(max_launch_size);
  const std::int64_t row =
      static_cast<std::int64_t>(p.n_columns) * static_cast<std::int64_t>(itemsize(out.type));
  return p.out_strides[0] < row || p.out_strides[0] > max_launch_size
             ? 0
             : static_cast<std::uint32_t>(p.out_strides[0]);
}

template<class Parameters>
void set_parameters(persistent_step& step, const Parameters& p) {
  step.bytes.resize(sizeof p);
  std::memcpy(step.bytes.data(), &p, sizeof p);
  step.alignment = alignof(Parameters);
}

}  // namespace

persistent_trace::persistent_trace(queue body) : body_(body), outer_(std::exchange(innermost, this)) {}
persistent_trace::~persistent_trace() { innermost = outer_; }

persistent_trace* persistent_trace::of(queue q) noexcept {
  if (recordings_under_way.load(std::memory_order_relaxed) == 0 || !innermost) return nullptr;
  const queue own = innermost->body_;
  return own.device == q.device && own.stream == q.stream ? innermost : nullptr;
}

void persistent_trace::count_work(const map_plan& plan) {
  // While a multiprocessor loads one byte, it executes one or two instructions of a thread.
  auto of_element = static_cast<double>(instructions_of(plan.steps, plan.n_steps));
  for (int i = 0; i < plan.n_inputs; ++i)
    if (plan.inputs[i].kind == input_kind::array)
      of_element += static_cast<double>(itemsize(plan.inputs[i].type));
  work_ += of_element * static_cast<double>(plan.size);
}

void persistent_trace::add(const map_plan& plan) {
  fused_plan fused;
  if (plan.has_more_numbers() || !plan_map(plan, body_.device, fused, false) ||
      fused.nest.size > max_launch_size)
    return;
  const kernel_key& key = fused.key;
  const std::string expression = fmt::format("expression_{}", steps_.size());
  const bool rows = key.form == kernel_form::rows;
  persistent_step step{};
  step.form = key.form;
  step.definition = kernel_struct(key, expression);
  step.work.function = fmt::format("{}_map_block<{}>", rows ? "vector" : "strided", expression);
  step.parameters = rows ? fmt::format("vector_params<{}>", key.slots())
                         : fmt::format("strided_params<{}, {}>", key.slots(), key.dims);
  step.accesses = inputs_of(plan);
  step.accesses.push_back(range_of(plan.out.data, plan.out.type, itemsize(plan.out.type), plan.ndim,
                                   plan.shape, plan.out.strides, true));
  step.n_outputs = 1;
  use_map_parameters(plan, key, fused.nest, {}, [&](const auto& parameters, std::int64_t n_blocks) {
    set_parameters(step, parameters);
    step.n_blocks = n_blocks;
    if constexpr (requires { parameters.rows_per_thread; })
      if (parameters.rows_per_thread == 1)
        step.fixed = fmt::format("fixed_rows<{}, {}>", parameters.n_outer, parameters.tiles.divisor == 1);
    if constexpr (requires { parameters.n_columns; }) {
      if (plan.size == 1) step.work = {fmt::format("map_point<{}>", expression), persistent_scope::point};
      step.row_bytes = row_bytes_of(parameters, step.accesses.back());
    }
  });
  count_work(plan);
  work_ += static_cast<double>(plan.size) * static_cast<double>(itemsize(plan.out.type));
  steps_.push_back(std::move(step));
}

template<class Params>
void persistent_trace::add(std::span<const reduce_plan* const> plans, const fused_reduction* generated,
                           const Params& params, const joined_results& joined, kernel_form form,
                           std::int64_t n_blocks, std::size_t state_bytes) {
  const bool columns = form == kernel_form::columns, whole = form == kernel_form::whole;
  const reduce_plan& plan = *plans.front();
  fused_plan stored;
  if (!generated) stored.key = key_of_stored({&plan.op, 1}, plan.element, form, body_.device);
  const fused_plan& fused = generated ? generated->plan : stored;
  const std::string expression = fmt::format("expression_{}", steps_.size());
  const std::string reduced = reduction_type(fused.key);
  const char* name = columns ? "columns" : "inner";
  const bool is_split = params.split.n_splits > 1;
  persistent_step step{};
  step.form = form;
  step.definition = kernel_struct(fused.key, expression);
  step.work.function = fmt::format("reduce_{}_block<{}>", name, reduced);
  if (whole && is_split) step.work.function = fmt::format("reduce_part<{}>", reduced);
  if (whole && !is_split) step.work = {fmt::format("reduce_alone<{}>", reduced), persistent_scope::whole};
  step.parameters = reduction_params(fused.key, expression);
  step.n_blocks = n_blocks;
  use_reduction_parameters(generated ? generated->map : nullptr, {}, fused, params, joined,
                           [&](const auto& parameters) { set_parameters(step, parameters); });
  step.accesses = inputs_of(plan.map);
  for (const reduce_plan* each : plans)
    step.accesses.push_back(range_of(each->out.data, result_dtype(each->op, each->element),
                                     result_bytes(each->op, each->element), each->n_kept, each->map.shape,
                                     each->out.strides, true));
  step.n_outputs = plans.size();
  // Of a tile of columns; half of the threads' in shared memory.
  int states_of_block = 1, shared_states = reduce_threads / 32;
  if constexpr (requires { params.log_lanes; }) {
    const int of_thread = columns_per_thread(itemsize(plan.element));
    states_of_block = of_thread << params.log_lanes;
    shared_states = reduce_threads / 2 * of_thread;
  }
  step.team_bytes = state_bytes * static_cast<std::size_t>(shared_states);
  if (is_split) {
    step.merge.function = fmt::format("merge_{}_splits<{}>", name, reduced);
    if (whole) {
      step.merge = {fmt::format("merge_whole<{}>", reduced), persistent_scope::point};
      if (params.split.n_splits <= reduce_threads)
        step.states = fmt::format("split_states<{}, {}>", reduced, warps_of_splits(params.split.n_splits));
      if constexpr (requires { params.packs_per_split; })
        step.parts =
            parts_of(plan.map, std::int64_t{params.packs_per_split} * reduce_lanes(itemsize(plan.element)));
    }
    step.n_merges = n_blocks / params.split.n_splits;
    const char* partials = static_cast<const char*>(params.split.partials);
    step.partials = {partials, partials + static_cast<std::size_t>(n_blocks * states_of_block) * state_bytes,
                     true};
  }
  count_work(plan.map);
  steps_.push_back(std::move(step));
}
template void persistent_trace::add(std::span<const reduce_plan* const>, const fused_reduction*,
                                    const inner_params&, const joined_results&, kernel_form, std::int64_t,
                                    std::size_t);
template void persistent_trace::add(std::span<const reduce_plan* const>, const fused_reduction*,
                                    const whole_params&, const joined_results&, kernel_form, std::int64_t,
                                    std::size_t);
template void persistent_trace::add(std::span<const reduce_plan* const>, const fused_reduction*,
                                    const column_params&, const joined_results&, kernel_form, std::int64_t,
                                    std::size_t);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
