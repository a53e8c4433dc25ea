// Sparse matrices made of blocks, diagonals and random positions.
#include <algorithm>
#include <unordered_set>

#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/random/permutation.hpp>
#include <core/sparse/filter.hpp>
#include <gparray/sparse/construct.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace detail {

using namespace core;

void throw_density(double) { throw value_error("density expected to be 0 <= density <= 1"); }
void throw_diagonal_count() { throw value_error("Different number of diagonals and offsets."); }
void throw_ragged_blocks() {
  throw value_error("blocks must be 2-D: rows of blocks have different lengths, or there are none");
}
void throw_zero_power() {
  throw value_error(
      "zero power is not supported as it would densify the matrix. Use ones(a.shape()) for this case.");
}
void check_square(const sparse_parts& a, const char* name) {
  if (a.rows != a.columns) fail<value_error>("{} is not square", name);
}
void check_power(const sparse_parts& a, std::int64_t n) {
  if (a.rows != a.columns) throw type_error("sparse matrix is not square");
  if (n < 0) throw value_error("exponent must be >= 0");
}

namespace {

any_array joined(const std::vector<any_array>& arrays, gparray::dtype type) {
  return join(joining::concatenate, arrays, 0, type);
}

bool known_yes(const known_order& order) { return order.known() && order.yes(); }

/// Whether blocks of compressed rows lie below each other without gaps, or of compressed columns side by
/// side.
bool are_layers(std::span<const sparse_block> blocks, const dims& shape, sparse::format to) {
  if (!sparse::is_compressed(to)) return false;
  std::int64_t next = 0;
  for (const sparse_block& b : blocks) {
    if (b.matrix.format != to || of_major(to, b.row, b.column) != next || of_minor(to, b.row, b.column) != 0)
      return false;
    next += major_count(b.matrix);
  }
  return next == shape[detail::row(to).axis];
}

/// Such blocks joined: their entries one after the other.
sparse_parts joined_layers(std::span<const sparse_block> blocks, const dims& shape, sparse::format to,
                           gparray::dtype type) {
  std::int64_t count = 0;
  gparray::dtype index = gparray::dtype::int32;
  bool sorted = true, canonical = true;
  for (const sparse_block& b : blocks) {
    check_same_device("joining sparse matrices", blocks[0].matrix.data, b.matrix.data);
    count += b.matrix.data.size();
    index = promote_types(index, b.matrix.index_dtype());
    sorted = sorted && known_yes(b.matrix.sorted);
    canonical = canonical && known_yes(b.matrix.canonical);
  }
  index = index_type(std::max({shape[0], shape[1], count}), index);
  const array_options on{.device = blocks[0].matrix.device()};
  std::vector<any_array> starts{create_zeros(dims(1), index, on)}, others, data;
  std::int64_t before = 0;
  for (const sparse_block& b : blocks) {
    const any_array ends = contiguous(slice_along(b.matrix.major, 0, 1, major_count(b.matrix)), index);
    starts.push_back(before == 0 ? ends : contiguous(as_index_array(ends) + before, index));
    others.push_back(contiguous(b.matrix.minor, index));
    data.push_back(contiguous(b.matrix.data, type));
    before += b.matrix.data.size();
  }
  sparse_parts p =
      make_parts(to, shape[0], shape[1], joined(data, type), joined(starts, index), joined(others, index));
  if (sorted) p.sorted = true;
  if (canonical) p.canonical = true;
  return p;
}

}  // namespace

