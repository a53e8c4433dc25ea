// Many short rows sorted side by side: each step of a sorting network is done for as many rows as vectors
// have lanes.
#pragma once
#include <cstdint>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Longer rows are sorted one by one: the steps of a network grow faster than those of a sort.
inline constexpr std::int64_t longest_network = 32;
/// Fewer rows than these would leave most lanes empty.
inline constexpr std::int64_t fewest_side_by_side = 4;

inline bool sorts_side_by_side(std::int64_t rows, std::int64_t n) {
  return n <= longest_network && rows >= fewest_side_by_side;
}

/// Rows of n <= longest_network keys, each put in order.
template<class K>
void sort_side_by_side(K* keys, std::int64_t rows, std::int64_t n);
/// The numbers of the keys in order, equal ones as they came.
template<class K>
void order_side_by_side(const K* keys, std::int64_t rows, std::int64_t n, std::int64_t* order);

}  // namespace host
GPARRAY_END_NAMESPACE
