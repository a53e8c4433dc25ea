// The compiler without the caches in front of it.
#pragma once
#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Compiles. Throws compile_error with the whole log, library_error if the compiler library is missing.
compiled_program run_compiler(const compile_request& request);

struct compiler_library {
  std::string version;  ///< "NVRTC 13.0"
  std::string file;     ///< where it was loaded from; empty if that is not known
};

/// Loads the compiler, which takes about 15 ms. Throws library_error.
const compiler_library& load_compiler();

/// What gparray adds to every program: its flags for its own kernels, a digest of their headers, and where
/// those of CUDA's toolkit are.
const std::string& compiler_additions();

}  // namespace core
GPARRAY_END_NAMESPACE
