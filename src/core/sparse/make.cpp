// Sparse matrices from arrays: what is checked before anything relies on it.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/reduction/typed.hpp>
#include <core/sparse/sparse.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

void check_sizes(const dims& shape) {
  if (shape.size() != 2) fail<value_error>("a sparse matrix has 2 axes, not the shape {}", text(shape));
  if (shape[0] < 0 || shape[1] < 0) throw value_error("'shape' elements cannot be negative");
}

/// Least and largest of integers, 0 and -1 of none. Waits for the device.
struct bounds {
  std::int64_t least = 0, most = -1;
};
bounds bounds_of(const any_array& indices) {
  if (indices.size() == 0) return {};
  const detail::result_pair both =
      detail::reduce_pair(reduction::minmax, named(indices), indices.dtype(), nullptr, false, 0);
  return {item_at(detail::reshape(both.first, dims(1), order::C), 0),
          item_at(detail::reshape(both.second, dims(1), order::C), 0)};
}

/// What follows computes with int64, where the upper half of uint64 would be negative numbers.
void check_integers(const any_array& indices, const char* what) {
  if (!is_integer(indices.dtype()))
    fail<type_error>("{} must be integers, and are {}", what, name(indices.dtype()));
  if (indices.dtype() == dtype::uint64 && bounds_of(as_index_array(indices)).least < 0)
    fail<value_error>("{} must be below 2^63", what);
}

/// Of an axis that these numbers are to fit.
std::int64_t size_for(const bounds& b) { return checked_sum(b.most, 1, "the size of a sparse matrix"); }

void check_axis(int axis, const any_array& index, std::int64_t size) {
  const bounds b = bounds_of(index);
  if (b.most >= size) fail<value_error>("axis {} index {} exceeds matrix dimension {}", axis, b.most, size);
  if (b.least < 0) fail<value_error>("negative axis {} index: {}", axis, b.least);
}

std::string upper_name(format f) {
  std::string name(detail::row(f).name);
  for (char& c : name) c = static_cast<char>(c - 'a' + 'A');
  return name;
}

any_array owned_data(const detail::argument& data) { return contiguous(*data.array, data.type); }

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

sparse_parts sparse_empty(sparse::format f, const dims& shape, gparray::dtype type, gparray::device where) {
  check_sizes(shape);
  const gparray::dtype index = index_type(std::max(shape[0], shape[1]));
  const array_options on{.device = where};
  const std::int64_t n_major = shape[detail::row(f).axis];
  const bool compressed = sparse::is_compressed(f), dia = f == sparse::format::dia;
  sparse_parts p =
      make_parts(f, shape[0], shape[1], create_zeros(dia ? dims{0, 0} : dims(0), type, on),
                 create_zeros(dims(compressed ? checked_sum(n_major, 1, "a sparse matrix") : 0), index, on),
                 dia ? any_array() : create_zeros(dims(0), index, on));
  p.sorted = p.canonical = true;
  return p;
}

sparse_parts sparse_from_dense(sparse::format f, const argument& a) {
  if (a.array->ndim() > 2)
    fail<value_error>("{} arrays don't {}support {}D{}", upper_name(f),
                      f == sparse::format::csr ? "yet " : "", a.array->ndim(),
                      f == sparse::format::csr ? "." : " input. Use 2D");
  any_array full = contiguous(*a.array, a.type);
  full = reshape(full, full.ndim() == 2 ? full.shape() : dims{1, full.size()}, order::C);
  const std::int64_t rows = full.shape(0), columns = full.shape(1);
  const any_array flat = reshape(full, full.size(), order::C);
  const ndarray<bool> filled = typed<bool>(astype(named(flat), gparray::dtype::bool_, false));
  const std::int64_t count = core::count_of(filled);
  const gparray::dtype index = index_type(std::max({rows, columns, count}));
  const index_array at = selected_indices(filled, count);
  const any_array data = selected(flat, filled, count);
  if (f == sparse::format::csr) return from_keys(f, rows, columns, at, data, index);
  const std::int64_t width = std::max<std::int64_t>(columns, 1);
  sparse_parts p =
      make_parts(sparse::format::coo, rows, columns, data, contiguous(floor_divide(at, width), index),
                 contiguous(remainder(at, width), index));
  p.sorted = true;
  return sparse_convert(p, f);
}

sparse_parts sparse_from_compressed(sparse::format f, const argument& data, const any_array& indices,
                                    const any_array& indptr, const sparse_shape& shape) {
  check_integers(indices, "indices");
  check_integers(indptr, "index pointers");
  check_same_device("a sparse matrix", *data.array, indices);
  check_same_device("a sparse matrix", *data.array, indptr);
  if (data.array->ndim() != 1 || indices.ndim() != 1 || indptr.ndim() != 1)
    throw value_error("data, indices, and indptr should be 1-D");
  const int axis = detail::row(f).axis;
  const bounds b = bounds_of(indices);
  if (shape) check_sizes(*shape);
  if (!shape && indptr.size() == 0) throw value_error("unable to infer matrix dimensions");
  const std::int64_t n_major = shape ? (*shape)[axis] : indptr.size() - 1;
  const std::int64_t n_minor = shape ? (*shape)[1 - axis] : size_for(b);
  if (indptr.size() - 1 != n_major)
    fail<value_error>("index pointer size {} should be {}", indptr.size(), wrapping_sum(n_major, 1));
  const index_array starts = as_index_array(indptr);
  if (item_at(starts, 0) != 0) throw value_error("index pointer should start with 0");
  if (indices.size() != data.array->size()) throw value_error("indices and data should have the same size");
  const std::int64_t count = item_at(starts, n_major);
  if (count > indices.size())
    throw value_error("Last value of index pointer should be less than the size of index and data arrays");
  // Entries beyond the last row are no entries.
  const slice used_part(count);
  const index_item keep[] = {used_part};
  const any_array entries = basic_index(indices, keep);
  const bounds of_entries = count < indices.size() ? bounds_of(entries) : b;
  if (of_entries.most >= n_minor) fail<value_error>("indices must be < {}", n_minor);
  if (of_entries.least < 0) throw value_error("indices must be >= 0");
  // Each by itself first: the difference of numbers far apart wraps.
  const bounds of_starts = bounds_of(starts);
  if (of_starts.least < 0 || of_starts.most > count ||
      (n_major > 0 && gparray::min(gparray::diff(starts)).item() < 0))
    throw value_error("indptr must be a non-decreasing sequence");
  const gparray::dtype index = index_type(std::max({n_major, n_minor, count}));
  argument kept_data = data;
  const any_array kept = count < indices.size() ? basic_index(*data.array, keep) : *data.array;
  kept_data.array = &kept;
  return make_parts(f, of_major(f, n_major, n_minor), of_minor(f, n_major, n_minor), owned_data(kept_data),
                    contiguous(indptr, index), contiguous(entries, index));
}

