// Entries put together by number: a counting sort, stable.
#include <algorithm>
#include <utility>

#include <host/sparse/sparse.hpp>
#include <host/sparse/types.hpp>
#include <host/support/item.hpp>
#include <host/support/pooled.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class I, class Item>
struct entries_of {
  const I *number, *other, *starts;
  std::int64_t rows;
  const Item* data;
  I* others;
  Item* out;

  /// Entries [begin, end) to the positions that `next` holds for their numbers, which move on.
  void put_entries(std::int64_t begin, std::int64_t end, I* next) const {
    const auto put = [&](std::int64_t k, I own) {
      const I to = next[number[k]]++;
      others[to] = own;
      out[to] = data[k];
    };
    if (other) {
      for (std::int64_t k = begin; k < end; ++k) put(k, other[k]);
      return;
    }
    std::int64_t row = std::upper_bound(starts, starts + rows + 1, static_cast<I>(begin)) - starts - 1;
    for (std::int64_t k = begin; k < end; ++row)
      for (const std::int64_t last = std::min<std::int64_t>(end, starts[row + 1]); k < last; ++k)
        put(k, static_cast<I>(row));
  }
};

/// As many parts as threads, if their counts cost less than the entries do.
std::int64_t parts_for(std::int64_t count, std::int64_t n_numbers) {
  const std::int64_t parts = std::min<std::int64_t>(num_threads(), count / fewest_entries);
  return std::clamp<std::int64_t>(count / (2 * n_numbers), 1, std::max<std::int64_t>(parts, 1));
}

template<class I, class Item>
void group_entries(std::int64_t count, std::int64_t n_numbers, const entries_of<I, Item>& e, I* indptr) {
  const std::int64_t parts = parts_for(count, n_numbers);
  indptr[0] = 0;
  if (parts == 1) {
    // Where a number's entries begin becomes where they end, which is where those of the next begin.
    I* const next = indptr + 1;
    std::fill_n(next, n_numbers, I(0));
    for (std::int64_t k = 0; k < count; ++k) ++next[e.number[k]];
    I sum = 0;
    for (std::int64_t n = 0; n < n_numbers; ++n) sum += std::exchange(next[n], sum);
    return e.put_entries(0, count, next);
  }
  const auto begin_of = [&](std::int64_t part) { return count * part / parts; };
  const pooled<I> next(parts * n_numbers);
  const auto each_part = [&](auto body) {
    parallel_for(parts, 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t p = first; p < last; ++p)
        body(begin_of(p), begin_of(p + 1), next.get() + p * n_numbers);
    });
  };
  each_part([&](std::int64_t begin, std::int64_t end, I* counts) {
    std::fill_n(counts, n_numbers, I(0));
    for (std::int64_t k = begin; k < end; ++k) ++counts[e.number[k]];
  });
  I sum = 0;
  for (std::int64_t n = 0; n < n_numbers; ++n) {
    indptr[n] = sum;
    for (std::int64_t p = 0; p < parts; ++p) {
      I& own = next.get()[p * n_numbers + n];
      const I own_count = own;
      own = sum;
      sum += own_count;
    }
  }
  indptr[n_numbers] = sum;
  each_part([&](std::int64_t begin, std::int64_t end, I* next) { e.put_entries(begin, end, next); });
}

}  // namespace

void host_sparse::compress(const core::numbered_entries& e, void* indptr, void* others, void* data, queue) {
  with_index(e.index, [&]<class I>(I) {
    with_item(e.item_bytes, [&]<class Item>(Item) {
      const entries_of<I, Item> typed{static_cast<const I*>(e.number),  static_cast<const I*>(e.other),
                                      static_cast<const I*>(e.starts),  e.rows,
                                      static_cast<const Item*>(e.data), static_cast<I*>(others),
                                      static_cast<Item*>(data)};
      group_entries(e.count, e.n_numbers, typed, static_cast<I*>(indptr));
    });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
