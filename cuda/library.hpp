// CUDA libraries that are loaded at first use, so that a machine without them runs the same binary.
#pragma once
#include <gparray/config.hpp>
#include <initializer_list>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

/// Opens the first of the shared libraries that can be opened. Throws library_error, which names the packages
/// that hold it and what the loader said. Wheels keep their libraries where the loader does not look: the
/// environment variable GPARRAY_CUDA_PATH names a folder to look in first.
void* open_library(std::initializer_list<const char*> names, const char* package);

/// Throws library_error if the library does not have it.
void* find_symbol(void* library, const char* symbol, const char* library_name);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
