// Products of sparse matrices with arrays and with each other.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sparse/filter.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

any_array column_of(const any_array& matrix, std::int64_t j) {
  return detail::reshape(slice_along(matrix, 1, j, 1), dims(matrix.shape(0)), order::C);
}

/// Every stored diagonal times a slice of x, added to a slice of y.
void diagonals_times_dense(const sparse_parts& a, const any_array& x, const any_array& y) {
  if (a.major.size() == 0) return;  // engines share the rows out by the work of the diagonals
  if (sparse_engine& engine = sparse_engine_of(y.device()); engine.has_row_routines()) {
    with_diagonals(a, false, [&](const stored_diagonals& d) {
      const std::int64_t columns = x.ndim() == 2 ? x.shape(1) : 1;
      engine.diagonals_times_dense(d, columns, computed(x)->data, y.rep()->data, current_queue(y.device()));
    });
    return used({&x, &y});
  }
  const std::vector<std::int64_t> offsets = diagonal_offsets(a).to_vector();
  const std::int64_t width = std::min(a.columns, a.data.shape(1));
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    const std::int64_t offset = offsets[k], first = std::max<std::int64_t>(offset, 0);
    const std::int64_t count = std::min(saturating_sum(a.rows, offset), width) - first;
    if (count <= 0) continue;
    any_array factors = slice_along(slice_along(a.data, 0, static_cast<std::int64_t>(k), 1), 1, first, count);
    factors = detail::reshape(factors, x.ndim() == 2 ? dims{count, 1} : dims(count), order::C);
    const any_array to = slice_along(y, 0, first - offset, count), from = slice_along(x, 0, first, count);
    const any_array terms = apply(ufunc::multiply, y.dtype(), {named(factors), named(from)});
    assign_array(to.rep(), apply(ufunc::add, y.dtype(), {named(to), temporary(terms)}));
  }
}

/// y = A x, all of one dtype, on one device, contiguous.
void multiply_into(const sparse_parts& matrix, const any_array& x, const any_array& y) {
  const device on_device = y.device();
  const queue q = current_queue(on_device);
  if (y.size() == 0) return;
  if (matrix.format == format::dia || matrix.data.size() == 0) {
    backend_of(on_device).fill_zero(y.rep()->data, static_cast<std::size_t>(y.nbytes()), q);
    record_use(y.rep()->memory, q);
    if (matrix.format == format::dia) diagonals_times_dense(matrix, x, y);
    return;
  }
  sparse_parts a = as_compressed(matrix);
  const std::int64_t width = x.ndim() == 2 ? x.shape(1) : 1;
  const void* from = computed(x)->data;
  void* to = y.rep()->data;
  sparse_engine& engine = sparse_engine_of(on_device);
  bool done = a.format == format::csc && engine.transposed_times_dense(view_of(a), width, from, to, q);
  if (!done) {
    a = detail::sparse_convert(a, format::csr);
    done = engine.times_dense(view_of(a), width, from, to, q);
  }
  if (!done) times_dense_by_products(a, x, y);
  used({&a.data, &a.major, &a.minor, &x, &y});
}

/// Memory for a product, which the caller may have brought.
any_array product_target(const any_array& out, const dims& shape, dtype type, const any_array& x) {
  if (!out.rep()) return allocate(type, shape, x.device());
  if (out.dtype() != type || out.shape() != shape || !out.is_c_contiguous())
    fail<value_error>(
        "matmul: the output must be in C order, of shape {} and dtype {}, and has shape {} and "
        "dtype {}",
        text(shape), name(type), text(out.shape()), name(out.dtype()));
  check_writeable(computed(out));
  check_same_device("matmul", out, x);
  if (may_share_memory(out, x))
    throw value_error("matmul: the output of a sparse product overlaps the factor");
  effect_on(computed(out));
  return out;
}

}  // namespace

void check_product_count(std::int64_t count, dtype index) {
  if (index_type(count, index) != index)
    fail<overflow_error>(
        "the product of sparse matrices has {} entries; give a factor 64-bit indices: "
        "with_index<std::int64_t>()",
        count);
}

