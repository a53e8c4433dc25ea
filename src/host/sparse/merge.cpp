// Rows put in order where they are: their entries sorted, and those of one position added up.
#include <host/sorting/radix_sort.hpp>
#include <host/sparse/counted.hpp>
#include <host/sparse/sparse.hpp>
#include <host/support/scratch.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

// Shorter rows are sorted by insertion.
constexpr std::int64_t few = 24;

template<class T, class I>
void insert_in_order(I* indices, T* data, I n) {
  for (I k = 1; k < n; ++k) {
    const I index = indices[k];
    if (indices[k - 1] <= index) continue;
    const T value = data[k];
    I to = k;
    for (; to > 0 && indices[to - 1] > index; --to) {
      indices[to] = indices[to - 1];
      data[to] = data[to - 1];
    }
    indices[to] = index;
    data[to] = value;
  }
}

/// Stable, so that entries of one position are added up in the order that they came in.
template<class T, class I>
void sort_entries(I* indices, T* data, I n) {
  if (n <= few) return insert_in_order(indices, data, n);
  if (std::is_sorted(indices, indices + n)) return;
  struct items_purpose;
  struct data_purpose;
  using item = numbered<std::make_unsigned_t<I>, I>;
  const auto count = static_cast<std::size_t>(n);
  item* const items = reinterpret_cast<item*>(thread_scratch<items_purpose>(2 * count * sizeof(item)));
  T* const copy = reinterpret_cast<T*>(thread_scratch<data_purpose>(count * sizeof(T)));
  for (I k = 0; k < n; ++k) items[k] = {static_cast<std::make_unsigned_t<I>>(indices[k]), k};
  std::copy_n(data, n, copy);
  radix_sort(items, items + n, n);
  for (I k = 0; k < n; ++k) {
    indices[k] = static_cast<I>(items[k].key);
    data[k] = copy[items[k].number];
  }
}

template<class T, class I>
I add_up(I* indices, T* data, I n) {
  if (n == 0) return 0;
  I last = 0;
  for (I k = 1; k < n; ++k) {
    if (indices[k] == indices[last]) {
      data[last] = kernel::add(data[last], data[k]);
    } else {
      indices[++last] = indices[k];
      data[last] = data[k];
    }
  }
  return last + 1;
}

template<class T, class I>
struct merged_rows {
  rows_of<T, I> a;
  I* indices;
  T* data;

  std::int64_t weight() const { return 2 * mean_entries(a); }
  void count(std::int64_t first, std::int64_t last, I* counts) const {
    for (std::int64_t row = first; row < last; ++row) {
      const I begin = a.indptr[row], n = a.indptr[row + 1] - begin;
      sort_entries(indices + begin, data + begin, n);
      counts[row] = add_up(indices + begin, data + begin, n);
    }
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* to_indices, T* to_data) const {
    for (std::int64_t row = first; row < last; ++row) {
      const I from = a.indptr[row], to = starts[row], n = starts[row + 1] - to;
      copy_entries(indices + from, data + from, n, to_indices + to, to_data + to);
    }
  }
};

}  // namespace

std::unique_ptr<core::counted_matrix> host_sparse::merge_rows(const core::compressed_rows& a, void* indptr,
                                                              queue) {
  return with_summed(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) {
      return counted<T, I>(merged_rows<T, I>{rows_of<T, I>(a), static_cast<I*>(const_cast<void*>(a.indices)),
                                             static_cast<T*>(const_cast<void*>(a.data))},
                           a.rows, indptr);
    });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
