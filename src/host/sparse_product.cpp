// Products of sparse matrices, row by row (Gustavson). A row is computed once, into memory of its part of the
// rows, and copied when all rows have been counted.
#include <host/pooled.hpp>
#include <host/sparse.hpp>
#include <host/sparse_accumulator.hpp>
#include <host/sparse_types.hpp>

#include <mutex>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Up to this many columns every thread has memory for the sums of all of them, of which a row touches
/// little.
constexpr std::int64_t few_columns = 1 << 22;

template<class T, class I>
class product final : public core::counted_matrix {
 public:
  product(const core::compressed_rows& a, const core::compressed_rows& b, I* indptr)
      : a_(a), b_(b), indptr_(indptr) {
    const std::vector<std::int64_t> work = count_products();
    for_rows(work.data(), a_.rows, [&](std::int64_t first, std::int64_t last) {
      part own(first, work[static_cast<std::size_t>(last)] - work[static_cast<std::size_t>(first)]);
      compute(first, last, work.data(), own);
      const std::lock_guard guard(lock_);
      parts_.push_back(std::move(own));
    });
    std::int64_t total = 0;
    for (const part& p : parts_) total += p.count;
    core::check_product_count(total, a.index);
    indptr_[0] = 0;
    for (std::int64_t row = 0; row < a_.rows; ++row) indptr_[row + 1] += indptr_[row];
  }
  std::int64_t count() const override { return indptr_[a_.rows]; }
  void write(void* indices, void* data) override {
    parallel_for(static_cast<std::int64_t>(parts_.size()), 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        const part& p = parts_[static_cast<std::size_t>(i)];
        std::copy_n(p.indices.get(), p.count, static_cast<I*>(indices) + indptr_[p.first]);
        std::copy_n(p.data.get(), p.count, static_cast<T*>(data) + indptr_[p.first]);
      }
    });
  }

 private:
  /// Rows from `first`, in memory for all products, which is touched only where there are entries.
  struct part {
    part(std::int64_t first_row, std::int64_t products)
        : first(first_row), indices(products), data(products) {}
    std::int64_t first, count = 0;
    pooled<I> indices;
    pooled<T> data;
  };

  /// The multiplications before each row.
  std::vector<std::int64_t> count_products() const {
    std::vector<std::int64_t> work(static_cast<std::size_t>(a_.rows) + 1);
    for_rows(a_.indptr, a_.rows, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t row = first; row < last; ++row) {
        std::int64_t n = 0;
        for (I k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k)
          n += b_.indptr[a_.indices[k] + 1] - b_.indptr[a_.indices[k]];
        work[static_cast<std::size_t>(row) + 1] = n;
      }
    });
    for (std::size_t row = 1; row < work.size(); ++row) work[row] += work[row - 1];
    return work;
  }

  void compute(std::int64_t first, std::int64_t last, const std::int64_t* work, part& out) {
    std::unique_ptr<dense_row<T, I>> dense;
    hashed_row<T, I> hashed;
    for (std::int64_t row = first; row < last; ++row) {
      const std::int64_t products = work[row + 1] - work[row];
      std::int64_t count = 0;
      I* const indices = out.indices.get() + out.count;
      T* const data = out.data.get() + out.count;
      if (products > 0 && (b_.columns <= few_columns || products > b_.columns / 16)) {
        if (!dense) dense = std::make_unique<dense_row<T, I>>(b_.columns);
        sum_row(row, *dense);
        count = dense->take(indices, data);
      } else if (products > 0) {
        hashed.reserve(products);
        sum_row(row, hashed);
        count = hashed.take(indices, data);
      }
      indptr_[row + 1] = static_cast<I>(count);
      out.count += count;
    }
  }

  template<class Row>
  void sum_row(std::int64_t row, Row& sums) const {
    for (I k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k) {
      const T factor = a_.data[k];
      const I other = a_.indices[k];
      for (I j = b_.indptr[other]; j < b_.indptr[other + 1]; ++j)
        sums.add(b_.indices[j], kernel::multiply(factor, b_.data[j]));
    }
  }

  rows_of<T, I> a_, b_;
  I* indptr_;
  std::mutex lock_;
  std::vector<part> parts_;
};

}  // namespace

std::unique_ptr<core::counted_matrix> sparse_times_sparse(const core::compressed_rows& a,
                                                          const core::compressed_rows& b, void* indptr) {
  return with_summed(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) -> std::unique_ptr<core::counted_matrix> {
      return std::make_unique<product<T, I>>(a, b, static_cast<I*>(indptr));
    });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
