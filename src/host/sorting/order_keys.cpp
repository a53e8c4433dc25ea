#include <atomic>
#include <bit>

#include <host/sorting/order_keys.hpp>
#include <host/sorting/sort_parts.hpp>
#include <host/support/clones.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using word = keyed_index::word;

/// The bits in which keys differ from the first one.
GPARRAY_CLONES word bits_that_differ(const unsigned long* keys, std::int64_t n, word first) {
  word differing = 0;
  for (std::int64_t i = 0; i < n; ++i) differing |= keys[i] ^ first;
  return differing;
}
template<class K>
GPARRAY_CLONES void pack_all(const K* keys, std::int64_t begin, std::int64_t end, const keyed_index& how,
                             word* to) {
  const keyed_index p = how;
  for (std::int64_t i = begin; i < end; ++i) to[i] = p.pack(keys[i], i);
}
GPARRAY_CLONES void take_numbers(word* packed, std::int64_t n, word mask, std::int64_t* numbers) {
  word* const to = reinterpret_cast<word*>(numbers);
  if (to == packed) {
    for (std::int64_t i = 0; i < n; ++i) packed[i] &= mask;
  } else {
    for (std::int64_t i = 0; i < n; ++i) to[i] = packed[i] & mask;
  }
}
GPARRAY_CLONES word count_ties(const word* packed, std::int64_t n, word number_mask) {
  word count = 0;
  for (std::int64_t i = 0; i < n; ++i) count += (packed[i] ^ packed[i + 1]) <= number_mask;
  return count;
}

template<class K>
word differing_bits(const K* keys, std::int64_t n) {
  if constexpr (sizeof(K) < 8) {
    return static_cast<K>(-1);
  } else {
    std::atomic<word> all = 0;
    parallel_for(n, serial_elements, [&](std::int64_t begin, std::int64_t end) {
      all.fetch_or(bits_that_differ(keys + begin, end - begin, keys[0]), std::memory_order_relaxed);
    });
    return all;
  }
}

}  // namespace

bool orders_by_keyed_index(std::int64_t n) { return n <= std::int64_t{1} << 32 && !wants_spare<word>(n); }

word number_mask_for(std::int64_t n) {
  return n < 2 ? 0 : ~word{0} >> std::countl_zero(static_cast<word>(n - 1));
}

bool has_ties(const word* packed, std::int64_t n, const keyed_index& how) {
  return n > 1 && count_ties(packed, n - 1, how.number_mask) > 0;
}

template<class K>
void order_keys(const K* keys, std::int64_t n, std::int64_t* order, std::int64_t parts) {
  if (n == 0) return;
  const word differing = differing_bits(keys, n);
  const keyed_index how{differing == 0 ? 0 : std::countl_zero(differing), number_mask_for(n)};
  // Where all bits that differ are above the number, words are alike only if keys are equal.
  const bool complete = (differing << how.same_bits & how.number_mask) == 0;
  word* const packed = reinterpret_cast<word*>(order);
  const pooled<word> spare(parts > 1 || wants_spare<word>(n) ? n : 0);
  parallel_for(n, serial_elements,
               [&](std::int64_t begin, std::int64_t end) { pack_all(keys, begin, end, how, packed); });
  word* sorted = packed;
  if (parts > 1) sorted = sort_in_parts(packed, spare.get(), n, parts);
  else sort_keys(packed, spare.get(), n);
  if (!complete && has_ties(sorted, n, how))
    break_ties(sorted, n, how, [&](std::int64_t number) { return keys[number]; });
  parallel_for(n, serial_elements, [&](std::int64_t begin, std::int64_t end) {
    take_numbers(sorted + begin, end - begin, how.number_mask, order + begin);
  });
}

template void order_keys(const unsigned*, std::int64_t, std::int64_t*, std::int64_t);
template void order_keys(const unsigned long*, std::int64_t, std::int64_t*, std::int64_t);

}  // namespace host
GPARRAY_END_NAMESPACE
