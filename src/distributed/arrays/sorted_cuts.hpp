// Where the sorted vectors of ranks are cut so that the first elements of all are in front of the cuts.
#pragma once
#include <vector>

#include <distributed/collectives/moved.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

/// Of each rank the number of its elements that are among the first wanted[i] of all, for each i; `wanted`
/// ascends. `mine` is this rank's part, in order, and sizes are those of all ranks' parts. Of equal elements
/// those of lower ranks come first; zeros are equal if `zeros_are_equal`, else -0.0 comes before 0.0. All
/// ranks must call it.
std::vector<std::vector<std::int64_t>> sorted_cuts(const any_array& mine,
                                                   const std::vector<std::int64_t>& sizes,
                                                   const std::vector<std::int64_t>& wanted,
                                                   bool zeros_are_equal, const transport& t);

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
