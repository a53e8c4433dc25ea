// Parts of reductions in host memory, for libraries upon this one whose elements are not all in one place.
//
// A reduction on the CPU is a tree: blocks of reduction_block elements have a state each, whatever makes
// them, and states are merged in pairs from left to right. So what has the blocks from a multiple of 2^k on,
// 2^k of them, has a subtree, and whoever merges all subtrees in that order has the bits of one reduction.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>
#include <gparray/dtype.hpp>
#include <gparray/tables/reduction_table.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

/// The elements of a leaf of the tree.
inline constexpr std::int64_t reduction_block = 2048;

/// The bytes of a state, of no more than 16-byte alignment.
GPARRAY_API std::size_t state_size(reduction r, dtype element);
/// The states of the columns of n rows side by side in C order, of which the first is a multiple of
/// reduction_block in the whole; `n` is of whole blocks unless the last row of all is among them.
GPARRAY_API void reduce_to_states(reduction r, dtype element, const void* rows, std::int64_t n,
                                  std::int64_t columns, std::int64_t first, void* states);
/// States of what comes before others take these in.
GPARRAY_API void merge_states(reduction r, dtype element, void* states, const void* others,
                              std::int64_t count);
/// The results, side by side, where n elements were reduced to each state.
GPARRAY_API void finish_states(reduction r, dtype element, const void* states, std::int64_t count,
                               std::int64_t n, double ddof, void* results);

}  // namespace detail
GPARRAY_END_NAMESPACE
