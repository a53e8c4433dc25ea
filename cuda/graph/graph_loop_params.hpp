// What the kernel behind a loop's condition is given.
#pragma once
#include <cstdint>
#include <cuda_runtime_api.h>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

struct loop_params {
  cudaGraphConditionalHandle handle;
  const bool* condition;
  std::int64_t* count;
  std::int64_t most;
  bool first;  // in front of the loop, not at the end of its body
};

/// One thread: counts iterations, and sets the condition of the loop.
const void* find_loop_kernel();

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
