// One item of an index, resolved for an axis of a known size.
#pragma once
#include <gparray/indexing/index.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::resolve_slice, detail::resolved_slice;
/// i, or i + n if it is negative. Throws index_error if that is outside of an axis of n elements.
std::int64_t resolve_index(std::int64_t i, std::int64_t n, int axis);

}  // namespace core
GPARRAY_END_NAMESPACE
