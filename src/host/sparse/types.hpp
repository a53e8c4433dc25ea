// What the CPU's sparse routines share: index types by their numbers, and rows dealt out to threads.
#pragma once
#include <host/support/stored_types.hpp>
#include <host/support/thread_pool.hpp>
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// As with_stored, but signed integers are unsigned ones: their sums, differences and products have the same
/// bits, and so there is less to compile.
template<class Body>
auto with_summed(dtype type, Body&& body) {
  return with_stored(type, [&]<class T>(T) {
    if constexpr (kernel::is_signed_integer<T>) return body(kernel::unsigned_t<T>{});
    else return body(T{});
  });
}

/// As with_stored, for entries that are only copied: one type for real numbers of each size.
template<class Body>
auto with_copied(dtype type, Body&& body) {
  return with_stored(type, [&]<class T>(T) {
    if constexpr (kernel::is_complex<T>) return body(T{});
    else if constexpr (sizeof(T) == 1) return body((unsigned char){});
    else if constexpr (sizeof(T) == 2) return body((unsigned short){});
    else if constexpr (sizeof(T) == 4) return body(unsigned{});
    else return body((unsigned long){});
  });
}

template<class Body>
auto with_index(dtype index, Body&& body) {
  return index == dtype::int32 ? body(std::int32_t{}) : body(std::int64_t{});
}

template<class T, class I>
struct rows_of {
  explicit rows_of(const core::compressed_rows& a)
      : rows(a.rows),
        columns(a.columns),
        count(a.count),
        indptr(static_cast<const I*>(a.indptr)),
        indices(static_cast<const I*>(a.indices)),
        data(static_cast<const T*>(a.data)) {}
  std::int64_t rows, columns, count;
  const I *indptr, *indices;
  const T* data;
};

/// Entries that one thread should have at least.
inline constexpr std::int64_t fewest_entries = 16384;

/// body(first, last) on ranges of rows that have about as many entries each; `weight` is what an entry costs
/// in comparison with reading it once.
template<class I, class Body>
void for_rows(const I* indptr, std::int64_t rows, Body&& body, std::int64_t weight = 1) {
  const std::int64_t work = indptr[rows] + rows;
  const auto row_at = [&](std::int64_t w) {
    std::int64_t low = 0, high = rows;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (indptr[middle] + middle < w) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  parallel_for(work, fewest_entries / weight + 1, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t first = row_at(begin), last = end == work ? rows : row_at(end);
    if (first < last) body(first, last);
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
