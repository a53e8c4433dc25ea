// Vectors that are in order, for libraries upon this one that sort in parts.
#pragma once
#include <span>

#include <gparray/array/any_array.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The elements of a vector in ascending order, NaN last; and, or no array, an int64 number of each.
struct run_of_elements {
  any_array elements, numbers;
};

/// `out` becomes all elements of the runs, in order: equal ones in the order of their runs. Without numbers
/// -0.0 comes before 0.0, as sort() has it; with numbers they are equal, as in argsort(). Contiguous vectors
/// of one dtype and device, and as many elements in `out` as in all runs, of which it has no memory.
GPARRAY_API void merge_runs(std::span<const run_of_elements> runs, const run_of_elements& out);

}  // namespace detail
GPARRAY_END_NAMESPACE
