#include <algorithm>
#include <type_traits>

#include <host/sorting/avx512_network.hpp>
#include <host/sorting/avx512_sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

#if defined(GPARRAY_HAS_AVX512)
namespace {

/// Elements that are their own keys.
struct plain {
  static constexpr bool is_plain = true;
  GPARRAY_AVX512_INLINE avx512_vector key_of(avx512_vector v) const { return v; }
  GPARRAY_AVX512_INLINE avx512_vector element_of(avx512_vector v) const { return v; }
};

/// Elements whose keys follow from a rule: kernel::key_of_bits of many at once.
template<class Keys>
struct ruled {
  static constexpr bool is_plain = false;
  avx512_vector sign, all, infinity, negative, positive;

  GPARRAY_AVX512 explicit ruled(const kernel::sort_rule& rule)
      : sign(every(rule.sign)),
        all(every(rule.all)),
        infinity(every(rule.infinity)),
        negative(every(rule.negative)),
        positive(every(rule.positive)) {}

  GPARRAY_AVX512_INLINE avx512_vector key_of(avx512_vector v) const {
    const avx512_vector flips = Keys::pick(Keys::has(v, sign), positive, negative);
    const auto nan = Keys::above(_mm512_andnot_si512(sign, v), infinity);
    return Keys::pick(nan, _mm512_xor_si512(v, flips), all);
  }
  GPARRAY_AVX512_INLINE avx512_vector element_of(avx512_vector key) const {
    return _mm512_xor_si512(key, Keys::pick(Keys::has(key, sign), negative, positive));
  }

 private:
  GPARRAY_AVX512_INLINE static avx512_vector every(unsigned long bits) {
    return Keys::every(static_cast<typename Keys::key>(bits));
  }
};

GPARRAY_AVX512_INLINE __m256i lower_half(avx512_vector v) { return _mm512_castsi512_si256(v); }
template<class Form>
GPARRAY_AVX512_INLINE avx512_vector key_of_eight(const Form& form, avx512_vector v) {
  return form.key_of(v);
}
template<class Form>
GPARRAY_AVX512_INLINE __m256i key_of_eight(const Form& form, __m256i v) {
  return lower_half(form.key_of(_mm512_castsi256_si512(v)));
}

constexpr std::int64_t block_rows = 16;
template<class Keys>
constexpr std::int64_t block_size = block_rows * Keys::lanes;
/// No more elements are sorted in registers.
template<class Keys>
constexpr std::int64_t most_in_registers = 2 * block_size<Keys>;

template<class Keys, class Out, std::size_t... I>
GPARRAY_AVX512_INLINE void merge_block(const avx512_vector (&rows)[block_rows], typename Keys::key* to,
                                       std::int64_t n, const Out& out, std::index_sequence<I...> each) {
  avx512_vector v[] = {rows[I]...};
  merge_rows<Keys, block_rows / 2>(v, std::make_index_sequence<block_rows / 2>());
  merge_lanes<Keys, Keys::lanes / 2>(v, each);
  (Keys::store(to + I * Keys::lanes, out.element_of(v[I]), lanes_left<Keys>(n, I)), ...);
}

/// More than one block: two that are sorted, and merged.
template<class Keys, class In, class Out, std::size_t... I>
GPARRAY_AVX512 __attribute__((noinline)) void sort_two_blocks(const typename Keys::key* from,
                                                              typename Keys::key* to, std::int64_t n,
                                                              const In& in, const Out& out,
                                                              std::index_sequence<I...> each) {
  using K = typename Keys::key;
  constexpr std::int64_t lanes = Keys::lanes, size = block_size<Keys>;
  alignas(64) K first[size], second[size];
  std::fill_n(second, size, static_cast<K>(-1));
  sort_up_to<Keys, block_rows>(from, first, size, in, plain());
  sort_up_to<Keys, block_rows>(from + size, second, n - size, in, plain());
  const avx512_vector a[] = {_mm512_load_si512(first + I * lanes)...},
                      b[] = {flipped<Keys, lanes - 1>(
                          _mm512_load_si512(second + (block_rows - 1 - I) * lanes))...},
                      lower[] = {Keys::min(a[I], b[I])...}, upper[] = {larger_of(a[I], b[I], lower[I])...};
  merge_block<Keys>(lower, to, size, out, each);
  merge_block<Keys>(upper, to + size, n - size, out, each);
}

template<class Keys, class In, class Out>
GPARRAY_AVX512 void sort_few(const typename Keys::key* from, typename Keys::key* to, std::int64_t n,
                             const In& in, const Out& out) {
  const std::int64_t rows = (n + Keys::lanes - 1) / Keys::lanes;
  if (rows > 16) return sort_two_blocks<Keys>(from, to, n, in, out, std::make_index_sequence<block_rows>());
  if (rows > 8) return sort_up_to<Keys, 16>(from, to, n, in, out);
  if (rows > 4) return sort_up_to<Keys, 8>(from, to, n, in, out);
  if (rows > 2) return sort_up_to<Keys, 4>(from, to, n, in, out);
  if (rows > 1) return sort_up_to<Keys, 2>(from, to, n, in, out);
  sort_up_to<Keys, 1>(from, to, n, in, out);
}

/// The room that keys are divided into: those below the bound go to its front, the others to its back.
template<class Keys>
struct divided_room {
  using lanes_8 = eight<Keys>;
  typename Keys::key *front, *back;

