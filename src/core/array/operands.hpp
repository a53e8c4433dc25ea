// What several arguments of one operation have in common.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The device all arrays among the arguments are on; the default device if there are none.
/// Throws device_error naming the operation if they differ.
device common_device(std::string_view operation, std::span<const detail::argument> arguments);

/// The shape that the arguments (at most max_arity arrays) broadcast to. Throws value_error with NumPy's
/// text.
dims common_shape(std::span<const detail::argument> arguments);

}  // namespace core
GPARRAY_END_NAMESPACE
