// Addresses for libraries upon this one, which enqueue work of their own.
#pragma once
#include <gparray/array/any_array.hpp>
#include <gparray/stream.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The address of the first element, for work that the caller enqueues on `on` before anything else is done
/// to the array; for `writes` what reads the elements is computed first. Computes the array. Unlike
/// raw_data() it does not give the address out: nothing may be written there later without another call. The
/// memory is not handed out before that work is done. Throws value_error if it writes to a read-only array.
GPARRAY_API void* address_for(const any_array& a, const stream_view& on, bool writes);

}  // namespace detail
GPARRAY_END_NAMESPACE