  /// Eight keys. All of them are stored at both ends, where only those that belong there count: the others
  /// land in free room. So it takes 8 free slots exactly (which the keys fill) or at least 16.
  GPARRAY_AVX512_INLINE void put(typename lanes_8::vector v, typename lanes_8::vector bound) {
    const unsigned below = lanes_8::below(v, bound);
    const int count = __builtin_popcount(below);
    v = lanes_8::in_set_first(v, below);
    lanes_8::store(front, v);
    lanes_8::store(back - 8, v);
    front += count;
    back -= 8 - count;
  }
  /// The first n of eight.
  GPARRAY_AVX512_INLINE void put(typename lanes_8::vector v, typename lanes_8::vector bound, std::int64_t n) {
    const unsigned below = lanes_8::below(v, bound) & ((1u << n) - 1);
    const int count = __builtin_popcount(below);
    v = lanes_8::in_set_first(v, below);
    lanes_8::store(front, v, (1u << count) - 1);
    lanes_8::store(back - n, v, (1u << n) - (1u << count));
    front += count;
    back -= n - count;
  }
};

/// What is above the bound goes to the end of the same room elsewhere.
template<class Keys, class In>
GPARRAY_AVX512 std::int64_t split_copy(const typename Keys::key* from, typename Keys::key* to, std::int64_t n,
                                       typename Keys::key bound, const In& in) {
  using lanes_8 = eight<Keys>;
  const auto bounds = lanes_8::every(bound);
  divided_room<Keys> room{to, to + n};
  const std::int64_t odd = n % 8;
  if (odd > 0) room.put(key_of_eight(in, lanes_8::load(from, (1u << odd) - 1)), bounds, odd);
  for (std::int64_t i = odd; i < n; i += 8) room.put(key_of_eight(in, lanes_8::load(from + i)), bounds);
  return room.front - to;
}

/// In place. The first and the last vectors wait in registers till the end. Others are read from the side
/// that has less room between what was read and what was written, so that the other side has room for all of
/// them.
template<class Keys, std::size_t... I>
GPARRAY_AVX512 std::int64_t split(typename Keys::key* keys, std::int64_t n, typename Keys::key bound,
                                  std::index_sequence<I...>) {
  using lanes_8 = eight<Keys>;
  using vector = typename lanes_8::vector;
  constexpr std::int64_t rows = sizeof...(I), at_once = 8 * rows;
  const vector bounds = lanes_8::every(bound);
  divided_room<Keys> room{keys, keys + n};
  const typename Keys::key *left = keys + at_once, *right = keys + n - at_once;
  const vector first[] = {lanes_8::load(keys + 8 * I)...}, last[] = {lanes_8::load(right + 8 * I)...};
  while (right - left >= at_once) {
    const bool from_left = left - room.front <= room.back - right;
    if (!from_left) right -= at_once;
    const typename Keys::key* const from = from_left ? left : right;
    if (from_left) left += at_once;
    const vector v[] = {lanes_8::load(from + 8 * I)...};
    (room.put(v[I], bounds), ...);
  }
  // Read before anything is written over it.
  const std::int64_t n_rest = right - left;
  const vector rest[] = {lanes_8::load(left + 8 * I, lanes_left<avx512_keys_64>(n_rest, I))...};
  for (std::int64_t row = 0; 8 * row < n_rest; ++row) {
    if (n_rest - 8 * row >= 8) room.put(rest[row], bounds);
    else room.put(rest[row], bounds, n_rest - 8 * row);
  }
  (room.put(first[I], bounds), ...);
  (room.put(last[I], bounds), ...);
  return room.front - keys;
}
template<class Keys>
GPARRAY_AVX512 std::int64_t split(typename Keys::key* keys, std::int64_t n, typename Keys::key bound) {
  return split<Keys>(keys, n, bound, std::make_index_sequence<8>());
}

template<class Keys, std::int64_t Count, class In>
GPARRAY_AVX512 typename Keys::key median_of(const typename Keys::key* keys, std::int64_t n, const In& in) {
  alignas(64) typename Keys::key sample[Count];
  const std::int64_t step = n / Count;
  // As bytes, for they may be elements of another type.
  for (std::int64_t i = 0; i < Count; ++i)
    __builtin_memcpy(sample + i, keys + i * step + step / 2, sizeof *sample);
  sort_up_to<Keys, Count / Keys::lanes>(sample, sample, Count, in, plain());
  return sample[Count / 2];
}
/// A key in the middle of a sample.
template<class Keys, class In>
GPARRAY_AVX512 typename Keys::key pivot_of(const typename Keys::key* keys, std::int64_t n, const In& in) {
  if (n < 512) return median_of<Keys, 16>(keys, n, in);
  if (n < 4096) return median_of<Keys, 32>(keys, n, in);
  return median_of<Keys, 128>(keys, n, in);
}

/// Keys where they are become elements, or elements keys.
template<class Keys, class Change>
GPARRAY_AVX512 void change_all(typename Keys::key* keys, std::int64_t n, Change change) {
  for (std::int64_t i = 0; i < n; i += Keys::lanes) {
    const auto used = lanes_left<Keys>(n - i);
    Keys::store(keys + i, change(Keys::load(keys + i, _mm512_setzero_si512(), used)), used);
  }
}
template<class Keys, class Out>
GPARRAY_AVX512 void to_elements(typename Keys::key* keys, std::int64_t n, const Out& out) {
  if constexpr (!Out::is_plain)
    change_all<Keys>(keys, n, [&](avx512_vector v) GPARRAY_AVX512 { return out.element_of(v); });
}

/// Sorts keys and leaves elements.
template<class Keys, class Out>
GPARRAY_AVX512 void sort_split(typename Keys::key* keys, std::int64_t n, int splits, const Out& out) {
  using K = typename Keys::key;
  while (n > most_in_registers<Keys>) {
    if (splits-- == 0) {
      std::sort(keys, keys + n);
      return to_elements<Keys>(keys, n, out);
    }
    const K pivot = pivot_of<Keys>(keys, n, plain());
    std::int64_t below = split<Keys>(keys, n, pivot);
    if (below == 0) {  // nothing is smaller, so all of these are in order
      below = pivot == static_cast<K>(-1) ? n : split<Keys>(keys, n, pivot + 1);
      to_elements<Keys>(keys, below, out);
    } else {
      sort_split<Keys>(keys, below, splits, out);
    }
    keys += below;
    n -= below;
  }
  if (n > 0) sort_few<Keys>(keys, keys, n, plain(), out);
}

template<class Keys, class Form>
GPARRAY_AVX512 void sort_all(const typename Keys::key* from, typename Keys::key* to, std::int64_t n,
                             const Form& form) {
  if (n <= most_in_registers<Keys>) return n > 0 ? sort_few<Keys>(from, to, n, form, form) : void();
  if (from == to) {
    change_all<Keys>(to, n, [&](avx512_vector v) GPARRAY_AVX512 { return form.key_of(v); });
    return sort_split<Keys>(to, n, most_splits, form);
  }
  // The first split copies, so that no pass over all elements does only that.
  const std::int64_t below = split_copy<Keys>(from, to, n, pivot_of<Keys>(from, n, form), form);
  sort_split<Keys>(to, below, most_splits, form);
  sort_split<Keys>(to + below, n - below, most_splits, form);
}

template<class K>
using avx512_keys = std::conditional_t<sizeof(K) == 4, avx512_keys_32, avx512_keys_64>;

template<class K>
GPARRAY_AVX512 void sort_ruled(const K* from, K* to, std::int64_t n, const kernel::sort_rule& rule) {
  sort_all<avx512_keys<K>>(from, to, n, ruled<avx512_keys<K>>(rule));
}

}  // namespace

