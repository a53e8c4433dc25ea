// Arrays of memory that a backend has filled already.
#pragma once
#include <core/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An array of the CPU of `size` elements which begin where the block of host_pool() does; the block becomes
/// the array's, on failure too.
any_array adopted(dtype type, std::int64_t size, block* memory);

}  // namespace core
GPARRAY_END_NAMESPACE
