// From the dimensions of one launch to those of its parameter block.
#pragma once
#include <cuda/device/index_params.hpp>
#include <cuda/device/loop_nest.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

template<int N>
operand_space<N> space_of(const loop_nest& nest) {
  operand_space<N> space;
  space.ndim = nest.ndim;
  for (int d = 0; d < nest.ndim; ++d) {
    space.shape[d] = fast_divisor(static_cast<std::uint32_t>(nest.shape[d]));
    for (int k = 0; k < N; ++k) space.strides[k][d] = nest.strides[k][d];
  }
  return space;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
