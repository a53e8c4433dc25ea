// Assignment to the elements that a mask picks: a(mask) = values.
#pragma once
#include <cstdint>

#include <host/map/loops.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// n elements of `item` bytes side by side. Null `flags` or `values`: the one beside it for all.
struct masked_store {
  const char* flags;
  const void* flag;
  const char* values;
  const void* value;
  char* target;
  std::int64_t item, n;
  loop where;  ///< the function's
};

/// Neither reads nor writes what lies between the true flags. Where most parts of the mask have many, it
/// stores nothing and returns false: the function alone is quicker.
bool store_where(const masked_store& store);

}  // namespace host
GPARRAY_END_NAMESPACE
