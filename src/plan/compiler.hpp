// From CUDA C++ text to kernels that run: the compiler needs no GPU, loading and launching do.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using module_handle = void*;
using kernel_handle = void*;

/// One program. Equal requests give equal images, which is what the caches rely on.
struct compile_request {
  std::string source;
  std::string file_name = "kernel.cu";        ///< what the compiler's messages call it
  std::string architecture;                   ///< "sm_90"
  std::vector<std::string> options;           ///< "-DN=3", "--use_fast_math", "-I..."
  std::vector<std::string> name_expressions;  ///< "scale<float>": templates to instantiate
  bool kernel_headers = false;  ///< whether #include "functors.hpp" and its like find gparray's own kernels
};

enum class program_origin : std::uint8_t { compiler, memory, disk };

struct compiled_program {
  std::string image;                       ///< machine code (cubin)
  std::vector<std::string> lowered_names;  ///< the symbol of each name expression
  std::string log;                         ///< warnings
  program_origin origin = program_origin::compiler;
  double seconds = 0;  ///< that the compiler took, if it comes from there
};

/// Compiles, or takes the result of an equal request from the caches in memory and on disk. Safe from several
/// threads. Throws compile_error with the whole log, library_error if the compiler library is missing.
compiled_program compile(const compile_request& request);
/// Whether this build has a compiler at all; if not, `compile` throws and says why.
bool has_compiler() noexcept;

/// A launch of a loaded kernel: `arguments[i]` points to the i-th parameter.
struct kernel_launch {
  kernel_handle kernel;
  const char* name;  ///< for errors
  unsigned grid[3], block[3];
  std::size_t shared_bytes = 0;
  bool cooperative = false;
  void** arguments;
};

struct kernel_attributes {
  int registers, max_threads_per_block, max_dynamic_shared_bytes, ptx_version, binary_version;
  std::size_t shared_bytes, local_bytes, constant_bytes;
};

struct kernel_parameter {
  std::size_t offset, bytes;
};

/// Adds to jit_statistics().load_seconds.
void count_loading(double seconds);

}  // namespace core
GPARRAY_END_NAMESPACE
