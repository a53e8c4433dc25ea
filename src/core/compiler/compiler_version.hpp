// The version of the compiler without loading it: a process that finds all of its kernels on disk never needs
// the compiler itself.
#pragma once
#include <core/compiler/disk_cache.hpp>
#include <plan/compiler_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// What an earlier process noted, if the file of the library has not changed since; else nothing.
std::optional<std::string> noted_compiler_version(disk_cache& disk);
void note_compiler_version(disk_cache& disk, const compiler_library& library);

}  // namespace core
GPARRAY_END_NAMESPACE
