// Sorting by radix: elements become unsigned keys, rows are shared among threads, and one long row is sorted
// in parts that are then merged. Equal keys stay in order, so that the result does not depend on the parts.
#include <algorithm>

#include <host/sorting/avx512_sort.hpp>
#include <host/sorting/complex_sort.hpp>
#include <host/sorting/merge_runs.hpp>
#include <host/sorting/order_keys.hpp>
#include <host/sorting/row_network.hpp>
#include <host/sorting/select_keys.hpp>
#include <host/sorting/selection.hpp>
#include <host/sorting/sort_parts.hpp>
#include <host/support/clones.hpp>
#include <host/support/operations.hpp>
#include <host/support/pooled.hpp>
#include <kernel/sort_key.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// One long row, by all threads. make(begin, end, to) writes items, take(begin, end, from) is given them in
/// order. They are made at `address`, or in memory of their own if it is null.
template<class Item, class Make, class Take>
void sort_long(std::int64_t n, Item* address, Make make, Take take) {
  const std::int64_t parts = parts_of(n);
  const pooled<Item> own(address ? 0 : n), spare(parts > 1 || part_wants_spare<Item>(n) ? n : 0);
  Item* const items = address ? address : own.get();
  parallel_for(n, serial_elements,
               [&](std::int64_t begin, std::int64_t end) { make(begin, end, items + begin); });
  const Item* sorted = items;
  if (parts > 1) sorted = sort_in_parts(items, spare.get(), n, parts);
  else sort_part(items, spare.get(), n);
  parallel_for(n, serial_elements,
               [&](std::int64_t begin, std::int64_t end) { take(begin, end, sorted + begin); });
}

template<class Item>
void sort_each(Item* items, Item* spare, std::int64_t rows, std::int64_t n) {
  if constexpr (std::is_integral_v<Item>)
    if (sorts_side_by_side(rows, n)) return sort_side_by_side(items, rows, n);
  for (std::int64_t i = 0; i < rows * n; i += n) sort_part(items + i, spare, n);
}

/// Rows of n items, which threads share; make and take have numbers in all rows together. Short rows are made
/// and taken many at once.
template<class Item, class Make, class Take>
void sort_rows(std::int64_t rows, std::int64_t n, Item* address, Make make, Take take) {
  const std::int64_t at_once = std::max<std::int64_t>(1, 4096 / n);
  parallel_for(rows, serial_elements / (8 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<Item> own(address ? 0 : at_once * n), spare(part_wants_spare<Item>(n) ? n : 0);
    for (std::int64_t row = begin; row < end; row += at_once) {
      const std::int64_t first = row * n, count = std::min(at_once, end - row) * n;
      Item* const items = address ? address + first : own.get();
      make(first, first + count, items);
      sort_each(items, spare.get(), count / n, n);
      take(first, first + count, items);
    }
  });
}

template<class Item, class Make, class Take>
void sort_items(const core::sort_plan& plan, Item* address, Make make, Take take) {
  if (plan.rows >= num_threads()) return sort_rows(plan.rows, plan.n, address, make, take);
  const std::int64_t n = plan.n;
  for (std::int64_t row = 0; row < plan.rows; ++row) {
    const std::int64_t first = row * n;
    sort_long(
        n, address ? address + first : nullptr,
        [&](std::int64_t begin, std::int64_t end, Item* to) { make(first + begin, first + end, to); },
        [&](std::int64_t begin, std::int64_t end, const Item* from) {
          take(first + begin, first + end, from);
        });
  }
}

/// The bits of keys that are turned over to sort from behind.
template<class T>
kernel::unsigned_t<T> flip_of(bool descending) {
  return static_cast<kernel::unsigned_t<T>>(descending ? -1 : 0);
}

