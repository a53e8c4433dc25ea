#include <host/sorting/avx512_sort.hpp>
#include <host/sorting/radix_sort.hpp>
#include <host/sorting/sort_keys.hpp>
#include <host/sorting/vector_sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Whether few enough keys are possible to count each of them.
template<class K>
inline constexpr bool countable = sizeof(K) <= 2;
template<class K>
bool counts_all(std::int64_t n) {
  return countable<K> && n >= std::int64_t{1} << (8 * sizeof(K) % 64);
}

/// Writes every possible key as often as it occurs. Four sets of counts, for a count that was just written
/// cannot be read at once.
template<class K>
void counting_sort(K* keys, std::int64_t n) {
  static_assert(sizeof(K) <= 2);
  constexpr std::size_t values = std::size_t{1} << (8 * sizeof(K)), sets = 4;
  const std::unique_ptr<std::uint32_t[]> counts(new std::uint32_t[sets * values]());
  K* to = keys;
  // No count overflows where a part is this long; parts after the first are counted into 64 bits below.
  const std::unique_ptr<std::int64_t[]> totals(new std::int64_t[values]());
  for (std::int64_t begin = 0; begin < n;) {
    const std::int64_t end = std::min(n, begin + (std::int64_t{1} << 31));
    std::int64_t i = begin;
    for (; i + std::int64_t{sets} <= end; i += sets)
      for (std::size_t s = 0; s < sets; ++s) ++counts[s * values + keys[i + static_cast<std::int64_t>(s)]];
    for (; i < end; ++i) ++counts[keys[i]];
    for (std::size_t v = 0; v < values; ++v)
      for (std::size_t s = 0; s < sets; ++s) totals[v] += std::exchange(counts[s * values + v], 0u);
    begin = end;
  }
  for (std::size_t v = 0; v < values; ++v) to = std::fill_n(to, totals[v], static_cast<K>(v));
}

/// Many keys of 2 bytes are sorted by two digits sooner.
template<class K>
bool wants_vector_sort(std::int64_t n) {
  return has_vector_sort && (sizeof(K) >= 4 || (sizeof(K) == 2 && n < comparison_limit));
}

}  // namespace

template<class K>
bool wants_spare(std::int64_t n) {
  return !wants_vector_sort<K>(n) && !(has_avx512 && sizeof(K) >= 4) && !counts_all<K>(n);
}

template<class K>
void sort_keys(K* keys, K* spare, std::int64_t n) {
  if constexpr (countable<K>)
    if (counts_all<K>(n)) return counting_sort(keys, n);
  if constexpr (sizeof(K) >= 4)
    if (has_avx512) return avx512_sort(keys, n);
  if constexpr (sizeof(K) >= 2)
    if (wants_vector_sort<K>(n)) return vector_sort(keys, n);
  radix_sort(keys, spare, n);
}

#define GPARRAY_SORT_KEYS(K)                  \
  template bool wants_spare<K>(std::int64_t); \
  template void sort_keys(K*, K*, std::int64_t);
GPARRAY_SORT_KEYS(unsigned char)
GPARRAY_SORT_KEYS(unsigned short)
GPARRAY_SORT_KEYS(unsigned)
GPARRAY_SORT_KEYS(unsigned long)
#undef GPARRAY_SORT_KEYS

}  // namespace host
GPARRAY_END_NAMESPACE
