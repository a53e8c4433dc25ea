// Products of sparse matrices, row by row (Gustavson).
#include <host/sparse/accumulator.hpp>
#include <host/sparse/parts.hpp>
#include <host/sparse/sparse.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

/// Up to this many columns every thread has memory for the sums of all of them, of which a row touches
/// little.
constexpr std::int64_t few_columns = 1 << 22;

/// The rows and columns of a matrix, which are of few types.
template<class I>
struct pattern {
  std::int64_t rows;
  const I *indptr, *indices;
};

/// The multiplications before each row.
template<class I>
std::vector<std::int64_t> count_products(const pattern<I>& a, const I* b_indptr) {
  std::vector<std::int64_t> work(static_cast<std::size_t>(a.rows) + 1);
  for_rows(a.indptr, a.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      std::int64_t n = 0;
      for (I k = a.indptr[row]; k < a.indptr[row + 1]; ++k)
        n += b_indptr[a.indices[k] + 1] - b_indptr[a.indices[k]];
      work[static_cast<std::size_t>(row) + 1] = n;
    }
  });
  for (std::size_t row = 1; row < work.size(); ++row) work[row] += work[row - 1];
  return work;
}

template<class T, class I>
class product final : public rows_in_parts<T, I> {
 public:
  product(const core::compressed_rows& a, const core::compressed_rows& b, I* indptr)
      : rows_in_parts<T, I>(a.rows, indptr), a_(a), b_(b) {
    const std::vector<std::int64_t> work =
        count_products(pattern<I>{a_.rows, a_.indptr, a_.indices}, b_.indptr);
    for_rows(work.data(), a_.rows, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t products =
          work[static_cast<std::size_t>(last)] - work[static_cast<std::size_t>(first)];
      this->make_part(first, products, [&](auto& out) { compute(first, last, work.data(), out); });
    });
    core::check_product_count(this->parts_count(), a.index);
    this->add_up();
  }

 private:
  template<class Part>
  void compute(std::int64_t first, std::int64_t last, const std::int64_t* work, Part& out) {
    // Memory for short rows is cleared once, which many products must pay for.
    const bool many = b_.columns <= few_columns && work[last] - work[first] >= b_.columns / 4;
    std::unique_ptr<short_row<T, I>> brief;
    std::unique_ptr<dense_row<T, I>> dense;
    hashed_row<T, I> hashed;
    for (std::int64_t row = first; row < last; ++row) {
      const std::int64_t products = work[row + 1] - work[row];
      if (products == 0) {
        this->finish_row(row, 0, out);
      } else if (many && products <= short_row<T, I>::most) {
        if (!brief) brief = std::make_unique<short_row<T, I>>(b_.columns);
        sum_row(row, *brief, out);
      } else if (b_.columns <= few_columns || products > b_.columns / 16) {
        if (!dense) dense = std::make_unique<dense_row<T, I>>(b_.columns);
        sum_row(row, *dense, out);
      } else {
        hashed.reserve(products);
        sum_row(row, hashed, out);
      }
    }
  }

  template<class Row, class Part>
  void sum_row(std::int64_t row, Row& sums, Part& out) {
    for (I k = a_.indptr[row]; k < a_.indptr[row + 1]; ++k) {
      const T factor = a_.data[k];
      const I other = a_.indices[k];
      for (I j = b_.indptr[other]; j < b_.indptr[other + 1]; ++j)
        sums.add(b_.indices[j], kernel::multiply(factor, b_.data[j]));
    }
    this->finish_row(row, sums.take(out.next_index(), out.next_data()), out);
  }

  rows_of<T, I> a_, b_;
};

}  // namespace

std::unique_ptr<core::counted_matrix> host_sparse::times_sparse(const core::compressed_rows& a,
                                                                const core::compressed_rows& b, void* indptr,
                                                                bool& sorted, queue) {
  sorted = true;
  return with_summed(a.type, [&]<class T>(T) {
    return with_index(a.index, [&]<class I>(I) -> std::unique_ptr<core::counted_matrix> {
      return std::make_unique<product<T, I>>(a, b, static_cast<I*>(indptr));
    });
  });
}

}  // namespace host
GPARRAY_END_NAMESPACE
