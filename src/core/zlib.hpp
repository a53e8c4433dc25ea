// zlib, loaded at first use.
#pragma once
#include <gparray/config.hpp>

#include <string>
#include <string_view>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The bytes compressed as zip files have them (RFC 1951). Throws library_error, naming the package, if zlib
/// is missing.
std::string deflate(std::string_view bytes);

}  // namespace core
GPARRAY_END_NAMESPACE