sparse_parts sparse_join(std::span<const sparse_block> blocks, const dims& shape, sparse::format to,
                         gparray::dtype type) {
  if (blocks.empty()) return sparse_empty(to, shape, type, default_device());
  if (are_layers(blocks, shape, to)) return joined_layers(blocks, shape, to, type);
  std::vector<any_array> rows, columns, data;
  std::int64_t largest = std::max(shape[0], shape[1]), count = 0;
  gparray::dtype index = gparray::dtype::int32;
  // Blocks below each other are in the order of rows if each is, blocks side by side in that of columns.
  bool by_row = true, by_column = true;
  for (const sparse_block& b : blocks) {
    check_same_device("joining sparse matrices", blocks[0].matrix.data, b.matrix.data);
    const sparse_parts entries = sparse_convert(b.matrix, sparse::format::coo);
    const entry_indices at = indices_of(entries);
    rows.push_back(index_array(at.row + b.row));
    columns.push_back(index_array(at.column + b.column));
    data.push_back(contiguous(entries.data, type));
    count += entries.data.size();
    index = promote_types(index, b.matrix.index_dtype());
    by_row = by_row && known_yes(entries.sorted) && (b.column == 0 || b.row > 0 || blocks.size() == 1);
    by_column = by_column && known_yes(entries.canonical) && (b.row == 0 || b.column > 0);
  }
  for (std::size_t i = 1; i < blocks.size(); ++i) {
    by_row = by_row && blocks[i].row >= blocks[i - 1].row + blocks[i - 1].matrix.rows;
    by_column = by_column && blocks[i].column >= blocks[i - 1].column + blocks[i - 1].matrix.columns;
  }
  index = index_type(std::max(largest, count), index);
  sparse_parts p = make_parts(sparse::format::coo, shape[0], shape[1], joined(data, type),
                              contiguous(joined(rows, gparray::dtype::int64), index),
                              contiguous(joined(columns, gparray::dtype::int64), index));
  if (by_row) p.sorted = true;
  if (by_column) p.canonical = true;
  return sparse_convert(p, to);
}

sparse_parts sparse_grid(std::span<const std::optional<sparse_parts>> blocks, std::int64_t n_rows,
                         sparse::format to, gparray::dtype type) {
  const auto count = static_cast<std::int64_t>(blocks.size());
  if (n_rows == 0 || count == 0) throw_ragged_blocks();
  const std::int64_t n_columns = count / n_rows;
  std::vector<std::int64_t> heights(static_cast<std::size_t>(n_rows)),
      widths(static_cast<std::size_t>(n_columns));
  std::vector<char> known_height(heights.size()), known_width(widths.size());
  for (std::int64_t i = 0; i < n_rows; ++i)
    for (std::int64_t j = 0; j < n_columns; ++j) {
      const auto& b = blocks[static_cast<std::size_t>(i * n_columns + j)];
      if (!b) continue;
      const auto r = static_cast<std::size_t>(i), c = static_cast<std::size_t>(j);
      if (known_height[r] && heights[r] != b->rows)
        fail<value_error>(
            "blocks[{},:] has incompatible row dimensions. Got blocks[{},{}].shape[0] == {}, expected {}.", i,
            i, j, b->rows, heights[r]);
      if (known_width[c] && widths[c] != b->columns)
        fail<value_error>(
            "blocks[:,{}] has incompatible column dimensions. Got blocks[{},{}].shape[1] == {}, expected {}.",
            j, i, j, b->columns, widths[c]);
      heights[r] = b->rows;
      widths[c] = b->columns;
      known_height[r] = known_width[c] = 1;
    }
  for (std::size_t i = 0; i < heights.size(); ++i)
    if (!known_height[i]) fail<value_error>("blocks[{},:] are all None", i);
  for (std::size_t j = 0; j < widths.size(); ++j)
    if (!known_width[j]) fail<value_error>("blocks[:,{}] are all None", j);
  std::vector<sparse_block> list;
  dims shape{0, 0};
  for (std::int64_t i = 0; i < n_rows; ++i) {
    shape[1] = 0;
    for (std::int64_t j = 0; j < n_columns; ++j) {
      const auto& b = blocks[static_cast<std::size_t>(i * n_columns + j)];
      if (b) list.push_back({*b, shape[0], shape[1]});
      shape[1] = checked_sum(shape[1], widths[static_cast<std::size_t>(j)], "the columns of blocks");
    }
    shape[0] = checked_sum(shape[0], heights[static_cast<std::size_t>(i)], "the rows of blocks");
  }
  return sparse_join(list, shape, to, type);
}

namespace {

/// Compressed: `length` times one number, which is not zero, from element (row, column) on down a diagonal.
sparse_parts repeated_along(sparse::format to, const dims& shape, std::int64_t row, std::int64_t column,
                            std::int64_t length, const any_array& number) {
  const std::int64_t rows = shape[0], columns = shape[1];
  const gparray::dtype index = index_type(std::max(rows, columns));
  const std::int64_t first = of_major(to, row, column), first_other = of_minor(to, row, column);
  const index_array before =
      counting(checked_sum(of_major(to, rows, columns), 1, "a sparse matrix"), number.device()) - first;
  const any_array starts = contiguous(gparray::clip(before, 0, length), index);
  const any_array others =
      arange(length, index, constant(first_other), constant(std::int64_t{1}), {.device = number.device()});
  sparse_parts p = make_parts(
      to, rows, columns,
      create_full(dims(length), number.dtype(), {.device = number.device()}, named(number)), starts, others);
  p.sorted = p.canonical = true;
  return p;
}

bool is_zero(const any_array& number) {
  bool is_not = false;
  item(astype(named(number), gparray::dtype::bool_, false), &is_not);
  return !is_not;
}

}  // namespace

