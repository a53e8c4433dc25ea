// Matrix products by cuBLAS.
#pragma once
#include <cuda/device/loop_nest.hpp>
#include <plan/backend.hpp>
#include <plan/epilogue.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// The plan's product for the batches of a nest with operands c, a, b. k is not 0. c has the dtype `result`:
/// that of the plan, or float32 for products of halves.
void run_blas(const matmul_plan& plan, dtype result, const loop_nest& batches, queue q, memory_pool& pool);

/// With a bias or a function, by cuBLASLt. False, and nothing done, if it has no such epilogue of the
/// accuracy of our own functions, if there are several batch axes, or if no algorithm takes the operands.
bool run_blas_epilogue(const matmul_plan& plan, const epilogue& after, const loop_nest& batches, queue q,
                       memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
