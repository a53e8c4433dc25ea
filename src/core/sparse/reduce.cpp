// Reductions of sparse matrices, diagonals and triangles.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/sparse/filter.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// Compressed so that what is reduced along the axis lies side by side.
sparse_parts along(const sparse_parts& a, int axis) {
  return detail::sparse_convert(a, axis == 1 ? format::csr : format::csc);
}

any_array reduce_each(reduction op, const sparse_parts& a) {
  const any_array result = allocate(a.dtype(), major_count(a), a.device());
  if (result.size() == 0) return result;
  sparse_engine_of(a.device())
      .reduce_rows(op, a.dtype(), computed(a.data)->data, computed(a.major)->data, a.index_dtype(),
                   major_count(a), result.rep()->data, current_queue(a.device()));
  used({&a.data, &a.major, &result});
  return result;
}

ndarray<std::int64_t> counts_of(const sparse_parts& a) { return gparray::diff(as_index_array(a.major)); }

any_array zero_of(dtype type, device on_device) {
  return detail::create_zeros({}, type, {.device = on_device});
}

}  // namespace
}  // namespace core

namespace detail {

using namespace core;

any_array sparse_sum(const sparse_parts& a, gparray::dtype type, slice_end axis_argument) {
  if (!axis_argument.given) {
    const sparse_parts p = a.format == sparse::format::dia ? sparse_convert(a, sparse::format::coo) : a;
    return reduce(reduction::sum, named(contiguous(p.data, type)), type, nullptr, {});
  }
  const int axis = normalize_axis(axis_argument.value, 2);
  const bool by_rows = has_entries(a.format) && row(a.format).axis == 0;
  if (axis == 0 && by_rows && a.device().is_cpu()) {
    // Scattering the entries is faster than sorting them by column.
    const any_array ones = create_full(dims(a.rows), type, {.device = a.device()}, number(1, type));
    return sparse_times_dense(sparse_transpose(sparse_convert(a, sparse::format::csr)), named(ones), type);
  }
  return reduce_each(reduction::sum, sparse_astype(along(a, axis), type));
}

any_array sparse_extremum(reduction r, const sparse_parts& a, slice_end axis_argument) {
  const ufunc f = r == reduction::max ? ufunc::maximum : ufunc::minimum;
  const any_array zero = zero_of(a.dtype(), a.device());
  if (!axis_argument.given) {
    if (a.rows == 0 || a.columns == 0) throw value_error("zero-size array to reduction operation");
    const sparse_parts p = sparse_canonical(as_compressed(a));
    if (p.data.size() == 0) return zero;
    const any_array extremum = reduce(r, named(p.data), a.dtype(), nullptr, {});
    if (p.data.size() == a.rows * a.columns) return extremum;
    return apply(f, a.dtype(), {named(extremum), named(zero)}).eval();
  }
  const int axis = normalize_axis(axis_argument.value, 2);
  if ((axis == 0 ? a.rows : a.columns) == 0) throw value_error("zero-size array to reduction operation");
  const sparse_parts p = sparse_canonical(along(a, axis));
  const any_array extremum = reduce_each(r, p);
  const any_array with_zero = apply(f, a.dtype(), {named(extremum), named(zero)}).eval();
  const ndarray<bool> full_row = counts_of(p) == minor_count(p);
  return apply(ufunc::where, a.dtype(), {named(full_row), named(extremum), named(with_zero)}).eval();
}

any_array sparse_count(const sparse_parts& a, bool nonzero, slice_end axis_argument) {
  if (!axis_argument.given) {
    const std::int64_t n =
        nonzero ? sparse_without_zeros(sparse_canonical(as_compressed(a))).data.size() : sparse_nnz(a);
    return create_full({}, gparray::dtype::int64, {.device = a.device()}, constant(n));
  }
  const sparse_parts p = along(a, normalize_axis(axis_argument.value, 2));
  return counts_of(nonzero ? sparse_without_zeros(sparse_canonical(p)) : p);
}

any_array sparse_diagonal(const sparse_parts& a, std::int64_t k) {
  if (k <= -a.rows || k >= a.columns) return create_zeros(dims(0), a.dtype(), {.device = a.device()});
  const std::int64_t n =
      std::min(a.rows + std::min<std::int64_t>(k, 0), a.columns - std::max<std::int64_t>(k, 0));
  const any_array result = create_zeros(dims(n), a.dtype(), {.device = a.device()});
  const sparse_parts entries = as_compressed(a);
  // Of columns, it is the one on the other side of the transpose.
  if (n == 0 || sparse_engine_of(a.device())
                    .diagonal(view_of(entries), row(entries.format).axis == 0 ? k : -k,
                              computed(result)->data, current_queue(a.device()))) {
    used({&entries.data, &entries.minor, &entries.major, &result});
    return result;
  }
  const sparse_parts p = sparse_canonical(entries);
  // In the type of the indices, which the difference of two fits: twice the width is twice the time.
  const any_array major = expanded(p);
  const any_array &rows = of_major(p.format, major, p.minor), &columns = of_minor(p.format, major, p.minor);
  const ndarray<bool> on = with_index_of(p, [&]<class I>(I) {
    return ndarray<bool>(ndarray<I>(columns) - ndarray<I>(rows) == static_cast<I>(k));
  });
  const std::int64_t count = core::count_of(on);
  const index_array to = as_index_array(selected(k < 0 ? columns : rows, on, count));
  scatter_to(result, selected(p.data, on, count), to);
  return result;
}

sparse_parts sparse_triangle(const sparse_parts& a, std::int64_t k, bool lower) {
  const sparse_parts p = sparse_convert(a, with_entries(a.format));
  const entry_indices at = indices_of(p);
  const index_array diagonal = at.column - at.row;
  const ndarray<bool> mask = lower ? diagonal <= k : diagonal >= k;
  const sparse_parts kept = filtered(p, mask);
  return kept.data.size() == a.data.size() ? sparse_copy(kept) : kept;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
