// A sparse matrix whose rows are computed before it is known how many entries they have: each once, into
// memory of its part of the rows, which is copied when all have been counted.
#pragma once
#include <algorithm>
#include <mutex>
#include <vector>

#include <host/sparse/types.hpp>
#include <host/support/pooled.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

template<class T, class I>
class rows_in_parts : public core::counted_matrix {
 public:
  std::int64_t count() const override { return indptr_[rows_]; }
  void write(void* indices, void* data) override {
    parallel_for(static_cast<std::int64_t>(parts_.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const part& p = parts_[static_cast<std::size_t>(i)];
        std::copy_n(p.indices.get(), p.count, static_cast<I*>(indices) + indptr_[p.first]);
        std::copy_n(p.data.get(), p.count, static_cast<T*>(data) + indptr_[p.first]);
      }
    });
  }

  core::entry_blocks hand_over() override {
    // As long as half of the memory is used, as in SciPy.
    if (parts_.size() != 1 || parts_[0].count < parts_[0].most / 2) return {};
    return {core::owned_block(parts_[0].indices.release()), core::owned_block(parts_[0].data.release())};
  }

 protected:
  rows_in_parts(std::int64_t rows, I* indptr) : rows_(rows), indptr_(indptr) {}

  /// Rows from `first`, in memory for as many entries as there can be, which is touched only where there are
  /// some.
  struct part {
    part(std::int64_t first_row, std::int64_t room)
        : first(first_row), most(room), indices(room), data(room) {}
    I* next_index() { return indices.get() + count; }
    T* next_data() { return data.get() + count; }
    std::int64_t first, most, count = 0;
    pooled<I> indices;
    pooled<T> data;
  };

  /// On one of several threads: compute(part) finishes every row of it, in their order.
  template<class Compute>
  void make_part(std::int64_t first, std::int64_t most, Compute&& compute) {
    part own(first, most);
    compute(own);
    const std::lock_guard guard(lock_);
    parts_.push_back(std::move(own));
  }
  /// `n` entries have been written where the part said that the next ones belong.
  void finish_row(std::int64_t row, std::int64_t n, part& out) {
    indptr_[row + 1] = static_cast<I>(n);
    out.count += n;
  }
  std::int64_t parts_count() const {
    std::int64_t total = 0;
    for (const part& p : parts_) total += p.count;
    return total;
  }
  /// When all parts are made: from the rows' counts to where they begin.
  void add_up() {
    indptr_[0] = 0;
    for (std::int64_t row = 0; row < rows_; ++row) indptr_[row + 1] += indptr_[row];
  }

 private:
  std::int64_t rows_;
  I* indptr_;
  std::mutex lock_;
  std::vector<part> parts_;
};

}  // namespace host
GPARRAY_END_NAMESPACE
