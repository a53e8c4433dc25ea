// Random orders: elements sorted by random words, by buckets of their first bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <host/sorting/order_keys.hpp>
#include <host/support/item.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/random_order.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using host::keyed_index;
using word = keyed_index::word;

/// Keys are distributed among buckets by their first bits, and then each bucket is sorted. As many as this
/// write no faster to fewer positions, and small ones are sorted faster.
constexpr int most_bucket_bits = 11;
constexpr std::int64_t smallest_bucket = 128;

int bucket_bits(std::int64_t n) {
  return std::min<int>(most_bucket_bits, std::bit_width(static_cast<std::uint64_t>(n / smallest_bucket)));
}
std::size_t bucket_of(word key, int bits) { return static_cast<std::size_t>(key >> (64 - bits)); }

/// Puts what make(i) gives where the words of its bucket are; ends[b] is where those of bucket b end.
template<class Item, class Make>
void distribute(const std::uint64_t* words, std::int64_t n, int bits, std::int64_t* ends, Item* to,
                Make make) {
  std::fill_n(ends, std::size_t{1} << bits, std::int64_t{0});
  if (bits == 0) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = make(i);
    ends[0] = n;
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) ++ends[bucket_of(words[i], bits)];
  std::int64_t sum = 0;
  for (std::size_t b = 0; b < std::size_t{1} << bits; ++b) sum += std::exchange(ends[b], sum);
  for (std::int64_t i = 0; i < n; ++i) to[ends[bucket_of(words[i], bits)]++] = make(i);
}

/// finish(begin, end, spare) for every bucket; `spare` has room for twice as many words.
template<class Finish>
void finish_buckets(int bits, const std::int64_t* ends, Finish finish) {
  const std::int64_t buckets = std::int64_t{1} << bits, n = ends[buckets - 1];
  std::int64_t largest = ends[0];
  for (std::int64_t b = 1; b < buckets; ++b) largest = std::max(largest, ends[b] - ends[b - 1]);
  host::parallel_for(buckets, buckets * (host::serial_elements / 8) / (n + 1) + 1,
                     [&](std::int64_t first, std::int64_t last) {
                       const host::pooled<word> spare(2 * largest);
                       for (std::int64_t b = first; b < last; ++b)
                         finish(b > 0 ? ends[b - 1] : 0, ends[b], spare.get());
                     });
}

/// Sorts packed words whose first `same` bits are the same and whose next ones are random: each is put about
/// where it belongs, where few are left to move on. Words that are not random are sorted as any are.
void sort_random(word* packed, word* spare, std::int64_t n, int same) {
  constexpr int most_bits = 13;
  constexpr std::uint32_t crowd = 64;
  const int bits = std::min<int>(most_bits, std::bit_width(static_cast<std::uint64_t>(n)));
  if (n >> most_bits > 1) return host::sort_keys(packed, spare, n);
  const auto place = [=](word w) { return static_cast<std::size_t>(w << same >> (64 - bits)); };
  std::uint32_t ends[std::size_t{1} << most_bits];
  std::fill_n(ends, std::size_t{1} << bits, 0u);
  for (std::int64_t i = 0; i < n; ++i) ++ends[place(packed[i])];
  std::uint32_t sum = 0, most = 0;
  for (std::size_t b = 0; b < std::size_t{1} << bits; ++b) {
    most = std::max(most, ends[b]);
    sum += std::exchange(ends[b], sum);
  }
  if (most > crowd) return host::sort_keys(packed, spare, n);
  for (std::int64_t i = 0; i < n; ++i) spare[ends[place(packed[i])]++] = packed[i];
  for (std::int64_t i = 0; i < n; ++i) {
    const word w = spare[i];
    std::int64_t at = i;
    for (; at > 0 && packed[at - 1] > w; --at) packed[at] = packed[at - 1];
    packed[at] = w;
  }
}

