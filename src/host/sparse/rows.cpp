// Rows and columns picked from compressed rows, and rows gathered from diagonals: entries are counted, then
// written.
#include <algorithm>
#include <vector>

#include <host/sparse/counted.hpp>
#include <host/sparse/sparse.hpp>
#include <host/support/clones.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

template<class T, class I>
struct taken_rows {
  rows_of<T, I> a;
  const std::int64_t* number;

  std::int64_t weight() const { return mean_entries(a); }
  void count(std::int64_t first, std::int64_t last, I* counts) const {
    for (std::int64_t row = first; row < last; ++row)
      counts[row] = a.indptr[number[row] + 1] - a.indptr[number[row]];
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* indices, T* data) const {
    for (std::int64_t row = first; row < last; ++row) {
      const I from = a.indptr[number[row]], to = starts[row], n = starts[row + 1] - to;
      copy_entries(a.indices + from, a.data + from, n, indices + to, data + to);
    }
  }
};

template<class T, class I>
struct rows_of_columns {
  rows_of<T, I> a;
  I begin, end;

  std::int64_t weight() const { return mean_entries(a); }
  bool inside(I column) const { return (column >= begin) & (column < end); }
  void count(std::int64_t first, std::int64_t last, I* counts) const {
    for (std::int64_t row = first; row < last; ++row) {
      I n = 0;
      for (I k = a.indptr[row]; k < a.indptr[row + 1]; ++k) n += inside(a.indices[k]);
      counts[row] = n;
    }
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* indices, T* data) const {
    I to = starts[first];
    for (I k = a.indptr[first]; k < a.indptr[last]; ++k) {
      if (!inside(a.indices[k])) continue;
      indices[to] = a.indices[k] - begin;
      data[to++] = a.data[k];
    }
  }
};

template<class T, class I>
struct joined_rows {
  struct block {
    rows_of<T, I> rows;
    I first_column;
  };
  std::vector<block> blocks;

  std::int64_t weight() const {
    std::int64_t entries = 0;
    for (const block& b : blocks) entries += mean_entries(b.rows);
    return entries;
  }
  void count(std::int64_t first, std::int64_t last, I* counts) const {
    std::fill(counts + first, counts + last, I(0));
    for (const block& b : blocks)
      for (std::int64_t row = first; row < last; ++row)
        counts[row] += b.rows.indptr[row + 1] - b.rows.indptr[row];
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* indices, T* data) const {
    for (std::int64_t row = first; row < last; ++row) {
      I to = starts[row];
      for (const block& b : blocks) {
        const I from = b.rows.indptr[row], n = b.rows.indptr[row + 1] - from;
        for (I k = 0; k < n; ++k) {
          indices[to + k] = b.rows.indices[from + k] + b.first_column;
          data[to + k] = b.rows.data[from + k];
        }
        to += n;
      }
    }
  }
};

/// counts[i] += whether data[i] is not zero
template<class T, class I>
GPARRAY_CLONES void count_nonzero(const T* data, I* counts, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) counts[i] += kernel::nonzero(data[i]) ? I(1) : I(0);
}

template<class I>
GPARRAY_CLONES void count_all(I* counts, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) ++counts[i];
}

template<class T, class I>
class rows_of_diagonals {
 public:
  explicit rows_of_diagonals(const core::stored_diagonals& diagonals) : a(diagonals) {}

  std::int64_t weight() const { return static_cast<std::int64_t>(a.each.size()) + 1; }
  /// The rows from `first` to `last` that the diagonal has elements of.
  std::pair<std::int64_t, std::int64_t> rows_with(const core::stored_diagonal& d, std::int64_t first,
                                                  std::int64_t last) const {
    const std::int64_t begin = std::max(first, -d.offset), end = std::min(last, a.width - d.offset);
    return {begin, std::max(begin, end)};
  }
  void count(std::int64_t first, std::int64_t last, I* counts) const {
    // Counts that stay in the first-level cache.
    constexpr std::int64_t at_once = 4096;
    for (; first < last; first += at_once) {
      const std::int64_t stop = std::min(first + at_once, last);
      std::fill(counts + first, counts + stop, I(0));
      for (const core::stored_diagonal& d : a.each) {
        const auto [begin, end] = rows_with(d, first, stop);
        if (!d.is_number) count_nonzero(values_of(d) + begin, counts + begin, end - begin);
        else if (kernel::nonzero(*number_of(d))) count_all(counts + begin, end - begin);
      }
    }
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* indices, T* data) const {
    const auto n = static_cast<std::int64_t>(a.each.size());
    diagonal_values each[few];
    for (std::int64_t d = 0; d < std::min(n, few); ++d)
      each[d] = values_of_any(a.each[static_cast<std::size_t>(d)]);
    for (std::int64_t begin = first; begin < last; begin += together) {
      const std::int64_t end = std::min(last, begin + together);
      const bool mostly_full = starts[end] - starts[begin] > (end - begin) * n / 4 * 3;
      if (n == 3 && mostly_full) write_rows<3>(begin, end, each, starts, indices, data);
      else if (n == 5 && mostly_full) write_rows<5>(begin, end, each, starts, indices, data);
      else if (n <= few && mostly_full) write_rows<0>(begin, end, each, starts, indices, data);
      else write_diagonals(begin, end, starts, indices, data);
    }
  }

