// Products of sparse matrices with vectors and dense matrices, and diagonals.
#include <algorithm>
#include <array>
#include <utility>

#include <host/sparse/sparse.hpp>
#include <host/sparse/types.hpp>
#include <host/support/clones.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// body(row, k, N) for rows from `row` on, as long as they have N entries each, the first of them number k.
/// N is a constant, so that there is no loop whose end has to be foreseen. Returns the row after them.
template<int N, class I, class Body>
std::int64_t equal_rows(const I* indptr, std::int64_t row, std::int64_t last, const Body& body) {
  I k = indptr[row];
  do {
    body(row++, k, std::integral_constant<I, N>());
    k += N;
  } while (row < last && indptr[row + 1] - k == N);
  return row;
}

template<class I, class Body, int... N>
constexpr auto make_equal_rows(std::integer_sequence<int, N...>) {
  return std::array{&equal_rows<N + 1, I, Body>...};
}

/// body(row, k, count) for all rows; `count` is a constant where many rows have as many entries, which must
/// be few: grids of one to three dimensions have 3, 5, 7 or 9. It never is for entries that are not floating
/// point: their loops would take longer to compile than they are worth.
template<class T, class I, class Body>
void rows_by_length(const I* indptr, std::int64_t row, std::int64_t last, const Body& body) {
  if constexpr (!std::is_floating_point_v<T>) {
    for (; row < last; ++row) body(row, indptr[row], indptr[row + 1] - indptr[row]);
  } else {
    constexpr int few = 9;
    static constexpr auto by_length = make_equal_rows<I, Body>(std::make_integer_sequence<int, few>());
    // Two equal rows in turn may be chance, and costs more than it gives.
    constexpr int many = 3;
    I before = 0;
    for (int equal = 0; row < last;) {
      const I k = indptr[row], count = indptr[row + 1] - k;
      equal = count == before ? equal + 1 : 0;
      if (equal >= many && count > 0 && count <= few) {
        row = by_length[static_cast<std::size_t>(count - 1)](indptr, row, last, body);
        equal = 0;
      } else {
        body(row++, k, count);
        before = count;
      }
    }
  }
}

template<class T, class I>
void times_vector(const rows_of<T, I>& a, const T* x, T* y) {
  const auto row_times_vector = [&](std::int64_t row, I k, auto count) {
    T sum{};
    for (I i = 0; i < count; ++i, ++k) sum = kernel::add(sum, kernel::multiply(a.data[k], x[a.indices[k]]));
    y[row] = sum;
  };
  for_rows(a.indptr, a.rows, [&](std::int64_t first, std::int64_t last) {
    rows_by_length<T>(a.indptr, first, last, row_times_vector);
  });
}

/// y += factor * x
template<class T>
GPARRAY_CLONES void add_multiple(T factor, const T* x, T* y, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = kernel::add(y[i], kernel::multiply(factor, x[i]));
}

template<class T, class I>
void times_matrix(const rows_of<T, I>& a, std::int64_t width, const T* x, T* y) {
  for_rows(
      a.indptr, a.rows,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t r = first; r < last; ++r) {
          T* const to = y + r * width;
          std::fill_n(to, width, T{});
          for (I k = a.indptr[r]; k < a.indptr[r + 1]; ++k)
            add_multiple(a.data[k], x + a.indices[k] * width, to, width);
        }
      },
      width);
}

/// Rows of A are scattered over y, so threads share out y's columns instead.
template<class T, class I>
void transposed_times(const rows_of<T, I>& a, std::int64_t width, const T* x, T* y) {
  std::fill_n(y, a.columns * width, T{});
  if (width == 1) {
    rows_by_length<T>(a.indptr, 0, a.rows, [&](std::int64_t row, I k, auto count) {
      for (I i = 0; i < count; ++i, ++k)
        y[a.indices[k]] = kernel::add(y[a.indices[k]], kernel::multiply(a.data[k], x[row]));
    });
    return;
  }
  parallel_for(width, std::max<std::int64_t>(16, fewest_entries / (a.count + 1)),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t r = 0; r < a.rows; ++r)
                   for (I k = a.indptr[r]; k < a.indptr[r + 1]; ++k)
                     add_multiple(a.data[k], x + r * width + begin, y + a.indices[k] * width + begin,
                                  end - begin);
               });
}

