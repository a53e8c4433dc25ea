// What a backend offers for sparse matrices: arrays in memory that the core owns, checked by it.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include <gparray/tables/reduction_table.hpp>
#include <memory/owned_block.hpp>
#include <plan/linalg_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

/// A matrix by compressed rows. Indices are in range; those of a row ascend, and none occurs twice, where a
/// function says that it needs a canonical matrix.
struct compressed_rows {
  std::int64_t rows, columns, count;
  dtype index, type;  // int32 or int64; any but the halves
  const void *indptr, *indices, *data;
};

/// Entries with a number each, by which they are to be put together.
struct numbered_entries {
  std::int64_t count, n_numbers;  // numbers are in [0, n_numbers)
  dtype index;
  const void *number, *other;  // no other: the row of each by `starts`, for engines that take rows so
  std::size_t item_bytes;
  const void* data;
  const void* starts = nullptr;
  std::int64_t rows = 0;
};

/// Blocks of the pool of host memory, or nulls.
struct entry_blocks {
  owned_block indices, data;
};

/// A matrix whose entries are counted before they are written, so that there is memory for them.
class counted_matrix {
 public:
  virtual ~counted_matrix() = default;
  /// Known when the object is.
  virtual std::int64_t count() const = 0;
  /// What it was made of must still be there.
  virtual void write(void* indices, void* data) = 0;
  /// Instead of write(): memory that begins with what it would write, and is the caller's from now on. Nulls
  /// if there is none.
  virtual entry_blocks hand_over() { return {}; }
};

/// One diagonal of a matrix: data[j] is the element (j - offset, j), for j below the matrix's `width`.
struct stored_diagonal {
  std::int64_t offset;
  const void* data;
  bool is_number = false;  // data[0] is every element; on a host alone
};
struct stored_diagonals {
  std::int64_t rows, width;
  dtype type;
  std::span<const stored_diagonal> each;  // in host memory
};

/// A triangle made ready for solving. One thread at a time may use it, and on one stream.
class prepared_triangle {
 public:
  virtual ~prepared_triangle() = default;
  /// x, in C order with the width that it was made ready for, becomes the solution y of op(triangle) y = x.
  /// The matrix must still be there.
  virtual void solve(void* x, queue q) = 0;
};

/// Throws overflow_error if a product has more entries than its indices can count.
void check_product_count(std::int64_t count, dtype index);

/// Work is enqueued on q. Every call may throw cuda_error, library_error or out_of_memory. No count or size
/// is 0, but that of single rows.
class sparse_engine {
 public:
  virtual ~sparse_engine() = default;

