// Chains of stages over rows: a block of rows goes through all stages while it is in the second-level cache.
#include <vector>

#include <host/map/cost.hpp>
#include <host/support/operations.hpp>
#include <host/support/scratch.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/row_chain.hpp>
#include <support/checked_numbers.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

namespace {

// Of what all stages read and write: half of a small second-level cache.
constexpr std::int64_t block_bytes = std::int64_t{1} << 18;

/// Rows that go through all stages together: as many as the cache holds, and few enough for all threads.
std::int64_t rows_at_once(const core::row_chain& chain) {
  const std::int64_t fit =
      std::max<std::int64_t>(block_bytes / std::max<std::int64_t>(chain.row_bytes, 1), 1);
  return std::min(fit, core::ceil_quotient(chain.rows, 4 * std::int64_t{num_threads()}));
}

/// Picoseconds that a row takes.
std::int64_t cost_of_row(const core::row_chain& chain) {
  std::int64_t cost = 0;
  for (const core::row_stage& stage : chain.stages) {
    const core::map_plan& map = stage.plan.map;
    std::int64_t of_element = traffic_cost(8);
    for (int s = 0; s < map.n_steps; ++s) of_element += step_cost(map.steps[s].op, map.steps[s].loop);
    cost += of_element * (map.size / chain.rows);
  }
  return cost;
}

/// A stage as a plan of a block of rows; how far its operands move from one row to the next is in the chain.
class stage_of_block {
 public:
  stage_of_block(const core::row_chain& chain, const core::row_stage& stage,
                 const std::vector<char*>& scratch)
      : from_(stage), plan_(stage.plan) {
    core::map_plan& map = plan_.map;
    for (int v = 0; v < map.n_inputs; ++v) input_scratch_[v] = find(chain, map.inputs[v].data, scratch);
    output_scratch_ = from_.reduces ? nullptr : find(chain, map.out.data, scratch);
    if (from_.reduces || map.ndim < 2) return;
    const auto continues = [&](const std::int64_t* strides) {
      return strides[0] == strides[1] * map.shape[1];
    };
    is_flat_ = continues(map.out.strides);
    for (int v = 0; v < map.n_inputs; ++v) is_flat_ = is_flat_ && continues(map.inputs[v].strides);
    if (!is_flat_) return;
    map.ndim = 1;
    map.out.strides[0] = map.out.strides[1];
    for (int v = 0; v < map.n_inputs; ++v) map.inputs[v].strides[0] = map.inputs[v].strides[1];
  }

  void run(std::int64_t first, std::int64_t rows) {
    const core::map_plan& whole = from_.plan.map;
    core::map_plan& map = plan_.map;
    const std::int64_t size_of_row = whole.ndim > 1 ? whole.shape[1] : 1;
    map.shape[0] = is_flat_ ? rows * size_of_row : rows;
    map.size = rows * size_of_row;
    for (int v = 0; v < map.n_inputs; ++v) {
      const core::input& in = whole.inputs[v];
      if (in.kind != core::input_kind::array) continue;
      map.inputs[v].data =
          input_scratch_[v] ? input_scratch_[v] : static_cast<const char*>(in.data) + first * in.strides[0];
    }
    if (from_.reduces) {
      const core::output& out = from_.plan.out;
      plan_.out.data = static_cast<char*>(out.data) + first * out.strides[0];
      plan_.n_out = rows;
      const core::reduce_plan* const plans[] = {&plan_};
      reduce(plans);
    } else {
      const core::output& out = whole.out;
      map.out.data =
          output_scratch_ ? output_scratch_ : static_cast<char*>(out.data) + first * out.strides[0];
      host::map(map);
    }
  }

 private:
  static char* find(const core::row_chain& chain, const void* address, const std::vector<char*>& scratch) {
    const int k = chain.scratch_of(address);
    return k < 0 ? nullptr : scratch[static_cast<std::size_t>(k)];
  }

  const core::row_stage& from_;
  core::reduce_plan plan_;
  bool is_flat_ = false;
  char* input_scratch_[core::max_inputs];
  char* output_scratch_;
};

}  // namespace

core::row_use takes_rows(const core::row_chain& chain) {
  const bool pays = chain.row_bytes <= block_bytes && chain.rows >= 4 * num_threads();
  return pays ? core::row_use::keeps : core::row_use::none;
}

void compute_rows(const core::row_chain& chain) {
  const std::int64_t at_once = rows_at_once(chain);
  const std::int64_t grain = fewest_elements(cost_of_row(chain)) / at_once;
  parallel_for(core::ceil_quotient(chain.rows, at_once), std::max<std::int64_t>(grain, 1),
               [&](std::int64_t begin, std::int64_t end) {
                 struct purpose;
                 std::vector<std::int64_t> offsets;
                 std::int64_t bytes = 0;
                 for (int k = 0; k < chain.n_scratch; ++k) {
                   offsets.push_back(bytes);
                   bytes +=
                       (at_once * chain.columns * static_cast<std::int64_t>(chain.scratch_items[k]) + 63) /
                       64 * 64;
                 }
                 char* const memory = thread_scratch<purpose>(static_cast<std::size_t>(bytes));
                 std::vector<char*> scratch;
                 for (const std::int64_t offset : offsets) scratch.push_back(memory + offset);
                 std::vector<stage_of_block> stages;
                 stages.reserve(chain.stages.size());
                 for (const core::row_stage& stage : chain.stages) stages.emplace_back(chain, stage, scratch);
                 for (std::int64_t block = begin; block < end; ++block) {
                   const std::int64_t first = block * at_once;
                   for (stage_of_block& stage : stages)
                     stage.run(first, std::min(at_once, chain.rows - first));
                 }
               });
}

}  // namespace host
GPARRAY_END_NAMESPACE
