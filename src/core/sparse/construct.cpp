// Sparse matrices made of blocks, diagonals and random positions.
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

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

/// The dtype of indices of all entries of blocks, which are on one device.
gparray::dtype index_of_joined(std::span<const sparse_block> blocks, const dims& shape) {
  std::int64_t count = 0;
  gparray::dtype index = gparray::dtype::int32;
  for (const sparse_block& b : blocks) {
    check_same_device("joining sparse matrices", blocks[0].matrix.data, b.matrix.data);
    count += b.matrix.data.size();
    index = promote_types(index, b.matrix.index_dtype());
  }
  return index_type(std::max({shape[0], shape[1], count}), index);
}

/// Such blocks joined: their entries one after the other.
sparse_parts joined_layers(std::span<const sparse_block> blocks, const dims& shape, sparse::format to,
                           gparray::dtype type) {
  const gparray::dtype index = index_of_joined(blocks, shape);
  bool sorted = true, canonical = true;
  for (const sparse_block& b : blocks) {
    sorted = sorted && known_yes(b.matrix.sorted);
    canonical = canonical && known_yes(b.matrix.canonical);
  }
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

/// Whether canonical blocks of compressed rows lie side by side without gaps, or of compressed columns below
/// each other.
bool are_strips(std::span<const sparse_block> blocks, const dims& shape, sparse::format to) {
  if (!sparse::is_compressed(to) || shape[detail::row(to).axis] == 0) return false;
  std::int64_t next = 0;
  for (const sparse_block& b : blocks) {
    if (b.matrix.format != to || of_minor(to, b.row, b.column) != next ||
        of_major(to, b.row, b.column) != 0 || major_count(b.matrix) != shape[detail::row(to).axis] ||
        !known_yes(b.matrix.canonical))
      return false;
    next += minor_count(b.matrix);
  }
  return true;
}

/// Such blocks joined, row by row; nothing if the engine has no routine, or there are more entries than
/// indices can count.
std::optional<sparse_parts> joined_strips(std::span<const sparse_block> blocks, const dims& shape,
                                          sparse::format to, gparray::dtype type) {
  const gparray::device where = blocks[0].matrix.device();
  std::vector<sparse_parts> kept;
  std::vector<compressed_rows> views;
  std::vector<std::int64_t> firsts;
  const gparray::dtype index = index_of_joined(blocks, shape);
  for (const sparse_block& b : blocks) {
    kept.push_back(b.matrix);
    sparse_parts& own = kept.back();
    own.data = contiguous(own.data, type);
    own.major = contiguous(own.major, index);
    own.minor = contiguous(own.minor, index);
    views.push_back(view_of(own));
    firsts.push_back(of_minor(to, b.row, b.column));
  }
  const any_array starts = allocate(index, shape[detail::row(to).axis] + 1, where);
  const auto entries =
      sparse_engine_of(where).join_rows(views, firsts, starts.rep()->data, current_queue(where));
  if (!entries) return std::nullopt;
  sparse_parts p = finished(to, shape[0], shape[1], type, starts, *entries);
  p.sorted = p.canonical = true;
  for (const sparse_parts& own : kept) used({&own.data, &own.major, &own.minor});
  return p;
}

}  // namespace

