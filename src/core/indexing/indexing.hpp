// What the functions that take indices share.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/indexing/detail.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// Int64 indices made valid for an axis: as they are once checked (index_error), wrapped, or clipped.
any_array valid_indices(const any_array& index, std::int64_t length, int axis, detail::index_mode mode);

}  // namespace core
GPARRAY_END_NAMESPACE
