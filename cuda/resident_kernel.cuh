// What the generated kernel of a resident loop is made of. All of its blocks run at once and have a barrier:
// they are one cluster, or a cooperative launch. Each block is several teams of threads, and each team does
// the work of one block of a launch after the other.
#pragma once
#include "block_place.cuh"
#include "resident_params.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

// Barriers: all threads of all blocks take part, and what they wrote before is what all of them read after.
// Loads of the kernels are plain ones, never through the read-only cache.

/// Of a cluster. Release and acquire at its scope order accesses to global memory too. One warp's fence is
/// enough for what the whole block has written, and quicker than one of each.
__device__ __forceinline__ void sync_cluster() {
  __syncthreads();
#if defined(__CUDA_ARCH__)
  if (threadIdx.x < 32) asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  else asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
}

__device__ __forceinline__ unsigned add_arrival(unsigned* arrived, unsigned number) {
#if defined(__CUDA_ARCH__)
  unsigned before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(arrived), "r"(number)
               : "memory");
  return before;
#else
  return atomicAdd(arrived, number);
#endif
}
__device__ __forceinline__ unsigned read_arrivals(const unsigned* arrived) {
#if defined(__CUDA_ARCH__)
  unsigned now;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(now) : "l"(arrived) : "memory");
  return now;
#else
  return *arrived;
#endif
}

/// Of a cooperative launch, as cooperative groups do it: what all blocks add is 2^31, so that the highest bit
/// changes when the last has come and the others are zero again. The barriers of a block pass on what its
/// first thread's accesses order.
__device__ __forceinline__ void sync_grid(unsigned* arrived) {
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned before = add_arrival(arrived, blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u);
    while (((before ^ read_arrivals(arrived)) & 0x80000000u) == 0) {
    }
  }
  __syncthreads();
}

__device__ __forceinline__ std::uint32_t teams_of_block() { return blockDim.x / team_threads; }

/// The team that does, one after the other, what is one block's work and depends on each other: no barrier of
/// all teams lies between.
__device__ __forceinline__ bool is_last_team() {
  return blockIdx.x == gridDim.x - 1 && team_number() == teams_of_block() - 1;
}

/// do_block(number) for the blocks of a task, shared out among the teams: without the last one if that has
/// work of its own. Neighbours, which often read the same, are on the same multiprocessor.
template<class DoBlock>
__device__ __forceinline__ void share_blocks(shared_task task, bool without_last, DoBlock do_block) {
  const std::uint32_t first = blockIdx.x * task.n_teams + team_number();
  const std::uint32_t n = gridDim.x * task.n_teams - (without_last && task.n_teams == teams_of_block());
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
