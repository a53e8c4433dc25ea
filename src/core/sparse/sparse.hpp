// What the functions of sparse matrices share: arrays of 64-bit positions, and views for the engines.
#pragma once
#include <functional>
#include <optional>

#include <core/array/array_rep.hpp>
#include <core/creation/typed.hpp>
#include <core/indexing/indexing.hpp>
#include <core/math/typed.hpp>
#include <gparray/sparse/matrix.hpp>
#include <plan/sparse_engine.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using detail::sparse_parts;
using sparse::format;

/// Numbers of entries, rows or positions, as they are computed with; stored indices may be narrower.
using index_array = ndarray<std::int64_t>;

/// The engine of a device. Throws device_error.
sparse_engine& sparse_engine_of(device on_device);

/// The same elements in a contiguous array of a dtype; the array itself if it is one.
any_array contiguous(const any_array& a, dtype type);
index_array as_index_array(const any_array& a);
/// 0, 1, ... n - 1
index_array counting(std::int64_t n, device on_device);
std::int64_t item_at(const any_array& a, std::int64_t i);

/// from[index] of a 1-D array: `index` is in range.
any_array gathered(const any_array& from, const index_array& index);
/// to[index] = from, of 1-D arrays: `index` is in range, and no number occurs twice.
void scatter_to(const any_array& to, const any_array& from, const index_array& index);
/// Elements where the mask, of which `count` are true, is true; and their positions.
any_array selected(const any_array& from, const ndarray<bool>& mask, std::int64_t count);
index_array selected_indices(const ndarray<bool>& mask, std::int64_t count);
/// Waits for the device.
std::int64_t count_of(const ndarray<bool>& mask);
/// How many of the ascending keys are below each number, or not above it.
index_array searched(const index_array& keys, const index_array& numbers, bool after);

/// The dtype of indices that holds numbers up to `largest`: int32 unless `wanted` is int64.
dtype index_type(std::int64_t largest, dtype wanted = dtype::int32);
/// The wider of those of two matrices.
dtype common_index(const sparse_parts& a, const sparse_parts& b);

sparse_parts make_parts(format f, std::int64_t rows, std::int64_t columns, any_array data, any_array major,
                        any_array minor);
/// Of what a format has one of for rows and one for columns, that of the axis that its major array is of, and
/// the other.
template<class T>
T& of_major(format f, T& of_rows, T& of_columns) {
  return detail::row(f).axis == 0 ? of_rows : of_columns;
}
template<class T>
T& of_minor(format f, T& of_rows, T& of_columns) {
  return of_major(f, of_columns, of_rows);
}
/// Rows of csr and columns of csc.
std::int64_t major_count(const sparse_parts& a);
std::int64_t minor_count(const sparse_parts& a);
/// The matrix of csr, and the transposed one of csc.
compressed_rows view_of(const sparse_parts& a);
/// Of dia, for each diagonal how far right of the main one it is; of those that lie outside the matrix, which
/// may have any offset, the nearest number that keeps them outside, so that sums with a row or a column do
/// not overflow.
index_array diagonal_offsets(const sparse_parts& a);
/// body(view) of the diagonals of dia that have elements, as they are stored or by ascending offset: not
/// called if there is none. Waits for the offsets.
void with_diagonals(const sparse_parts& a, bool ascending,
                    const std::function<void(const stored_diagonals&)>& body);
/// A compressed matrix of what is not zero on diagonals of ascending offset: its rows, or the columns of csc,
/// are theirs. Nothing if the engine has no routine, or there are more entries than indices can count.
std::optional<sparse_parts> compressed_diagonals(format f, std::int64_t rows, std::int64_t columns,
                                                 const stored_diagonals& d, dtype index, device where);
/// Records with the pools that work on the current stream reads or writes the arrays.
void used(std::initializer_list<const any_array*> arrays);

/// The row (of csc column) of each entry, of the index dtype.
any_array expanded(const sparse_parts& a);
/// A compressed matrix of entries by their numbers along the axis that f compresses, and the others. Entries
/// with equal numbers stay in order.
sparse_parts compressed_by(format f, std::int64_t rows, std::int64_t columns, const any_array& number,
                           const any_array& other, const any_array& data);
/// A compressed matrix by the other axis: csc of csr and the reverse. Entries with equal numbers stay in
/// order.
sparse_parts compressed_across(const sparse_parts& a);
/// Compressed, not dia or coo: csc if it is, else csr.
sparse_parts as_compressed(const sparse_parts& a);
/// The same in canonical format, with arrays of these dtypes.
sparse_parts prepared(const sparse_parts& a, format f, dtype type, dtype index);
/// The place of each entry of a compressed matrix in C order of (major, minor).
index_array keys_of(const sparse_parts& a);
/// Of ascending keys.
sparse_parts from_keys(format f, std::int64_t rows, std::int64_t columns, const index_array& keys,
                       const any_array& data, dtype index);

/// A matrix of an engine, allocated and written.
sparse_parts finished(format f, std::int64_t rows, std::int64_t columns, dtype type, const any_array& indptr,
                      counted_matrix& counted);

void check_same_shape(const sparse_parts& a, const sparse_parts& b);
void check_same_device(const char* operation, const any_array& a, const any_array& b);

/// f(a, b) by positions that are searched for: for engines without a routine, and for tests.
sparse_parts combine_by_search(ufunc f, const sparse_parts& a, const sparse_parts& b);
/// a b by all products, sorted: for engines without a routine, and for tests.
sparse_parts multiply_by_expansion(const sparse_parts& a, const sparse_parts& b);
/// A x, or A^T x, by products and sums of rows: for engines without a routine, and for tests.
void times_dense_by_products(const sparse_parts& a, const any_array& x, const any_array& y);

}  // namespace core
GPARRAY_END_NAMESPACE
