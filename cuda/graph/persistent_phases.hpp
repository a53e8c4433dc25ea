// In which order the steps of a persistent loop run, and where all its threads have to wait.
#pragma once
#include <optional>

#include <cuda/fusion/persistent_trace.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A step, or the merging of its partial states.
struct persistent_task {
  std::size_t step;
  bool is_merge;
  std::int64_t n_blocks;
  std::vector<memory_range> accesses;
  /// All threads wait between phases. Within one, tasks of one block run one after the other in their order,
  /// and at the same time as the other tasks, which are independent of them and of each other.
  int phase;
  /// Of a reduction: the task of a map whose output it reads, which its blocks compute part by part before
  /// they read it. Only the threads of one block have to wait then.
  std::optional<std::size_t> map;
  bool is_in_parts;  // this is such a map

  bool is_single() const { return n_blocks == 1; }
  const persistent_call& call(const std::vector<persistent_step>& steps) const {
    return is_merge ? steps[step].merge : steps[step].work;
  }
  const memory_range& output() const { return accesses.back(); }  // of a call that stores one element
};

struct persistent_schedule {
  std::vector<persistent_task> tasks;
  int n_phases;
  /// The first phase writes the condition: it must not begin before all threads have read it.
  bool waits_after_condition;
  /// The team of single tasks knows the condition at the end of the last phase, since no other team writes it
  /// there.
  bool last_team_knows_condition;
  /// The single tasks of the last phase are points that all blocks compute while they wait for each other, so
  /// that none waits for the result of another.
  bool all_blocks_know_condition;

  bool is_last(const persistent_task& task) const { return task.phase + 1 == n_phases; }
};

/// The tasks whose outputs are known, one element each, as they are stored one after the other.
class known_outputs {
 public:
  explicit known_outputs(const std::vector<persistent_task>& tasks) : tasks_(tasks) {}
  const std::vector<std::size_t>& numbers() const { return numbers_; }
  void add(std::size_t number) { numbers_.push_back(number); }
  void forget(const memory_range& written);
  void keep(std::size_t n) { numbers_.resize(std::min(numbers_.size(), n)); }
  /// Whether a register holds what a load from there would return.
  bool has(const memory_range& read) const;

 private:
  const std::vector<persistent_task>& tasks_;
  std::vector<std::size_t> numbers_;
};

persistent_schedule schedule(const std::vector<persistent_step>& steps, const void* condition);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
