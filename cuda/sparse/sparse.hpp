// Sparse matrices on GPUs: products by cuSPARSE, and by kernels of our own where rows are short; structure by
// kernels of our own, which take every dtype and 64-bit indices, and give the same bits every time.
#pragma once
#include <cuda/linalg/linalg_calls.hpp>
#include <cuda/sparse/cusparse_arguments.hpp>
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

class cuda_sparse final : public sparse_engine {
 public:
  explicit cuda_sparse(backend& owner) : owner_(owner) {}

  bool times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y, queue q) override;
  bool transposed_times_dense(const compressed_rows&, std::int64_t, const void*, void*, queue) override {
    return false;  // cuSPARSE adds up by atomics
  }
  std::unique_ptr<counted_matrix> times_sparse(const compressed_rows& a, const compressed_rows& b,
                                               void* indptr, bool& sorted, queue q) override;
  std::unique_ptr<counted_matrix> combine(ufunc f, const compressed_rows& a, const compressed_rows& b,
                                          void* indptr, queue q) override;
  void compress(const numbered_entries& e, void* indptr, void* others, void* data, queue q) override;
  void starts(const void* numbers, std::int64_t count, std::int64_t n_numbers, dtype index, void* indptr,
              queue q) override;
  void expand(const void* indptr, std::int64_t rows, std::int64_t count, dtype index, void* row,
              queue q) override;
  void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers, std::int64_t n,
              bool after, std::int64_t* positions, queue q) override;
  void reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                   std::int64_t rows, void* out, queue q) override;

  bool diagonal(const compressed_rows& a, std::int64_t k, void* out, queue q) override;
  std::optional<bool> ascends(const compressed_rows& a, bool strictly, queue q) override;
  bool has_row_routines() const noexcept override { return true; }
  void diagonals_times_dense(const stored_diagonals& a, std::int64_t width, const void* x, void* y,
                             queue q) override;
  std::unique_ptr<counted_matrix> diagonals_to_rows(const stored_diagonals& a, dtype index, void* indptr,
                                                    queue q) override;
  std::unique_ptr<counted_matrix> take_rows(const compressed_rows& a, const std::int64_t* rows,
                                            std::int64_t n, void* indptr, queue q) override;
  std::unique_ptr<counted_matrix> slice_columns(const compressed_rows& a, std::int64_t first,
                                                std::int64_t last, void* indptr, queue q) override;

  std::unique_ptr<prepared_triangle> prepare_triangle(const compressed_rows& a, triangle_use use,
                                                      std::int64_t width, queue q) override;

 private:
  backend& owner_;
};

/// A product by cuSPARSE, of 32-bit indices.
std::unique_ptr<counted_matrix> cusparse_product(const compressed_rows& a, const compressed_rows& b,
                                                 void* indptr, backend& owner, queue q);
/// A product whose rows are summed in shared memory, if they fit: else null. b is canonical.
std::unique_ptr<counted_matrix> short_row_product(const compressed_rows& a, const compressed_rows& b,
                                                  void* indptr, backend& owner, queue q);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
