// Products of small matrices, for which cuBLAS takes longer to begin than they take.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Whether run_tiny_product() is faster than cuBLAS: few operations for each element, or few in all. Operands
/// c, a and b of the nest. k is not 0.
bool is_tiny_product(const matmul_plan& plan, const loop_nest& batches);
void run_tiny_product(const matmul_plan& plan, const loop_nest& batches, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
