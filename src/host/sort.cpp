// Sorting by radix: elements become unsigned keys, rows are shared among threads, and one long row is sorted
// in parts that are then merged. Equal keys stay in order, so that the result does not depend on the parts.
#include <core/order_plan.hpp>
#include <host/clones.hpp>
#include <host/merge.hpp>
#include <host/operations.hpp>
#include <host/pooled.hpp>
#include <host/select_keys.hpp>
#include <host/sort_keys.hpp>
#include <host/thread_pool.hpp>
#include <kernel/sort_key.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

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
std::int64_t parts_of(std::int64_t n) {
  std::int64_t parts = 1;
  while (parts < num_threads() && n / (2 * parts) >= serial_elements) parts *= 2;
  return parts;
}

/// One long row: sorted parts, merged two by two; each merge is shared among the threads. Returns where the
/// result is: in `items` or in `spare`.
template<class Item>
const Item* sort_in_parts(Item* items, Item* spare, std::int64_t n, std::int64_t parts) {
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

/// One long row, by all threads. make(begin, end, to) writes items, take(begin, end, from) is given them in
/// order. They are made at `place`, or in memory of their own if it is null.
template<class Item, class Make, class Take>
void sort_long(std::int64_t n, Item* place, Make make, Take take) {
  const std::int64_t parts = parts_of(n);
  const pooled<Item> own(place ? 0 : n), spare(parts > 1 || part_wants_spare<Item>(n) ? n : 0);
  Item* const items = place ? place : own.get();
  parallel_for(n, serial_elements,
               [&](std::int64_t begin, std::int64_t end) { make(begin, end, items + begin); });
  const Item* sorted = items;
  if (parts > 1) sorted = sort_in_parts(items, spare.get(), n, parts);
  else sort_part(items, spare.get(), n);
  parallel_for(n, serial_elements,
               [&](std::int64_t begin, std::int64_t end) { take(begin, end, sorted + begin); });
}

/// Rows of n items, which threads share; make and take have numbers in all rows together. Short rows are made
/// and taken many at once.
template<class Item, class Make, class Take>
void sort_rows(std::int64_t rows, std::int64_t n, Item* place, Make make, Take take) {
  const std::int64_t at_once = std::max<std::int64_t>(1, 4096 / n);
  parallel_for(rows, serial_elements / (8 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<Item> own(place ? 0 : at_once * n), spare(part_wants_spare<Item>(n) ? n : 0);
    for (std::int64_t row = begin; row < end; row += at_once) {
      const std::int64_t first = row * n, count = std::min(at_once, end - row) * n;
      Item* const items = place ? place + first : own.get();
      make(first, first + count, items);
      for (std::int64_t i = 0; i < count; i += n) sort_part(items + i, spare.get(), n);
      take(first, first + count, items);
    }
  });
}

template<class Item, class Make, class Take>
void sort_items(const core::sort_plan& plan, Item* place, Make make, Take take) {
  if (plan.rows >= num_threads()) return sort_rows(plan.rows, plan.n, place, make, take);
  const std::int64_t n = plan.n;
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    const std::int64_t first = row * n;
    sort_long(
        n, place ? place + first : nullptr,
        [&](std::int64_t begin, std::int64_t end, Item* to) { make(first + begin, first + end, to); },
        [&](std::int64_t begin, std::int64_t end, const Item* from) {
          take(first + begin, first + end, from);
        });
  }
}

template<class T, class N>
void sort_numbers(const core::sort_plan& plan) {
  using item = numbered<kernel::unsigned_t<T>, N>;
  const T* const in = static_cast<const T*>(plan.in);
  sort_items<item>(
      plan, nullptr,
      [in, n = plan.n](std::int64_t begin, std::int64_t end, item* to) {
        std::int64_t number = begin % n;
        for (std::int64_t i = begin; i < end; ++i) {
          *to++ = {kernel::tie_key(in[i]), static_cast<N>(number)};
          if (++number == n) number = 0;
        }
      },
      [out = plan.order](std::int64_t begin, std::int64_t end, const item* from) {
        for (std::int64_t i = begin; i < end; ++i) out[i] = static_cast<std::int64_t>((from++)->number);
      });
}

