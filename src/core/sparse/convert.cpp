// From each format to each other.
#include <algorithm>
#include <numeric>
#include <optional>

#include <core/array/arguments.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/indexing/gather.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <core/sparse/filter.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {
namespace {

/// Coordinates remember in `canonical` that columns, and rows in each, ascend, and in `sorted` that rows, and
/// columns in each, do; without duplicates in both cases.
sparse_parts coordinates_of(const sparse_parts& a) {
  const any_array major = expanded(a);
  sparse_parts p = make_parts(format::coo, a.rows, a.columns, a.data, of_major(a.format, major, a.minor),
                              of_minor(a.format, major, a.minor));
  if (a.canonical.known() && a.canonical.yes()) of_major(a.format, p.sorted, p.canonical) = true;
  return p;
}

bool known_unique(const sparse_parts& a) {
  const auto& known = a.format == format::coo && a.sorted.known() && a.sorted.yes() ? a.sorted : a.canonical;
  return known.known() && known.yes();
}

/// Entries put together by row (of csc column), each row then in order; nothing if the engine has no routine,
/// or rows are so long that two passes over all entries cost less.
std::optional<sparse_parts> merged_rows(const sparse_parts& a, format to) {
  constexpr std::int64_t long_row = 64;
  sparse_engine& engine = sparse_engine_of(a.device());
  if (!engine.merges_rows() || a.data.size() == 0 ||
      (a.data.size() - 1) / long_row >= of_major(to, a.rows, a.columns))
    return std::nullopt;
  sparse_parts p = compressed_by(to, a.rows, a.columns, of_major(to, a.major, a.minor),
                                 of_minor(to, a.major, a.minor), a.data);
  const any_array indptr = allocate(p.index_dtype(), p.major.size(), p.device());
  const auto merged = engine.merge_rows(view_of(p), indptr.rep()->data, current_queue(p.device()));
  if (merged->count() < p.data.size()) p = finished(to, a.rows, a.columns, a.dtype(), indptr, *merged);
  p.sorted = p.canonical = true;
  return p;
}

/// Whether coordinates are in the order that compressed ones have, without duplicates. To look costs a GPU
/// little in comparison with a sort, and a CPU that counts as much as counting.
bool in_order_of(const sparse_parts& a, format to) {
  if (to == format::csr && a.device().is_cuda()) return detail::sparse_is_canonical(a);
  const detail::known_order& order = of_major(to, a.sorted, a.canonical);
  return order.known() && order.yes();
}

sparse_parts compress_coordinates(const sparse_parts& a, format to) {
  const any_array &number = of_major(to, a.major, a.minor), &other = of_minor(to, a.major, a.minor);
  if (a.data.size() > 0 && in_order_of(a, to)) {
    const any_array starts = allocate(a.index_dtype(), of_major(to, a.rows, a.columns) + 1, a.device());
    sparse_engine_of(a.device())
        .starts(computed(number)->data, a.data.size(), starts.size() - 1, a.index_dtype(), starts.rep()->data,
                current_queue(a.device()));
    used({&number, &starts});
    sparse_parts p = make_parts(to, a.rows, a.columns, detail::copy(a.data, order::C), starts,
                                detail::copy(other, order::C));
    p.sorted = p.canonical = true;
    return p;
  }
  if (known_unique(a)) {
    sparse_parts p = compressed_by(to, a.rows, a.columns, number, other, a.data);
    p.sorted = p.canonical = true;
    return p;
  }
  if (auto own = merged_rows(a, to)) return *std::move(own);
  if (mostly_empty(of_minor(to, a.rows, a.columns), a.data.size())) {
    const sparse_parts p = compressed_by(to, a.rows, a.columns, number, other, a.data);
    return without_duplicates(entries_in_order(p));
  }
  // By the other number first: then those of one row (of csc column) ascend.
  const sparse_parts by_other =
      compressed_by(sparse::transposed(to), a.rows, a.columns, other, number, a.data);
  const sparse_parts p = compressed_across(by_other);
  return without_duplicates(p);
}

/// Compressed rows of what is not zero on the diagonals; nothing if the engine has no routine.
std::optional<sparse_parts> rows_of_diagonals(const sparse_parts& a) {
  std::optional<sparse_parts> result;
  if (a.rows == 0 || a.data.size() == 0) return result;
  with_diagonals(a, true, [&](const stored_diagonals& d) {
    result = compressed_diagonals(format::csr, a.rows, a.columns, d, a.index_dtype(), a.device());
  });
  return result;
}

/// Elements of the diagonals that are not zero, by diagonal, of ascending offsets: columns of a row ascend.
sparse_parts coordinates_of_diagonals(const sparse_parts& a) {
  const std::int64_t width = std::min(a.columns, a.data.shape(1));
  const index_array offsets = diagonal_offsets(a);
  const std::vector<std::int64_t> host = offsets.to_vector();
  std::vector<std::int64_t> order(host.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto i, auto j) {
    return host[static_cast<std::size_t>(i)] < host[static_cast<std::size_t>(j)];
  });
  const index_array rank = array(order, {.device = a.device()});
  const index_array column = counting(width, a.device());
  const index_array ascending = detail::typed<std::int64_t>(gathered(offsets, rank));
  const any_array inner = slice_along(a.data, 1, 0, width);
  const any_array data = contiguous(std::is_sorted(order.begin(), order.end())
                                        ? inner
                                        : detail::take(inner, rank, 0, detail::index_mode::wrap),
                                    a.dtype());
  const ndarray<bool> filled = detail::typed<bool>(detail::astype(named(data), dtype::bool_, false));
  // An element is in a row from 0 on if its column is not below the offset.
  const auto across = column(newaxis, slice()), down = ascending(slice(), newaxis);
  const ndarray<bool> inside = (across >= down) & (across - a.rows < down) & filled;
  const array_rep* mask = computed(inside);
  const std::int64_t count = count_of(inside);
  const std::int64_t step = sizeof(std::int64_t);
  const index_array columns =
      detail::typed<std::int64_t>(compact_elements(mask, count, computed(column), 0, dims{0, step}));
  const index_array diagonals =
      detail::typed<std::int64_t>(compact_elements(mask, count, computed(ascending), 0, dims{step, 0}));
  const array_rep* values = computed(data);
  return make_parts(format::coo, a.rows, a.columns, compact_elements(mask, count, values, 0, values->strides),
                    contiguous(columns - diagonals, a.index_dtype()), contiguous(columns, a.index_dtype()));
}

