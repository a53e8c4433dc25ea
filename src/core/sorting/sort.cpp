// Sorting along an axis, by several keys, and searching: the checks and the axes.
#include <algorithm>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/indexing.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/sorting/sort_plans.hpp>
#include <core/sorting/sorting.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// An array whose lines along the last axis are those along another one: flattened for axis none; and back.
any_array to_lines(const any_array& a, const detail::slice_end& axis) {
  if (!axis.given) return detail::ravel(a, order::C);
  const int number = normalize_axis(axis.value, a.ndim());
  return number == a.ndim() - 1 ? a : detail::moveaxis(a, number, -1);
}
any_array from_lines(const any_array& made, const detail::slice_end& axis) {
  if (!axis.given) return made;
  const int number = normalize_axis(axis.value, made.ndim());
  return number == made.ndim() - 1 ? made : detail::moveaxis(made, -1, number);
}
template<class F>
any_array by_lines(const any_array& a, const detail::slice_end& axis, F f) {
  return from_lines(f(to_lines(a, axis)), axis);
}

void check_sort_kind(std::string_view kind) {
  // NumPy looks at the first letter alone.
  const char first = kind.empty() ? ' ' : kind[0];
  if (first != 'q' && first != 'h' && first != 'm' && first != 's')
    fail<value_error>("sort kind must be one of 'quick', 'heap', or 'stable' (got '{}')", kind);
}

void check_axis(std::string_view function, const detail::slice_end& option, const detail::slice_end& axis) {
  const bool is_default = option.given && option.value == -1;
  if (!is_default && (option.given != axis.given || option.value != axis.value))
    fail<type_error>("{}: an axis is given twice, by its position and as an option", function);
}

/// Lines from behind: a view, and a new array.
any_array flip_lines(const any_array& lines) {
  return lines.ndim() == 0 ? lines : detail::flip(lines, dims{-1});
}
any_array flipped_copy(const any_array& lines) { return detail::copy(flip_lines(lines), order::C); }

/// Writes what was made of the lines of an array back to its elements.
void replace_elements(const any_array& a, const detail::slice_end& axis, const any_array& made) {
  detail::assign(a, named(axis.given ? made : detail::reshape(made, a.shape(), order::C)));
}

/// Positions without duplicates, ascending, counted from the front; none where there are no elements, as in
/// NumPy.
std::vector<std::int64_t> positions_in_line(const any_array& a, const dims& kth,
                                            const detail::slice_end& axis) {
  const std::int64_t n = axis.given ? a.shape(normalize_axis(axis.value, a.ndim())) : a.size();
  std::vector<std::int64_t> positions;
  if (a.size() == 0) return positions;
  for (const std::int64_t k : kth) {
    const std::int64_t position = k < 0 ? k + n : k;
    if (position < 0 || position >= n) fail<value_error>("kth(={}) out of bounds ({})", position, n);
    positions.push_back(position);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

sort_options at_axis(const sort_options& options, slice_end axis) {
  check_sort_kind(options.kind);
  check_axis("sort", options.axis, axis);
  sort_options result = options;
  result.axis = axis;
  return result;
}

topk_options at_axis(const topk_options& options, slice_end axis) {
  check_axis("topk", options.axis, axis);
  topk_options result = options;
  result.axis = axis;
  return result;
}

any_array sort(const any_array& a, slice_end axis, bool descending) {
  return by_lines(a, axis, [descending](const any_array& lines) {
    if (!descending) return sorted_lines(lines);
    return flipped_copy(sorted_lines(lines));
  });
}

any_array argsort(const any_array& a, slice_end axis, bool descending) {
  return by_lines(a, axis, [=](const any_array& lines) { return order_of_lines(lines, {}, descending); });
}

void sort_in_place(const any_array& a, slice_end axis, bool descending) {
  check_target(computed(a), a.shape());
  replace_elements(a, axis, sort(a, axis, descending));
}

any_array partition(const any_array& a, const dims& kth, slice_end axis) {
  const std::vector<std::int64_t> positions = positions_in_line(a, kth, axis);
  return by_lines(a, axis, [&](const any_array& lines) { return sorted_lines(lines, positions); });
}

any_array argpartition(const any_array& a, const dims& kth, slice_end axis) {
  const std::vector<std::int64_t> positions = positions_in_line(a, kth, axis);
  return by_lines(a, axis, [&](const any_array& lines) { return order_of_lines(lines, positions); });
}

void partition_in_place(const any_array& a, const dims& kth, slice_end axis) {
  check_target(computed(a), a.shape());
  replace_elements(a, axis, partition(a, kth, axis));
}

topk_lines topk(const any_array& a, std::int64_t k, const topk_options& options) {
  const any_array lines = to_lines(a, options.axis);
  const std::int64_t n = lines.shape(-1);
  if (k < 0 || k > n) fail<value_error>("k(={}) out of bounds ({})", k, n);
  any_array numbers = first_of_lines(lines, k, options.largest), values;
  const bool in_order = !numbers.rep();
  if (in_order) {
    numbers = slice_along(order_of_lines(lines, {}, options.largest), lines.ndim() - 1, 0, k);
    numbers = options.sorted ? detail::in_order(numbers, order::C) : sorted_lines(numbers);
  }
  values = gather_lines(lines, numbers);
  if (options.sorted && !in_order) {
    const any_array order = order_of_lines(values, {}, options.largest);
    values = gather_lines(values, order);
    numbers = gather_lines(numbers, order);
  }
  return {from_lines(values, options.axis), from_lines(numbers, options.axis)};
}

any_array lexsort(std::span<const any_array> keys, int axis_argument) {
  if (keys.empty()) throw type_error("need sequence of keys with len > 0 in lexsort");
  for (const any_array& key : keys) {
    if (key.shape() != keys[0].shape()) throw value_error("all keys need to be the same shape");
    if (key.device() != keys[0].device()) throw_device_mismatch("lexsort", keys[0].device(), key.device());
  }
  if (keys[0].ndim() == 0) return reshape(order_of_lines(reshape(keys[0], {1}, order::C)), {}, order::C);
  const int axis = normalize_axis(axis_argument, keys[0].ndim());
  any_array result;
  for (const any_array& key : keys) {
    const any_array lines = moveaxis(key, axis, -1);
    result = result.rep() ? gather_lines(result, order_of_lines(gather_lines(lines, result)))
                          : order_of_lines(lines);
  }
  return moveaxis(result, -1, axis);
}

bool parse_side(std::string_view side) {
  if (side == "left" || side == "l") return false;
  if (side == "right" || side == "r") return true;
  fail<value_error>("search side must be 'left' or 'right' (got '{}')", side);
}

any_array searchsorted(const any_array& a, const any_array& values, gparray::dtype common, bool right) {
  if (a.ndim() > 1) throw value_error("object too deep for desired array");
  if (a.ndim() < 1) throw value_error("object of too small depth for desired array");
  if (a.device() != values.device()) throw_device_mismatch("searchsorted", a.device(), values.device());
  const any_array sorted = astype(named(a), common, false), wanted = astype(named(values), common, false);
  return positions_among(sorted, wanted, right);
}

any_array in_sorting_order(const any_array& a, const any_array& sorter) {
  if (sorter.shape() != a.shape()) throw value_error("sorter.size must equal a.size");
  try {
    return take(a, astype(named(sorter), gparray::dtype::int64, false), 0, index_mode::raise);
  } catch (const index_error&) {
    throw value_error("Sorter index out of range.");
  }
}

}  // namespace detail
GPARRAY_END_NAMESPACE
