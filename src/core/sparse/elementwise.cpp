// Sums, differences and products element by element.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/sparse/filter.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

sparse_parts combine_by_search(ufunc f, const sparse_parts& a, const sparse_parts& b) {
  const index_array left = keys_of(a), right = keys_of(b);
  const std::int64_t n = left.size(), m = right.size();
  const array_options on{.device = a.device()};
  // Where each key is among both, an equal one of a before that of b.
  const index_array left_at = counting(n, a.device()) + searched(right, left, false);
  const index_array right_at = counting(m, a.device()) + searched(left, right, true);
  const index_array merged = empty<std::int64_t>({n + m}, on);
  scatter_to(merged, left, left_at);
  scatter_to(merged, right, right_at);
  const ndarray<bool> first = full({n + m}, true, on);
  if (n + m > 1) first(slice(1, none)) = merged(slice(1, none)) != merged(slice(none, -1));
  const std::int64_t count = count_of(first);
  const index_array number = cumsum<std::int64_t>(first) - 1;
  const auto scattered = [&](const any_array& data, const index_array& at) {
    const any_array values = detail::create_zeros(dims(count), a.dtype(), on);
    scatter_to(values, data, detail::typed<std::int64_t>(gathered(number, at)));
    return values;
  };
  const any_array x = scattered(a.data, left_at), y = scattered(b.data, right_at);
  const any_array values = apply(f, a.dtype(), {named(x), named(y)}).eval();
  const index_array keys = detail::typed<std::int64_t>(selected(merged, first, count));
  const dtype index = index_type(std::max({a.rows, a.columns, count}), a.index_dtype());
  return detail::sparse_without_zeros(from_keys(a.format, a.rows, a.columns, keys, values, index));
}

namespace {

/// The element of an array, broadcast to the matrix's shape, at the place of each entry.
any_array at_entries(const any_array& x, const sparse_parts& a) {
  const dims shape{a.rows, a.columns};
  const std::int64_t rows = x.ndim() == 2 ? x.shape(0) : 1, columns = x.ndim() > 0 ? x.shape(-1) : 1;
  const bool fits = x.ndim() <= 2 && (rows == 1 || rows == a.rows) && (columns == 1 || columns == a.columns);
  if (!fits) fail<value_error>("inconsistent shapes {} and {}", text(shape), text(x.shape()));
  const any_array flat = detail::ravel(x, order::C);
  const entry_indices at = indices_of(a);
  const std::int64_t row_step = rows > 1 ? columns : 0, column_step = columns > 1 ? 1 : 0;
  return gathered(flat, at.row * row_step + at.column * column_step);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

sparse_parts sparse_combine(ufunc f, const sparse_parts& a, const sparse_parts& b, gparray::dtype type) {
  check_same_shape(a, b);
  check_same_device(name(f).data(), a.data, b.data);
  const sparse::format to = sparse::compressed(a.format);
  gparray::dtype index = common_index(a, b);
  sparse_parts left = prepared(a, to, type, index), right = prepared(b, to, type, index);
  if (index_type(left.data.size() + right.data.size(), index) != index) {
    index = gparray::dtype::int64;
    left = sparse_with_index(left, index);
    right = sparse_with_index(right, index);
  }
  if (left.data.size() + right.data.size() == 0) return left;
  const any_array indptr = allocate(index, major_count(left) + 1, a.device());
  const auto combined =
      sparse_engine_of(a.device())
          .combine(f, view_of(left), view_of(right), indptr.rep()->data, current_queue(a.device()));
  if (!combined) return combine_by_search(f, left, right);
  sparse_parts p = finished(to, a.rows, a.columns, type, indptr, *combined);
  used({&left.data, &left.major, &left.minor, &right.data, &right.major, &right.minor});
  p.sorted = p.canonical = true;
  return p;
}

sparse_parts sparse_scale(const sparse_parts& a, const argument& x, gparray::dtype type) {
  check_same_device("multiply", a.data, *x.array);
  const sparse_parts p = sparse_convert(a, with_entries(a.format));
  const any_array factors = at_entries(*x.array, p);
  return sparse_with_data(p, apply(ufunc::multiply, type, {named(p.data), named(factors)}).eval());
}

any_array sparse_plus_dense(const sparse_parts& a, const argument& x, gparray::dtype type) {
  check_same_device("add", a.data, *x.array);
  const any_array full = sparse_to_dense(a, order::C);
  const dims shape{a.rows, a.columns};
  if (!broadcasts_to(x.array->shape(), shape)) throw value_error("inconsistent shapes");
  return apply(ufunc::add, type, {named(full), named(*x.array)}).eval();
}

}  // namespace detail
GPARRAY_END_NAMESPACE
