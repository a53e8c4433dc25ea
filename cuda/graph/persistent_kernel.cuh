// The building blocks of the generated kernel of a persistent loop. All of its blocks run at once and have a
// barrier: they are one cluster, or a cooperative launch. Each block is several teams of threads, and each
// team does the work of one block of a launch after the other.
#pragma once
#include <cuda/device/block_index.cuh>
#include <cuda/fusion/persistent_params.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The team that runs tasks of one block each that depend on each other, one after the other, so that they
/// need no barrier of all teams.
__device__ __forceinline__ bool is_last_team() {
  return blockIdx.x == gridDim.x - 1 && team_number() == n_teams - 1;
}

/// The first thread of a block's last team, which synchronises with other blocks: in the last block it is the
/// first to know whether the loop continues.
__device__ __forceinline__ bool is_leader_thread() { return threadIdx.x == (n_teams - 1) * team_threads; }

// Barriers: all threads of all blocks take part, and what they wrote before is what all of them read after.
// Loads of the kernels are plain ones, never through the read-only cache. wait_and_broadcast(value) returns
// to all threads the value of the last block's leader thread, which spares a load after the barrier.
// compute_and_wait(compute) returns to each block what its own first thread gets from compute(), which the
// first warp calls while the block waits.

template<class Compute>
__device__ __forceinline__ bool result_of_first_warp(Compute compute) {
  if (threadIdx.x >= 32) return false;
  const bool result = compute();
  return threadIdx.x == 0 && result;
}

/// Of a cluster. Release and acquire at its scope order accesses to global memory too. One warp's fence is
/// enough for what the whole block has written, and quicker than one of each.
struct cluster_barrier {
  unsigned turn = 0;

  /// The blocks write each other's shared memory: all must have begun.
  __device__ __forceinline__ explicit cluster_barrier(const persistent_params&) { wait(); }

  __device__ __forceinline__ void end() {}
  __device__ __forceinline__ void wait() {
    arrive();
    await_others();
  }

  template<class Compute>
  __device__ __forceinline__ bool compute_and_wait(Compute compute) {
    arrive();
    const bool result = result_of_first_warp(compute);
    await_others();
    return __syncthreads_or(static_cast<int>(result)) != 0;
  }

  __device__ __forceinline__ bool wait_and_broadcast(bool value) {
    // Two in turn: a block may still read one when the last block, an iteration ahead, writes the other.
    __shared__ unsigned values[2];
    turn ^= 1;
#if defined(__CUDA_ARCH__)
    if (is_last_team() && thread_number() < 32) {
      const unsigned sent = __shfl_sync(0xffffffffu, unsigned{value}, 0);
      if (thread_number() < gridDim.x)
        asm volatile(
            "{\n.reg .u32 there;\nmapa.shared::cluster.u32 there, %0, %1;\n"
            "st.shared::cluster.u32 [there], %2;\n}" ::"r"(
                static_cast<unsigned>(__cvta_generic_to_shared(&values[turn]))),
            "r"(thread_number()), "r"(sent)
            : "memory");
    }
#else
    if (is_leader_thread()) values[turn] = value;
#endif
    wait();
    return *const_cast<volatile unsigned*>(&values[turn]) != 0;
  }

 private:
  __device__ __forceinline__ void arrive() {
    __syncthreads();
#if defined(__CUDA_ARCH__)
    if (threadIdx.x < 32) asm volatile("barrier.cluster.arrive.release;" ::: "memory");
    else asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
#endif
  }
  __device__ __forceinline__ void await_others() {
#if defined(__CUDA_ARCH__)
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
#endif
  }
};

/// Of a cooperative launch, as cooperative groups do it. The word that all blocks add to:
///
///   bit 63      flips when the last block has arrived: all blocks together add 2^63
///   bits 32-62  blocks that have arrived; zero again when all have
///   bits 0, 1   the values of wait_and_broadcast, in turn
///
/// The block's own barriers extend the order of its leader thread's accesses to all its threads.
struct grid_barrier {
  std::uint64_t* word;
  std::uint64_t last = 0;  // the leader thread's: what it read at the last barrier
  unsigned turn = 0;

  __device__ __forceinline__ explicit grid_barrier(const persistent_params& p) : word(p.word) {}

  __device__ __forceinline__ void wait() {
    __syncthreads();
    if (is_leader_thread()) arrive_and_wait(0);
    __syncthreads();
  }

  __device__ __forceinline__ bool wait_and_broadcast(bool value) {
    turn ^= 1;
    __syncthreads();
    // Unsigned arithmetic: a difference of -1 clears the bit in the sum.
    if (is_leader_thread())
      arrive_and_wait(is_last_team() ? ((std::uint64_t{value} - (last >> turn & 1)) << turn) : 0);
    return __syncthreads_or(static_cast<int>(last >> turn & 1)) != 0;
  }

  template<class Compute>
  __device__ __forceinline__ bool compute_and_wait(Compute compute) {
    __syncthreads();
    if (is_leader_thread()) arrive_and_wait(0);
    return __syncthreads_or(static_cast<int>(result_of_first_warp(compute))) != 0;
  }

  /// Leaves the word zero, as it was. Others may have arrived again when a leader thread reads, but not
  /// twice: the highest bit is the same for all.
  __device__ __forceinline__ void end() {
    if (!is_leader_thread()) return;
    if (last >> 63 == 0) arrive_and_wait(0);
    arrive_and_wait(is_last_team() ? -(last & 3) : 0);
  }

 private:
  /// An addition without a result, so that the read need not wait for one.
  __device__ __forceinline__ void arrive_and_wait(std::uint64_t change_of_value) {
    const std::uint64_t number = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1u;
    const std::uint64_t added = (number << 32) + change_of_value;
    std::uint64_t now;
#if defined(__CUDA_ARCH__)
    asm volatile("red.release.gpu.global.add.u64 [%0], %1;" ::"l"(word), "l"(added) : "memory");
    do asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(now) : "l"(word) : "memory");
#else
    *word += added;
    do now = *word;
#endif
    while ((now ^ last) >> 63 == 0);
    last = now;
  }
};

/// do_block(number) for the blocks of a task, shared out among the teams: without the last one if that has
/// work of its own. Neighbouring blocks, which often read the same memory, run on the same multiprocessor.
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
