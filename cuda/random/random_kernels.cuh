// What the kernels that draw random numbers share.
#pragma once
#include <cuda/random/random_params.hpp>
#include <kernel/random_row.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

__device__ __forceinline__ std::int64_t random_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * random_threads + threadIdx.x;
}

__device__ __forceinline__ kernel::draw_context context_of(const random_params& p, std::int64_t element) {
  return {p.key, p.position + static_cast<std::uint64_t>(element), p.table, p.count};
}

/// The bits of the parameters of one element.
__device__ __forceinline__ void load_parameters(const random_params& p, std::int64_t element,
                                                unsigned long (&bits)[max_random_parameters]) {
#pragma unroll
  for (int k = 0; k < max_random_parameters; ++k)
    bits[k] = p.parameters[k].data ? p.parameters[k].data[element] : p.parameters[k].bits;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
