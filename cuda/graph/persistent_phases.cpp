#include <algorithm>
#include <span>

#include <cuda/graph/persistent_phases.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

// Offsets within what is computed in parts are counted in 31 bits.
constexpr std::int64_t max_part_bytes = std::int64_t{1} << 30;

bool conflict(const memory_range& a, const persistent_task& b) {
  return std::ranges::any_of(b.accesses, [&](const memory_range& of_b) { return a.conflicts(of_b); });
}
bool conflict(const persistent_task& a, const persistent_task& b) {
  return std::ranges::any_of(a.accesses, [&](const memory_range& of_a) { return conflict(of_a, b); });
}

std::vector<persistent_task> tasks_of(const std::vector<persistent_step>& steps) {
  std::vector<persistent_task> tasks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const persistent_step& step = steps[i];
    persistent_task task{i, false, step.n_blocks, step.accesses, 0, {}, false};
    if (step.merge.function.empty()) {
      tasks.push_back(std::move(task));
      continue;
    }
    // Only the merging writes the outputs, and reads nothing but the partial states.
    const auto outputs = task.accesses.end() - static_cast<std::ptrdiff_t>(step.n_outputs);
    const memory_range loaded{step.partials.begin, step.partials.end, false};
    persistent_task merge{i, true, step.n_merges, {loaded}, 0, {}, false};
    merge.accesses.insert(merge.accesses.end(), outputs, task.accesses.end());
    task.accesses.erase(outputs, task.accesses.end());
    task.accesses.push_back(step.partials);
    tasks.push_back(std::move(task));
    tasks.push_back(std::move(merge));
  }
  return tasks;
}

/// The first phase after everything that the task depends on: what it reads is written, and what it
/// overwrites is read. `without`: a task to ignore.
int phase_of(const persistent_task& task, std::span<const persistent_task> before,
             const persistent_task* without = nullptr) {
  int phase = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (&before[i] != without && conflict(task, before[i])) {
      const bool in_order = task.is_single() && before[i].is_single();
      phase = std::max(phase, before[i].phase + !in_order);
    }
  return phase;
}

/// Whether the blocks of a reduction can compute the map, each the part of its output that it reads: all of
/// the output must be read, in the same parts by every operand, and the two tasks must have no other
/// conflict.
bool can_be_in_parts(const persistent_task& map, const persistent_step& map_step,
                     const persistent_task& reader, const persistent_step& step) {
  if (map.is_single() || map.is_in_parts || map_step.row_bytes == 0 || reader.is_single() ||
      reader.is_merge || step.parts.empty())
    return false;
  const memory_range& out = map.output();
  for (const memory_range& range : reader.accesses) {
    if (!conflict(range, map)) continue;
    const auto part = std::ranges::find(step.parts, range.begin, &parted_operand::begin);
    if (range.is_written || part == step.parts.end() || part->begin != step.parts.front().begin) return false;
    const auto item = static_cast<std::ptrdiff_t>(itemsize(range.type));
    if (range.type != out.type || out.begin < range.begin || out.end > range.end ||
        (out.begin - range.begin) % item != 0 || range.end - range.begin + part->bytes > max_part_bytes)
      return false;
  }
  return true;
}

/// Moves the task to the phase of a map that it needs, if its blocks can compute that map.
void take_map(persistent_task& task, std::span<persistent_task> before,
              const std::vector<persistent_step>& steps) {
  for (persistent_task& map : before)
    if (map.phase + 1 == task.phase && conflict(task, map) &&
        can_be_in_parts(map, steps[map.step], task, steps[task.step]) &&
        phase_of(task, before, &map) <= map.phase) {
      map.is_in_parts = true;
      task.map = static_cast<std::size_t>(&map - before.data());
      task.phase = map.phase;
      return;
    }
}

/// Whether all blocks may compute the single tasks of the last phase: what a block stores is loaded by none,
/// except from registers, and no block that is ahead, in the next iteration's first phase, changes what
/// others still load. The states of reductions are loaded before a block arrives at the barrier.
bool can_all_blocks_know_condition(const persistent_schedule& order,
                                   const std::vector<persistent_step>& steps, const memory_range& condition) {
  if (!order.last_team_knows_condition || order.n_phases < 2) return false;
  std::vector<const persistent_task*> singles, first;
  for (const persistent_task& task : order.tasks) {
    if (task.phase == 0) first.push_back(&task);
    if (!order.is_last(task) || !task.is_single()) continue;
    if (task.call(steps).scope != persistent_scope::point ||
        (task.is_merge && steps[task.step].states.empty()))
      return false;
    singles.push_back(&task);
  }
  const auto of_others = [&](const memory_range& range) {
    return std::ranges::any_of(first, [&](const auto* task) { return conflict(range, *task); });
  };
  const auto is_stored = [&](const memory_range& range) {
    return std::ranges::any_of(singles, [&](const auto* task) { return range.conflicts(task->output()); });
  };
  known_outputs known(order.tasks);
  const auto can_load = [&](const memory_range& range) {
    return known.has(range) || (!is_stored(range) && !of_others(range));
  };
  for (const persistent_task* task : singles) {
    if (of_others(task->output())) return false;
    if (!task->is_merge && !std::all_of(task->accesses.begin(), task->accesses.end() - 1, can_load))
      return false;
    known.forget(task->output());
    known.add(static_cast<std::size_t>(task - order.tasks.data()));
  }
  return can_load(condition);
}

}  // namespace

void known_outputs::forget(const memory_range& written) {
  std::erase_if(numbers_, [&](std::size_t number) { return written.conflicts(tasks_[number].output()); });
}

bool known_outputs::has(const memory_range& read) const {
  return std::ranges::any_of(numbers_, [&](std::size_t number) {
    const memory_range& stored = tasks_[number].output();
    return read.begin == stored.begin && read.end == stored.end && read.type == stored.type;
  });
}

persistent_schedule schedule(const std::vector<persistent_step>& steps, const void* condition) {
  persistent_schedule result{tasks_of(steps), 0, false, true, false};
  for (std::size_t i = 0; i < result.tasks.size(); ++i) {
    const auto before = std::span(result.tasks).first(i);
    persistent_task& task = result.tasks[i];
    task.phase = phase_of(task, before);
    take_map(task, before, steps);
    result.n_phases = std::max(result.n_phases, task.phase + 1);
  }
  const auto* byte = static_cast<const char*>(condition);
  const memory_range loaded{byte, byte + 1, false, dtype::bool_};
  for (const persistent_task& task : result.tasks)
    for (const memory_range& range : task.accesses)
      if (range.conflicts(loaded)) {
        result.waits_after_condition |= task.phase == 0;
        result.last_team_knows_condition &= task.is_single() || !result.is_last(task);
      }
  result.all_blocks_know_condition = can_all_blocks_know_condition(result, steps, loaded);
  return result;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