sparse_parts diagonals_of(const sparse_parts& coordinates) {
  const sparse_parts a = detail::sparse_canonical(coordinates);
  const array_options on{.device = a.device()};
  if (a.data.size() == 0)
    return make_parts(format::dia, a.rows, a.columns, detail::create_zeros({0, 0}, a.dtype(), on),
                      detail::create_zeros(dims(0), a.index_dtype(), on), any_array());
  const entry_indices at = indices_of(a);
  const index_array diagonal = at.column - at.row + (a.rows - 1);
  const ndarray<bool> occurs =
      zeros<bool>({checked_sum(a.rows, a.columns - 1, "a sparse matrix by diagonals")}, on);
  occurs(diagonal) = true;
  const std::int64_t count = count_of(occurs), width = gparray::max(at.column).item() + 1;
  const index_array number =
      detail::typed<std::int64_t>(gathered(cumsum<std::int64_t>(occurs), diagonal)) - 1;
  const any_array data = detail::create_zeros(
      dims(checked_product(count, width, "a sparse matrix by diagonals")), a.dtype(), on);
  scatter_to(data, a.data, number * width + at.column);
  return make_parts(format::dia, a.rows, a.columns, detail::reshape(data, {count, width}, order::C),
                    contiguous(selected_indices(occurs, count) - (a.rows - 1), a.index_dtype()), any_array());
}

