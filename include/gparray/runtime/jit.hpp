// Run-time compilation: when it happens, and what it and its caches have done in this process.
//
// Kernels compiled at run time are kept in memory, and on disk for the next process: in $GPARRAY_CACHE_DIR,
// or $XDG_CACHE_HOME/gparray, or ~/.cache/gparray. The folder is the user's alone (mode 0700), may be shared
// by any number of processes, and is kept within $GPARRAY_CACHE_LIMIT bytes (256 MiB; 0: nothing is kept on
// disk) by removing what was not used for longest. An entry that is damaged, or was made from anything else
// than what is asked for, is compiled again.
#pragma once
#include <cstdint>
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// When a GPU runs an expression of several operations as one generated kernel. The results are the same to
/// the last bit. What no kernel can be generated for always runs step by step.
enum class jit : std::uint8_t {
  async,  ///< the first time step by step, while a background thread compiles the kernel; fused from then on.
          ///< What is recorded into a graph waits for the compiler: it will run many times.
  sync,   ///< the first time waits for the compiler
  off     ///< always step by step
};

/// When expressions are compiled. Begins as the environment variable GPARRAY_JIT says: async, sync or off;
/// without it, or with any other text, async.
/// Never throws; safe from several threads.
GPARRAY_API jit jit_mode() noexcept;
/// Sets when expressions are compiled, for all threads, from their next expression on. Kernels that are ready
/// stay.
GPARRAY_API void set_jit_mode(jit mode) noexcept;

/// Returns when the background thread has nothing left to compile; for benchmarks and tests. Does not wait
/// for the GPU.
GPARRAY_API void wait_for_kernels();

/// What run-time compilation has done since the start of the process.
struct jit_counters {
  std::uint64_t memory_hits = 0;    ///< programs found in memory
  std::uint64_t disk_hits = 0;      ///< programs found on disk
  std::uint64_t compilations = 0;   ///< programs compiled, failures included
  double compile_seconds = 0;       ///< spent in the compiler
  double load_seconds = 0;          ///< spent giving programs to the driver
  std::uint64_t memory_bytes = 0;   ///< held in memory now
  std::uint64_t disk_bytes = 0;     ///< held on disk now, by all processes together
  std::uint64_t disk_programs = 0;  ///< programs and notes that these are
};

/// Reads the counters, and the size of the folder. Does not wait for anything.
GPARRAY_API jit_counters jit_statistics();

/// The folder in which compiled kernels are kept, whether it is there yet or not; empty if none is.
[[nodiscard]] GPARRAY_API std::string kernel_cache_folder();

/// Forgets every compiled program, in memory and on disk. Kernels that exist stay usable.
GPARRAY_API void clear_kernel_cache();

GPARRAY_END_NAMESPACE
