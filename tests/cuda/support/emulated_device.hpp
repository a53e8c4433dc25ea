// What generated kernels are compiled with: standard headers first, which must not see the words of CUDA C++,
// then those words, then what runs a whole launch.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cuda/support/emulated_block.hpp"

namespace emulated {

/// A kernel whose threads have nothing to do with each other.
template<class Params>
void run_threads(void (*kernel)(Params), const void* params, unsigned n_blocks, unsigned n_threads) {
  gridDim.x = n_blocks;
  for (blockIdx.x = 0; blockIdx.x < n_blocks; ++blockIdx.x)
    for (threadIdx.x = 0; threadIdx.x < n_threads; ++threadIdx.x) kernel(*static_cast<const Params*>(params));
}

template<class Params>
void run_blocks(void (*kernel)(Params), const void* params, unsigned n_blocks, unsigned n_threads) {
  struct call {
    void (*kernel)(Params);
    const Params* params;
  };
  const call of_thread{kernel, static_cast<const Params*>(params)};
  const auto body = [](const void* c) {
    static_cast<const call*>(c)->kernel(*static_cast<const call*>(c)->params);
  };
  gridDim.x = n_blocks;
  for (blockIdx.x = 0; blockIdx.x < n_blocks; ++blockIdx.x) running.run(n_threads, false, body, &of_thread);
}

}  // namespace emulated
