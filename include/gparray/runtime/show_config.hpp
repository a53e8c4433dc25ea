// What the library is.
#pragma once
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// What the library is, was built with and finds on this machine: version, compilers, processor, GPUs,
/// driver, each library that it loads with path and version or why it is missing, the folder of compiled
/// kernels, and each variable of the environment that it reads. Loads these libraries, which takes seconds
/// where CUDA is; the program gparray-info prints it, too. `mode` is "text", or "json" for the same as an
/// object of JSON. Throws value_error for another mode.
[[nodiscard]] GPARRAY_API std::string show_config(std::string_view mode = "text");

GPARRAY_END_NAMESPACE
