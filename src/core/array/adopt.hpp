// Arrays of memory that a backend has filled already.
#pragma once
#include <memory>

#include <core/array/array_rep.hpp>
#include <memory/owned_block.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// An array of the CPU of `size` elements which begin where the block of host_pool() does.
any_array adopted(dtype type, std::int64_t size, owned_block memory);

}  // namespace core
GPARRAY_END_NAMESPACE
