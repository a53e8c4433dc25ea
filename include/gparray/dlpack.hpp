// Arrays handed to and taken from other libraries without a copy, by DLPack (dmlc/dlpack, version 0.8's ABI).
#pragma once
#include <gparray/manipulation.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {
GPARRAY_API any_array from_dlpack(void* managed);
}

/// The array of a DLManagedTensor, which is given back through its deleter when the last view is gone. For
/// ndarray<float> a(gp::from_dlpack(tensor)). Nothing waits: work on the tensor must have been enqueued on
/// the current stream, or be done. Throws value_error for a null pointer, type_error for an element type that
/// gparray does not have, device_error for another kind of device; then the tensor is still the caller's.
inline any_array from_dlpack(void* managed) { return detail::from_dlpack(managed); }
/// A new DLManagedTensor that keeps the array alive until its deleter is called. Computes what is pending and
/// does not wait for it.
GPARRAY_API void* to_dlpack(const any_array& a);

GPARRAY_END_NAMESPACE
