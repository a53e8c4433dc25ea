// How a matrix product is carried out on a GPU.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// cuBLAS for floating and complex dtypes (halves accumulate in float32, TF32 only if tf32_allowed()), a
/// kernel of our own for integers and bools. Throws library_error if cuBLAS is missing.
void run_matmul(const matmul_plan& plan, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
