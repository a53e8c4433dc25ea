// How a kernel begins that is launched programmatically: before the one in front of it has ended
// (launch.hpp).
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// CUDA's cudaGridDependencySynchronize(). Returns when all work enqueued before on the stream is done and
/// what it wrote can be read. All threads call it before they touch memory, so that the end of a kernel
/// guarantees as much as it does without such launches.
__device__ __forceinline__ void wait_for_prior_grids() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
