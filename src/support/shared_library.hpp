// Libraries that are loaded at first use, so that a machine without them runs the same binary.
#pragma once
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Opens the first of the shared libraries that can be opened, in each folder in turn; an empty one means
/// where the loader looks. Throws library_error: what the loader said, and the remedy.
void* open_library(std::initializer_list<const char*> names, std::span<const std::string> folders,
                   std::string_view remedy);

/// The same; null where there is none of them.
void* try_library(std::initializer_list<const char*> names, std::span<const std::string> folders);

/// What opens a library: dlopen, unless a test replaces it. Returns what did before.
using library_opener = void* (*)(const char* path, int mode);
library_opener exchange_opener(library_opener opener) noexcept;

/// Throws library_error, ending with the remedy, if the library does not have it.
void* find_symbol(void* library, const char* symbol, std::string_view library_name, std::string_view remedy);

}  // namespace core
GPARRAY_END_NAMESPACE
