// How a matrix product is carried out on a GPU.
#pragma once
#include <plan/backend.hpp>
#include <plan/epilogue.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// cuBLAS for floating and complex dtypes (halves accumulate in float32; float32_matmul_precision()), a
/// kernel of our own for integers and bools. Throws library_error if cuBLAS is missing.
void run_matmul(const matmul_plan& plan, queue q, memory_pool& pool);
/// With other results: by cuBLAS if they are only of another dtype, else by cuBLASLt. False, and nothing
/// done, where they have no routine for it. Throws library_error if they are missing.
bool run_matmul(const matmul_plan& plan, const epilogue& after, queue q, memory_pool& pool);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