sparse_parts sparse_join(std::span<const sparse_block> blocks, const dims& shape, sparse::format to,
                         gparray::dtype type) {
  if (blocks.empty()) return sparse_empty(to, shape, type, default_device());
  if (are_layers(blocks, shape, to)) return joined_layers(blocks, shape, to, type);
  if (blocks[0].matrix.device().is_cpu() && are_strips(blocks, shape, to))
    if (auto strips = joined_strips(blocks, shape, to, type)) return *std::move(strips);
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
  const std::int64_t n_starts = checked_sum(of_major(to, rows, columns), 1, "a sparse matrix");
  // 0 up to the first, and all of them behind the last.
  const any_array starts = allocate(index, n_starts, number.device());
  const auto part = [&](std::int64_t begin, std::int64_t end) {
    return slice_along(starts, 0, begin, end - begin);
  };
  generate(part(first, first + length + 1), [](plan_builder& b) { return b.iota(0, {1}); });
  if (first > 0) fill_zero(part(0, first).rep());
  if (const std::int64_t end = first + length + 1; end < n_starts)
    fill(part(end, n_starts).rep(), index, constant_bits(length, index));
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

/// So many values, or one number for all of them.
struct diagonal_part {
  any_array values;
  std::int64_t offset, length;
};

/// On a CPU: rows, or columns of csc, written from the values as they are, without a table of them. Nothing
/// if there is none, or two diagonals are one.
std::optional<sparse_parts> compressed_parts(std::vector<diagonal_part> parts, const dims& shape,
                                             sparse::format to, gparray::dtype type) {
  // Of the transposed matrix the other way round.
  const std::int64_t direction = detail::row(to).axis == 0 ? 1 : -1;
  std::ranges::sort(parts, {}, [&](const diagonal_part& d) { return direction * d.offset; });
  if (std::ranges::adjacent_find(parts, {}, &diagonal_part::offset) != parts.end()) return std::nullopt;
  std::vector<stored_diagonal> each;
  for (diagonal_part& d : parts) {
    d.values = contiguous(d.values, type);
    const bool is_number = d.values.size() == 1;
    if (d.length == 0 || (is_number && is_zero(d.values))) continue;
    const std::int64_t along = direction * d.offset, first = std::max<std::int64_t>(0, along);
    const auto skipped = is_number ? 0 : first * static_cast<std::int64_t>(itemsize(type));
    each.push_back({along, computed(d.values)->data - skipped, is_number});
  }
  if (each.empty()) return std::nullopt;
  const std::int64_t rows = shape[0], columns = shape[1];
  return compressed_diagonals(to, rows, columns,
                              {of_major(to, rows, columns), of_minor(to, rows, columns), type, each},
                              index_type(std::max(rows, columns)), gparray::device::cpu());
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
  const device on_device = diagonals[0].values.device();
  std::int64_t width = 0;
  std::vector<diagonal_part> parts;
  for (std::size_t i = 0; i < diagonals.size(); ++i) {
    const auto& [values, offset] = diagonals[i];
    check_same_device("diags", diagonals[0].values, values);
    const std::int64_t end = std::min(saturating_sum(m, offset), saturating_difference(n, offset)),
                       length = std::min({end, m, n});
    width = std::max(width, saturating_sum(end, std::max<std::int64_t>(0, offset)));
    if (length < 0) fail<value_error>("Offset {} (index {}) out of bounds", offset, i);
    if (values.ndim() != 1 || (values.size() < length && values.size() != 1))
      fail<value_error>(
          "Diagonal length (index {}: {} at offset {}) does not agree with array size ({}, {}).", i,
          values.size(), offset, m, n);
    parts.push_back({values.size() > length ? slice_along(values, 0, 0, length) : values, offset, length});
  }
  if (on_device.is_cpu() && sparse::is_compressed(to))
    if (auto direct = compressed_parts(parts, {m, n}, to, type)) return *std::move(direct);
  const any_array data = create_zeros({std::ssize(parts), width}, type, {.device = on_device});
  std::vector<std::int64_t> offsets;
  for (const diagonal_part& d : parts) {
    const any_array row = reshape(slice_along(data, 0, std::ssize(offsets), 1), dims(width), order::C);
    assign_array(slice_along(row, 0, std::max<std::int64_t>(0, d.offset), d.length).rep(), d.values);
    offsets.push_back(d.offset);
  }
  const ndarray<std::int64_t> offset_array = array(offsets, {.device = on_device});
  return sparse_from_diagonals(to, named(data), offset_array, {m, n});
}

namespace {

/// Numbers below `total` that were met, of which there will be `most`: a bit for each, or where that takes
/// more memory a table of open addresses.
class met_numbers {
 public:
  met_numbers(std::int64_t total, std::int64_t most)
      : shift_(std::countl_zero(static_cast<std::uint64_t>(most)) - 1),
        is_table_(static_cast<std::uint64_t>(total) / bits > table_size()),
        size_(is_table_ ? table_size() : static_cast<std::size_t>(total) / bits + 1),
        memory_(create_zeros(dims(static_cast<std::int64_t>(size_)), gparray::dtype::uint64,
                             {.device = gparray::device::cpu()})),
        words_(static_cast<std::uint64_t*>(address(memory_))) {}

  bool contains(std::int64_t x) const {
    return is_table_ ? words_[place_of(x)] != 0 : (words_[word_of(x)] & bit_of(x)) != 0;
  }
  /// Whether it had not been met.
  bool insert(std::int64_t x) {
    std::uint64_t& word = words_[is_table_ ? place_of(x) : word_of(x)];
    const std::uint64_t with = is_table_ ? key_of(x) : word | bit_of(x);
    return std::exchange(word, with) != with;
  }

 private:
  static constexpr std::uint64_t bits = 64;
  static std::size_t word_of(std::int64_t x) { return static_cast<std::size_t>(x) / bits; }
  static std::uint64_t bit_of(std::int64_t x) {
    return std::uint64_t{1} << (static_cast<std::uint64_t>(x) % bits);
  }
  /// 0 is a free place.
  static std::uint64_t key_of(std::int64_t x) { return static_cast<std::uint64_t>(x) + 1; }
  /// A power of two, of which between a quarter and a half are taken in the end.
  std::size_t table_size() const { return std::size_t{1} << (64 - shift_); }
  /// Where the number is, or belongs. Knuth's multiplicative hash, whose highest bits count.
  std::size_t place_of(std::int64_t x) const {
    const std::uint64_t key = key_of(x);
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15) >> shift_);
    while (words_[at] != 0 && words_[at] != key) at = (at + 1) % size_;
    return at;
  }

  int shift_;
  bool is_table_;
  std::size_t size_;
  any_array memory_;
  std::uint64_t* words_;
};

}  // namespace

any_array sparse_sample(random::Generator& rng, std::int64_t total, std::int64_t count, device where) {
  // Numbers in the order in which they are drawn, those that were drawn before left out. Of more than half of
  // them it is quicker to draw those that are not in the sample.
  const bool excludes = count > total / 2;
  const std::int64_t wanted = excludes ? total - count : count;
  const any_array sample = allocate(gparray::dtype::int64, wanted, gparray::device::cpu());
  met_numbers met(total, wanted);
  auto* const drawn = static_cast<std::int64_t*>(address(sample));
  for (std::int64_t n = 0; n < wanted;) {
    for (const std::int64_t x : rng.integers(0, total, {wanted - n}).to_vector())
      if (met.insert(x)) drawn[n++] = x;
  }
  if (!excludes) return from_host(drawn, dims(count), gparray::dtype::int64, where);
  const any_array rest = allocate(gparray::dtype::int64, count, gparray::device::cpu());
  auto* next = static_cast<std::int64_t*>(address(rest));
  for (std::int64_t x = 0; x < total; ++x)
    if (!met.contains(x)) *next++ = x;
  return from_host(address(rest), dims(count), gparray::dtype::int64, where);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
