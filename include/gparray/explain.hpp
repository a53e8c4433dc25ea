// How a GPU carries out expressions: fused kernels, and the tier below them.
#pragma once
#include <gparray/config.hpp>

#include <cstdint>

GPARRAY_BEGIN_NAMESPACE

/// When a GPU runs an expression of several operations as one generated kernel. The results are the same to
/// the last bit. What no kernel can be generated for always runs step by step.
enum class jit : std::uint8_t {
  async,  ///< the first time step by step, while a background thread compiles the kernel; fused from then on
  sync,   ///< the first time waits for the compiler
  off     ///< always step by step
};

/// Begins as the environment variable GPARRAY_JIT says: async, sync or off. Without it off, until fused
/// kernels have passed the whole suite on a GPU (docs/gpu-testing.md). Never throws; safe from several
/// threads.
GPARRAY_API jit jit_mode() noexcept;
/// For all threads, from their next expression on. Kernels that are ready stay.
GPARRAY_API void set_jit_mode(jit mode) noexcept;

/// Returns when the background thread has nothing left to compile; for benchmarks and tests. Does not wait
/// for the GPU.
GPARRAY_API void wait_for_kernels();

GPARRAY_END_NAMESPACE
