// Copying elements from one device to another.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// target[...] = source on another device, with broadcasting and casting; both are computed, the shapes
/// checked. Enqueued on the current stream of the GPU concerned; between two GPUs on the target's, which
/// waits for the source's, which in turn waits for the copy.
void copy_across(const array_rep* target, const any_array& source);

}  // namespace core
GPARRAY_END_NAMESPACE
