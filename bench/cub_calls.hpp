// CUB's algorithms as bench_cub.cpp calls them: on the default stream, in memory that the caller brings. With
// a null `scratch` they only say how many bytes of it they need. They throw std::runtime_error if CUB fails.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

/// Memory that an algorithm works in.
struct cub_scratch {
  void* data;
  std::size_t bytes;
};

template<class K>
void cub_sort(cub_scratch& scratch, const K* in, K* out, std::int64_t n);
/// What argsort is made of: numbers of 32 bits are written, sorted with the keys and widened. `keys` holds n
/// keys and `numbers` twice n.
template<class K>
void cub_argsort(cub_scratch& scratch, const K* in, K* keys, std::uint32_t* numbers, std::int64_t* order,
                 std::int64_t n);

/// rows of n keys.
template<class K>
void cub_segmented_sort(cub_scratch& scratch, const K* in, K* out, std::int64_t rows, std::int64_t n);
template<class K>
void cub_segmented_radix_sort(cub_scratch& scratch, const K* in, K* out, std::int64_t rows, std::int64_t n);

// The number of results is read, which waits; so do our functions.
template<class T>
std::int64_t cub_select(cub_scratch& scratch, const T* in, const bool* mask, T* out, std::int64_t* count,
                        std::int64_t n);
std::int64_t cub_nonzero(cub_scratch& scratch, const bool* mask, std::int64_t* out, std::int64_t* count,
                         std::int64_t n);
/// Of elements in order.
template<class T>
std::int64_t cub_unique(cub_scratch& scratch, const T* sorted, T* out, std::int64_t* count, std::int64_t n);
template<class T>
std::int64_t cub_run_lengths(cub_scratch& scratch, const T* sorted, T* out, std::int64_t* lengths,
                             std::int64_t* count, std::int64_t n);

/// Equal bins from `low` to `high`.
template<class T>
void cub_histogram(cub_scratch& scratch, const T* in, std::int64_t* counts, int n_bins, T low, T high,
                   std::int64_t n);

template<class T, class A>
void cub_inclusive_sum(cub_scratch& scratch, const T* in, A* out, std::int64_t n);

}  // namespace bench