void times_dense_by_products(const sparse_parts& a, const any_array& x, const any_array& y) {
  const index_array columns = as_index_array(a.minor);
  sparse_engine& engine = sparse_engine_of(y.device());
  const std::int64_t width = x.ndim() == 2 ? x.shape(1) : 1;
  for (std::int64_t j = 0; j < width; ++j) {
    const any_array column = x.ndim() == 2 ? contiguous(column_of(x, j), x.dtype()) : x;
    const any_array factors = gathered(column, columns);
    const any_array terms = apply(ufunc::multiply, a.dtype(), {named(a.data), named(factors)}).eval();
    const any_array sums = x.ndim() == 2 ? allocate(y.dtype(), a.rows, y.device()) : y;
    engine.reduce_rows(reduction::sum, a.dtype(), computed(terms)->data, computed(a.major)->data,
                       a.index_dtype(), a.rows, sums.rep()->data, current_queue(y.device()));
    used({&terms, &a.major, &sums});
    if (x.ndim() == 2)
      assign_array(slice_along(y, 1, j, 1).rep(), detail::reshape(sums, {a.rows, 1}, order::C));
  }
}

sparse_parts multiply_by_expansion(const sparse_parts& a, const sparse_parts& b) {
  // Every entry (i, k) of a is repeated for each entry of row k of b.
  const ndarray<std::int64_t> starts = as_index_array(b.major), factor_row = as_index_array(a.minor);
  const index_array begins = detail::typed<std::int64_t>(gathered(starts, factor_row));
  const index_array ends = detail::typed<std::int64_t>(gathered(starts, factor_row + 1));
  const index_array before = detail::typed<std::int64_t>(
      detail::cumulate(reduction::sum, named(index_array(ends - begins)), dtype::int64, none, true));
  const std::int64_t n = item_at(before, before.size() - 1);
  const index_array number = counting(n, a.device());
  const index_array left = searched(before(slice(1, none)), number, true);
  const index_array right = number - detail::typed<std::int64_t>(gathered(before, left)) +
                            detail::typed<std::int64_t>(gathered(begins, left));
  const any_array factors = gathered(a.data, left), others = gathered(b.data, right);
  const any_array terms = apply(ufunc::multiply, a.dtype(), {named(factors), named(others)}).eval();
  const dtype index = index_type(std::max({a.rows, b.columns, n}), common_index(a, b));
  const any_array row = contiguous(gathered(expanded(a), left), index);
  const any_array column = contiguous(gathered(b.minor, right), index);
  return detail::sparse_convert(make_parts(format::coo, a.rows, b.columns, terms, row, column), format::csr);
}

}  // namespace core

