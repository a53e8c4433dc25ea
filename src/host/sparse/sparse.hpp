// Sparse matrices on the CPU. A routine stands in the file of its subject: products with dense matrices and
// diagonals in dense.cpp, those of sparse matrices in product.cpp, rows and columns in rows.cpp.
#pragma once
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

class host_sparse final : public core::sparse_engine {
  using queue = core::queue;
  using compressed_rows = core::compressed_rows;
  using made_matrix = std::unique_ptr<core::counted_matrix>;

 public:
  bool times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y, queue) override;
  bool transposed_times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y,
                              queue) override;
  made_matrix times_sparse(const compressed_rows& a, const compressed_rows& b, void* indptr, bool& sorted,
                           queue) override;
  made_matrix combine(ufunc f, const compressed_rows& a, const compressed_rows& b, void* indptr,
                      queue) override;

  void compress(const core::numbered_entries& e, void* indptr, void* others, void* data, queue) override;
  bool compresses_rows() const noexcept override { return true; }
  void starts(const void* numbers, std::int64_t count, std::int64_t n_numbers, dtype index, void* indptr,
              queue) override;
  void expand(const void* indptr, std::int64_t rows, std::int64_t count, dtype index, void* row,
              queue) override;
  void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers, std::int64_t n,
              bool after, std::int64_t* positions, queue) override;
  void reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                   std::int64_t rows, void* out, queue) override;
  bool diagonal(const compressed_rows& a, std::int64_t k, void* out, queue) override;

  bool has_row_routines() const noexcept override { return true; }
  void diagonals_times_dense(const core::stored_diagonals& a, std::int64_t width, const void* x, void* y,
                             queue) override;
  made_matrix diagonals_to_rows(const core::stored_diagonals& a, dtype index, void* indptr, queue) override;
  made_matrix take_rows(const compressed_rows& a, const std::int64_t* rows, std::int64_t n, void* indptr,
                        queue) override;
  made_matrix slice_columns(const compressed_rows& a, std::int64_t first, std::int64_t last, void* indptr,
                            queue) override;
  made_matrix join_rows(std::span<const compressed_rows> blocks, std::span<const std::int64_t> first_columns,
                        void* indptr, queue) override;
  bool merges_rows() const noexcept override { return true; }
  made_matrix merge_rows(const compressed_rows& a, void* indptr, queue) override;
  std::unique_ptr<core::prepared_triangle> prepare_triangle(const compressed_rows& a, core::triangle_use use,
                                                            std::int64_t width, queue) override;
};

core::sparse_engine& sparse();

}  // namespace host
GPARRAY_END_NAMESPACE
