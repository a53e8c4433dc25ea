// What loops and kernels ask of the addresses of elements.
#pragma once
#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Throws value_error if there are elements that are not at multiples of their size, or, on the CPU, of the
/// size of their parts. Views of other types and borrowed memory can have them.
void check_alignment(const char* operation, device on_device, dtype type, const void* data, const dims& shape,
                     const dims& strides);

}  // namespace core
GPARRAY_END_NAMESPACE
