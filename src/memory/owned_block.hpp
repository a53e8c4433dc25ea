// A block of a pool, which goes back to it.
#pragma once
#include <memory>

#include <memory/pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

struct give_back_block {
  void operator()(block* b) const noexcept { b->pool->deallocate(b); }
};
using owned_block = std::unique_ptr<block, give_back_block>;

}  // namespace core
GPARRAY_END_NAMESPACE
