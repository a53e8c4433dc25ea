// Pending reductions: those of the same elements are computed together.
#pragma once
#include <core/array/array_rep.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// How a pending reduction is computed: in one pass with those beside it that read the same elements in the
/// same order.
extern const computation together_with_others;

}  // namespace core
GPARRAY_END_NAMESPACE
