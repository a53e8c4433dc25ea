// In which order the steps of a resident loop run, and where all its threads have to wait.
#pragma once
#include "resident_trace.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// A step, or the merging of its partial states.
struct resident_task {
  std::size_t step;
  bool is_merge;
  std::int64_t n_blocks;
  std::vector<memory_range> accesses;
  /// All threads wait between phases. Within one, the tasks of one block run one after the other in their
  /// order, and beside the others, which have nothing to do with them or each other.
  int phase;

  bool is_single() const { return n_blocks == 1; }
  const resident_call& call(const std::vector<resident_step>& steps) const {
    return is_merge ? steps[step].merge : steps[step].work;
  }
  const memory_range& output() const { return accesses.back(); }  // of a call that stores one element
};

struct resident_schedule {
  std::vector<resident_task> tasks;
  int n_phases;
  /// The first phase writes the condition: it must not begin before all threads have read it.
  bool waits_after_condition;
  /// The team of single tasks knows at the end of the last phase what the condition is: no other then writes
  /// it.
  bool tells_condition;
};

resident_schedule schedule(const std::vector<resident_step>& steps, const void* condition);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
