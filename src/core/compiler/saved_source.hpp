// The source of a program that does not compile, for the user to look into.
#pragma once
#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Writes the source into the folder $GPARRAY_SAVE_SOURCE_ON_ERROR, readable by its owner alone; links there
/// are replaced and not followed. A line that says where it is, or why it could not be written; empty if the
/// variable is not set.
std::string save_source_on_error(const compile_request& request);

}  // namespace core
GPARRAY_END_NAMESPACE
