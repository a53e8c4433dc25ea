// Selection by partitions about keys of a sorted sample to both sides of what is looked for (Floyd and Rivest
// 1975, "Algorithm 489: SELECT"): of large rows nearly all is read once or twice.
#include <host/select_keys.hpp>
#include <host/sort_keys.hpp>

#include <algorithm>
#include <cstring>
#include <type_traits>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// No more keys are sorted: about what a vector sort does without partitions of its own.
template<class K>
constexpr std::int64_t few = 1024 / sizeof(K);
constexpr std::int64_t largest_sample = 1024;
/// Samples that tell nothing are given up after so many.
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

#if defined(__x86_64__) && defined(__GNUC__)
#define GPARRAY_WIDE __attribute__((target("avx512f,avx512vl,popcnt")))

struct wide_32 {
  using key = unsigned;
  static constexpr int lanes = 16;
  GPARRAY_WIDE static __m512i every(key k) { return _mm512_set1_epi32(static_cast<int>(k)); }
  GPARRAY_WIDE static unsigned below(__m512i v, __m512i bound) { return _mm512_cmplt_epu32_mask(v, bound); }
  GPARRAY_WIDE static __m512i pack(unsigned mask, __m512i v) {
    return _mm512_maskz_compress_epi32(static_cast<__mmask16>(mask), v);
  }
  GPARRAY_WIDE static __m512i load(const key* from, unsigned mask) {
    return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(mask), from);
  }
  GPARRAY_WIDE static void store(key* to, int count, __m512i v) {
    _mm512_mask_storeu_epi32(to, static_cast<__mmask16>((1u << count) - 1), v);
  }
};
struct wide_64 {
  using key = unsigned long;
  static constexpr int lanes = 8;
  GPARRAY_WIDE static __m512i every(key k) { return _mm512_set1_epi64(static_cast<long long>(k)); }
  GPARRAY_WIDE static unsigned below(__m512i v, __m512i bound) { return _mm512_cmplt_epu64_mask(v, bound); }
  GPARRAY_WIDE static __m512i pack(unsigned mask, __m512i v) {
    return _mm512_maskz_compress_epi64(static_cast<__mmask8>(mask), v);
  }
  GPARRAY_WIDE static __m512i load(const key* from, unsigned mask) {
    return _mm512_maskz_loadu_epi64(static_cast<__mmask8>(mask), from);
  }
  GPARRAY_WIDE static void store(key* to, int count, __m512i v) {
    _mm512_mask_storeu_epi64(to, static_cast<__mmask8>((1u << count) - 1), v);
  }
};

/// The same in place, in another order. Blocks are read from the side that has less room between what was
/// read and what was written, so that the other side has room for a whole one; the first of either side wait
/// till the end.
template<class Wide>
GPARRAY_WIDE std::int64_t split_wide(typename Wide::key* keys, std::int64_t n, typename Wide::key bound) {
  using K = typename Wide::key;
  constexpr int lanes = Wide::lanes;
  constexpr std::int64_t block = 8 * lanes;
  const __m512i bounds = Wide::every(bound);
  K *front = keys, *back = keys + n;
  const auto put = [&](const K* from, unsigned used) GPARRAY_WIDE __attribute__((always_inline)) {
    const __m512i v = Wide::load(from, used);
    const unsigned below = Wide::below(v, bounds) & used, above = below ^ used;
    const int n_below = __builtin_popcount(below), n_above = __builtin_popcount(above);
    Wide::store(front, n_below, Wide::pack(below, v));
    front += n_below;
    back -= n_above;
    Wide::store(back, n_above, Wide::pack(above, v));
  };
  constexpr unsigned all = (1u << lanes) - 1;
  alignas(64) K waiting[3 * block];
  std::int64_t n_waiting = 0;
  const auto wait = [&](const K* from, std::int64_t count) {
    std::memcpy(waiting + n_waiting, from, static_cast<std::size_t>(count) * sizeof(K));
    n_waiting += count;
  };
  const K *left = keys, *right = keys + n;
  if (n >= 2 * block) {
    wait(left, block);
    wait(right - block, block);
    left += block;
    right -= block;
    while (right - left >= block) {
      const bool from_left = left - front <= back - right;
      if (!from_left) right -= block;
      const K* const from = from_left ? left : right;
      if (from_left) left += block;
      // What has room beside it is read first.
      for (std::int64_t i = 0; i < block; i += lanes) put(from + (from_left ? i : block - lanes - i), all);
    }
  }
  wait(left, right - left);
  std::int64_t i = 0;
  for (; i + lanes <= n_waiting; i += lanes) put(waiting + i, all);
  if (i < n_waiting) put(waiting + i, (1u << (n_waiting - i)) - 1);
  return front - keys;
}

