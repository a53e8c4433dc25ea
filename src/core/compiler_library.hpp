// The compiler without the caches in front of it.
#pragma once
#include <core/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Compiles. Throws compile_error with the whole log, library_error if the compiler library is missing.
compiled_program run_compiler(const compile_request& request);

/// What else the result depends on: the version of the compiler, gparray's flags for its own kernels and
/// their headers. Throws library_error.
const std::string& compiler_identity();

}  // namespace core
GPARRAY_END_NAMESPACE
