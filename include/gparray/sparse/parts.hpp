// The state of a sparse matrix, whatever its element type, and the library's side of everything sparse.
#pragma once
#include <atomic>
#include <initializer_list>
#include <iosfwd>
#include <optional>
#include <string>

#include <gparray/array/operand.hpp>
#include <gparray/indexing/index.hpp>
#include <gparray/tables/reduction_table.hpp>
#include <gparray/tables/sparse_format_table.hpp>

GPARRAY_BEGIN_NAMESPACE

namespace detail {

/// What has been found out about the order of entries; copies keep it. Readers may find it out at the same
/// time.
class known_order {
 public:
  known_order() = default;
  known_order(bool yes) noexcept : state_(yes) {}
  known_order(const known_order& other) noexcept : state_(other.state_.load(std::memory_order_relaxed)) {}
  known_order& operator=(const known_order& other) noexcept {
    state_.store(other.state_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    return *this;
  }
  bool known() const noexcept { return state_.load(std::memory_order_relaxed) >= 0; }
  bool yes() const noexcept { return state_.load(std::memory_order_relaxed) == 1; }

 private:
  std::atomic<signed char> state_{-1};
};

/// The components: contiguous arrays on one device. Index arrays are both int32 or both int64.
struct sparse_parts {
  sparse::format format = sparse::format::csr;
  std::int64_t rows = 0, columns = 0;
  any_array data;   // 1-D, of dia 2-D: a row for each diagonal, a column for each column of the matrix
  any_array major;  // indptr; row of coo; offsets of dia
  any_array minor;  // indices; col of coo; of dia nothing
  mutable known_order sorted, canonical;

