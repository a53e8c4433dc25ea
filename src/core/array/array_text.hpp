// Arrays as text, and what is copied to the host for it.
#pragma once
#include <core/array/array_rep.hpp>
#include <gparray/text/array_text.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The elements that a summarised text shows: `edgeitems` at either end of each long axis. omitted[axis] is
/// how many are left out in the middle.
any_array edges(const any_array& a, int edgeitems, dims& omitted);

}  // namespace core
GPARRAY_END_NAMESPACE
