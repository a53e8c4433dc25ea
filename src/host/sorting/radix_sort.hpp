// A stable sort by unsigned keys, digit by digit.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// A key and where it came from.
template<class K, class N>
struct numbered {
  K key;
  N number;
};

template<class K>
K key_of(K key) {
  return key;
}
template<class K, class N>
K key_of(const numbered<K, N>& item) {
  return item.key;
}
template<class Item>
using key_t = decltype(key_of(Item()));

struct before {
  template<class Item>
  bool operator()(const Item& a, const Item& b) const {
    return key_of(a) < key_of(b);
  }
};

/// Below this, comparing is quicker than counting.
inline constexpr std::int64_t comparison_limit = 512;

template<class Item>
constexpr int digit_bits = sizeof(key_t<Item>) < 4 ? 8 : 11;

/// Stable; `spare` has room for as many. By the lowest digit first; digits in which all agree are left out.
template<class Item>
void radix_sort(Item* items, Item* spare, std::int64_t n) {
  using K = key_t<Item>;
  constexpr int bits = digit_bits<Item>, key_bits = 8 * sizeof(K), passes = (key_bits + bits - 1) / bits;
  constexpr std::size_t buckets = std::size_t{1} << bits;
  if (n < comparison_limit) return std::stable_sort(items, items + n, before());
  const auto digit = [](const Item& item, int pass) {
    return static_cast<std::size_t>(key_of(item) >> (pass * bits)) & (buckets - 1);
  };
  const std::unique_ptr<std::int64_t[]> counts(new std::int64_t[passes * buckets]());
  for (std::int64_t i = 0; i < n; ++i)
    for (int pass = 0; pass < passes; ++pass)
      ++counts[static_cast<std::size_t>(pass) * buckets + digit(items[i], pass)];
  Item *from = items, *to = spare;
  for (int pass = 0; pass < passes; ++pass) {
    std::int64_t* const at = &counts[static_cast<std::size_t>(pass) * buckets];
    if (at[digit(from[0], pass)] == n) continue;
    std::int64_t sum = 0;
    for (std::size_t b = 0; b < buckets; ++b) sum += std::exchange(at[b], sum);
    for (std::int64_t i = 0; i < n; ++i) to[at[digit(from[i], pass)]++] = from[i];
    std::swap(from, to);
  }
  if (from != items) std::copy_n(from, n, items);
}

}  // namespace host
GPARRAY_END_NAMESPACE
