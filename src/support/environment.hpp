// Variables of the environment, which name libraries that are loaded, folders whose kernels are run, and
// devices.
#pragma once
#include <cstdlib>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Null where the variable is not set, and in a program that runs with more rights than its caller (set-uid):
/// its caller could otherwise have it load and run anything.
inline const char* environment(const char* name) noexcept { return secure_getenv(name); }

}  // namespace core
GPARRAY_END_NAMESPACE
