// Arrays of memory that a backend has filled already.
#pragma once
#include <memory>

#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct give_back_block {
  void operator()(block* b) const noexcept;
};
/// A block of a pool, to which it goes back.
using owned_block = std::unique_ptr<block, give_back_block>;

/// An array of the CPU of `size` elements which begin where the block of host_pool() does.
any_array adopted(dtype type, std::int64_t size, owned_block memory);

}  // namespace core
GPARRAY_END_NAMESPACE
