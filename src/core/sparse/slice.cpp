// Rows, columns and elements of sparse matrices.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/indexing/index.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sparse/filter.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

using detail::index_item;

resolved_slice resolve(const index_item& item, std::int64_t n) {
  switch (item.kind) {
    case index_item::kind_type::integer:
      if (item.number < -n || item.number >= n) fail<index_error>("index ({}) out of range", item.number);
      return {item.number < 0 ? item.number + n : item.number, 1, 1};
    case index_item::kind_type::slice:
      return resolve_slice(item.range, n);
    case index_item::kind_type::ellipsis:
      return {0, 1, n};
    default:
      throw index_error("a sparse matrix has 2 axes, and cannot have new ones");
  }
}

std::int64_t& major_size(sparse_parts& a) { return of_major(a.format, a.rows, a.columns); }
std::int64_t& minor_size(sparse_parts& a) { return of_minor(a.format, a.rows, a.columns); }

/// Rows (columns of csc) side by side: their entries are, too.
sparse_parts adjacent(const sparse_parts& a, std::int64_t first, std::int64_t count) {
  const std::int64_t begin = item_at(a.major, first), n = item_at(a.major, first + count) - begin;
  sparse_parts p = a;
  major_size(p) = count;
  p.data = detail::copy(slice_along(a.data, 0, begin, n), order::C);
  p.minor = detail::copy(slice_along(a.minor, 0, begin, n), order::C);
  p.major = contiguous(as_index_array(slice_along(a.major, 0, first, count + 1)) - begin, a.index_dtype());
  return p;
}

/// With what an engine picked of a matrix; nothing if it has no routine.
template<class Pick>
std::optional<sparse_parts> selected_by_engine(const sparse_parts& like, Pick&& pick) {
  if (like.rows == 0 || like.columns == 0 || like.data.size() == 0) return {};
  const device on_device = like.device();
  sparse_engine& engine = sparse_engine_of(on_device);
  if (!engine.has_row_routines()) return {};
  const any_array indptr = allocate(like.index_dtype(), major_count(like) + 1, on_device);
  const auto entries = pick(engine, indptr.rep()->data, current_queue(on_device));
  if (!entries) return {};
  sparse_parts p = finished(like.format, like.rows, like.columns, like.dtype(), indptr, *entries);
  if (p.data.size() > 0) {
    p.sorted = like.sorted;
    p.canonical = like.canonical;
  }
  used({&like.data, &like.major, &like.minor, &p.major});
  return p;
}

/// Rows (columns of csc) of these numbers.
sparse_parts taken(const sparse_parts& a, const index_array& number) {
  sparse_parts shape = a;
  major_size(shape) = number.size();
  const index_array list = as_index_array(number);
  const auto rows = selected_by_engine(shape, [&](sparse_engine& engine, void* indptr, queue q) {
    return engine.take_rows(view_of(a), list.data(), list.size(), indptr, q);
  });
  if (rows) return *rows;
  const index_array starts = as_index_array(a.major);
  const index_array begins = detail::typed<std::int64_t>(gathered(starts, number));
  const index_array ends = detail::typed<std::int64_t>(gathered(starts, number + 1));
  const index_array before = detail::typed<std::int64_t>(
      detail::cumulate(reduction::sum, named(index_array(ends - begins)), dtype::int64, none, true));
  const std::int64_t n = item_at(before, number.size());
  sparse_parts p = a;
  major_size(p) = number.size();
  const dtype index = index_type(std::max({p.rows, p.columns, n}), a.index_dtype());
  p.major = contiguous(before, index);
  p.minor = allocate(index, n, a.device());
  const index_array to_row = as_index_array(expanded(p));
  const index_array shift = begins - before(slice(none, -1));
  const index_array from = counting(n, a.device()) + detail::typed<std::int64_t>(gathered(shift, to_row));
  p.minor = contiguous(gathered(a.minor, from), index);
  p.data = gathered(a.data, from);
  return p;
}

sparse_parts slice_major(const sparse_parts& a, const resolved_slice& s) {
  if (s.count == major_count(a) && s.step == 1) return a;
  if (s.step == 1 || s.count == 0) return adjacent(a, s.count == 0 ? 0 : s.start, s.count);
  return taken(a, counting(s.count, a.device()) * s.step + s.start);
}

sparse_parts slice_minor(const sparse_parts& a, const resolved_slice& s) {
  if (s.count == minor_count(a) && s.step == 1) return a;
  if (s.step != 1)
    return detail::sparse_convert(slice_major(detail::sparse_convert(a, sparse::transposed(a.format)), s),
                                  a.format);
  sparse_parts shape = a;
  minor_size(shape) = s.count;
  const auto columns = selected_by_engine(shape, [&](sparse_engine& engine, void* indptr, queue q) {
    return engine.slice_columns(view_of(a), s.start, s.start + s.count, indptr, q);
  });
  if (columns) return *columns;
  const index_array minor = as_index_array(a.minor);
  sparse_parts p = filtered(a, (minor >= s.start) & (minor < s.start + s.count));
  p.minor = contiguous(as_index_array(p.minor) - s.start, a.index_dtype());
  minor_size(p) = s.count;
  return p;
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

sparse_parts sparse_slice(const sparse_parts& a, const index_item& rows, const index_item& columns) {
  const resolved_slice of_rows = resolve(rows, a.rows), of_columns = resolve(columns, a.columns);
  const sparse_parts p = as_compressed(a);
  return slice_minor(slice_major(p, of_major(p.format, of_rows, of_columns)),
                     of_minor(p.format, of_rows, of_columns));
}

sparse_parts sparse_slice(const sparse_parts& a, std::string_view text) {
  const std::vector<index_item> items = parse_index(text);
  if (items.size() > 2)
    fail<index_error>("too many indices for array: array is 2-dimensional, but {} were indexed",
                      items.size());
  const index_item whole = slice();
  return sparse_slice(a, items.empty() ? whole : items[0], items.size() < 2 ? whole : items[1]);
}

sparse_parts sparse_take(const sparse_parts& a, const any_array& indices, int axis_argument) {
  const int axis = normalize_axis(axis_argument, 2);
  check_same_device("take", a.data, indices);
  if (indices.ndim() != 1) fail<index_error>("Index dimension must be 1. Got {}", indices.ndim());
  const std::int64_t n = axis == 0 ? a.rows : a.columns;
  const index_array number = as_index_array(indices);
  if (number.size() > 0) {
    const std::int64_t least = gparray::min(number).item(), most = gparray::max(number).item();
    if (most >= n) fail<index_error>("index ({}) out of range", most);
    if (least < -n) fail<index_error>("index ({}) out of range", least);
  }
  const index_array wrapped = gparray::where(number < 0, number + n, number);
  const sparse_parts p =
      taken(sparse_convert(a, axis == 0 ? sparse::format::csr : sparse::format::csc), wrapped);
  return sparse_convert(p, sparse::compressed(a.format));
}

void sparse_item(const sparse_parts& a, std::int64_t row, std::int64_t column, void* value) {
  item(sparse_to_dense(sparse_slice(a, row, column), order::C), value);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
