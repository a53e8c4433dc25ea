#include <host/sparse/sparse.hpp>
#include <host/sparse/types.hpp>
#include <kernel/compare.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {
namespace {

using core::compressed_rows;
using core::queue;

/// The position for `number` at or after `from`, where it is if numbers ascend: steps double from there.
std::int64_t find_from(const std::int64_t* keys, std::int64_t n, std::int64_t from, std::int64_t number,
                       bool after) {
  const auto before = [&](std::int64_t key) { return after ? key <= number : key < number; };
  std::int64_t step = 1, low = from, high = from;
  while (high < n && before(keys[high])) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = std::min(high, n);
  return std::partition_point(keys + low, keys + high, before) - keys;
}

template<class T, class Reduce>
void reduce_values(const T* values, std::int64_t begin, std::int64_t end, T& out, Reduce reduce) {
  T result{};
  if (begin < end) result = values[begin];
  for (std::int64_t k = begin + 1; k < end; ++k) result = reduce(result, values[k]);
  out = result;
}

class host_sparse final : public core::sparse_engine {
 public:
  bool times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y, queue) override {
    sparse_times_dense(a, width, x, y);
    return true;
  }
  bool transposed_times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y,
                              queue) override {
    sparse_transposed_times_dense(a, width, x, y);
    return true;
  }
  std::unique_ptr<core::counted_matrix> times_sparse(const compressed_rows& a, const compressed_rows& b,
                                                     void* indptr, bool& sorted, queue) override {
    sorted = true;
    return sparse_times_sparse(a, b, indptr);
  }
  std::unique_ptr<core::counted_matrix> combine(ufunc f, const compressed_rows& a, const compressed_rows& b,
                                                void* indptr, queue) override {
    return sparse_combine(f, a, b, indptr);
  }
  std::unique_ptr<core::prepared_triangle> prepare_triangle(const compressed_rows& a, core::triangle_use use,
                                                            std::int64_t width, queue) override {
    return sparse_triangle(a, use, width);
  }
  bool diagonal(const compressed_rows& a, std::int64_t k, void* out, queue) override {
    sparse_diagonal(a, k, out);
    return true;
  }
  bool has_row_routines() const noexcept override { return true; }
  void diagonals_times_dense(const core::stored_diagonals& a, std::int64_t width, const void* x, void* y,
                             queue) override {
    sparse_diagonals_times_dense(a, width, x, y);
  }
  std::unique_ptr<core::counted_matrix> diagonals_to_rows(const core::stored_diagonals& a, dtype index,
                                                          void* indptr, queue) override {
    return sparse_diagonals_to_rows(a, index, indptr);
  }
  std::unique_ptr<core::counted_matrix> take_rows(const compressed_rows& a, const std::int64_t* rows,
                                                  std::int64_t n, void* indptr, queue) override {
    return sparse_take_rows(a, rows, n, indptr);
  }
  std::unique_ptr<core::counted_matrix> slice_columns(const compressed_rows& a, std::int64_t first,
                                                      std::int64_t last, void* indptr, queue) override {
    return sparse_slice_columns(a, first, last, indptr);
  }
  std::unique_ptr<core::counted_matrix> merge_rows(const compressed_rows& a, void* indptr, queue) override {
    return sparse_merge_rows(a, indptr);
  }
  bool compresses_rows() const noexcept override { return true; }
  void compress(const core::numbered_entries& e, void* indptr, void* others, void* data, queue) override {
    sparse_compress(e, indptr, others, data);
  }

  void expand(const void* indptr, std::int64_t rows, std::int64_t, dtype index, void* row, queue) override {
    with_index(index, [&]<class I>(I) {
      const I* const starts = static_cast<const I*>(indptr);
      for_rows(starts, rows, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t r = first; r < last; ++r)
          std::fill(static_cast<I*>(row) + starts[r], static_cast<I*>(row) + starts[r + 1],
                    static_cast<I>(r));
      });
    });
  }

  void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers, std::int64_t n,
              bool after, std::int64_t* positions, queue) override {
    parallel_for(n, fewest_entries, [&](std::int64_t begin, std::int64_t end) {
      std::int64_t at = 0, last = 0;
      for (std::int64_t i = begin; i < end; ++i) {
        if (i == begin || numbers[i] < last) at = 0;
        last = numbers[i];
        positions[i] = at = find_from(keys, n_keys, at, last, after);
      }
    });
  }

  void reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                   std::int64_t rows, void* out, queue) override {
    with_stored(type, [&]<class T>(T) {
      with_index(index, [&]<class I>(I) {
        const I* const starts = static_cast<const I*>(indptr);
        const T* const from = static_cast<const T*>(values);
        T* const to = static_cast<T*>(out);
        for_rows(starts, rows, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t r = first; r < last; ++r) {
            const auto reduce = [&](auto f) { reduce_values(from, starts[r], starts[r + 1], to[r], f); };
            if (op == reduction::sum) reduce([](T a, T b) { return kernel::add(a, b); });
            else if (op == reduction::max) reduce([](T a, T b) { return kernel::maximum(a, b); });
            else reduce([](T a, T b) { return kernel::minimum(a, b); });
          }
        });
      });
    });
  }
};

}  // namespace

core::sparse_engine& sparse() {
  static auto* const engine = new host_sparse;  // never destroyed, as the backend that owns it
  return *engine;
}

}  // namespace host
GPARRAY_END_NAMESPACE
