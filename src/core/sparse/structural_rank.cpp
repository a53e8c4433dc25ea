// Whether a sparse matrix can have an inverse, whatever the values of its entries.
#include <plan/sparse_lu.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// Pairs of columns and rows, found by augmenting paths (I. S. Duff 1981, "On algorithms for obtaining a
/// maximum transversal").
class pairing {
 public:
  pairing(std::int32_t n, const std::int32_t* starts, const std::int32_t* rows)
      : starts_(starts),
        rows_(rows),
        column_of_row_(static_cast<std::size_t>(n), none),
        seen_by_(column_of_row_),
        next_free_(starts, starts + n),
        next_(column_of_row_) {}

  /// Pairs a column, others being paired anew for it; false if there is no row left.
  bool add(std::int32_t column) {
    path_.assign(1, column);
    next_[at(column)] = starts_[column];
    while (!path_.empty()) {
      const std::int32_t c = path_.back();
      if (const std::int32_t row = free_row(c); row != none) return assign(row), true;
      const std::int32_t row = unseen_row(c, column);
      if (row == none) {
        path_.pop_back();
        continue;
      }
      const std::int32_t other = column_of_row_[at(row)];
      next_[at(other)] = starts_[other];
      path_.push_back(other);
    }
    return false;
  }

 private:
  static constexpr std::int32_t none = -1;
  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  /// Rows that are paired stay so: each entry is looked at once in all.
  std::int32_t free_row(std::int32_t c) {
    for (std::int32_t& k = next_free_[at(c)]; k < starts_[c + 1]; ++k)
      if (column_of_row_[at(rows_[k])] == none) return rows_[k];
    return none;
  }
  std::int32_t unseen_row(std::int32_t c, std::int32_t searcher) {
    for (std::int32_t& k = next_[at(c)]; k < starts_[c + 1];) {
      const std::int32_t row = rows_[k++];
      if (seen_by_[at(row)] == searcher) continue;
      seen_by_[at(row)] = searcher;
      return row;
    }
    return none;
  }
  /// The last column of the path gets the row, each other one the row that the column after it had.
  void assign(std::int32_t row) {
    for (std::size_t i = path_.size(); i-- > 0;) {
      column_of_row_[at(row)] = path_[i];
      if (i > 0) row = rows_[next_[at(path_[i - 1])] - 1];
    }
  }

  const std::int32_t *starts_, *rows_;
  std::vector<std::int32_t> column_of_row_, seen_by_, next_free_, next_, path_;
};

}  // namespace

bool has_full_structural_rank(std::int32_t n, const std::int32_t* starts, const std::int32_t* rows) {
  pairing p(n, starts, rows);
  for (std::int32_t column = 0; column < n; ++column)
    if (!p.add(column)) return false;
  return true;
}

}  // namespace core
GPARRAY_END_NAMESPACE
