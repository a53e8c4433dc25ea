// Where elements are, and what index means which position.
#include <limits>
#include <optional>

#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/gather.hpp>
#include <core/indexing/indexing.hpp>
#include <core/indexing/number_range.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/products/products.hpp>
#include <core/reduction/reduction.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

constexpr dtype i64 = dtype::int64;

/// flat / unit % size: the index along an axis whose elements are `unit` apart.
any_array along(const any_array& flat, std::int64_t unit, std::int64_t size) {
  const detail::argument quotient[] = {temporary(flat), detail::constant(unit)};
  const any_array whole = detail::make_expression(ufunc::floor_divide, i64, quotient);
  const detail::argument rest[] = {temporary(whole), detail::constant(size)};
  return detail::make_expression(ufunc::remainder, i64, rest);
}

/// An element that is not in [0, n), if there is one. Waits for the device.
std::optional<std::int64_t> outside(const any_array& index, std::int64_t n) {
  if (index.size() == 0) return std::nullopt;
  if (const auto known = known_range(described(index)); known && known->least >= 0 && known->greatest < n)
    return std::nullopt;
  const number_range range = range_of(index);
  if (range.least < 0) return range.least;
  return range.greatest >= n ? std::optional(range.greatest) : std::nullopt;
}

/// Into each row of the result the coordinates of a position: in one pass, all of them anew for each element,
/// as memory takes longer. Divisions are of 32 bits, which all positions have.
void write_coordinates(const any_array& result, const any_array& flat, const dims& shape, const dims& units) {
  const array_rep* const positions = flat.rep();
  const any_array column = make_view(positions, i64, {positions->size, 1}, {positions->strides[0], 0}, 0);
  generate(result, [&](plan_builder& b) {
    constexpr dtype i32 = dtype::int32;
    const auto number = [&](std::int64_t n) { return b.constant(i32, constant_bits(n, i32)); };
    const int axis = b.cast(b.iota(0, {0, 1}), i32);
    int rest = b.cast(b.array(column.rep()), i32), value = -1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const bool is_last = d + 1 == shape.size();
      const int along = is_last ? rest : b.apply(ufunc::floor_divide, i32, {rest, number(units[d])});
      if (!is_last)
        rest =
            b.apply(ufunc::subtract, i32, {rest, b.apply(ufunc::multiply, i32, {along, number(units[d])})});
      const auto here = static_cast<std::int64_t>(d);
      value = d == 0 ? along
                     : b.apply(ufunc::where, i32,
                               {b.apply(ufunc::equal, i32, {axis, number(here)}), along, value});
    }
    return value;
  });
  record_use(positions->memory, current_queue(positions->device_));
}

std::vector<any_array> unraveled(const any_array& flat, const dims& shape, const dims& units) {
  std::vector<any_array> result;
  for (std::size_t d = 0; d < shape.size(); ++d)
    result.push_back(along(flat, units[d], std::max<std::int64_t>(shape[d], 1)).eval());
  return result;
}

any_array not_zero(const any_array& a) { return detail::astype(named(a), dtype::bool_, false); }

/// The positions in C order of what is not zero; of at least one axis.
any_array flat_nonzero(const any_array& a) {
  const any_array mask = not_zero(a);
  const array_rep* flags = computed(mask);
  return compact_indices(flags, count_true(flags), c_strides(flags->shape, 1));
}

/// Shorter rows of a mask take longer to begin than two divisions for each element that is found.
constexpr std::int64_t shortest_row = 16;

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

std::vector<any_array> nonzero(const any_array& a) {
  if (a.ndim() == 0)
    throw value_error(
        "Calling nonzero on 0d arrays is not allowed. Use atleast_1d(scalar).nonzero() instead.");
  if (a.ndim() > 1 && a.device().is_cpu() && a.shape().back() >= shortest_row) {
    // The numbers along each axis at once, a pass over the mask for each.
    const any_array mask = not_zero(a);
    const array_rep* const flags = computed(mask);
    const std::int64_t count = count_true(flags);
    std::vector<any_array> result;
    for (std::size_t d = 0; d < flags->shape.size(); ++d) {
      dims units = dims::filled(flags->shape.size(), 0);
      units[d] = 1;
      result.push_back(compact_indices(flags, count, units));
    }
    return result;
  }
  const any_array flat = flat_nonzero(a);
  if (a.ndim() == 1) return {flat};
  return unraveled(flat, a.shape(), c_strides(a.shape(), 1));
}

any_array argwhere(const any_array& a) {
  if (a.ndim() == 0)
    return allocate(gparray::dtype::int64, {nonzero(at_least(a, 1))[0].size(), 0}, a.device());
  const any_array flat = flat_nonzero(a);
  if (a.ndim() == 1) return insert_axis(flat, 1);
  const dims units = c_strides(a.shape(), 1);
  const any_array result = allocate(i64, {flat.size(), static_cast<std::int64_t>(a.ndim())}, a.device());
  if (flat.size() > 0 && a.device().is_cuda() && a.ndim() <= 4 &&
      a.size() <= std::numeric_limits<std::int32_t>::max()) {
    write_coordinates(result, flat, a.shape(), units);
    return result;
  }
  for (std::size_t d = 0; d < units.size(); ++d)
    assign_array(remove_axis(slice_along(result, 1, static_cast<std::int64_t>(d), 1), 1).rep(),
                 along(flat, units[d], std::max<std::int64_t>(a.shape()[d], 1)));
  return result;
}

