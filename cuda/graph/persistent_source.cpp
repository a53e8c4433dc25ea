#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <cuda/fusion/jit_source.hpp>
#include <cuda/graph/persistent_source.hpp>
#include <cuda/runtime/launch.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

std::string block_call(const persistent_task& task, const std::vector<persistent_step>& steps,
                       const char* block) {
  return fmt::format("{}({}(p.step_{}), {});\n", task.call(steps).function, steps[task.step].fixed, task.step,
                     block);
}

/// The points of a phase, one after the other: each takes from registers what an earlier one has stored.
class point_calls {
 public:
  point_calls(const std::vector<persistent_step>& steps, const persistent_schedule& order)
      : steps_(steps), order_(order), known_(order.tasks) {}

  std::string compute(std::size_t number) {
    const persistent_task& task = order_.tasks[number];
    const std::string last = !task.is_merge                     ? values()
                             : order_.all_blocks_know_condition ? fmt::format(", states_{}", task.step)
                                                                : std::string();
    known_.forget(task.output());
    known_.add(number);
    return fmt::format("const auto v{} = {}(p.step_{}{});\n", number, task.call(steps_).function, task.step,
                       last);
  }
  std::string condition() const { return "load_known<bool>(p.loop.condition" + values() + ");\n"; }
  known_outputs& known() { return known_; }

 private:
  std::string values() const {
    std::string values;
    for (const std::size_t number : known_.numbers()) values += fmt::format(", v{}", number);
    return values;
  }

  const std::vector<persistent_step>& steps_;
  const persistent_schedule& order_;
  known_outputs known_;
};

/// The tasks of the last team in a phase, one after the other. Before those in which all of its threads take
/// part there is a barrier; points are computed by its first warp.
class single_tasks {
 public:
  single_tasks(const std::vector<persistent_step>& steps, const persistent_schedule& order)
      : steps_(steps), order_(order), points_(steps, order) {}

  void add(std::size_t number) {
    const persistent_task& task = order_.tasks[number];
    const persistent_call& call = task.call(steps_);
    if (call.scope == persistent_scope::point) {
      open_points();
      text_ += "        " + points_.compute(number);
      return;
    }
    close_points();
    if (!text_.empty()) wait();
    for (const memory_range& range : task.accesses) points_.known().forget(range);
    if (call.scope == persistent_scope::whole) {
      text_ += fmt::format("      const auto v{} = {}(p.step_{});\n", number, call.function, task.step);
      points_.known().add(number);
    } else {
      text_ += "      " + block_call(task, steps_, "0");
      others_wrote_ = true;
    }
  }

  void add_condition() {
    open_points();
    text_ += "        condition = " + points_.condition();
  }

  std::string text() {
    close_points();
    return text_.empty() ? text_ : "    if (is_last_team()) {\n" + text_ + "    }\n";
  }

 private:
  void wait() {
    text_ += "      GPARRAY_SYNC_BLOCK();\n";
    others_wrote_ = false;
  }
  void open_points() {
    if (std::exchange(in_points_, true)) return;
    if (others_wrote_) wait();
    text_ += "      if (thread_number() < 32) {\n";
    known_outside_ = points_.known().numbers().size();
  }
  void close_points() {
    if (!std::exchange(in_points_, false)) return;
    text_ += "      }\n";
    points_.known().keep(known_outside_);
  }

  const std::vector<persistent_step>& steps_;
  const persistent_schedule& order_;
  point_calls points_;
  std::string text_;
  std::size_t known_outside_ = 0;  // values that are known outside of the points that are open
  bool in_points_ = false, others_wrote_ = false;
};

/// The blocks of a task, shared out among the teams; of a reduction that computes what it reads, preceded by
/// that.
std::string shared_text(const std::vector<persistent_step>& steps, const persistent_schedule& order,
                        std::size_t number, bool has_single) {
  const persistent_task& task = order.tasks[number];
  std::string first;
  if (task.map) {
    const persistent_task& map = order.tasks[*task.map];
    first = fmt::format(
        "vector_map_part<expression_{}>({}(p.step_{}), p.parts_{}, block);\n"
        "      GPARRAY_SYNC_BLOCK();\n      ",
        map.step, steps[map.step].fixed, map.step, map.step);
  }
  return fmt::format(
      "    share_blocks(p.loop.tasks[{}], {}, [&](std::uint32_t block) {{\n      {}{}    }});\n", number,
      has_single, first, block_call(task, steps, "block"));
}

/// The last phase if all blocks compute its points: states are loaded before the barrier, the rest is
/// computed while they wait.
std::string last_phase_of_all_blocks(const std::vector<persistent_step>& steps,
                                     const persistent_schedule& order) {
  std::string states, shared, points;
  point_calls calls(steps, order);
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    const persistent_task& task = order.tasks[i];
    if (!order.is_last(task) || task.is_in_parts) continue;
    if (!task.is_single()) {
      shared += shared_text(steps, order, i, false);
      continue;
    }
    points += "      " + calls.compute(i);
    if (task.is_merge)
      states += fmt::format("    {} states_{};\n    if (threadIdx.x < 32) states_{}.load(p.step_{});\n",
                            steps[task.step].states, task.step, task.step, task.step);
  }
  return states + shared + "    go_on = barrier.compute_and_wait([&] {\n" + points + "      return " +
         calls.condition() + "    });\n";
}

