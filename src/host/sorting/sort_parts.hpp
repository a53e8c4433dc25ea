// One long row sorted by all threads: in parts that are then merged.
#pragma once
#include <type_traits>
#include <utility>

#include <host/sorting/merge.hpp>
#include <host/sorting/sort_keys.hpp>
#include <host/support/thread_pool.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// The items of one part, in order.
template<class Item>
void sort_part(Item* items, Item* spare, std::int64_t n) {
  if constexpr (std::is_integral_v<Item>) sort_keys(items, spare, n);
  else radix_sort(items, spare, n);
}
template<class Item>
bool part_wants_spare(std::int64_t n) {
  if constexpr (std::is_integral_v<Item>) return wants_spare<Item>(n);
  else return true;
}

/// How many parts one long row is sorted in: a power of two.
inline std::int64_t parts_of(std::int64_t n) {
  std::int64_t parts = 1;
  while (parts < num_threads() && n / (2 * parts) >= serial_elements) parts *= 2;
  return parts;
}

/// Sorted parts, merged two by two; each merge is shared among the threads. Returns where the result is: in
/// `items` or in `spare`.
template<class Item>
Item* sort_in_parts(Item* items, Item* spare, std::int64_t n, std::int64_t parts) {
  const auto edge = [&](std::int64_t part) { return n * part / parts; };
  parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p)
      sort_part(items + edge(p), spare + edge(p), edge(p + 1) - edge(p));
  });
  Item *from = items, *to = spare;
  for (std::int64_t width = 1; width < parts; width *= 2) {
    for (std::int64_t p = 0; p < parts; p += 2 * width) {
      const std::int64_t first = edge(p), n_a = edge(p + width) - first,
                         n_b = edge(p + 2 * width) - first - n_a;
      const Item *const a = from + first, *const b = a + n_a;
      parallel_for(n_a + n_b, serial_elements, [&](std::int64_t begin, std::int64_t end) {
        merge_range(a, n_a, b, n_b, to + first, begin, end);
      });
    }
    std::swap(from, to);
  }
  return from;
}

}  // namespace host
GPARRAY_END_NAMESPACE
