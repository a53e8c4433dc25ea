// Selection by partitions about keys of a sorted sample to both sides of what is looked for (Floyd and Rivest
// 1975, "Algorithm 489: SELECT"): of large rows nearly all is read once or twice.
#include <algorithm>
#include <cstring>

#include <host/sorting/avx512_sort.hpp>
#include <host/sorting/select_keys.hpp>
#include <host/sorting/sort_keys.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// No more keys are sorted: about what a vector sort does without partitions of its own.
template<class K>
constexpr std::int64_t few = 1024 / sizeof(K);
constexpr std::int64_t largest_sample = 1024;
/// Sampling is given up after so many samples that did not narrow the range.
constexpr int most_samples = 12;

/// Keys below the bound move to the front, the others behind them by way of `spare`; returns how many are
/// below.
template<class K>
std::int64_t split(K* keys, K* spare, std::int64_t n, K bound) {
  std::int64_t below = 0, above = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const K key = keys[i];
    keys[below] = spare[above] = key;
    below += key < bound;
    above += key >= bound;
  }
  std::memcpy(keys + below, spare, static_cast<std::size_t>(above) * sizeof(K));
  return below;
}

#if defined(GPARRAY_HAS_AVX512)
/// 8 keys as 64-bit numbers, or as many as there are.
GPARRAY_AVX512 __attribute__((always_inline)) inline __m512i load_8(const unsigned long* keys,
                                                                    __mmask8 used) {
  return _mm512_maskz_loadu_epi64(used, keys);
}
GPARRAY_AVX512 __attribute__((always_inline)) inline __m512i load_8(const unsigned* keys, __mmask8 used) {
  return _mm512_maskz_cvtepu32_epi64(used, _mm256_maskz_loadu_epi32(used, keys));
}

template<class K>
GPARRAY_AVX512 void list_numbers_avx512(const K* keys, std::int64_t n, std::int64_t first, K bound,
                                        number_lists& lists) {
  const __m512i bounds = _mm512_set1_epi64(static_cast<long long>(bound));
  __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  std::int64_t *below = lists.below, *equal = lists.equal, *above = lists.above;
  const auto store = [&](std::int64_t* to, unsigned which, int count) GPARRAY_AVX512
      __attribute__((always_inline)) {
        _mm512_mask_storeu_epi64(to, static_cast<__mmask8>((1u << count) - 1),
                                 _mm512_maskz_compress_epi64(static_cast<__mmask8>(which), numbers));
      };
  for (std::int64_t i = 0; i < n; i += 8) {
    const auto used = static_cast<__mmask8>(n - i >= 8 ? 0xff : (1u << (n - i)) - 1);
    const __m512i v = load_8(keys + i, used);
    const unsigned smaller = _mm512_cmplt_epu64_mask(v, bounds) & used,
                   larger = _mm512_cmpgt_epu64_mask(v, bounds) & used, same = (smaller | larger) ^ used;
    const int n_smaller = __builtin_popcount(smaller), n_larger = __builtin_popcount(larger);
    store(below, smaller, n_smaller);
    below += n_smaller;
    above -= n_larger;
    store(above, larger, n_larger);
    if (same) {
      store(equal, same, __builtin_popcount(same));
      equal += __builtin_popcount(same);
    }
    numbers = _mm512_add_epi64(numbers, _mm512_set1_epi64(8));
  }
  lists = {below, equal, above};
}
#endif

/// Keys below the bound first; returns how many there are.
template<class K>
std::int64_t partition(K* keys, K* spare, std::int64_t n, K bound) {
  if (has_avx512) return avx512_split(keys, n, bound);
  return split(keys, spare, n, bound);
}

/// Keys [begin, end) that stand where they would in order, as a whole.
struct window {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};

/// Keeps of the window the keys below the bound or the others: those among which `position` is.
template<class K>
void narrow(K* keys, K* spare, window& w, std::int64_t position, K bound) {
  const std::int64_t edge = w.begin + partition(keys + w.begin, spare, w.size(), bound);
  if (position < edge) w.end = edge;
  else w.begin = edge;
}

/// The same about two keys; whether all that is left is equal.
template<class K>
bool narrow_between(K* keys, K* spare, window& w, std::int64_t position, K low, K high, bool high_first) {
  constexpr K last = static_cast<K>(~K(0));
  for (const bool now_high : {high_first, !high_first}) {
    if (!now_high) narrow(keys, spare, w, position, low);
    else if (high != last) narrow(keys, spare, w, position, static_cast<K>(high + 1));
  }
  return low == high && keys[w.begin] == low;
}

/// A window about the position that is in order.
template<class K>
window select_one(K* keys, K* spare, window w, std::int64_t position) {
  K sample[largest_sample], sample_spare[largest_sample];
  for (int tries = 0; w.size() > few<K> && tries < most_samples; ++tries) {
    const std::int64_t n = w.size(),
                       count = n >= 65536  ? largest_sample
                               : n >= 4096 ? 128
                                           : 32,
                       margin = n >= 65536  ? 40
                                : n >= 4096 ? 14
                                            : 5;
    for (std::int64_t i = 0; i < count; ++i) sample[i] = keys[w.begin + n * i / count];
    if (count <= 32) std::sort(sample, sample + count);
    else sort_keys(sample, sample_spare, count);
    const std::int64_t rank = (position - w.begin) * count / n;
    const K at = sample[rank], low = sample[std::max<std::int64_t>(rank - margin, 0)],
            high = sample[std::min(rank + margin, count - 1)];
    // The side on which there is more goes first. Where nothing goes, there are few different keys.
    const bool high_first = rank < count / 2;
    if (narrow_between(keys, spare, w, position, low, high, high_first)) return w;
    if (w.size() == n && narrow_between(keys, spare, w, position, at, at, high_first)) return w;
  }
  sort_keys(keys + w.begin, spare, w.size());
  return w;
}

template<class K>
void select_in(K* keys, K* spare, window w, std::span<const std::int64_t> positions) {
  while (!positions.empty()) {
    const std::size_t middle = positions.size() / 2;
    const window done = select_one(keys, spare, w, positions[middle]);
    // Neighbours of the position are mostly in the window too.
    const auto first = std::lower_bound(positions.begin(), positions.end(), done.begin),
               last = std::lower_bound(first, positions.end(), done.end);
    select_in(keys, spare, {w.begin, done.begin}, {positions.begin(), first});
    positions = {last, positions.end()};
    w.begin = done.end;
  }
}

}  // namespace

template<class K>
void select_keys(K* keys, K* spare, std::int64_t n, std::span<const std::int64_t> positions) {
  select_in(keys, spare, {0, n}, positions);
}

template<class K>
void list_numbers(const K* keys, std::int64_t n, std::int64_t first, K bound, number_lists& lists) {
#if defined(GPARRAY_HAS_AVX512)
  if (has_avx512) return list_numbers_avx512(keys, n, first, bound, lists);
#endif
  for (std::int64_t i = 0; i < n; ++i) {
    if (keys[i] < bound) *lists.below++ = first + i;
    else if (keys[i] == bound) *lists.equal++ = first + i;
    else *--lists.above = first + i;
  }
}

template void select_keys(unsigned*, unsigned*, std::int64_t, std::span<const std::int64_t>);
template void select_keys(unsigned long*, unsigned long*, std::int64_t, std::span<const std::int64_t>);
template void list_numbers(const unsigned*, std::int64_t, std::int64_t, unsigned, number_lists&);
template void list_numbers(const unsigned long*, std::int64_t, std::int64_t, unsigned long, number_lists&);

}  // namespace host
GPARRAY_END_NAMESPACE
