// What blocks of one launch use to hand values to each other. PTX, because CUDA C++ has no words for accesses
// of one order and scope; the plain forms are for g++, which compiles the kernels for tests without a GPU.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Written and read in one piece, visible to all blocks.
__device__ __forceinline__ void store_shared_word(std::uint64_t* to, std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
#else
  *to = word;
#endif
}
__device__ __forceinline__ std::uint64_t load_shared_word(const std::uint64_t* from) {
#if defined(__CUDA_ARCH__)
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(from) : "memory");
  return word;
#else
  return *from;
#endif
}
__device__ __forceinline__ void store_shared_word(std::uint32_t* to, std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
#else
  *to = word;
#endif
}
__device__ __forceinline__ std::uint32_t load_shared_word(const std::uint32_t* from) {
#if defined(__CUDA_ARCH__)
  std::uint32_t word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(from) : "memory");
  return word;
#else
  return *from;
#endif
}

/// The number of this block in the order in which blocks start. A block may wait for those of lower numbers,
/// which are running or done; what CUDA says of blockIdx does not promise that. The counter is zero before
/// and after every launch.
__device__ __forceinline__ std::uint32_t start_number(unsigned* counter) {
  __shared__ unsigned number;
  if (threadIdx.x == 0) number = atomicInc(counter, gridDim.x - 1);
  __syncthreads();
  return number;
}

/// For one thread of a block, after a barrier: true in the block that comes last of n_blocks. What all of
/// them read and wrote before comes before what it does then. The counter is zero before and after every
/// launch.
__device__ __forceinline__ bool arrives_last(unsigned* counter, unsigned n_blocks) {
#if defined(__CUDA_ARCH__)
  unsigned before;
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(before)
               : "l"(counter), "r"(n_blocks - 1)
               : "memory");
  return before == n_blocks - 1;
#else
  return atomicInc(counter, n_blocks - 1) == n_blocks - 1;
#endif
}
/// The same of all blocks of the launch.
__device__ __forceinline__ bool arrives_last(unsigned* counter) { return arrives_last(counter, gridDim.x); }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
