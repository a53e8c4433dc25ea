#include <optional>

#include <cuda/device/row_chain_params.hpp>
#include <cuda/fusion/jit_kernels.hpp>
#include <cuda/fusion/jit_parameters.hpp>
#include <cuda/fusion/row_chain.hpp>
#include <cuda/map/executor.hpp>
#include <cuda/reduction/reduce.hpp>
#include <cuda/runtime/launch.hpp>
#include <cuda/runtime/scratch.hpp>
#include <gparray/runtime/jit.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

namespace {

// Of all that a row reads and writes: a few rows at a time fit the first-level cache, more the second.
constexpr std::int64_t longest_row = std::int64_t{1} << 18;

/// The chain with memory for its scratch values.
std::vector<row_stage> with_memory(const row_chain& chain, std::vector<scratch>& memory, memory_pool& pool,
                                   queue q) {
  for (int k = 0; k < chain.n_scratch; ++k) {
    const auto elements = static_cast<std::size_t>(chain.rows * chain.columns);
    memory.emplace_back(pool, elements * chain.scratch_items[k], q.stream);
  }
  std::vector<row_stage> stages = chain.stages;
  for (row_stage& stage : stages) {
    map_plan& map = stage.plan.map;
    for (int i = 0; i < map.n_inputs; ++i)
      if (const int k = chain.scratch_of(map.inputs[i].data); k >= 0)
        map.inputs[i].data = memory[static_cast<std::size_t>(k)].data();
    if (stage.reduces) continue;
    if (const int k = chain.scratch_of(map.out.data); k >= 0)
      map.out.data = memory[static_cast<std::size_t>(k)].data();
  }
  return stages;
}

/// The threads, as a power of two, that each reduction gives a row if it is alone; none if they differ.
std::optional<int> threads_of_row(const std::vector<row_stage>& stages) {
  std::optional<int> result;
  for (const row_stage& stage : stages) {
    if (!stage.reduces) continue;
    const std::optional<int> log = log_threads_of_row(stage.plan);
    if (!log || (result && *result != *log)) return std::nullopt;
    result = log;
  }
  return result;
}

std::int64_t row_stride(const input& in) { return in.kind == input_kind::constant ? 0 : in.strides[0]; }

bool run_as_one(const row_chain& chain, const std::vector<row_stage>& stages, queue q) {
  const std::optional<int> log_group = threads_of_row(stages);
  if (!log_group || stages.size() > static_cast<std::size_t>(max_chain_stages)) return false;
  chain_key key{static_cast<std::uint8_t>(q.device), {}};
  chain_params p;
  static_assert(sizeof p <= max_parameter_bytes);
  p.n_rows = static_cast<std::uint32_t>(chain.rows);
  p.n_columns = static_cast<std::uint32_t>(chain.columns);
  p.log_group = static_cast<std::uint32_t>(*log_group);
  int operand = 0;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const row_stage& stage = stages[k];
    const map_plan& map = stage.plan.map;
    if (operand + map.n_inputs > max_chain_operands) return false;
    key.stages.push_back(key_of_stage(stage, q.device));
    p.stages[k] = {static_cast<char*>(stage.reduces ? stage.plan.out.data : map.out.data), stage.plan.ddof};
    if (!stage.reduces) p.stages[k].ddof = 0;
    for (int i = 0; i < map.n_inputs; ++i) {
      const input& in = map.inputs[i];
      const std::int64_t distance = map.ndim > 1 && in.kind != input_kind::constant ? in.strides[1] : 0;
      p.operands[operand++] = {start_of(in, 0), row_stride(in), bits_of(in, distance)};
    }
  }
  const auto kernel = chain_kernels().find(key, is_captured(stream_of(q.stream)));
  if (!kernel) return false;
  const std::int64_t rows_of_block = reduce_threads >> *log_group;
  launch("a chain over rows", loaded(kernel->kernel), ceil_div(chain.rows, rows_of_block), reduce_threads, p, q);
  return true;
}

}  // namespace

bool takes_rows(const row_chain& chain) {
  return jit_mode() != jit::off && chain.row_bytes <= longest_row && chain.rows <= std::int64_t{1} << 30;
}

void run_rows(const row_chain& chain, queue q, memory_pool& pool, counter_store& counters) {
  std::vector<scratch> memory;
  const std::vector<row_stage> stages = with_memory(chain, memory, pool, q);
  if (run_as_one(chain, stages, q)) return;
  for (const row_stage& stage : stages)
    if (stage.reduces) run_reduce(stage.plan, q, pool, counters);
    else run_map(stage.plan.map, q, pool);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