std::string phase_text(const std::vector<persistent_step>& steps, const persistent_schedule& order,
                       int phase) {
  const bool is_last = phase + 1 == order.n_phases;
  if (is_last && order.all_blocks_know_condition) return last_phase_of_all_blocks(steps, order);
  single_tasks singles(steps, order);
  std::string shared;
  bool has_single = false;
  for (const bool single : {true, false})
    for (std::size_t i = 0; i < order.tasks.size(); ++i) {
      const persistent_task& task = order.tasks[i];
      if (task.phase != phase || task.is_single() != single || task.is_in_parts) continue;
      if (single) singles.add(i);
      else shared += shared_text(steps, order, i, has_single);
      has_single |= single;
    }
  if (!is_last) return singles.text() + shared + "    barrier.wait();\n";
  if (!order.last_team_knows_condition)
    return singles.text() + shared + "    barrier.wait();\n    go_on = *p.loop.condition;\n";
  singles.add_condition();
  return "    bool condition = false;\n" + singles.text() + shared +
         "    go_on = barrier.wait_and_broadcast(condition);\n";
}

void append(std::vector<char>& to, const void* bytes, std::size_t n, std::size_t alignment) {
  to.resize((to.size() + alignment - 1) / alignment * alignment);
  const auto* from = static_cast<const char*>(bytes);
  to.insert(to.end(), from, from + n);
}

}  // namespace

std::size_t team_bytes(const std::vector<persistent_step>& steps) {
  std::size_t all = 16;
  for (const persistent_step& step : steps) all += (step.team_bytes + 15) / 16 * 16;
  return all;
}

std::string persistent_source(const std::vector<persistent_step>& steps, const persistent_schedule& order,
                              persistent_barrier barrier, unsigned n_teams) {
  const char* wait = order.waits_after_condition ? "    barrier.wait();\n" : "";
  std::string definitions, members, phases;
  bool has_form[n_kernel_forms] = {};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    has_form[static_cast<int>(steps[i].form)] = true;
    definitions += steps[i].definition;
    members += fmt::format("  {} step_{};\n", steps[i].parameters, i);
  }
  for (const persistent_task& task : order.tasks)
    if (task.map) members += fmt::format("  map_parts parts_{};\n", order.tasks[*task.map].step);
  std::string text = fmt::format("#define GPARRAY_TEAMS {}\n", n_teams);
  for (int form = 0; form < n_kernel_forms; ++form)
    if (has_form[form]) text += kernel_includes(static_cast<kernel_form>(form));
  for (int phase = 0; phase < order.n_phases; ++phase) phases += phase_text(steps, order, phase);
  if (!order.last_team_knows_condition) phases += wait;
  return fmt::format(R"({}#include <cuda/map/persistent_points.cuh>
#include <cuda/graph/persistent_kernel.cuh>

namespace gparray::core::cuda {{
{}struct persistent_parameters {{
  persistent_params loop;
{}}};
__global__ void __launch_bounds__(n_teams* team_threads, 1)
    persistent_loop(const __grid_constant__ persistent_parameters p) {{
  {}_barrier barrier(p.loop);
  bool go_on = *p.loop.condition;
{}  std::int64_t count = 0;
  for (; go_on && count < p.loop.most; ++count) {{
{}  }}
  barrier.end();
  if (blockIdx.x == 0 && threadIdx.x == 0) *p.loop.count = count;
}}
}}  // namespace gparray::core::cuda
)",
                     text, definitions, members, barrier == persistent_barrier::cluster ? "cluster" : "grid",
                     wait, phases);
}

std::vector<char> persistent_parameters(const std::vector<persistent_step>& steps,
                                        const persistent_schedule& order, const persistent_params& loop) {
  std::vector<char> bytes;
  std::size_t alignment = alignof(persistent_params);
  append(bytes, &loop, sizeof loop, alignment);
  for (const persistent_step& step : steps) {
    append(bytes, step.bytes.data(), step.bytes.size(), step.alignment);
    alignment = std::max(alignment, step.alignment);
  }
  for (const persistent_task& task : order.tasks) {
    if (!task.map) continue;
    const parted_operand& part = steps[task.step].parts.front();
    const map_parts parts{part.begin, part.bytes, fast_divisor(steps[order.tasks[*task.map].step].row_bytes)};
    append(bytes, &parts, sizeof parts, alignof(map_parts));
  }
  append(bytes, nullptr, 0, alignment);
  return bytes;
}

unsigned share_out(const persistent_schedule& order, unsigned n_blocks, unsigned max_teams,
                   std::vector<char>& parameters) {
  persistent_params loop;
  std::memcpy(&loop, parameters.data(), sizeof loop);
  unsigned most = 1;
  bool has_single = false;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    const persistent_task& task = order.tasks[i];
    if (task.is_in_parts) continue;
    const auto teams =
        static_cast<unsigned>(std::min<std::int64_t>(ceil_div(task.n_blocks, n_blocks), max_teams));
    loop.tasks[i] = {static_cast<std::uint32_t>(task.n_blocks), teams};
    most = std::max(most, teams);
    has_single |= task.is_single() && !(order.all_blocks_know_condition && order.is_last(task));
  }
  std::memcpy(parameters.data(), &loop, sizeof loop);
  return std::clamp(most + has_single, min_persistent_teams, max_teams);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
