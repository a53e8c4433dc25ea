// What the kernel of a resident loop is given beside the parameters of its steps.
#pragma once
#include <cstdint>
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Threads of a team: of the blocks of all kernels that a loop may hold.
inline constexpr int team_threads = 256;
inline constexpr int max_resident_tasks = 32;

struct resident_params {
  const bool* condition;
  std::int64_t* count;  // set to the number of runs
  std::int64_t most;
  std::uint32_t n_blocks[max_resident_tasks];  // that a launch of the task would have
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
