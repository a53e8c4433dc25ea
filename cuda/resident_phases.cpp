#include "resident_phases.hpp"

#include <algorithm>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

bool conflict(const resident_task& a, const resident_task& b) {
  for (const memory_range& of_a : a.accesses)
    for (const memory_range& of_b : b.accesses)
      if (of_a.conflicts(of_b)) return true;
  return false;
}

std::vector<resident_task> tasks_of(const std::vector<resident_step>& steps) {
  std::vector<resident_task> tasks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const resident_step& step = steps[i];
    resident_task task{i, false, step.n_blocks, step.accesses, 0};
    if (step.merge.function.empty()) {
      tasks.push_back(std::move(task));
      continue;
    }
    // Only the merging writes the outputs, and reads nothing but the partial states.
    const auto outputs = task.accesses.end() - static_cast<std::ptrdiff_t>(step.n_outputs);
    resident_task merge{i, true, step.n_merges, {step.partials}, 0};
    merge.accesses.insert(merge.accesses.end(), outputs, task.accesses.end());
    task.accesses.erase(outputs, task.accesses.end());
    task.accesses.push_back(step.partials);
    tasks.push_back(std::move(task));
    tasks.push_back(std::move(merge));
  }
  return tasks;
}

/// The first phase in which everything is done that the task needs, or that must not see what it writes.
int phase_of(const resident_task& task, const resident_task* before, std::size_t n_before) {
  int phase = 0;
  for (std::size_t i = 0; i < n_before; ++i)
    if (conflict(task, before[i])) {
      const bool in_order = task.is_single() && before[i].is_single();
      phase = std::max(phase, before[i].phase + !in_order);
    }
  return phase;
}

}  // namespace

resident_schedule schedule(const std::vector<resident_step>& steps, const void* condition) {
  resident_schedule result{tasks_of(steps), 0, false, true};
  for (std::size_t i = 0; i < result.tasks.size(); ++i) {
    result.tasks[i].phase = phase_of(result.tasks[i], result.tasks.data(), i);
    result.n_phases = std::max(result.n_phases, result.tasks[i].phase + 1);
  }
  const auto* byte = static_cast<const char*>(condition);
  for (const resident_task& task : result.tasks)
    for (const memory_range& range : task.accesses)
      if (range.conflicts({byte, byte + 1, false})) {
        result.waits_after_condition |= task.phase == 0;
        result.tells_condition &= task.is_single() || task.phase + 1 < result.n_phases;
      }
  return result;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
