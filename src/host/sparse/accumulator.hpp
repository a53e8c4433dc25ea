// One row of a sparse product while it is summed: in a list, in an array of all columns, or in a hash table
// where the row is short and the columns are many. Sums are in the order of the calls always.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <host/support/clones.hpp>
#include <kernel/arithmetic.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

/// How many of the n columns are below each. They are distinct, and followed by room for 64 bytes more. In
/// vectors of 32 bytes: without AVX-512, g++ 12 makes wider ones element by element.
template<class I>
GPARRAY_CLONES void rank_columns(const I* columns, std::int64_t n, I* ranks) {
  typedef I vector __attribute__((vector_size(32)));
  typedef I anywhere __attribute__((vector_size(32), aligned(sizeof(I)), may_alias));
  constexpr std::int64_t lanes = 32 / sizeof(I);
  for (std::int64_t first = 0; first < n; first += 2 * lanes) {
    const auto* const some = reinterpret_cast<const anywhere*>(columns + first);
    const vector low = some[0], high = some[1];
    vector below_low{}, below_high{};
    for (std::int64_t j = 0; j < n; ++j) {
      below_low -= low > columns[j];
      below_high -= high > columns[j];
    }
    auto* const to = reinterpret_cast<anywhere*>(ranks + first);
    to[0] = below_low;
    to[1] = below_high;
  }
}

/// Sums of few columns in the order in which these occur, and for every column its place among them. Nothing
/// branches on what is there: of few entries no processor can guess it.
template<class T, class I>
class short_row {
 public:
  static constexpr std::int64_t most = 256;

  explicit short_row(std::int64_t columns) : positions_(static_cast<std::size_t>(columns), I(-1)) {}

  void add(I column, T value) {
    const I known = positions_[static_cast<std::size_t>(column)];
    const bool is_new = known < 0;
    const I position = is_new ? count_ : known;
    positions_[static_cast<std::size_t>(column)] = position;
    columns_[position] = column;
    const T sum = kernel::add(sums_[position], value);
    sums_[position] = is_new ? value : sum;
    count_ += is_new;
  }

  /// Writes columns, ascending, and sums, and says how many; the row is empty afterwards.
  std::int64_t take(I* indices, T* data) {
    if (count_ == 1) ranks_[0] = 0;
    else rank_columns(columns_, count_, ranks_);
    for (I i = 0; i < count_; ++i) {
      indices[ranks_[i]] = columns_[i];
      data[ranks_[i]] = sums_[i];
      positions_[static_cast<std::size_t>(columns_[i])] = -1;
    }
    return std::exchange(count_, I(0));
  }

 private:
  static constexpr std::int64_t room = most + 64 / sizeof(I);
  std::vector<I> positions_;
  I count_ = 0, columns_[room]{}, ranks_[room]{};
  T sums_[most]{};
};

/// Sums for every column, and a bit for each that occurs.
template<class T, class I>
class dense_row {
 public:
  explicit dense_row(std::int64_t columns)
      : sums_(new T[static_cast<std::size_t>(columns)]), seen_(static_cast<std::size_t>(columns / 64 + 1)) {}

  void add(I column, T value) {
    std::uint64_t& word = seen_[static_cast<std::size_t>(column) / 64];
    const std::uint64_t bit = std::uint64_t{1} << (column % 64);
    if (word & bit) {
      sums_[column] = kernel::add(sums_[column], value);
    } else {
      word |= bit;
      sums_[column] = value;
      columns_.push_back(column);
    }
  }

  /// Writes columns, ascending, and sums, and says how many; the row is empty afterwards.
  std::int64_t take(I* indices, T* data) {
    const auto count = static_cast<std::int64_t>(columns_.size());
    if (count == 0) return 0;
    const auto [least, most] = std::minmax_element(columns_.begin(), columns_.end());
    const auto first = static_cast<std::size_t>(*least) / 64, last = static_cast<std::size_t>(*most) / 64;
    // Reading all words between is faster than sorting, unless they are many more than the columns.
    if (last - first < 32 * columns_.size()) take_bits(first, last, indices, data);
    else take_list(indices, data);
    columns_.clear();
    return count;
  }

 private:
  void take_bits(std::size_t first, std::size_t last, I* indices, T* data) {
    for (std::size_t w = first; w <= last; ++w) {
      for (std::uint64_t word = seen_[w]; word != 0; word &= word - 1) {
        const I column = static_cast<I>(64 * w) + static_cast<I>(std::countr_zero(word));
        *indices++ = column;
        *data++ = sums_[column];
      }
      seen_[w] = 0;
    }
  }
  void take_list(I* indices, T* data) {
    std::sort(columns_.begin(), columns_.end());
    for (const I column : columns_) {
      *indices++ = column;
      *data++ = sums_[column];
      seen_[static_cast<std::size_t>(column) / 64] = 0;
    }
  }

  std::unique_ptr<T[]> sums_;
  std::vector<std::uint64_t> seen_;
  std::vector<I> columns_;
};

/// The same for rows of at most as many products as were reserved.
template<class T, class I>
class hashed_row {
 public:
  void reserve(std::int64_t products) {
    const std::size_t size = std::bit_ceil(static_cast<std::size_t>(2 * products));
    if (size > slots_.size()) slots_.assign(size, {I(-1), T{}});
    mask_ = size - 1;
  }

  void add(I column, T value) {
    slot& s = slots_[find(column)];
    if (s.column < 0) {
      s = {column, value};
      columns_.push_back(column);
    } else {
      s.sum = kernel::add(s.sum, value);
    }
  }

  std::int64_t take(I* indices, T* data) {
    std::sort(columns_.begin(), columns_.end());
    const auto count = static_cast<std::int64_t>(columns_.size());
    for (const I column : columns_) {
      *indices++ = column;
      *data++ = slots_[find(column)].sum;
    }
    std::fill_n(slots_.begin(), mask_ + 1, slot{I(-1), T{}});
    columns_.clear();
    return count;
  }

 private:
  struct slot {
    I column;
    T sum;
  };
  std::size_t find(I column) const {
    auto at =
        static_cast<std::size_t>(static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15u >> 32) & mask_;
    while (slots_[at].column >= 0 && slots_[at].column != column) at = (at + 1) & mask_;
    return at;
  }

  std::vector<slot> slots_;
  std::size_t mask_ = 0;
  std::vector<I> columns_;
};

}  // namespace host
GPARRAY_END_NAMESPACE