/// y += d * x
template<class T>
GPARRAY_CLONES void add_products(const T* d, const T* x, T* y, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) y[i] = kernel::add(y[i], kernel::multiply(d[i], x[i]));
}

/// Rows that stay in the first-level cache while all diagonals are added to them.
constexpr std::int64_t rows_together = 1024;

template<class T>
void add_diagonals(const core::stored_diagonals& a, std::int64_t width, const T* x, T* y) {
  const std::int64_t work = width * static_cast<std::int64_t>(a.each.size());
  const std::int64_t tile = rows_together / std::min(width, rows_together);
  parallel_for((a.rows + tile - 1) / tile, fewest_entries / (work * tile) + 1,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t t = begin; t < end; ++t)
                   for (const core::stored_diagonal& each : a.each) {
                     const std::int64_t offset = each.offset;
                     const std::int64_t first = std::max(t * tile, -offset),
                                        last = std::min({(t + 1) * tile, a.rows, a.width - offset});
                     if (first >= last) continue;
                     const T* const d = static_cast<const T*>(each.data) + offset;
                     const T* const from = x + offset * width;
                     if (width == 1) add_products(d + first, from + first, y + first, last - first);
                     else
                       for (std::int64_t r = first; r < last; ++r)
                         add_multiple(d[r], from + r * width, y + r * width, width);
                   }
               });
}

template<class T, class I>
void add_up_diagonal(const rows_of<T, I>& a, std::int64_t k, T* out) {
  const std::int64_t top = std::max<std::int64_t>(0, -k), bottom = std::min(a.rows, a.columns - k);
  parallel_for(bottom - top, fewest_entries, [&](std::int64_t begin, std::int64_t end) {
    rows_by_length<T>(a.indptr, top + begin, top + end, [&](std::int64_t row, I at, auto count) {
      const I column = static_cast<I>(row + k);
      T sum{};
      for (I i = 0; i < count; ++i, ++at)
        if (a.indices[at] == column) sum = kernel::add(sum, a.data[at]);
      out[row - top] = sum;
    });
  });
}

}  // namespace

bool host_sparse::diagonal(const core::compressed_rows& a, std::int64_t k, void* out, queue) {
  with_stored(a.type, [&]<class T>(T) {
    with_index(a.index, [&]<class I>(I) { add_up_diagonal(rows_of<T, I>(a), k, static_cast<T*>(out)); });
  });
  return true;
}

void host_sparse::diagonals_times_dense(const core::stored_diagonals& a, std::int64_t width, const void* x,
                                        void* y, queue) {
  with_stored(a.type,
              [&]<class T>(T) { add_diagonals(a, width, static_cast<const T*>(x), static_cast<T*>(y)); });
}

bool host_sparse::times_dense(const core::compressed_rows& a, std::int64_t width, const void* x, void* y,
                              queue) {
  with_stored(a.type, [&]<class T>(T) {
    with_index(a.index, [&]<class I>(I) {
      const rows_of<T, I> rows(a);
      if (width == 1) times_vector(rows, static_cast<const T*>(x), static_cast<T*>(y));
      else times_matrix(rows, width, static_cast<const T*>(x), static_cast<T*>(y));
    });
  });
  return true;
}

bool host_sparse::transposed_times_dense(const core::compressed_rows& a, std::int64_t width, const void* x,
                                         void* y, queue) {
  with_stored(a.type, [&]<class T>(T) {
    with_index(a.index, [&]<class I>(I) {
      transposed_times(rows_of<T, I>(a), width, static_cast<const T*>(x), static_cast<T*>(y));
    });
  });
  return true;
}

}  // namespace host
GPARRAY_END_NAMESPACE
