// Sparse matrices on the CPU.
#pragma once
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace host {

core::sparse_engine& sparse();

void sparse_times_dense(const core::compressed_rows& a, std::int64_t width, const void* x, void* y);
void sparse_transposed_times_dense(const core::compressed_rows& a, std::int64_t width, const void* x,
                                   void* y);
std::unique_ptr<core::counted_matrix> sparse_times_sparse(const core::compressed_rows& a,
                                                          const core::compressed_rows& b, void* indptr);
std::unique_ptr<core::counted_matrix> sparse_combine(ufunc f, const core::compressed_rows& a,
                                                     const core::compressed_rows& b, void* indptr);
std::unique_ptr<core::prepared_triangle> sparse_triangle(const core::compressed_rows& a,
                                                         core::triangle_use use, std::int64_t width);
std::unique_ptr<core::counted_matrix> sparse_take_rows(const core::compressed_rows& a,
                                                       const std::int64_t* rows, std::int64_t n,
                                                       void* indptr);
std::unique_ptr<core::counted_matrix> sparse_slice_columns(const core::compressed_rows& a, std::int64_t first,
                                                           std::int64_t last, void* indptr);
std::unique_ptr<core::counted_matrix> sparse_diagonals_to_rows(const core::stored_diagonals& a, dtype index,
                                                               void* indptr);
std::unique_ptr<core::counted_matrix> sparse_merge_rows(const core::compressed_rows& a, void* indptr);
void sparse_diagonals_times_dense(const core::stored_diagonals& a, std::int64_t width, const void* x,
                                  void* y);
void sparse_diagonal(const core::compressed_rows& a, std::int64_t k, void* out);
void sparse_compress(const core::numbered_entries& e, void* indptr, void* others, void* data);

}  // namespace host
GPARRAY_END_NAMESPACE
