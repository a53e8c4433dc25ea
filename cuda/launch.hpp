// Enqueues a kernel through the runtime table.
#pragma once
#include <core/backend.hpp>
#include <string_view>

#include "runtime.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

[[noreturn]] void throw_launch_error(std::string_view operation, cudaError_t code);

/// One-dimensional launch of a kernel that takes one parameter block. The device must be current. `operation`
/// names it in an error.
template<class Params>
void launch(std::string_view operation, const void* kernel, std::int64_t n_blocks, int n_threads,
            const Params& params, queue q) {
  void* arguments[] = {const_cast<Params*>(&params)};
  const cudaError_t code =
      runtime.cudaLaunchKernel(kernel, dim3(static_cast<unsigned>(n_blocks)),
                               dim3(static_cast<unsigned>(n_threads)), arguments, 0, stream_of(q.stream));
  if (code != cudaSuccess) [[unlikely]]
    throw_launch_error(operation, code);
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
