// What the generated kernel of a resident loop is made of. It is one cluster of blocks, so that all of them
// run at once and have a barrier; each block is several teams of threads, and each team does the work of one
// block of a launch after the other.
#pragma once
#include "block_place.cuh"
#include "resident_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// All threads of all blocks take part. What they wrote before is what all of them read after: release and
/// acquire at the scope of the cluster order accesses to global memory too, and loads of the kernels are
/// plain ones, never through the read-only cache.
__device__ __forceinline__ void sync_loop() {
#if defined(__CUDA_ARCH__)
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
#else
  __syncthreads();
#endif
}

/// The team that does, one after the other, what is one block's work and depends on each other: no barrier of
/// all teams lies between.
__device__ __forceinline__ bool is_last_team() {
  return blockIdx.x == gridDim.x - 1 && team_number() == n_teams - 1;
}

/// do_block(number) for the blocks of a task, shared out among the teams: without the last one if that has
/// work of its own. Neighbours, which often read the same, are on the same multiprocessor.
template<class DoBlock>
__device__ __forceinline__ void share_blocks(shared_task task, bool without_last, DoBlock do_block) {
  const std::uint32_t first = blockIdx.x * task.n_teams + team_number();
  const std::uint32_t n = gridDim.x * task.n_teams - (without_last && task.n_teams == n_teams);
  if (team_number() >= task.n_teams || first >= n) return;
#pragma unroll 1
  for (std::uint32_t block = first; block < task.n_blocks; block += n) do_block(block);
}

/// The parameters of a vector map with what is known of them when the kernel is compiled: a third of the
/// instructions of a thread that handles a few elements is finding its row.
template<int NOuter, bool OneTile, class Params>
__device__ __forceinline__ Params fixed_rows(const Params& p) {
  Params fixed = p;
  fixed.n_outer = NOuter;
  fixed.rows_per_thread = 1;
  if (OneTile) {
    fixed.tiles.divisor = fixed.tiles.multiplier = 1;
    fixed.tiles.shift = 0;
  }
  return fixed;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
