// Means and variances of the elements that a mask includes.
#pragma once
#include <core/reduction/reduction.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// mean, var or std of some elements only, or nanmean and the like of integers, which have no NaN: these have
/// no neutral element to put in place of the others, so they are sums, divided by the number of elements that
/// take part (NumPy's _mean and _var).
any_array masked_moment(reduction r, const detail::argument& source, dtype element, const dims& axes,
                        const reduction_options& options);

}  // namespace core
GPARRAY_END_NAMESPACE
