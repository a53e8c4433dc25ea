// Sorting and searching in arrays of any dtype: what other rooms call.
#pragma once
#include <gparray/sorting/detail.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// The int64 numbers that sort the lines along the last axis of a uint64 array, whose values are spread
/// evenly over all 64 bits: random words, which are put in order in less time than others.
any_array order_of_words(const any_array& words);

}  // namespace core
GPARRAY_END_NAMESPACE