template<class T>
GPARRAY_CLONES void to_keys(const T* elements, kernel::unsigned_t<T>* keys, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = kernel::sort_key(elements[i]);
}
/// `elements` may be where the keys are, so they are written as bytes.
template<class T>
GPARRAY_CLONES void from_keys(const kernel::unsigned_t<T>* keys, void* elements, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const T element = kernel::from_sort_key<T>(keys[i]);
    __builtin_memcpy(static_cast<char*>(elements) + i * static_cast<std::int64_t>(sizeof(T)), &element,
                     sizeof(T));
  }
}

/// Only what is wanted at some places is put there. Rows are shared among threads.
template<class T>
void select_elements(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const T* const in = static_cast<const T*>(plan.in);
  K* const keys = static_cast<K*>(plan.sorted);
  parallel_for(plan.rows, serial_elements / (2 * plan.n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<K> spare(plan.n);
    for (std::int64_t first = begin * plan.n; first < end * plan.n; first += plan.n) {
      to_keys(in + first, keys + first, plan.n);
      select_keys(keys + first, spare.get(), plan.n, plan.places);
      from_keys<T>(keys + first, keys + first, plan.n);
    }
  });
}

template<class T>
GPARRAY_CLONES void to_tie_keys(const T* elements, kernel::unsigned_t<T>* keys, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) keys[i] = kernel::tie_key(elements[i]);
}

/// The numbers of what is smaller than the element that belongs at one place, of its equals as they came, and
/// of the others.
template<class T>
void select_numbers(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  constexpr std::int64_t block = 512;
  const T* const in = static_cast<const T*>(plan.in);
  const std::int64_t n = plan.n;
  parallel_for(plan.rows, serial_elements / (4 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<K> keys(n), spare(n);
    const pooled<std::int64_t> equal(n);
    for (std::int64_t row = begin; row < end; ++row) {
      const T* const elements = in + row * n;
      to_tie_keys(elements, keys.get(), n);
      select_keys(keys.get(), spare.get(), n, plan.places);
      const K bound = keys.get()[plan.places[0]];
      std::int64_t* const out = plan.order + row * n;
      number_lists lists{out, equal.get(), out + n};
      for (std::int64_t i = 0; i < n; i += block) {
        K some[block];
        const std::int64_t count = std::min(block, n - i);
        to_tie_keys(elements + i, some, count);
        list_numbers(some, count, i, bound, lists);
      }
      std::copy(equal.get(), lists.equal, lists.below);
    }
  });
}

template<class T>
void sort_typed(const core::sort_plan& plan) {
  if constexpr (!kernel::is_complex<T>) {
    // Narrow elements are sorted as quickly.
    if constexpr (sizeof(T) >= 4) {
      if (!plan.places.empty() && !plan.order) return select_elements<T>(plan);
      if (plan.places.size() == 1) return select_numbers<T>(plan);
    }
    if (plan.order)
      return plan.n > std::int64_t{1} << 32 ? sort_numbers<T, std::uint64_t>(plan)
                                            : sort_numbers<T, std::uint32_t>(plan);
    // The keys are as large as the elements, and sorted where these are to be.
    using K = kernel::unsigned_t<T>;
    const T* const in = static_cast<const T*>(plan.in);
    K* const keys = static_cast<K*>(plan.sorted);
    sort_items<K>(
        plan, keys,
        [=](std::int64_t begin, std::int64_t end, K* to) { to_keys(in + begin, to, end - begin); },
        [=](std::int64_t begin, std::int64_t end, const K* from) {
          from_keys<T>(from, keys + begin, end - begin);
        });
  }
}

}  // namespace

void sort(const core::sort_plan& plan) {
  if (plan.rows == 0 || plan.n == 0) return;
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return sort_typed<kernel_type>(plan);
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
