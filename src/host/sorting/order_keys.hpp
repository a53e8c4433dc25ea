// The order of keys, by sorting words that hold the upper bits of a key above its number. Keys that agree in
// these bits are then compared one by one.
#pragma once
#include <algorithm>

#include <host/sorting/sort_keys.hpp>
#include <host/support/pooled.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// Whether this is the quicker way to order n keys.
bool orders_by_keyed_index(std::int64_t n);

/// order[i]: the number of the key that belongs at position i; equal ones as they came. In so many parts,
/// which threads share. K has 4 or 8 bytes.
template<class K>
void order_keys(const K* keys, std::int64_t n, std::int64_t* order, std::int64_t parts = 1);

/// How a word is made of a key whose first bits are the same as those of all others.
struct keyed_index {
  using word = unsigned long;
  int same_bits;
  word number_mask;
  word pack(word key, std::int64_t number) const {
    return (key << same_bits & ~number_mask) | static_cast<word>(number);
  }
  std::int64_t number_of(word packed) const { return static_cast<std::int64_t>(packed & number_mask); }
  bool ties(word a, word b) const { return ((a ^ b) & ~number_mask) == 0; }
};

/// The bits that hold the numbers below n.
keyed_index::word number_mask_for(std::int64_t n);

/// Whether there are neighbours with the same bits of their keys.
bool has_ties(const keyed_index::word* packed, std::int64_t n, const keyed_index& how);

/// Puts sorted words in order that have the same bits of their keys; key_of(number) is the whole key. `how`
/// is a keyed_index, or tells in another way which words tie and which numbers these hold.
template<class How, class KeyOf>
void break_ties(keyed_index::word* packed, std::int64_t n, const How& how, KeyOf key_of) {
  using word = keyed_index::word;
  const auto key = [&](word w) { return static_cast<word>(key_of(how.number_of(w))); };
  for (std::int64_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && how.ties(packed[begin], packed[end]);) ++end;
    word *const run = packed + begin, *const run_end = packed + end;
    if (std::is_sorted(run, run_end, [&](word a, word b) { return key(a) < key(b); })) continue;
    const std::int64_t length = end - begin;
    if (length < 512) {
      std::sort(run, run_end, [&](word a, word b) {
        const word key_a = key(a), key_b = key(b);
        return key_a != key_b ? key_a < key_b : a < b;
      });
      continue;
    }
    // These have more of their first bits in common, so that others count this time.
    const pooled<word> keys(length), sorted(length);
    const pooled<std::int64_t> order(length);
    for (std::int64_t i = 0; i < length; ++i) keys.get()[i] = key(run[i]);
    order_keys(keys.get(), length, order.get());
    for (std::int64_t i = 0; i < length; ++i) sorted.get()[i] = run[order.get()[i]];
    std::copy_n(sorted.get(), length, run);
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