sparse_parts sparse_from_diagonal_list(std::span<const sparse_diagonal_values> diagonals,
                                       const sparse_shape& shape, sparse::format to, gparray::dtype type) {
  if (diagonals.empty()) {
    if (!shape) throw value_error("a matrix without diagonals needs a shape");
    return sparse_empty(to, *shape, type, default_device());
  }
  std::int64_t m = 0, n = 0;
  if (shape) {
    if (shape->size() != 2) fail<value_error>("a sparse matrix has 2 axes, not the shape {}", text(*shape));
    m = (*shape)[0];
    n = (*shape)[1];
  } else {
    const std::int64_t offset = diagonals[0].offset;
    m = n = checked_sum(diagonals[0].values.size(), offset < 0 ? saturating_negation(offset) : offset,
                        "diags: the size");
  }
  // As eye does. Else entries that are not zero are searched for.
  if (const auto& [values, offset] = diagonals[0];
      diagonals.size() == 1 && values.ndim() == 1 && values.size() == 1 && sparse::is_compressed(to)) {
    const std::int64_t length = std::min({saturating_sum(m, offset), saturating_difference(n, offset), m, n});
    const any_array number = contiguous(values, type);
    if (length > 0 && !is_zero(number))
      return repeated_along(to, {m, n}, std::max<std::int64_t>(-offset, 0), std::max<std::int64_t>(offset, 0),
                            length, number);
  }
  std::int64_t width = 0;
  for (const auto& d : diagonals)
    width = std::max(width,
                     saturating_sum(std::min(saturating_sum(m, d.offset), saturating_difference(n, d.offset)),
                                    std::max<std::int64_t>(0, d.offset)));
  const device on_device = diagonals[0].values.device();
  const auto count = static_cast<std::int64_t>(diagonals.size());
  const any_array data = create_zeros({count, width}, type, {.device = on_device});
  std::vector<std::int64_t> offsets;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto& [values, offset] = diagonals[static_cast<std::size_t>(i)];
    check_same_device("diags", data, values);
    const std::int64_t first = std::max<std::int64_t>(0, offset),
                       length = std::min({saturating_sum(m, offset), saturating_difference(n, offset), m, n});
    if (length < 0) fail<value_error>("Offset {} (index {}) out of bounds", offset, i);
    if (values.ndim() != 1 || (values.size() < length && values.size() != 1))
      fail<value_error>(
          "Diagonal length (index {}: {} at offset {}) does not agree with array size ({}, {}).", i,
          values.size(), offset, m, n);
    const any_array to_row =
        slice_along(reshape(slice_along(data, 0, i, 1), dims(width), order::C), 0, first, length);
    assign_array(to_row.rep(), values.size() > length ? slice_along(values, 0, 0, length) : values);
    offsets.push_back(offset);
  }
  const ndarray<std::int64_t> offset_array = array(offsets, {.device = on_device});
  return sparse_from_diagonals(to, named(data), offset_array, {m, n});
}

any_array sparse_sample(random::Generator& rng, std::int64_t total, std::int64_t count, device where) {
  // Numbers in the order in which they are drawn, those that were drawn before left out. Of more than half of
  // them it is quicker to draw those that are not in the sample.
  const bool excludes = count > total / 2;
  const std::int64_t wanted = excludes ? total - count : count;
  std::unordered_set<std::int64_t> seen;
  std::vector<std::int64_t> sample;
  while (static_cast<std::int64_t>(sample.size()) < wanted) {
    const std::int64_t missing = wanted - static_cast<std::int64_t>(sample.size());
    for (const std::int64_t x : rng.integers(0, total, {missing}).to_vector())
      if (seen.insert(x).second) sample.push_back(x);
  }
  if (excludes) {
    const any_array rest = allocate(gparray::dtype::int64, count, gparray::device::cpu());
    auto* next = static_cast<std::int64_t*>(address(rest));
    for (std::int64_t x = 0; x < total; ++x)
      if (!seen.contains(x)) *next++ = x;
    return from_host(address(rest), dims(count), gparray::dtype::int64, where);
  }
  return from_host(sample.data(), dims(count), gparray::dtype::int64, where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
