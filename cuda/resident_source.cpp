#include "resident_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "jit_source.hpp"
#include "launch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

std::string block_call(const resident_task& task, const std::vector<resident_step>& steps,
                       const char* block) {
  return fmt::format("{}({}(p.step_{}), {});\n", task.call(steps).function, steps[task.step].fixed, task.step,
                     block);
}

/// What the last team does in a phase, one thing after the other. Where all of its threads take part they
/// wait before; points are its first thread's, which finds in registers what it has stored.
class single_tasks {
 public:
  single_tasks(const std::vector<resident_step>& steps, const resident_schedule& order)
      : steps_(steps), order_(order) {}

  void add(std::size_t number) {
    const resident_task& task = order_.tasks[number];
    const resident_call& call = task.call(steps_);
    if (call.scope == resident_scope::point) {
      open_points();
      const std::string known = task.is_merge ? std::string() : known_values();
      forget(task.output());
      text_ +=
          fmt::format("        const auto v{} = {}(p.step_{}{});\n", number, call.function, task.step, known);
      known_.push_back(number);
      return;
    }
    close_points();
    if (!text_.empty()) wait();
    for (const memory_range& range : task.accesses) forget(range);
    if (call.scope == resident_scope::whole) {
      text_ += fmt::format("      const auto v{} = {}(p.step_{});\n", number, call.function, task.step);
      known_.push_back(number);
    } else {
      text_ += "      " + block_call(task, steps_, "0");
      others_wrote_ = true;
    }
  }

  void tell_condition() {
    open_points();
    text_ += fmt::format("        vote = load_known<bool>(p.loop.condition{});\n", known_values());
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
    known_outside_ = known_.size();
  }
  void close_points() {
    if (!std::exchange(in_points_, false)) return;
    text_ += "      }\n";
    known_.resize(std::min(known_.size(), known_outside_));
  }
  void forget(const memory_range& written) {
    std::erase_if(known_,
                  [&](std::size_t number) { return written.conflicts(order_.tasks[number].output()); });
  }
  std::string known_values() const {
    std::string values;
    for (const std::size_t number : known_) values += fmt::format(", v{}", number);
    return values;
  }

  const std::vector<resident_step>& steps_;
  const resident_schedule& order_;
  std::string text_;
  std::vector<std::size_t> known_;  // tasks whose values are
  std::size_t known_outside_ = 0;   // of the points that are open
  bool in_points_ = false, others_wrote_ = false;
};

std::string phase_text(const std::vector<resident_step>& steps, const resident_schedule& order, int phase) {
  single_tasks singles(steps, order);
  std::string shared;
  bool has_single = false;
  for (const bool single : {true, false})
    for (std::size_t i = 0; i < order.tasks.size(); ++i) {
      const resident_task& task = order.tasks[i];
      if (task.phase != phase || task.is_single() != single) continue;
      if (single) singles.add(i);
      else
        shared += fmt::format(
            "    share_blocks(p.loop.tasks[{}], {}, [&](std::uint32_t block) {{\n      {}    }});\n", i,
            has_single, block_call(task, steps, "block"));
      has_single |= single;
    }
  if (phase + 1 < order.n_phases) return singles.text() + shared + "    barrier.wait();\n";
  if (!order.tells_condition)
    return singles.text() + shared + "    barrier.wait();\n    go_on = *p.loop.condition;\n";
  singles.tell_condition();
  return "    bool vote = false;\n" + singles.text() + shared + "    go_on = barrier.wait_for(vote);\n";
}

void append(std::vector<char>& to, const void* bytes, std::size_t n, std::size_t alignment) {
  to.resize((to.size() + alignment - 1) / alignment * alignment);
  const auto* from = static_cast<const char*>(bytes);
  to.insert(to.end(), from, from + n);
}

}  // namespace

std::size_t team_bytes(const std::vector<resident_step>& steps) {
  std::size_t all = 16;
  for (const resident_step& step : steps) all += (step.team_bytes + 15) / 16 * 16;
  return all;
}

std::string resident_source(const std::vector<resident_step>& steps, const resident_schedule& order,
                            resident_barrier barrier, unsigned n_teams) {
  const char* wait = order.waits_after_condition ? "    barrier.wait();\n" : "";
  std::string definitions, members, phases;
  bool has_form[n_kernel_forms] = {};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    has_form[static_cast<int>(steps[i].form)] = true;
    definitions += steps[i].definition;
    members += fmt::format("  {} step_{};\n", steps[i].parameters, i);
  }
  std::string text = fmt::format("#define GPARRAY_TEAMS {}\n", n_teams);
  for (int form = 0; form < n_kernel_forms; ++form)
    if (has_form[form]) text += kernel_includes(static_cast<kernel_form>(form));
  for (int phase = 0; phase < order.n_phases; ++phase) phases += phase_text(steps, order, phase);
  if (!order.tells_condition) phases += wait;
  return fmt::format(R"({}#include "resident_points.cuh"
#include "resident_kernel.cuh"

namespace gparray::core::cuda {{
{}struct resident_parameters {{
  resident_params loop;
{}}};
__global__ void __launch_bounds__(n_teams* team_threads, 1)
    resident_loop(const __grid_constant__ resident_parameters p) {{
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
                     text, definitions, members, barrier == resident_barrier::cluster ? "cluster" : "grid",
                     wait, phases);
}

std::vector<char> resident_parameters(const std::vector<resident_step>& steps, const resident_params& loop) {
  std::vector<char> bytes;
  std::size_t alignment = alignof(resident_params);
  append(bytes, &loop, sizeof loop, alignment);
  for (const resident_step& step : steps) {
    append(bytes, step.bytes.data(), step.bytes.size(), step.alignment);
    alignment = std::max(alignment, step.alignment);
  }
  append(bytes, nullptr, 0, alignment);
  return bytes;
}

unsigned share_out(const resident_schedule& order, unsigned n_blocks, unsigned max_teams,
                   std::vector<char>& parameters) {
  resident_params loop;
  std::memcpy(&loop, parameters.data(), sizeof loop);
  unsigned most = 1;
  bool has_single = false;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    const resident_task& task = order.tasks[i];
    const auto teams =
        static_cast<unsigned>(std::min<std::int64_t>(ceil_div(task.n_blocks, n_blocks), max_teams));
    loop.tasks[i] = {static_cast<std::uint32_t>(task.n_blocks), teams};
    most = std::max(most, teams);
    has_single |= task.is_single();
  }
  std::memcpy(parameters.data(), &loop, sizeof loop);
  return std::clamp(most + has_single, min_resident_teams, max_teams);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
