// What the library is.
#pragma once
#include <string>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE

/// The version of the library and what it was built with and found, in a few lines.
[[nodiscard]] GPARRAY_API std::string show_config();

GPARRAY_END_NAMESPACE