 private:
  core::stored_diagonals a;
  static constexpr std::int64_t together = 256;
  // Diagonals whose entries of a row stay in the first-level cache.
  static constexpr std::int64_t few = 32;
  const T* values_of(const core::stored_diagonal& d) const {
    return static_cast<const T*>(d.data) + d.offset;
  }
  const T* number_of(const core::stored_diagonal& d) const { return static_cast<const T*>(d.data); }
  struct diagonal_values {
    const T* of_row;
    std::int64_t step;
    I offset;
    const T& operator[](std::int64_t row) const { return of_row[row * step]; }
  };
  diagonal_values values_of_any(const core::stored_diagonal& d) const {
    return {d.is_number ? number_of(d) : values_of(d), d.is_number ? 0 : 1, static_cast<I>(d.offset)};
  }
  /// Row by row, most of which have an entry of every diagonal. Known is their number, that of a grid's
  /// neighbours along one axis or two, which then stay in registers; else 0.
  template<int Known>
  void write_rows(std::int64_t begin, std::int64_t end, const diagonal_values* all, const I* starts,
                  I* indices, T* data) const {
    const std::int64_t n = Known > 0 ? Known : static_cast<std::int64_t>(a.each.size());
    diagonal_values own[Known > 0 ? Known : 1];
    std::copy_n(all, Known, own);
    const diagonal_values* const each = Known > 0 ? own : all;
    for (std::int64_t row = begin; row < end; ++row) {
      if (starts[row + 1] - starts[row] != n) {
        write_diagonals(row, row + 1, starts, indices, data);
        continue;
      }
      const I at = starts[row];
      for (std::int64_t d = 0; d < n; ++d) {
        indices[at + d] = static_cast<I>(row) + each[d].offset;
        data[at + d] = each[d][row];
      }
    }
  }
  /// Diagonal by diagonal, of a few rows.
  void write_diagonals(std::int64_t begin, std::int64_t end, const I* starts, I* indices, T* data) const {
    I next[together];
    std::copy(starts + begin, starts + end, next);
    for (const core::stored_diagonal& d : a.each) {
      const diagonal_values values = values_of_any(d);
      const auto [from, to] = rows_with(d, begin, end);
      for (std::int64_t row = from; row < to; ++row) {
        if (!kernel::nonzero(values[row])) continue;
        const I at = next[row - begin]++;
        indices[at] = static_cast<I>(row + d.offset);
        data[at] = values[row];
      }
    }
  }
};

}  // namespace

std::unique_ptr<core::counted_matrix> host_sparse::take_rows(const core::compressed_rows& a,
                                                             const std::int64_t* rows, std::int64_t n,
                                                             void* indptr, queue) {
  return with_copied(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) {
      return counted<T, I>(taken_rows<T, I>{rows_of<T, I>(a), rows}, n, indptr);
    });
  });
}

std::unique_ptr<core::counted_matrix> host_sparse::slice_columns(const core::compressed_rows& a,
                                                                 std::int64_t first, std::int64_t last,
                                                                 void* indptr, queue) {
  return with_copied(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) {
      return counted<T, I>(
          rows_of_columns<T, I>{rows_of<T, I>(a), static_cast<I>(first), static_cast<I>(last)}, a.rows,
          indptr);
    });
  });
}

std::unique_ptr<core::counted_matrix> host_sparse::join_rows(std::span<const core::compressed_rows> blocks,
                                                             std::span<const std::int64_t> first_columns,
                                                             void* indptr, queue) {
  return with_copied(blocks[0].type, [&]<class T>(T) {
    return with_index(blocks[0].index, [&]<class I>(I) {
      joined_rows<T, I> rows;
      for (std::size_t i = 0; i < blocks.size(); ++i)
        rows.blocks.push_back({rows_of<T, I>(blocks[i]), static_cast<I>(first_columns[i])});
      return counted<T, I>(std::move(rows), blocks[0].rows, indptr);
    });
  });
}

std::unique_ptr<core::counted_matrix> host_sparse::diagonals_to_rows(const core::stored_diagonals& a,
                                                                     dtype index, void* indptr, queue) {
  return with_stored(a.type, [&]<class T>(T) {
    return with_index(index,
                      [&]<class I>(I) { return counted<T, I>(rows_of_diagonals<T, I>(a), a.rows, indptr); });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
