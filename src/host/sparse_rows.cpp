// Rows and columns picked from compressed rows, and rows gathered from diagonals: entries are counted, then
// written.
#include <host/clones.hpp>
#include <host/sparse.hpp>
#include <host/sparse_types.hpp>
#include <kernel/compare.hpp>

#include <algorithm>
#include <limits>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Rows counts the entries of rows first to last, and writes them where the rows begin.
template<class T, class I, class Rows>
class counted_rows final : public core::counted_matrix {
 public:
  counted_rows(Rows rows, std::int64_t n, I* indptr) : rows_(std::move(rows)), n_(n), indptr_(indptr) {
    indptr_[0] = 0;
    each([&](std::int64_t first, std::int64_t last) { rows_.count(first, last, indptr_ + 1); });
    for (std::int64_t row = 0; row < n_; ++row) total_ += indptr_[row + 1];
    if (!fits()) return;
    for (std::int64_t row = 0; row < n_; ++row) indptr_[row + 1] += indptr_[row];
  }
  bool fits() const { return total_ <= std::numeric_limits<I>::max(); }
  std::int64_t count() const override { return total_; }
  void write(void* indices, void* data) override {
    each([&](std::int64_t first, std::int64_t last) {
      rows_.write(first, last, indptr_, static_cast<I*>(indices), static_cast<T*>(data));
    });
  }

 private:
  template<class Body>
  void each(Body&& body) {
    parallel_for(n_, fewest_entries / rows_.weight() + 1, body);
  }

  Rows rows_;
  std::int64_t n_, total_ = 0;
  I* indptr_;
};

/// The entries of one row on average.
template<class T, class I>
std::int64_t mean_entries(const rows_of<T, I>& a) {
  return a.count / std::max<std::int64_t>(a.rows, 1) + 1;
}

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
      for (I k = 0; k < n; ++k) {
        indices[to + k] = a.indices[from + k];
        data[to + k] = a.data[from + k];
      }
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

/// counts[i] += whether data[i] is not zero
template<class T, class I>
GPARRAY_CLONES void count_nonzero(const T* data, I* counts, std::int64_t n) {
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) counts[i] += kernel::nonzero(data[i]) ? I(1) : I(0);
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
    std::fill(counts + first, counts + last, I(0));
    for (const core::stored_diagonal& d : a.each) {
      const auto [begin, end] = rows_with(d, first, last);
      count_nonzero(static_cast<const T*>(d.data) + begin + d.offset, counts + begin, end - begin);
    }
  }
  void write(std::int64_t first, std::int64_t last, const I* starts, I* indices, T* data) const {
    // Rows whose entries stay in the first-level cache.
    constexpr std::int64_t few = 32;
    const auto n = static_cast<std::int64_t>(a.each.size());
    for (std::int64_t begin = first; begin < last; begin += together) {
      const std::int64_t end = std::min(last, begin + together);
      const bool mostly_full = starts[end] - starts[begin] > (end - begin) * n / 4 * 3;
      if (n <= few && mostly_full) write_rows(begin, end, starts, indices, data);
      else write_diagonals(begin, end, starts, indices, data);
    }
  }

 private:
  core::stored_diagonals a;
  static constexpr std::int64_t together = 256;
  const T* values_of(const core::stored_diagonal& d) const {
    return static_cast<const T*>(d.data) + d.offset;
  }
  /// Row by row, most of which have an entry of every diagonal.
  void write_rows(std::int64_t begin, std::int64_t end, const I* starts, I* indices, T* data) const {
    const auto n = static_cast<std::int64_t>(a.each.size());
    for (std::int64_t row = begin; row < end; ++row) {
      if (starts[row + 1] - starts[row] != n) {
        write_diagonals(row, row + 1, starts, indices, data);
        continue;
      }
      I at = starts[row];
      for (const core::stored_diagonal& d : a.each) {
        indices[at] = static_cast<I>(row + d.offset);
        data[at++] = values_of(d)[row];
      }
    }
  }
  /// Diagonal by diagonal, of a few rows.
  void write_diagonals(std::int64_t begin, std::int64_t end, const I* starts, I* indices, T* data) const {
    I next[together];
    std::copy(starts + begin, starts + end, next);
    for (const core::stored_diagonal& d : a.each) {
      const T* const values = values_of(d);
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

/// Null if there are more entries than indices can count.
template<class T, class I, class Rows>
std::unique_ptr<core::counted_matrix> counted(Rows rows, std::int64_t n, void* indptr) {
  auto entries = std::make_unique<counted_rows<T, I, Rows>>(std::move(rows), n, static_cast<I*>(indptr));
  if (!entries->fits()) return nullptr;
  return entries;
}

}  // namespace

std::unique_ptr<core::counted_matrix> sparse_take_rows(const core::compressed_rows& a,
                                                       const std::int64_t* rows, std::int64_t n,
                                                       void* indptr) {
  return with_copied(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) {
      return counted<T, I>(taken_rows<T, I>{rows_of<T, I>(a), rows}, n, indptr);
    });
  });
}

std::unique_ptr<core::counted_matrix> sparse_slice_columns(const core::compressed_rows& a, std::int64_t first,
                                                           std::int64_t last, void* indptr) {
  return with_copied(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) {
      return counted<T, I>(
          rows_of_columns<T, I>{rows_of<T, I>(a), static_cast<I>(first), static_cast<I>(last)}, a.rows,
          indptr);
    });
  });
}

std::unique_ptr<core::counted_matrix> sparse_diagonals_to_rows(const core::stored_diagonals& a, dtype index,
                                                               void* indptr) {
  return with_stored(a.type, [&]<class T>(T) {
    return with_index(index,
                      [&]<class I>(I) { return counted<T, I>(rows_of_diagonals<T, I>(a), a.rows, indptr); });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
