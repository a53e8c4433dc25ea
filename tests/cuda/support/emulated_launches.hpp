// A fake device that runs compiled kernels, thread by thread, wherever the backend launches them.
#pragma once
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <cuda/backend.hpp>

#include "cuda/support/emulated_kernels.hpp"
#include "cuda/support/fake_runtime.hpp"

namespace emulation {

using kernel_map = std::unordered_map<const void*, run_function>;

/// Builds the program, and finds its kernels by what the backend launches.
inline kernel_map built(program& from, const std::vector<std::pair<const void*, std::size_t>>& wanted) {
  from.build();
  kernel_map kernels;
  for (const auto& [kernel, number] : wanted) kernels[kernel] = from.kernel(number);
  return kernels;
}

/// Compile: a function that makes the map of kernels, at the first launch.
template<auto Compile>
struct launching_device {
  launching_device() {
    fake_cuda::model.on_launch = [](const fake_cuda::launch_record& r) {
      static const kernel_map kernels = Compile();
      kernels.at(r.kernel)(r.params, r.blocks, r.threads);
    };
  }

  fake_cuda::session session;
  gparray::core::cuda::cuda_backend_type gpu{1};
};

}  // namespace emulation