/// Sorts the words that how.pack() made of n keys of a bucket, the first `same` bits of which are the same.
template<class KeyOf>
void sort_bucket(word* packed, word* spare, std::int64_t n, const keyed_index& how, int same, KeyOf key_of) {
  if (n < 2) return;
  sort_random(packed, spare, n, same);
  if (host::has_ties(packed, n, how)) host::break_ties(packed, n, how, key_of);
}

/// An element and its word.
template<class T>
struct keyed_element {
  word key;
  T element;
};

template<class T>
void move_typed(const std::uint64_t* words, std::int64_t n, const element_line& from,
                const element_line& to) {
  const auto element = [](const element_line& line, std::int64_t i) -> T& {
    return *reinterpret_cast<T*>(static_cast<char*>(line.data) + i * line.step);
  };
  const int bits = bucket_bits(n);
  const host::pooled<keyed_element<T>> items(n);
  const host::pooled<std::int64_t> ends(std::int64_t{1} << bits);
  distribute(words, n, bits, ends.get(), items.get(),
             [&](std::int64_t i) { return keyed_element<T>{words[i], element(from, i)}; });
  finish_buckets(bits, ends.get(), [&](std::int64_t begin, std::int64_t end, word* packed) {
    const keyed_element<T>* const bucket = items.get() + begin;
    const std::int64_t count = end - begin;
    const keyed_index how{bits, host::number_mask_for(count)};
    for (std::int64_t i = 0; i < count; ++i) packed[i] = how.pack(bucket[i].key, i);
    sort_bucket(packed, packed + count, count, how, 0,
                [&](std::int64_t number) { return bucket[number].key; });
    for (std::int64_t i = 0; i < count; ++i)
      element(to, begin + i) = bucket[how.number_of(packed[i])].element;
  });
}

void order_row(const std::uint64_t* words, std::int64_t n, std::int64_t* order) {
  const int bits = bucket_bits(n);
  const keyed_index how{0, host::number_mask_for(n)};
  word* const packed = reinterpret_cast<word*>(order);
  const host::pooled<std::int64_t> ends(std::int64_t{1} << bits);
  distribute(words, n, bits, ends.get(), packed, [&](std::int64_t i) { return how.pack(words[i], i); });
  finish_buckets(bits, ends.get(), [&](std::int64_t begin, std::int64_t end, word* spare) {
    sort_bucket(packed + begin, spare, end - begin, how, bits,
                [&](std::int64_t number) { return words[number]; });
    for (std::int64_t i = begin; i < end; ++i) packed[i] &= how.number_mask;
  });
}

}  // namespace

void order_words(const std::uint64_t* words, std::int64_t rows, std::int64_t n, std::int64_t* order) {
  if (rows == 1) return order_row(words, n, order);
  if (rows == 0 || n == 0) return;
  host::parallel_for(rows, host::serial_elements / (8 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) order_row(words + r * n, n, order + r * n);
  });
}

void move_by_words(const std::uint64_t* words, std::int64_t n, const element_line& from,
                   const element_line& to, std::size_t item_bytes) {
  host::with_item(item_bytes, [&](auto item) { move_typed<decltype(item)>(words, n, from, to); });
}

void order_first_words(const std::uint64_t* words, std::int64_t n, std::int64_t count, std::int64_t* order) {
  const host::pooled<std::int64_t> room(n + 1);
  std::int64_t* const found = room.get();
  if (16 * count <= n) {
    // As many are expected below the bound as leave a chance of 10^-5 that they are too few.
    const double wanted = static_cast<double>(count) + 5 * std::sqrt(static_cast<double>(count)) + 8;
    const auto bound = static_cast<std::uint64_t>(0x1p64 * (wanted / static_cast<double>(n)));
    std::int64_t below = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      found[below] = i;
      below += words[i] < bound;
    }
    if (below >= count) {
      std::partial_sort_copy(found, found + below, order, order + count, [&](std::int64_t a, std::int64_t b) {
        return words[a] != words[b] ? words[a] < words[b] : a < b;
      });
      return;
    }
  }
  order_row(words, n, found);
  std::copy_n(found, count, order);
}

}  // namespace core
GPARRAY_END_NAMESPACE