template<class T, class N>
void sort_numbers(const core::sort_plan& plan) {
  using item = numbered<kernel::unsigned_t<T>, N>;
  const T* const in = static_cast<const T*>(plan.in);
  const auto flip = flip_of<T>(plan.descending);
  sort_items<item>(
      plan, nullptr,
      [in, n = plan.n, flip](std::int64_t begin, std::int64_t end, item* to) {
        std::int64_t number = begin % n;
        for (std::int64_t i = begin; i < end; ++i) {
          *to++ = {static_cast<kernel::unsigned_t<T>>(kernel::tie_key(in[i]) ^ flip), static_cast<N>(number)};
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

/// Only what is wanted at some positions is put there. Rows are shared among threads.
template<class T>
void select_elements(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const T* const in = static_cast<const T*>(plan.in);
  K* const keys = static_cast<K*>(plan.sorted);
  parallel_for(plan.rows, serial_elements / (2 * plan.n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<K> spare(plan.n);
    for (std::int64_t first = begin * plan.n; first < end * plan.n; first += plan.n) {
      to_keys(in + first, keys + first, plan.n);
      select_keys(keys + first, spare.get(), plan.n, plan.positions);
      from_keys<T>(keys + first, keys + first, plan.n);
    }
  });
}

template<class T>
GPARRAY_CLONES void to_tie_keys(const T* elements, kernel::unsigned_t<T>* keys, std::int64_t n,
                                kernel::unsigned_t<T> flip) {
  for (std::int64_t i = 0; i < n; ++i)
    keys[i] = static_cast<kernel::unsigned_t<T>>(kernel::tie_key(elements[i]) ^ flip);
}

/// The numbers of what is smaller than the element that belongs at one position, of its equals as they came,
/// and of the others.
template<class T>
void select_numbers(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  constexpr std::int64_t block = 512;
  const T* const in = static_cast<const T*>(plan.in);
  const std::int64_t n = plan.n;
  const K flip = flip_of<T>(plan.descending);
  parallel_for(plan.rows, serial_elements / (4 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    const pooled<K> keys(n), spare(n);
    const pooled<std::int64_t> equal(n);
    for (std::int64_t row = begin; row < end; ++row) {
      const T* const elements = in + row * n;
      to_tie_keys(elements, keys.get(), n, flip);
      select_keys(keys.get(), spare.get(), n, plan.positions);
      const K bound = keys.get()[plan.positions[0]];
      std::int64_t* const out = plan.order + row * n;
      number_lists lists{out, equal.get(), out + n};
      for (std::int64_t i = 0; i < n; i += block) {
        K some[block];
        const std::int64_t count = std::min(block, n - i);
        to_tie_keys(elements + i, some, count, flip);
        list_numbers(some, count, i, bound, lists);
      }
      std::copy(equal.get(), lists.equal, lists.below);
    }
  });
}

/// By words that hold keys and numbers. A long row is shared by the threads, which else share the rows.
template<class T>
void order_packed(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const T* const in = static_cast<const T*>(plan.in);
  const std::int64_t n = plan.n;
  const K flip = flip_of<T>(plan.descending);
  const bool shares_rows = plan.rows >= num_threads();
  parallel_for(plan.rows, shares_rows ? serial_elements / (8 * n) + 1 : plan.rows,
               [&](std::int64_t begin, std::int64_t end) {
                 const pooled<K> keys(n);
                 for (std::int64_t first = begin * n; first < end * n; first += n) {
                   parallel_for(n, serial_elements, [&](std::int64_t i, std::int64_t last) {
                     to_tie_keys(in + first + i, keys.get() + i, last - i, flip);
                   });
                   order_keys(keys.get(), n, plan.order + first, shares_rows ? 1 : parts_of(n));
                 }
               });
}

/// Short rows, which threads share.
template<class T>
void order_short_rows(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const T* const in = static_cast<const T*>(plan.in);
  const K flip = flip_of<T>(plan.descending);
  constexpr std::int64_t room = 4096 / sizeof(K);
  const std::int64_t n = plan.n, at_once = room / n;
  parallel_for(plan.rows, serial_elements / (4 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
    K keys[room];
    for (std::int64_t row = begin; row < end; row += at_once) {
      const std::int64_t rows = std::min(at_once, end - row);
      to_tie_keys(in + row * n, keys, rows * n, flip);
      order_side_by_side(keys, rows, n, plan.order + row * n);
    }
  });
}

/// Rows that threads share, without a pass over all elements that only makes keys.
template<class T>
void sort_by_avx512(const core::sort_plan& plan) {
  using K = kernel::unsigned_t<T>;
  const K* const in = static_cast<const K*>(plan.in);
  K* const out = static_cast<K*>(plan.sorted);
  constexpr kernel::sort_rule rule = kernel::sort_rule_of<T>();
  constexpr std::int64_t line = 64 / sizeof(T), most_fetched = 2048;
  parallel_for(plan.rows, serial_elements / (8 * plan.n) + 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t first = row * plan.n;
      // Sorting leaves time to fetch the next row, whose sample is read from all over it.
      if (row + 1 < end && plan.n <= most_fetched)
        for (std::int64_t i = plan.n; i < 2 * plan.n; i += line) __builtin_prefetch(in + first + i);
      avx512_sort(in + first, out + first, plan.n, rule);
    }
  });
}

template<class T>
void select_typed(const core::selection_plan& plan) {
  if constexpr (!kernel::is_complex<T>) {
    using K = kernel::unsigned_t<T>;
    const T* const in = static_cast<const T*>(plan.in);
    T* const out = static_cast<T*>(plan.out);
    const std::int64_t n = plan.n;
    const std::span positions(plan.positions, static_cast<std::size_t>(plan.n_positions));
    parallel_for(plan.rows, serial_elements / (2 * n) + 1, [&](std::int64_t begin, std::int64_t end) {
      const pooled<K> keys(n), spare(n);
      for (std::int64_t row = begin; row < end; ++row) {
        to_keys(in + row * n, keys.get(), n);
        if constexpr (sizeof(T) >= 4) select_keys(keys.get(), spare.get(), n, positions);
        else sort_keys(keys.get(), spare.get(), n);
        T* to = out + row * plan.n_positions;
        for (const std::int64_t position : positions) *to++ = kernel::from_sort_key<T>(keys.get()[position]);
      }
    });
  }
}

template<class T>
void sort_typed(const core::sort_plan& plan) {
  if constexpr (!kernel::is_complex<T>) {
    const bool side_by_side = sorts_side_by_side(plan.rows, plan.n);
    if (plan.order && side_by_side) return order_short_rows<T>(plan);
    // Narrow elements are sorted as quickly, and short rows.
    if constexpr (sizeof(T) >= 4) {
      if (!plan.positions.empty() && !plan.order && !side_by_side) return select_elements<T>(plan);
      if (plan.order && plan.positions.size() == 1) return select_numbers<T>(plan);
      if (plan.order && orders_by_keyed_index(plan.n)) return order_packed<T>(plan);
      if (!plan.order && has_avx512 && (plan.rows >= num_threads() || parts_of(plan.n) == 1))
        return sort_by_avx512<T>(plan);
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

void select(const core::selection_plan& plan) {
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return select_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

void sort(const core::sort_plan& plan) {
  if (plan.rows == 0 || plan.n == 0) return;
  if (plan.merges()) return merge_runs(plan);
  if (is_complex(plan.type)) return sort_complex(plan);
  switch (plan.type) {
#define GPARRAY_DTYPE(name, type, kernel_type, code, kind) \
  case dtype::name:                                        \
    return sort_typed<kernel_type>(plan);
#include <gparray/tables/dtypes.def>
#undef GPARRAY_DTYPE
  }
}

}  // namespace host
GPARRAY_END_NAMESPACE
