// Sorting by radix: elements become unsigned keys, rows are shared among threads, and one long row is sorted
// in parts that are then merged. Equal keys stay in order, so that the result does not depend on the parts.
#include <core/order_plan.hpp>
#include <host/operations.hpp>
#include <host/thread_pool.hpp>
#include <kernel/sort_key.hpp>

#include <algorithm>
#include <memory>
#include <utility>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

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
constexpr std::int64_t comparison_limit = 512;

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

/// One long row: sorted parts, merged two by two; each merge is shared among the threads.
template<class Item>
void sort_in_parts(Item* items, Item* spare, std::int64_t n) {
  std::int64_t parts = 1;
  while (parts < num_threads() && n / (2 * parts) >= serial_elements) parts *= 2;
  const auto edge = [&](std::int64_t part) { return n * part / parts; };
  parallel_for(parts, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p)
      radix_sort(items + edge(p), spare + edge(p), edge(p + 1) - edge(p));
  });
  Item *from = items, *to = spare;
  for (std::int64_t width = 1; width < parts; width *= 2) {
    for (std::int64_t p = 0; p < parts; p += 2 * width) {
      const std::int64_t first = edge(p), n_a = edge(p + width) - first,
                         n_b = edge(p + 2 * width) - first - n_a;
      const Item *const a = from + first, *const b = a + n_a;
      parallel_for(n_a + n_b, serial_elements, [&](std::int64_t begin, std::int64_t end) {
        const std::int64_t a_begin = from_first(a, n_a, b, n_b, begin),
                           a_end = from_first(a, n_a, b, n_b, end);
        std::merge(a + a_begin, a + a_end, b + (begin - a_begin), b + (end - a_end), to + first + begin,
                   before());
      });
    }
    std::swap(from, to);
  }
  if (from != items) std::copy_n(from, n, items);
}

/// Makes the items of a row, sorts them and hands them over.
template<class Item, class Make, class Take>
void sort_rows(std::int64_t rows, std::int64_t n, Make make, Take take) {
  const auto one = [&](std::int64_t row, bool alone) {
    const std::unique_ptr<Item[]> items(new Item[static_cast<std::size_t>(2 * n)]);
    Item *const first = items.get(), *const spare = first + n;
    const auto shared = [&](auto&& body) {
      if (alone) parallel_for(n, serial_elements, body);
      else body(std::int64_t{0}, n);
    };
    shared([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) first[i] = make(row, i);
    });
    if (alone) sort_in_parts(first, spare, n);
    else radix_sort(first, spare, n);
    shared([&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) take(row, i, first[i]);
    });
  };
  if (rows < num_threads()) {
    for (std::int64_t row = 0; row < rows; ++row) one(row, true);
  } else {
    parallel_for(rows, serial_elements / (8 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) one(row, false);
    });
  }
}

template<class T, class N>
void sort_numbers(const core::sort_plan& plan) {
  using item = numbered<kernel::unsigned_t<T>, N>;
  const T* const in = static_cast<const T*>(plan.in);
  const std::int64_t n = plan.n;
  sort_rows<item>(
      plan.rows, n,
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
    const T* const in = static_cast<const T*>(plan.in);
    T* const out = static_cast<T*>(plan.sorted);
    using K = kernel::unsigned_t<T>;
    sort_rows<K>(
        plan.rows, plan.n,
        [=, n = plan.n](std::int64_t row, std::int64_t i) { return kernel::sort_key(in[row * n + i]); },
        [=, n = plan.n](std::int64_t row, std::int64_t i, K key) {
          out[row * n + i] = kernel::from_sort_key<T>(key);
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
