// Which threads do the work of one block: the threads of a launched block; or, in the kernel of a persistent
// loop, a team of as many threads, of which a block has GPARRAY_TEAMS and which does one block's work after
// the other's. Bodies of kernels use these words, and the block's number that they are given, in place of
// CUDA's own.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

#if defined(GPARRAY_TEAMS)
#define GPARRAY_SYNC_BLOCK() __barrier_sync_count(1 + gparray::core::cuda::team_number(), 256)
#else
#define GPARRAY_SYNC_BLOCK() __syncthreads()
#endif

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

#if defined(GPARRAY_TEAMS)
inline constexpr int n_teams = GPARRAY_TEAMS;
__device__ __forceinline__ std::uint32_t thread_number() { return threadIdx.x % 256; }
__device__ __forceinline__ std::uint32_t team_number() { return threadIdx.x / 256; }
#else
inline constexpr int n_teams = 1;
__device__ __forceinline__ std::uint32_t thread_number() { return threadIdx.x; }
__device__ __forceinline__ std::uint32_t team_number() { return 0; }
#endif
/// Launches have an order, so what blocks share is merged by the last one; teams have barriers.
inline constexpr bool is_persistent = n_teams > 1;

/// Which block's work this one does, of a kernel that goes forwards or backwards.
template<class Params>
__device__ __forceinline__ std::uint32_t block_in_order(const Params& p) {
  return p.backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
