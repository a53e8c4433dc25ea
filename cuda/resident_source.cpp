#include "resident_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "jit_source.hpp"
#include "launch.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// The call that does the work of one block, whose number is `block`.
std::string call_of(const resident_task& task, const std::vector<resident_step>& steps, const char* block) {
  const resident_step& step = steps[task.step];
  return fmt::format("{}({}(p.step_{}), {});", task.is_merge ? step.merge_call : step.block_call, step.fixed,
                     task.step, block);
}

std::string phase_text(const std::vector<resident_step>& steps, const resident_schedule& order, int phase,
                       const char* barrier) {
  std::string singles, shared;
  for (const resident_task& task : order.tasks)
    if (task.phase == phase && task.is_single())
      singles += fmt::format("{}      {}\n", singles.empty() ? "" : "      GPARRAY_SYNC_BLOCK();\n",
                             call_of(task, steps, "0"));
  for (std::size_t i = 0; i < order.tasks.size(); ++i)
    if (order.tasks[i].phase == phase && !order.tasks[i].is_single())
      shared += fmt::format(
          "    share_blocks(p.loop.tasks[{}], {}, [&](std::uint32_t block) {{\n      {}\n    }});\n", i,
          !singles.empty(), call_of(order.tasks[i], steps, "block"));
  if (!singles.empty()) singles = "    if (is_last_team()) {\n" + singles + "    }\n";
  return singles + shared + barrier;
}

void append(std::vector<char>& to, const void* bytes, std::size_t n, std::size_t alignment) {
  to.resize((to.size() + alignment - 1) / alignment * alignment);
  const auto* from = static_cast<const char*>(bytes);
  to.insert(to.end(), from, from + n);
}

}  // namespace

std::string resident_source(const std::vector<resident_step>& steps, const resident_schedule& order,
                            resident_barrier barrier) {
  const char* wait =
      barrier == resident_barrier::cluster ? "    sync_cluster();\n" : "    sync_grid(p.loop.arrived);\n";
  std::string definitions, members, phases;
  bool has_form[n_kernel_forms] = {};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    has_form[static_cast<int>(steps[i].form)] = true;
    definitions += steps[i].definition;
    members += fmt::format("  {} step_{};\n", steps[i].parameters, i);
  }
  std::string text = fmt::format("#define GPARRAY_TEAMS {}\n", resident_teams);
  for (int form = 0; form < n_kernel_forms; ++form)
    if (has_form[form]) text += kernel_includes(static_cast<kernel_form>(form));
  for (int phase = 0; phase < order.n_phases; ++phase) phases += phase_text(steps, order, phase, wait);
  return fmt::format(R"({}#include "resident_kernel.cuh"

namespace gparray::core::cuda {{
{}struct resident_parameters {{
  resident_params loop;
{}}};
__global__ void __launch_bounds__(n_teams* team_threads, 1)
    resident_loop(const __grid_constant__ resident_parameters p) {{
  std::int64_t count = 0;
  for (; count < p.loop.most && *p.loop.condition; ++count) {{
{}{}  }}
  if (blockIdx.x == 0 && threadIdx.x == 0) *p.loop.count = count;
}}
}}  // namespace gparray::core::cuda
)",
                     text, definitions, members, order.waits_after_condition ? wait : "", phases);
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

unsigned share_out(const resident_schedule& order, unsigned n_blocks, std::vector<char>& parameters) {
  resident_params loop;
  std::memcpy(&loop, parameters.data(), sizeof loop);
  unsigned most = 1;
  bool has_single = false;
  for (std::size_t i = 0; i < order.tasks.size(); ++i) {
    const resident_task& task = order.tasks[i];
    const auto teams =
        static_cast<unsigned>(std::min<std::int64_t>(ceil_div(task.n_blocks, n_blocks), resident_teams));
    loop.tasks[i] = {static_cast<std::uint32_t>(task.n_blocks), teams};
    most = std::max(most, teams);
    has_single |= task.is_single();
  }
  std::memcpy(parameters.data(), &loop, sizeof loop);
  return std::min(most + has_single, resident_teams);
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE