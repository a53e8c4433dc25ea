// A compiled program as bytes, with what it was compiled from, so that a reader can check that it is the
// right one, and complete.
#pragma once
#include <optional>
#include <string_view>

#include <plan/compiler.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// `request`: everything that the program depends on.
std::string encode_program(std::string_view request, const compiled_program& program);
/// Nothing, unless the bytes are what encode_program wrote for an equal request.
std::optional<compiled_program> decode_program(std::string_view bytes, std::string_view request);

}  // namespace core
GPARRAY_END_NAMESPACE
