// What is copied to the host to print an array that lives elsewhere.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The elements that a summarised text shows: `edgeitems` at either end of each long axis. omitted[axis] is
/// how many are left out in the middle.
any_array edges(const any_array& a, int edgeitems, dims& omitted);

}  // namespace core
GPARRAY_END_NAMESPACE
