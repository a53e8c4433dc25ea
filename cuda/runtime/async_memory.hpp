// The driver's own stream-ordered memory pool.
#pragma once
#include <plan/backend.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Memory for work on q, whose device is current. Throws out_of_memory, cuda_error.
void* allocate_async(std::size_t bytes, queue q);
void free_async(void* pointer, queue q) noexcept;

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
