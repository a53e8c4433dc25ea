// Sorting by AVX-512: quicksort down to what is sorted in registers.
#pragma once
#include <host/sorting/avx512_lanes.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if !defined(GPARRAY_HAS_AVX512)
inline bool has_avx512 = false;
#endif

/// After so many divisions of the same keys, pivots have been bad too often: std::sort takes the rest.
inline constexpr int most_splits = 64;

/// Sorts keys of 4 or 8 bytes. Wants has_avx512, as do the others.
template<class K>
void avx512_sort(K* keys, std::int64_t n, int splits = most_splits);

/// Sorts n elements, given as bits, by their keys of the rule. `to` may be `from`.
template<class K>
void avx512_sort(const K* from, K* to, std::int64_t n, const kernel::sort_rule& rule);

/// Moves keys below the bound to the front; returns how many there are. Their order is lost.
template<class K>
std::int64_t avx512_split(K* keys, std::int64_t n, K bound);

}  // namespace host
GPARRAY_END_NAMESPACE