/// data'[k, j] = data[k, j + offset k]
sparse_parts transposed_diagonals(const sparse_parts& a) {
  const std::int64_t count = a.major.size(), width = a.data.shape(1);
  const array_options on{.device = a.device()};
  const index_array column = counting(a.rows, a.device());
  const index_array from = column(newaxis, slice()) + diagonal_offsets(a)(slice(), newaxis);
  const ndarray<bool> inside = (from >= 0) & (from < width);
  const index_array start = counting(count, a.device()) * width;
  const index_array source = from + start(slice(), newaxis);
  const ndarray<bool> mask = inside.ravel();
  const std::int64_t n = count_of(mask);
  const any_array data = detail::create_zeros(
      dims(checked_product(count, a.rows, "a sparse matrix by diagonals")), a.dtype(), on);
  const index_array where_from = detail::typed<std::int64_t>(selected(source.ravel(), mask, n));
  scatter_to(data, gathered(detail::ravel(a.data, order::C), where_from), selected_indices(mask, n));
  return make_parts(format::dia, a.columns, a.rows, detail::reshape(data, {count, a.rows}, order::C),
                    contiguous(-as_index_array(a.major), a.index_dtype()), any_array());
}

}  // namespace

std::optional<sparse_parts> compressed_diagonals(format f, std::int64_t rows, std::int64_t columns,
                                                 const stored_diagonals& d, dtype index, device where) {
  sparse_engine& engine = sparse_engine_of(where);
  if (!engine.has_row_routines()) return std::nullopt;
  const any_array indptr = allocate(index, d.rows + 1, where);
  const auto entries = engine.diagonals_to_rows(d, index, indptr.rep()->data, current_queue(where));
  if (!entries) return std::nullopt;
  sparse_parts p = finished(f, rows, columns, d.type, indptr, *entries);
  p.sorted = p.canonical = true;
  used({&indptr});
  return p;
}

sparse_parts as_compressed(const sparse_parts& a) {
  return detail::sparse_convert(a, sparse::compressed(a.format));
}

sparse_parts prepared(const sparse_parts& a, format f, dtype type, dtype index) {
  sparse_parts p = detail::sparse_convert(a, f);
  p.data = contiguous(p.data, type);
  p = detail::sparse_canonical(p);
  p.major = contiguous(p.major, index);
  p.minor = contiguous(p.minor, index);
  return p;
}

}  // namespace core

namespace detail {

using namespace core;

sparse_parts sparse_convert(const sparse_parts& a, sparse::format to) {
  using sparse::format;
  if (a.format == to) return a;
  if (to == format::dia) return diagonals_of(a.format == format::coo ? a : coordinates_of(a));
  if (a.format == format::dia) {
    if (to != format::csr && mostly_empty(a.rows, a.data.size())) {
      sparse_parts p = entries_in_order(coordinates_of_diagonals(a));
      p.sorted = true;  // each position is of one diagonal
      return sparse_convert(p, to);
    }
    if (const auto direct = rows_of_diagonals(a)) return sparse_convert(*direct, to);
    const sparse_parts p = coordinates_of_diagonals(a);
    sparse_parts rows = compressed_by(format::csr, a.rows, a.columns, p.major, p.minor, p.data);
    rows.sorted = rows.canonical = true;
    return sparse_convert(rows, to);
  }
  if (to == format::coo) return coordinates_of(a);
  if (a.format == format::coo) return compress_coordinates(a, to);
  sparse_parts p = compressed_across(a);
  p.sorted = true;
  p.canonical = a.canonical;
  return p;
}

any_array sparse_to_dense(const sparse_parts& a, order layout) {
  if (layout == order::F) return gparray::detail::transpose(sparse_to_dense(sparse_transpose(a), order::C));
  checked_size({a.rows, a.columns}, itemsize(a.dtype()));
  const sparse_parts unique = a.format == sparse::format::dia ? sparse_convert(a, sparse::format::coo)
                              : known_unique(a)               ? a
                                                              : sparse_canonical(a);
  const any_array full = create_zeros({a.rows, a.columns}, a.dtype(), {.device = a.device()});
  const entry_indices at = indices_of(unique);
  scatter_to(reshape(full, full.size(), order::C), unique.data, at.row * a.columns + at.column);
  return full;
}

sparse_parts sparse_transpose(const sparse_parts& a) {
  if (a.format == sparse::format::dia) return transposed_diagonals(a);
  sparse_parts b = a;
  std::swap(b.rows, b.columns);
  b.format = sparse::transposed(a.format);
  if (a.format == sparse::format::coo) {
    std::swap(b.major, b.minor);
    b.sorted = a.canonical;
    b.canonical = a.sorted.known() && a.sorted.yes() ? known_order(true) : known_order();
  }
  return b;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
