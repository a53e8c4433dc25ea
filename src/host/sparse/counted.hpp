// Sparse matrices whose rows are counted before they are written.
#pragma once
#include <algorithm>
#include <limits>

#include <host/sparse/types.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

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

/// Of one row: most are so short that a call of memcpy would take longer.
template<class T, class I>
void copy_entries(const I* indices, const T* data, I n, I* to_indices, T* to_data) {
  for (I k = 0; k < n; ++k) {
    to_indices[k] = indices[k];
    to_data[k] = data[k];
  }
}

/// Null if there are more entries than indices can count.
template<class T, class I, class Rows>
std::unique_ptr<core::counted_matrix> counted(Rows rows, std::int64_t n, void* indptr) {
  auto entries = std::make_unique<counted_rows<T, I, Rows>>(std::move(rows), n, static_cast<I*>(indptr));
  if (!entries->fits()) return nullptr;
  return entries;
}

}  // namespace host
GPARRAY_END_NAMESPACE