template<class K>
void avx512_sort(K* keys, std::int64_t n, int splits) {
  sort_split<avx512_keys<K>>(keys, n, splits, plain());
}

template<class K>
void avx512_sort(const K* from, K* to, std::int64_t n, const kernel::sort_rule& rule) {
  sort_ruled(from, to, n, rule);
}

template<class K>
std::int64_t avx512_split(K* keys, std::int64_t n, K bound) {
  if (n >= 128) return split<avx512_keys<K>>(keys, n, bound);
  if (n >= 16) return split<avx512_keys<K>>(keys, n, bound, std::make_index_sequence<1>());
  return std::partition(keys, keys + n, [=](K key) { return key < bound; }) - keys;
}

#else

template<class K>
void avx512_sort(K*, std::int64_t, int) {}
template<class K>
void avx512_sort(const K*, K*, std::int64_t, const kernel::sort_rule&) {}
template<class K>
std::int64_t avx512_split(K*, std::int64_t, K) {
  return 0;
}

#endif

#define GPARRAY_AVX512_SORT(K)                                                     \
  template void avx512_sort(K*, std::int64_t, int);                                \
  template void avx512_sort(const K*, K*, std::int64_t, const kernel::sort_rule&); \
  template std::int64_t avx512_split(K*, std::int64_t, K);
GPARRAY_AVX512_SORT(unsigned)
GPARRAY_AVX512_SORT(unsigned long)
#undef GPARRAY_AVX512_SORT

}  // namespace host
GPARRAY_END_NAMESPACE
