// The parameter blocks of the kernels for sparse matrices. Index arrays are of int32 or int64, as the
// kernel's template says.
#pragma once
#include <gparray/dtype.hpp>
#include <plan/plan_elements.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {

inline constexpr int sparse_threads = 256;

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
/// The same of matrices x and y of `width` columns, in C order. A row has 1 << log_lanes neighbouring
/// threads, at most a warp, of which each takes columns of its own; a row that is not short after all has the
/// block's.
inline constexpr int long_row_entries = 1024;
struct wide_rows_params {
  short_rows_params rows;
  std::int64_t width;
  int log_lanes;
};

/// others[k] = other[order[k]], data alike.
struct reorder_params {
  const std::uint32_t* order;
  const void *other, *data;
  void *others, *out;
  std::int64_t count;
};

/// indptr[n] = how many of the ascending keys are below n, for n in [0, n_numbers]. An entry's thread writes
/// those above the key before it and not above its own; of more than these, all threads of its block do.
inline constexpr int most_own_starts = 32;
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

/// f(a, b) of canonical matrices by merging their rows. Items are the entries of both and the ends of rows,
/// in the order of rows, and of columns in each, those of a first: so that a block has as many as any other,
/// however long or empty rows are. An entry of b at the position of one of a is in the tile of that one.
inline constexpr int union_items = 7, union_tile = sparse_threads * union_items;
enum class union_operation : int {
  add,
  subtract,
  multiply,
  maximum,
  minimum,
  slice  // of a alone: the columns [first, last), which become 0 and so on
};
struct union_split {
  std::int64_t row, a, b;
};
struct union_params {
  const void *a_indptr, *a_indices, *a_data, *b_indptr, *b_indices, *b_data;  // slice: no b
  std::int64_t rows, items, tiles;
  union_split* splits;  // where each tile begins, and the end of the last
  std::int64_t* ends;   // what each tile keeps; then, after a scan, up to its end
  void *indptr, *indices, *data;
  union_operation operation;
  std::int64_t first, last;
};

/// Entries in the order of the rows that `indptr` counts, `copy_tile` of them by a block; tile_rows[t] is the
/// row of entry t * copy_tile.
inline constexpr int copy_items = 8, copy_tile = sparse_threads * copy_items;
struct tile_rows_params {
  const void* indptr;
  std::int64_t rows, count, tiles;
  std::int64_t* tile_rows;
};
/// row[k] = the row whose entries begin at or before k and end after it.
struct expand_params {
  const void* indptr;
  const std::int64_t* tile_rows;
  void* row;
  std::int64_t count;
};
/// Where rows begin, by where they end.
struct row_ends_params {
  const std::int64_t* ends;
  void* indptr;
  std::int64_t rows;
};
/// Rows of these numbers, one after the other.
struct take_params {
  const void *indptr, *indices, *data;
  const std::int64_t* numbers;
  std::int64_t n, count;
  std::int64_t* ends;  // entries of each row; then, after a scan, up to its end
  const std::int64_t* tile_rows;
  void *to_indptr, *to_indices, *to_data;
};

/// Adds how often an index does not ascend from one entry to the next of its row: how often it does not, less
/// how often it does not from one row to the next. A block looks at `copy_tile` entries and as many rows.
struct descents_params {
  const void *indptr, *indices;
  unsigned long long* count;
  std::int64_t rows, entries;
  bool strictly;
};

/// Sums of the entries (i, i + k) of rows [first_row, first_row + count), in their order. A row of more
/// entries than these is read by all threads of a block.
inline constexpr int longest_own_row = 128;
struct diagonal_params {
  const void *indptr, *indices, *data;
  void* out;
  std::int64_t first_row, count, k;
};

/// Diagonals of ascending offsets: data[j] of each is the element (j - offset, j), for j in [0, width).
struct diagonal_address {
  std::int64_t offset;
  const void* data;
};
struct diagonals_params {
  const diagonal_address* each;
  std::int64_t n, rows, width;
  std::int64_t* ends;  // entries of each row; then, after a scan, up to its end
  void *indptr, *indices, *data;
};
/// y += A x, one element of y by each thread.
struct diagonals_product_params {
  const diagonal_address* each;
  std::int64_t n, rows, width, columns;
  const void* x;
  void* y;
};

// Kernels by the type of indices, of elements, or the bytes of one.
const void* find_expand_kernel(dtype index);
const void* find_reduce_rows_kernel(dtype type, dtype index);
/// Null if there is no such kernel: for dtypes that cuSPARSE has not either.
const void* find_short_rows_kernel(dtype type, dtype index);
const void* find_wide_rows_kernel(dtype type, dtype index);
const void* find_reorder_kernel(dtype index, std::size_t item_bytes);
const void* find_starts_kernel(dtype index);
const void* find_product_count_kernel(dtype index);
const void* find_product_write_kernel(dtype type, dtype index);
const void* find_union_splits_kernel(dtype index);
const void* find_union_count_kernel(dtype type, dtype index);
const void* find_union_write_kernel(dtype type, dtype index);
const void* find_tile_rows_kernel(dtype index);
const void* find_take_count_kernel(dtype index);
const void* find_write_starts_kernel(dtype index);
const void* find_take_write_kernel(dtype index, std::size_t item_bytes);
const void* find_descents_kernel(dtype index);
const void* find_diagonal_kernel(dtype type, dtype index);
const void* find_diagonals_count_kernel(dtype type);
const void* find_diagonals_write_kernel(dtype type, dtype index);
const void* find_diagonals_product_kernel(dtype type);

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
