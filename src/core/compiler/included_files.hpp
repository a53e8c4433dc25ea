// The files that a program includes: a cached result is the result of their contents too.
#pragma once
#include <optional>

#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Names and digests of the files outside the library that the program may include, found by the compiler's
/// rules: quoted names beside the including file, then all names in the -I folders. Conditions are not
/// evaluated, so there may be files too many. Nothing if that cannot be known (#include MACRO): such a result
/// must not be cached.
std::optional<std::string> digest_of_included_files(const compile_request& request);

}  // namespace core
GPARRAY_END_NAMESPACE