namespace detail {

using namespace core;

any_array sparse_times_dense(const sparse_parts& a, const argument& x, gparray::dtype type,
                             const any_array& out) {
  check_same_device("matmul", a.data, *x.array);
  const int ndim = x.array->ndim();
  if (ndim != 1 && ndim != 2) throw value_error("could not interpret dimensions");
  if (x.array->shape(0) != a.columns) {
    const bool column = ndim == 1 || x.array->shape(1) == 1;
    fail<value_error>("matmul: dimension mismatch with signature (n,k={}),(k={},{})->(n,{})", a.columns,
                      x.array->shape(0), column ? "1?" : "m", column ? "1?" : "m");
  }
  dims shape(a.rows);
  if (ndim == 2) shape.push_back(x.array->shape(1));
  const any_array factor = contiguous(*x.array, type);
  const any_array y = product_target(out, shape, type, factor);
  multiply_into(sparse_astype(a, type), factor, y);
  return y;
}

any_array dense_times_sparse(const argument& x, const sparse_parts& a, gparray::dtype type) {
  check_same_device("matmul", *x.array, a.data);
  const int ndim = x.array->ndim();
  if (ndim != 1 && ndim != 2) throw value_error("could not interpret dimensions");
  if (x.array->shape(-1) != a.rows)
    fail<value_error>("matmul: dimension mismatch with signature (n,k={}),(k={},m)->(n,m)",
                      x.array->shape(-1), a.rows);
  const any_array transposed = transpose(*x.array);
  const any_array y = sparse_times_dense(sparse_transpose(a), named(transposed), type);
  return ndim == 1 ? y : in_order(transpose(y), order::C);
}

sparse_parts sparse_times_sparse(const sparse_parts& a, const sparse_parts& b, gparray::dtype type) {
  using sparse::format;
  check_same_device("matmul", a.data, b.data);
  if (a.columns != b.rows)
    fail<value_error>("matmul: dimension mismatch with signature (n,k={}),(k={},m)->(n,m)", a.columns,
                      b.rows);
  // (A B)^T = B^T A^T, and csc is the transposed matrix by rows.
  if (a.format == format::csc)
    return sparse_transpose(
        sparse_times_sparse(sparse_convert(sparse_transpose(b), format::csr), sparse_transpose(a), type));
  const gparray::dtype index = common_index(a, b);
  const auto ready = [&](const sparse_parts& m) {
    sparse_parts p = sparse_convert(m, format::csr);
    p.data = contiguous(p.data, type);
    p.major = contiguous(p.major, index);
    p.minor = contiguous(p.minor, index);
    return p;
  };
  const sparse_parts left = ready(a);
  // A GPU's threads share out a row's entries, of which no two may be at one position.
  const sparse_parts right = b.device().is_cuda() ? sparse_canonical(ready(b)) : ready(b);
  if (left.data.size() == 0 || right.data.size() == 0) {
    sparse_parts none_stored = sparse_empty(format::csr, {a.rows, b.columns}, type, a.device());
    return sparse_with_index(none_stored, promote_types(index, none_stored.index_dtype()));
  }
  const any_array indptr = allocate(index, left.rows + 1, a.device());
  bool sorted = false;
  const auto product =
      sparse_engine_of(a.device())
          .times_sparse(view_of(left), view_of(right), indptr.rep()->data, sorted, current_queue(a.device()));
  if (!product) return multiply_by_expansion(left, right);
  sparse_parts p = finished(format::csr, a.rows, b.columns, type, indptr, *product);
  used({&left.data, &left.major, &left.minor, &right.data, &right.major, &right.minor});
  if (!sorted) p = sparse_sorted(p);
  p.sorted = p.canonical = true;
  return p;
}

sparse_parts sparse_kron(const sparse_parts& a, const sparse_parts& b, sparse::format to,
                         gparray::dtype type) {
  check_same_device("kron", a.data, b.data);
  const sparse_parts left = sparse_convert(a, sparse::format::coo),
                     right = sparse_convert(b, sparse::format::coo);
  const std::int64_t n = left.data.size(), m = right.data.size();
  const entry_indices p = indices_of(left), q = indices_of(right);
  const auto joined = [&](const index_array& outer, std::int64_t scale, const index_array& inner) {
    const index_array sums = (outer * scale)(slice(), newaxis) + inner(newaxis, slice());
    return any_array(sums.ravel());
  };
  for (const dims& sizes : {dims{a.rows, b.rows}, dims{a.columns, b.columns}, dims{n, m}})
    checked_size(sizes, 1);
  const gparray::dtype index =
      index_type(std::max({a.rows * b.rows, a.columns * b.columns, n * m}), common_index(a, b));
  const any_array column_of_left = reshape(left.data, {n, 1}, order::C);
  const any_array row_of_right = reshape(right.data, {1, m}, order::C);
  const any_array data =
      ravel(apply(ufunc::multiply, type, {named(column_of_left), named(row_of_right)}).eval(), order::C);
  sparse_parts product = make_parts(sparse::format::coo, a.rows * b.rows, a.columns * b.columns, data,
                                    contiguous(joined(p.row, b.rows, q.row), index),
                                    contiguous(joined(p.column, b.columns, q.column), index));
  return sparse_convert(product, to);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