std::vector<any_array> unravel_index(const any_array& indices, const dims& shape, order layout) {
  const std::int64_t size = checked_size(shape, 1);
  if (const auto bad = outside(indices, size))
    fail<value_error>("index {} is out of bounds for array with size {}", *bad, size);
  return unraveled(indices, shape, layout == order::F ? f_strides(shape, 1) : c_strides(shape, 1));
}

any_array ravel_multi_index(std::span<const any_array> coordinates, const dims& shape, index_mode mode,
                            order layout) {
  if (coordinates.size() != shape.size())
    fail<value_error>("parameter multi_index must be a sequence of length {}", shape.size());
  checked_size(shape, 1);
  const dims units = layout == order::F ? f_strides(shape, 1) : c_strides(shape, 1);
  if (shape.empty()) {
    const std::int64_t only = 0;
    return from_host(&only, {}, i64, default_device());
  }
  any_array total;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (mode == index_mode::raise && outside(coordinates[d], shape[d]))
      throw value_error("invalid entry in coordinates array");
    const any_array index = mode == index_mode::raise
                                ? coordinates[d].eval()
                                : valid_indices(coordinates[d], shape[d], static_cast<int>(d), mode);
    const argument scaled[] = {temporary(index), constant(units[d])};
    const any_array part = make_expression(ufunc::multiply, i64, scaled);
    if (d == 0) {
      total = part;
      continue;
    }
    const argument sum[] = {temporary(total), temporary(part)};
    total = make_expression(ufunc::add, i64, sum);
  }
  return total.eval();
}

any_array to_choices(const pick_item& choices, std::int64_t n, index_mode mode) {
  if (n == 0) throw value_error("0-length sequence.");
  const any_array numbers = to_indices(choices, choices.array);
  if (mode != index_mode::raise) return valid_indices(numbers, n, 0, mode);
  if (outside(numbers, n)) throw value_error("invalid entry in choice array");
  return numbers;
}

any_array ix_axis(const pick_item& item, std::size_t axis, std::size_t ndim) {
  if (item.kind == pick_item::kind_type::basic) throw value_error("Cross index must be 1 dimensional");
  const any_array given =
      array_of(item, item.kind == pick_item::kind_type::array ? item.array.device() : default_device());
  if (given.ndim() != 1) throw value_error("Cross index must be 1 dimensional");
  const any_array indices = is_mask(item) ? nonzero(given)[0] : given;
  dims shape = dims::filled(ndim, 1);
  shape[axis] = indices.size();
  return reshape(indices, shape, order::C);
}

void check_select(std::size_t conditions, std::size_t choices) {
  if (conditions != choices) throw value_error("list of cases must be same length as list of conditions");
  if (conditions == 0) throw value_error("select with an empty condition list is not possible");
}

std::int64_t square_size(const dims& shape) {
  if (shape.size() < 2) throw value_error("input array must be at least 2-d");
  for (std::int64_t n : shape)
    if (n != shape[0]) throw value_error("All dimensions of input must be of equal length");
  return shape[0];
}

std::pair<std::int64_t, std::int64_t> matrix_size(const dims& shape) {
  if (shape.size() != 2) throw value_error("input array must be 2-d");
  return {shape[0], shape[1]};
}

void fill_diagonal(const any_array& a, const any_array& values, bool wrap) {
  const array_rep* rep = computed(a);
  const dims &shape = rep->shape, &strides = rep->strides;
  if (shape.size() < 2) throw value_error("array must be at least 2-d");
  std::int64_t step = 0, length = shape[0];
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape.size() > 2 && shape[d] != length)
      throw value_error("All dimensions of input must be of equal length");
    step += strides[d];
  }
  length = std::min(shape[0], shape[1]);
  if (rep->size == 0 || values.size() == 0) return;
  // A tall matrix has a diagonal in each block of `period` rows, the last maybe cut short.
  const bool wraps = wrap && shape.size() == 2;
  const std::int64_t period = shape[1] + 1, blocks = wraps ? shape[0] / period : 0;
  const std::int64_t rest = wraps ? std::min(shape[0] - blocks * period, shape[1]) : length;
  const any_array all = resize(values, blocks * shape[1] + rest);
  const any_array whole = slice_along(all, 0, 0, blocks * shape[1]),
                  last = slice_along(all, 0, blocks * shape[1], rest);
  if (blocks > 0) {
    const any_array source = reshape(whole, {blocks, shape[1]}, order::C);
    assign(make_view(rep, rep->type, {blocks, shape[1]}, {period * strides[0], step}, 0), temporary(source));
  }
  if (rest > 0) assign(make_view(rep, rep->type, rest, step, blocks * period * strides[0]), temporary(last));
}

}  // namespace detail
GPARRAY_END_NAMESPACE
