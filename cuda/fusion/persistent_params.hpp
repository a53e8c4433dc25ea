// What the kernel of a persistent loop is given beside the parameters of its steps.
#pragma once
#include <cstdint>

#include <cuda/device/division.hpp>
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Threads of a team: of the blocks of all kernels that a loop may hold.
inline constexpr int team_threads = 256;
inline constexpr int max_persistent_tasks = 32;

/// What all teams share: the blocks that a launch would have. Where there are fewer of them than teams, only
/// the first n_teams teams of every multiprocessor take part, so that all of these have the same to do.
struct shared_task {
  std::uint32_t n_blocks, n_teams;
};

/// Which part of a map's output each block of a reduction reads, and so computes itself: `bytes` for each
/// block, from `begin` on.
struct map_parts {
  const char* begin;
  std::uint32_t bytes;
  fast_divisor row;  // bytes from one row of the output to the next
};

struct persistent_params {
  const bool* condition;
  std::int64_t* count;  // set to the number of runs
  std::uint64_t* word;  // of a grid: its barrier, zero before the first launch
  std::int64_t most;
  shared_task tasks[max_persistent_tasks];
};

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
