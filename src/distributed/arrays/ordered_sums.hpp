// Sums and products of GPUs' arrays in an order that the shape alone decides, not the number of ranks.
#pragma once
#include <optional>

#include <distributed/arrays/merge.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Whether results depend on the order in which elements are combined, and there is one for arrays that are
/// placed so: on a GPU, of floating-point sums and products, if there are elements.
bool is_ordered(const partial& how, const placement& at, device where);

/// What `own` is this rank's part of, reduced over these axes, which stay with
/// size 1, or over all for null: then it has no dimensions. All ranks must call it.
any_array reduced_in_order(const partial& how, const placement& at, any_array own, const dims* axes);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
