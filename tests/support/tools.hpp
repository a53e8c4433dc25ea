// What a program does for compute-sanitizer's tools, when scripts/test_gpu asks for it by
// GPARRAY_TEST_TOOLS=1.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>

#include <gparray/device.hpp>
#include <gparray/memory.hpp>

namespace tools {

inline bool wanted() { return std::getenv("GPARRAY_TEST_TOOLS") != nullptr; }

/// Each array takes its memory from the driver: in the pool's larger blocks the tools see neither where an
/// array ends nor that it was given back.
inline void begin(gparray::device gpu) {
  if (!wanted() || gpu == gparray::device::cpu()) return;
  gparray::set_allocator(gparray::memory_space::device, gpu,
                         std::make_shared<gparray::cuda_async_allocator>(gpu));
}

/// Ends the process with `status`; before that the GPU's context, for which memcheck waits with its search
/// for leaks.
[[noreturn]] inline void end(gparray::device gpu, int status) {
  std::fflush(nullptr);
  if (wanted() && gpu != gparray::device::cpu()) {
    gparray::default_memory_pool(gparray::memory_space::device, gpu).free_all_blocks();
    void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const auto reset =
        driver ? reinterpret_cast<int (*)(int)>(dlsym(driver, "cuDevicePrimaryCtxReset_v2")) : nullptr;
    if (!reset || reset(gpu.index()) != 0) status = 1;
    std::_Exit(status);
  }
  std::exit(status);
}

}  // namespace tools
