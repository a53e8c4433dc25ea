// Negative indices count from the end of an axis; portable.
#pragma once
#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace kernel {

/// The number that an index stands for: a negative one counts from the end of an axis of `wrap` elements, or
/// means what it says if wrap is 0.
GPARRAY_FN long long wrapped_index(long long index, long long wrap) {
  return index < 0 ? index + wrap : index;
}

}  // namespace kernel
GPARRAY_END_NAMESPACE