/// 8 keys as 64-bit numbers, or as many as there are.
GPARRAY_WIDE __attribute__((always_inline)) inline __m512i load_8(const unsigned long* keys, __mmask8 used) {
  return _mm512_maskz_loadu_epi64(used, keys);
}
GPARRAY_WIDE __attribute__((always_inline)) inline __m512i load_8(const unsigned* keys, __mmask8 used) {
  return _mm512_maskz_cvtepu32_epi64(used, _mm256_maskz_loadu_epi32(used, keys));
}

template<class K>
GPARRAY_WIDE void list_numbers_wide(const K* keys, std::int64_t n, std::int64_t first, K bound,
                                    number_lists& lists) {
  const __m512i bounds = _mm512_set1_epi64(static_cast<long long>(bound));
  __m512i numbers = _mm512_add_epi64(_mm512_set1_epi64(first), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7));
  std::int64_t *below = lists.below, *equal = lists.equal, *above = lists.above;
  const auto store = [&](std::int64_t * to, unsigned which, int count) GPARRAY_WIDE
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

const bool has_wide = [] {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("popcnt");
}();
#endif

/// Keys below the bound first; returns how many there are.
template<class K>
std::int64_t partition(K* keys, K* spare, std::int64_t n, K bound) {
#if defined(__x86_64__) && defined(__GNUC__)
  using wide = std::conditional_t<sizeof(K) == 4, wide_32, wide_64>;
  if (has_wide) return split_wide<wide>(keys, n, bound);
#endif
  return split(keys, spare, n, bound);
}

/// Keys [begin, end) that stand where they would in order, as a whole.
struct window {
  std::int64_t begin, end;
  std::int64_t size() const { return end - begin; }
};

/// Keeps of the window the keys below the bound or the others: those among which `place` is.
template<class K>
void narrow(K* keys, K* spare, window& w, std::int64_t place, K bound) {
  const std::int64_t edge = w.begin + partition(keys + w.begin, spare, w.size(), bound);
  if (place < edge) w.end = edge;
  else w.begin = edge;
}

/// The same about two keys; whether all that is left is equal.
template<class K>
bool narrow_between(K* keys, K* spare, window& w, std::int64_t place, K low, K high, bool high_first) {
  constexpr K last = static_cast<K>(~K(0));
  for (const bool now_high : {high_first, !high_first}) {
    if (!now_high) narrow(keys, spare, w, place, low);
    else if (high != last) narrow(keys, spare, w, place, static_cast<K>(high + 1));
  }
  return low == high && keys[w.begin] == low;
}

/// A window about the place that is in order.
template<class K>
window select_one(K* keys, K* spare, window w, std::int64_t place) {
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
    const std::int64_t rank = (place - w.begin) * count / n;
    const K at = sample[rank], low = sample[std::max<std::int64_t>(rank - margin, 0)],
            high = sample[std::min(rank + margin, count - 1)];
    // The side on which there is more goes first. Where nothing goes, there are few different keys.
    const bool high_first = rank < count / 2;
    if (narrow_between(keys, spare, w, place, low, high, high_first)) return w;
    if (w.size() == n && narrow_between(keys, spare, w, place, at, at, high_first)) return w;
  }
  sort_keys(keys + w.begin, spare, w.size());
  return w;
}

template<class K>
void select_in(K* keys, K* spare, window w, std::span<const std::int64_t> places) {
  while (!places.empty()) {
    const std::size_t middle = places.size() / 2;
    const window done = select_one(keys, spare, w, places[middle]);
    // Neighbours of the place are mostly in the window too.
    const auto first = std::lower_bound(places.begin(), places.end(), done.begin),
               last = std::lower_bound(first, places.end(), done.end);
    select_in(keys, spare, {w.begin, done.begin}, {places.begin(), first});
    places = {last, places.end()};
    w.begin = done.end;
  }
}

}  // namespace

template<class K>
void select_keys(K* keys, K* spare, std::int64_t n, std::span<const std::int64_t> places) {
  select_in(keys, spare, {0, n}, places);
}

template<class K>
void list_numbers(const K* keys, std::int64_t n, std::int64_t first, K bound, number_lists& lists) {
#if defined(__x86_64__) && defined(__GNUC__)
  if (has_wide) return list_numbers_wide(keys, n, first, bound, lists);
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
