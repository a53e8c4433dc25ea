// Merging two sorted runs, and cutting the merge into pieces that can be made apart.
#pragma once
#include <host/sorting/radix_sort.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// How many of the first k items of the merge of a and b come from a.
template<class Item>
std::int64_t from_first(const Item* a, std::int64_t n_a, const Item* b, std::int64_t n_b, std::int64_t k) {
  std::int64_t low = std::max<std::int64_t>(0, k - n_b), high = std::min(k, n_a);
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (key_of(b[k - middle - 1]) < key_of(a[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}

/// Items [begin, end) of the stable merge of a and b, written to their positions in `out`. Several pieces are
/// made in turns, for each waits for its own comparisons; nothing jumps, for nothing can be predicted.
template<class Item>
void merge_range(const Item* a, std::int64_t n_a, const Item* b, std::int64_t n_b, Item* out,
                 std::int64_t begin, std::int64_t end) {
  constexpr int pieces = 4;
  const Item *left[pieces], *left_end[pieces], *right[pieces], *right_end[pieces];
  Item* to[pieces];
  const auto edge = [&](int piece) { return begin + (end - begin) * piece / pieces; };
  for (int p = 0; p < pieces; ++p) {
    const std::int64_t from = edge(p), until = edge(p + 1), from_a = from_first(a, n_a, b, n_b, from),
                       until_a = from_first(a, n_a, b, n_b, until);
    left[p] = a + from_a;
    left_end[p] = a + until_a;
    right[p] = b + (from - from_a);
    right_end[p] = b + (until - until_a);
    to[p] = out + from;
  }
  for (;;) {
    std::int64_t safe = end - begin;  // steps in which none of the runs can end
    for (int p = 0; p < pieces; ++p) safe = std::min({safe, left_end[p] - left[p], right_end[p] - right[p]});
    if (safe == 0) break;
    for (; safe > 0; --safe)
      for (int p = 0; p < pieces; ++p) {
        const Item x = *left[p], y = *right[p];
        const bool second = key_of(y) < key_of(x);
        *to[p]++ = second ? y : x;
        left[p] += !second;
        right[p] += second;
      }
  }
  for (int p = 0; p < pieces; ++p) std::merge(left[p], left_end[p], right[p], right_end[p], to[p], before());
}

}  // namespace host
GPARRAY_END_NAMESPACE