  gparray::dtype dtype() const noexcept { return data.dtype(); }
  gparray::dtype index_dtype() const noexcept { return major.dtype(); }
  gparray::device device() const noexcept { return data.device(); }
};

/// Rows and columns; none if they are to follow from the indices.
struct sparse_shape : std::optional<dims> {
  using std::optional<dims>::optional;
  sparse_shape() = default;
  sparse_shape(std::initializer_list<std::int64_t> sizes) : std::optional<dims>(sizes) {}
};

// Making matrices. All of these wait for the device where they must know how many entries there are, or that
// indices are in range. Index arrays become int32 unless the sizes need more.
GPARRAY_API sparse_parts sparse_empty(sparse::format f, const dims& shape, dtype type, device where);
/// The elements that are not zero of an array of at most 2 axes.
GPARRAY_API sparse_parts sparse_from_dense(sparse::format f, const argument& a);
/// Throws value_error, with SciPy's texts, and type_error for index arrays that are not of integers.
GPARRAY_API sparse_parts sparse_from_compressed(sparse::format f, const argument& data,
                                                const any_array& indices, const any_array& indptr,
                                                const sparse_shape& shape);
GPARRAY_API sparse_parts sparse_from_coordinates(sparse::format f, const argument& data, const any_array& row,
                                                 const any_array& col, const sparse_shape& shape);
GPARRAY_API sparse_parts sparse_from_diagonals(sparse::format f, const argument& data,
                                               const any_array& offsets, const dims& shape);
GPARRAY_API sparse_parts sparse_convert(const sparse_parts& a, sparse::format to);
GPARRAY_API sparse_parts sparse_astype(const sparse_parts& a, dtype type);
GPARRAY_API sparse_parts sparse_with_index(const sparse_parts& a, dtype index);
GPARRAY_API sparse_parts sparse_copy(const sparse_parts& a);
GPARRAY_API sparse_parts sparse_to_device(const sparse_parts& a, device where);
/// Duplicates are summed. C or Fortran order.
GPARRAY_API any_array sparse_to_dense(const sparse_parts& a, order layout);
/// The same entries in the format whose rows are the other's columns; dia stays dia.
GPARRAY_API sparse_parts sparse_transpose(const sparse_parts& a);

// The entries.
GPARRAY_API std::int64_t sparse_nnz(const sparse_parts& a);
/// Rows or columns. Throws axis_error.
GPARRAY_API std::int64_t sparse_size(const sparse_parts& a, int axis);
[[noreturn]] GPARRAY_API void throw_zero_power();
GPARRAY_API bool sparse_is_sorted(const sparse_parts& a);
GPARRAY_API bool sparse_is_canonical(const sparse_parts& a);
GPARRAY_API sparse_parts sparse_sorted(const sparse_parts& a);
GPARRAY_API sparse_parts sparse_canonical(const sparse_parts& a);
GPARRAY_API sparse_parts sparse_without_zeros(const sparse_parts& a);
/// A matrix of the entries of `a`, in its order, with other values, which are of the right shape and
/// contiguous.
inline sparse_parts sparse_with_data(const sparse_parts& a, any_array data) {
  sparse_parts b = a;
  b.data = std::move(data);
  return b;
}
/// The same with a user's values. Throws value_error, device_error.
GPARRAY_API sparse_parts sparse_with_values(const sparse_parts& a, const any_array& values);

// Parts of a matrix.
GPARRAY_API sparse_parts sparse_slice(const sparse_parts& a, const index_item& rows,
                                      const index_item& columns);
GPARRAY_API sparse_parts sparse_slice(const sparse_parts& a, std::string_view text);
GPARRAY_API sparse_parts sparse_take(const sparse_parts& a, const any_array& indices, int axis);
/// The sum of the entries at a position, written to `value`; waits for the device.
GPARRAY_API void sparse_item(const sparse_parts& a, std::int64_t row, std::int64_t column, void* value);
GPARRAY_API any_array sparse_diagonal(const sparse_parts& a, std::int64_t k);
GPARRAY_API sparse_parts sparse_triangle(const sparse_parts& a, std::int64_t k, bool lower);

// Reductions: to 0-d, or along an axis to 1-D. `type` is the dtype of the sum.
GPARRAY_API any_array sparse_sum(const sparse_parts& a, dtype type, slice_end axis);
/// reduction::min or max, of all elements, those that are not stored included.
GPARRAY_API any_array sparse_extremum(reduction r, const sparse_parts& a, slice_end axis);
/// Numbers of stored entries, or of those that are not zero.
GPARRAY_API any_array sparse_count(const sparse_parts& a, bool nonzero, slice_end axis);

// Products, in the dtype to which both operands are converted.
/// x has one axis or two; the result as many, or is `out` if that has a rep.
GPARRAY_API any_array sparse_times_dense(const sparse_parts& a, const argument& x, dtype type,
                                         const any_array& out = {});
GPARRAY_API any_array dense_times_sparse(const argument& x, const sparse_parts& a, dtype type);
/// Compressed, as `a` is or by rows.
GPARRAY_API sparse_parts sparse_times_sparse(const sparse_parts& a, const sparse_parts& b, dtype type);
GPARRAY_API sparse_parts sparse_kron(const sparse_parts& a, const sparse_parts& b, sparse::format to,
                                     dtype type);

// Element by element.
/// add, subtract, multiply, maximum or minimum: functions that are 0 where both operands are. Compressed, as
/// `a` is or by rows.
GPARRAY_API sparse_parts sparse_combine(ufunc f, const sparse_parts& a, const sparse_parts& b, dtype type);
/// a times an array that broadcasts to its shape; dia becomes csr.
GPARRAY_API sparse_parts sparse_scale(const sparse_parts& a, const argument& x, dtype type);
/// a + x or x - a, dense.
GPARRAY_API any_array sparse_plus_dense(const sparse_parts& a, const argument& x, dtype type);

/// The text of a matrix: a line about it, and one for each entry, with dots in the middle of many.
GPARRAY_API std::string sparse_text(const sparse_parts& a);
GPARRAY_API void sparse_print(std::ostream& out, const sparse_parts& a);
/// An index array in 64 bits.
GPARRAY_API any_array sparse_astype_index(const any_array& indices);

}  // namespace detail

GPARRAY_END_NAMESPACE
