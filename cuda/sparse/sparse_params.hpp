// The parameter blocks of the kernels for sparse matrices. Index arrays are of int32 or int64, as the
// kernel's template says.
#pragma once
#include <gparray/dtype.hpp>
#include <plan/plan_elements.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int sparse_threads = 256;

/// row[k] = the row whose entries begin at or before k and end after it.
struct expand_params {
  const void* indptr;
  void* row;
  std::int64_t rows, count;
};

/// Of rows, one thread each, in order.
struct reduce_rows_params {
  enum operation : int { sum, least, largest };
  const void *values, *indptr;
  void* out;
  std::int64_t rows;
  operation op;
};

/// y = a x for rows of few entries. A block has as many rows as threads; it takes the products of entries
/// that lie side by side into shared memory, a tile at a time, and then each thread adds those of its row, in
/// order.
inline constexpr int short_row_entries = 32, product_tile = 2048;
struct short_rows_params {
  const void *indptr, *indices, *data, *x;
  void* y;
  std::int64_t rows;
};

/// others[k] = other[order[k]], data alike.
struct reorder_params {
  const std::uint32_t* order;
  const void *other, *data;
  void *others, *out;
  std::int64_t count;
};

/// indptr[n] = how many of the ascending keys are below n, for n in [0, n_numbers].
struct starts_params {
  const void* keys;
  void* indptr;
  std::int64_t count, n_numbers;
};

/// One block makes one row of a product: its sums are in shared memory, a bit says which there are. The rows
/// of b are canonical.
inline constexpr std::int64_t product_shared_bytes = 40 * 1024;
struct product_params {
  const void *a_indptr, *a_indices, *a_data, *b_indptr, *b_indices, *b_data;
  std::int64_t rows, columns;
  std::int64_t* ends;  // entries of each row; then, after a scan, up to its end
  void *indptr, *indices, *data;
};

// Kernels by the type of indices, of elements, or the bytes of one.
const void* find_expand_kernel(dtype index);
const void* find_reduce_rows_kernel(dtype type, dtype index);
/// Null if there is no such kernel: for dtypes that cuSPARSE has not either.
const void* find_short_rows_kernel(dtype type, dtype index);
const void* find_reorder_kernel(dtype index, std::size_t item_bytes);
const void* find_starts_kernel(dtype index);
const void* find_product_count_kernel(dtype index);
const void* find_product_write_kernel(dtype type, dtype index);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
