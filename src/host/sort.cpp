// Sorting by radix: elements become unsigned keys, rows are shared among threads, and one long row is sorted
// in parts that are then merged. Equal keys stay in order, so that the result does not depend on the parts.
#include <core/order_plan.hpp>
#include <host/merge.hpp>
#include <host/operations.hpp>
#include <host/pooled.hpp>
#include <host/sort_keys.hpp>
#include <host/thread_pool.hpp>
#include <kernel/sort_key.hpp>

#include <algorithm>
#include <cstring>
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

/// Makes the items of each row, sorts them and hands them over. They are made at `place`, row after row, or
/// in memory of their own if it is null.
template<class Item, class Make, class Take>
void sort_rows(std::int64_t rows, std::int64_t n, Item* place, Make make, Take take) {
  const auto one = [&](std::int64_t row, std::int64_t parts, Item* items, Item* spare) {
    Item* const first = place ? place + row * n : items;
    const auto shared = [&](auto&& body) {
      if (parts > 1) parallel_for(n, serial_elements, body);
      else body(std::int64_t{0}, n);
    };
    shared([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) first[i] = make(row, i);
    });
    const Item* sorted = first;
    if (parts > 1) sorted = sort_in_parts(first, spare, n, parts);
    else sort_part(first, spare, n);
    shared([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) take(row, i, sorted[i]);
    });
  };
  const auto several = [&](std::int64_t begin, std::int64_t end, std::int64_t parts) {
    const pooled<Item> items(place ? 0 : n), spare(parts > 1 || part_wants_spare<Item>(n) ? n : 0);
    for (std::int64_t row = begin; row < end; ++row) one(row, parts, items.get(), spare.get());
  };
  if (rows < num_threads()) several(0, rows, parts_of(n));
  else
    parallel_for(rows, serial_elements / (8 * n) + 1,
                 [&](std::int64_t begin, std::int64_t end) { several(begin, end, 1); });
}

template<class T, class N>
void sort_numbers(const core::sort_plan& plan) {
  using item = numbered<kernel::unsigned_t<T>, N>;
  const T* const in = static_cast<const T*>(plan.in);
  const std::int64_t n = plan.n;
  sort_rows<item>(
      plan.rows, n, nullptr,
      [=](std::int64_t row, std::int64_t i) {
        return item{kernel::tie_key(in[row * n + i]), static_cast<N>(i)};
      },
      [n, out = plan.order](std::int64_t row, std::int64_t i, const item& x) {
        out[row * n + i] = static_cast<std::int64_t>(x.number);
      });
}

template<class T>
void sort_typed(const core::sort_plan& plan) {
  if constexpr (!kernel::is_complex<T>) {
    if (plan.order)
      return plan.n > std::int64_t{1} << 32 ? sort_numbers<T, std::uint64_t>(plan)
                                            : sort_numbers<T, std::uint32_t>(plan);
    // The keys are as large as the elements, and sorted where these are to be.
    using K = kernel::unsigned_t<T>;
    const T* const in = static_cast<const T*>(plan.in);
    K* const keys = static_cast<K*>(plan.sorted);
    sort_rows<K>(
        plan.rows, plan.n, keys,
        [=, n = plan.n](std::int64_t row, std::int64_t i) { return kernel::sort_key(in[row * n + i]); },
        [=, n = plan.n](std::int64_t row, std::int64_t i, K key) {
          const T element = kernel::from_sort_key<T>(key);
          std::memcpy(keys + row * n + i, &element, sizeof element);
        });
  }
}

template<class T>
void search_typed(const core::search_plan& plan) {
  const T* const sorted = static_cast<const T*>(plan.sorted);
  const T* const values = static_cast<const T*>(plan.values);
  parallel_for(plan.count, serial_elements / 16, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const T value = values[i];
      const T* const found = plan.right
                                 ? std::upper_bound(sorted, sorted + plan.n, value, kernel::sorts_before<T>)
                                 : std::lower_bound(sorted, sorted + plan.n, value, kernel::sorts_before<T>);
      plan.out[i] = found - sorted;
    }
  });
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

void search(const core::search_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return search_typed<kernel_type>(plan);
#include <gparray/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
