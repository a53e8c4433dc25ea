// How library code hands an array to the next operation.
#pragma once
#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The argument for an array that may be used again: it is computed, not fused.
inline detail::argument named(const any_array& a) {
  detail::argument x;
  x.array = &a;
  x.type = a.dtype();
  return x;
}

/// The argument for an array with no other owner: if it is pending it is fused.
inline detail::argument temporary(const any_array& a) {
  detail::argument x = named(a);
  x.fuse = true;
  return x;
}

}  // namespace core
GPARRAY_END_NAMESPACE