sparse_parts sparse_from_coordinates(sparse::format f, const argument& data, const any_array& row,
                                     const any_array& col, const sparse_shape& shape) {
  check_integers(row, "row numbers");
  check_integers(col, "column numbers");
  check_same_device("a sparse matrix", *data.array, row);
  check_same_device("a sparse matrix", *data.array, col);
  if (row.ndim() != 1 || col.ndim() != 1 || data.array->ndim() != 1 || row.size() != col.size() ||
      row.size() != data.array->size())
    throw value_error("all index and data arrays must have the same length");
  if (!shape && row.size() == 0) throw value_error("cannot infer dimensions from zero sized index arrays");
  if (shape) check_sizes(*shape);
  const std::int64_t rows = shape ? (*shape)[0] : size_for(bounds_of(row)),
                     columns = shape ? (*shape)[1] : size_for(bounds_of(col));
  check_axis(0, row, rows);
  check_axis(1, col, columns);
  const gparray::dtype index = index_type(std::max({rows, columns, row.size()}));
  const sparse_parts p = make_parts(sparse::format::coo, rows, columns, owned_data(data),
                                    contiguous(row, index), contiguous(col, index));
  return sparse_convert(p, f);
}

sparse_parts sparse_from_diagonals(sparse::format f, const argument& data, const any_array& offsets,
                                   const dims& shape) {
  check_integers(offsets, "offsets");
  check_sizes(shape);
  check_same_device("a sparse matrix", *data.array, offsets);
  if (offsets.ndim() != 1) throw value_error("offsets array must have rank 1");
  const any_array table =
      data.array->ndim() == 1 ? reshape(*data.array, {1, data.array->size()}, order::C) : *data.array;
  if (table.ndim() != 2) throw value_error("data array must have rank 2");
  if (table.shape(0) != offsets.size())
    fail<value_error>("number of diagonals ({}) does not match the number of offsets ({})", table.shape(0),
                      offsets.size());
  std::vector<std::int64_t> sorted = as_index_array(offsets).to_vector();
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw value_error("offset array contains duplicate values");
  // Diagonals outside the matrix have no elements, but their offsets must be numbers of the index type too.
  const auto magnitude_of = [](std::int64_t offset) {
    return checked_cast<std::int64_t>(magnitude(offset), "offset of a diagonal");
  };
  const std::int64_t largest =
      sorted.empty() ? 0 : std::max(magnitude_of(sorted.front()), magnitude_of(sorted.back()));
  const gparray::dtype index = index_type(std::max({shape[0], shape[1], table.shape(1), largest}));
  const sparse_parts p = make_parts(sparse::format::dia, shape[0], shape[1], contiguous(table, data.type),
                                    contiguous(offsets, index), any_array());
  return sparse_convert(p, f);
}

sparse_parts sparse_astype(const sparse_parts& a, gparray::dtype type) {
  return sparse_with_data(a, contiguous(a.data, type));
}

sparse_parts sparse_with_index(const sparse_parts& a, gparray::dtype index) {
  const std::int64_t largest = std::max({a.rows, a.columns, a.data.size()});
  if (index == gparray::dtype::int32 && index_type(largest) != index)
    fail<overflow_error>("a matrix of shape ({}, {}) with {} entries needs indices of 64 bits", a.rows,
                         a.columns, a.data.size());
  sparse_parts b = a;
  b.major = contiguous(a.major, index);
  if (a.minor.rep()) b.minor = contiguous(a.minor, index);
  return b;
}

sparse_parts sparse_copy(const sparse_parts& a) {
  sparse_parts b = a;
  b.data = copy(a.data, order::C);
  b.major = copy(a.major, order::C);
  if (a.minor.rep()) b.minor = copy(a.minor, order::C);
  return b;
}

sparse_parts sparse_to_device(const sparse_parts& a, gparray::device where) {
  sparse_parts b = a;
  b.data = to_device(a.data, where, nullptr);
  b.major = to_device(a.major, where, nullptr);
  if (a.minor.rep()) b.minor = to_device(a.minor, where, nullptr);
  return b;
}

std::int64_t sparse_size(const sparse_parts& a, int axis) {
  return normalize_axis(axis, 2) == 0 ? a.rows : a.columns;
}

any_array sparse_astype_index(const any_array& indices) { return as_index_array(indices); }

}  // namespace detail
GPARRAY_END_NAMESPACE
