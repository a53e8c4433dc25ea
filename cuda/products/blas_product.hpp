// Matrix products by cuBLAS.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The plan's product for the batches of a nest with operands c, a, b. k is not 0.
void run_blas(const matmul_plan& plan, const loop_nest& batches, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
