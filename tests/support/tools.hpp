// What a program does for compute-sanitizer's tools, when scripts/test_gpu asks for it by
// GPARRAY_TEST_TOOLS=1.
#pragma once
#include <cstdlib>
#include <memory>

#include <gparray/device.hpp>
#include <gparray/error.hpp>
#include <gparray/memory.hpp>

namespace tools {

inline bool wanted() { return std::getenv("GPARRAY_TEST_TOOLS") != nullptr; }

/// Each array takes its memory from the driver: in the pool's larger blocks the tools see neither where an
/// array ends nor that it was given back.
inline void begin(gparray::device gpu) {
  if (!wanted() || gpu.is_cpu()) return;
  const auto source = std::make_shared<gparray::cuda_async_allocator>(gpu);
  try {
    source->deallocate(source->allocate(1, nullptr), 1, nullptr);
  } catch (const gparray::device_error&) {
    return;  // a fake of CUDA
  }
  gparray::set_allocator(gparray::memory_space::device, gpu, source);
}

/// At the end of the process: what the pool keeps is no leak, for which memcheck looks then.
inline void end(gparray::device gpu) {
  if (wanted() && !gpu.is_cpu())
    gparray::default_memory_pool(gparray::memory_space::device, gpu).free_all_blocks();
}

}  // namespace tools
