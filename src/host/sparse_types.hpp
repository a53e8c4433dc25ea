// What the CPU's sparse routines share: element and index types by their numbers, and rows dealt out to
// threads.
#pragma once
#include <core/sparse_engine.hpp>
#include <host/thread_pool.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// body(T{}) for the kernel type of a dtype that sparse matrices hold.
template<class Body>
auto with_stored(dtype type, Body&& body) {
  switch (type) {
    case dtype::bool_:
      return body(bool{});
    case dtype::int8:
      return body((signed char){});
    case dtype::int16:
      return body(short{});
    case dtype::int32:
      return body(int{});
    case dtype::int64:
      return body(long{});
    case dtype::uint8:
      return body((unsigned char){});
    case dtype::uint16:
      return body((unsigned short){});
    case dtype::uint32:
      return body(unsigned{});
    case dtype::uint64:
      return body((unsigned long){});
    case dtype::float32:
      return body(float{});
    case dtype::float64:
      return body(double{});
    case dtype::complex64:
      return body(kernel::complex<float>{});
    default:
      return body(kernel::complex<double>{});
  }
}

/// As with_stored, but signed integers are unsigned ones: their sums, differences and products have the same
/// bits, and so there is less to compile.
template<class Body>
auto with_summed(dtype type, Body&& body) {
  return with_stored(type, [&]<class T>(T) {
    if constexpr (kernel::is_signed_integer<T>) return body(kernel::unsigned_t<T>{});
    else return body(T{});
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
