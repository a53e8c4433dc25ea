// Putting some unsigned keys of 4 or 8 bytes where they would stand if all were in order.
#pragma once
#include <cstdint>
#include <span>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// For every position (ascending, each once): the key that belongs there, none larger before and none smaller
/// behind. `spare` has room for n keys.
template<class K>
void select_keys(K* keys, K* spare, std::int64_t n, std::span<const std::int64_t> positions);

/// Numbers of keys below a bound, at it and above it: the first two lists grow upwards, the last one
/// downwards.
struct number_lists {
  std::int64_t *below, *equal, *above;
};

/// Adds the numbers of n keys, the first of which has the number `first`.
template<class K>
void list_numbers(const K* keys, std::int64_t n, std::int64_t first, K bound, number_lists& lists);

}  // namespace host
GPARRAY_END_NAMESPACE