  /// y = A x, of x with `width` columns in C order, y alike; false if there is no routine for the dtype.
  virtual bool times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y, queue q) = 0;
  /// y = A^T x; false if there is no routine that gives the same bits every time.
  virtual bool transposed_times_dense(const compressed_rows& a, std::int64_t width, const void* x, void* y,
                                      queue q) = 0;
  /// A B: row starts are written to `indptr`, of a's index dtype, which both have, now or by write(). On a
  /// GPU B is canonical. Null if there is no routine. `sorted` says whether the indices of each row ascend.
  virtual std::unique_ptr<counted_matrix> times_sparse(const compressed_rows& a, const compressed_rows& b,
                                                       void* indptr, bool& sorted, queue q) = 0;
  /// f(a, b) of canonical matrices, for f(0, 0) = 0, without zeros, as times_sparse. Null if there is no
  /// routine.
  virtual std::unique_ptr<counted_matrix> combine(ufunc f, const compressed_rows& a, const compressed_rows& b,
                                                  void* indptr, queue q) = 0;

  /// The others and the data by ascending number, in their order where numbers are equal, and where each
  /// number's begin (n_numbers + 1 of them).
  virtual void compress(const numbered_entries& e, void* indptr, void* others, void* data, queue q) = 0;
  /// Whether compress() takes rows by where they begin.
  virtual bool compresses_rows() const noexcept { return false; }
  /// Where the entries of each number begin, of entries whose numbers ascend: how many of them are below n,
  /// for n in [0, n_numbers].
  virtual void starts(const void* numbers, std::int64_t count, std::int64_t n_numbers, dtype index,
                      void* indptr, queue q) = 0;
  /// The row of each of the `count` entries.
  virtual void expand(const void* indptr, std::int64_t rows, std::int64_t count, dtype index, void* row,
                      queue q) = 0;
  /// For each of `n` numbers the position in the ascending `keys` before which it could stand: before all
  /// that are equal, or after them.
  virtual void search(const std::int64_t* keys, std::int64_t n_keys, const std::int64_t* numbers,
                      std::int64_t n, bool after, std::int64_t* positions, queue q) = 0;
  /// For each row the sum, least or largest of values[indptr[row] ... indptr[row + 1]), in this order; of
  /// rows without entries 0. `type` is the values' and the result's.
  virtual void reduce_rows(reduction op, dtype type, const void* values, const void* indptr, dtype index,
                           std::int64_t rows, void* out, queue q) = 0;

  /// out[i] = the sum of the entries (i, i + k), or (i - k, i) for negative k, in their order; `out` holds
  /// zeros. False if there is no routine.
  virtual bool diagonal(const compressed_rows& /*a*/, std::int64_t /*k*/, void* /*out*/, queue) {
    return false;
  }

  /// Whether the indices of each row ascend, `strictly` without one that occurs twice. Waits for the answer;
  /// nothing if there is no routine.
  virtual std::optional<bool> ascends(const compressed_rows& /*a*/, bool /*strictly*/, queue) { return {}; }

  /// Whether the routines from here on are there: their arguments take time to prepare.
  virtual bool has_row_routines() const noexcept { return false; }
  /// y += A x, diagonal by diagonal, with x and y as in times_dense.
  virtual void diagonals_times_dense(const stored_diagonals& /*a*/, std::int64_t /*width*/, const void* /*x*/,
                                     void* /*y*/, queue) {}
  /// Compressed rows of what is not zero on diagonals of ascending offsets, as times_sparse.
  virtual std::unique_ptr<counted_matrix> diagonals_to_rows(const stored_diagonals& /*a*/, dtype /*index*/,
                                                            void* /*indptr*/, queue) {
    return nullptr;
  }
  /// The `n` > 0 rows of these numbers, with their entries in their order, as times_sparse.
  virtual std::unique_ptr<counted_matrix> take_rows(const compressed_rows& /*a*/,
                                                    const std::int64_t* /*rows*/, std::int64_t /*n*/,
                                                    void* /*indptr*/, queue) {
    return nullptr;
  }
  /// The entries of columns [first, last), which are some and become column 0 and so on, as times_sparse.
  virtual std::unique_ptr<counted_matrix> slice_columns(const compressed_rows& /*a*/, std::int64_t /*first*/,
                                                        std::int64_t /*last*/, void* /*indptr*/, queue) {
    return nullptr;
  }
  /// The rows of matrices side by side, which have as many rows and one index and type, as times_sparse: of
  /// the first the entries of a row, then those of the next, whose columns begin at another number.
  virtual std::unique_ptr<counted_matrix> join_rows(std::span<const compressed_rows> /*blocks*/,
                                                    std::span<const std::int64_t> /*first_columns*/,
                                                    void* /*indptr*/, queue) {
    return nullptr;
  }
  /// Whether merge_rows() is there, too.
  virtual bool merges_rows() const noexcept { return false; }
  /// Rows whose indices ascend, of rows in any order: entries of one position become their sum, added up in
  /// the order that they have. As times_sparse, but a's own entries are moved about.
  virtual std::unique_ptr<counted_matrix> merge_rows(const compressed_rows& /*a*/, void* /*indptr*/, queue) {
    return nullptr;
  }

  /// A triangle of a canonical square matrix, whose other entries are not read; its diagonal has no zeros.
  /// Null if there is no routine for the dtype.
  virtual std::unique_ptr<prepared_triangle> prepare_triangle(const compressed_rows& /*a*/,
                                                              triangle_use /*use*/, std::int64_t /*width*/,
                                                              queue) {
    return nullptr;
  }
};

}  // namespace core
GPARRAY_END_NAMESPACE
