// insert: a copy of an array with elements put in along an axis.
#include <algorithm>
#include <numeric>

#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/index.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <gparray/manipulation/insertion.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::pick_item;
using index_list = std::vector<std::int64_t>;

/// The positions that an item names along an axis of n elements.
index_list indices_of(const pick_item& item, std::int64_t n) {
  if (item.kind == pick_item::kind_type::integers) {
    if (item.shape.size() > 1)
      throw value_error("index array argument obj to insert must be one dimensional or scalar");
    return item.values;
  }
  if (item.kind == pick_item::kind_type::basic) {
    const detail::index_item& basic = item.basic;
    if (basic.kind == detail::index_item::kind_type::integer) return {basic.number};
    if (basic.kind != detail::index_item::kind_type::slice)
      throw index_error("insert takes an index, indices, a slice or a mask");
    const resolved_slice r = resolve_slice(basic.range, n);
    index_list result;
    for (std::int64_t i = 0; i < r.count; ++i) result.push_back(r.start + i * r.step);
    return result;
  }
  any_array numbers = item.kind == pick_item::kind_type::flags ? array_of(item, device::cpu()) : item.array;
  if (is_mask(item)) {
    if (numbers.ndim() != 1)
      throw value_error("boolean array argument obj to insert must be one dimensional");
    numbers = detail::nonzero(numbers)[0];
  }
  index_list result(static_cast<std::size_t>(numbers.size()));
  detail::copy_to_host(detail::astype(named(numbers), dtype::int64, false), result.data());
  return result;
}

/// Writes to the elements of `target` at these positions of an axis.
void write_along(const any_array& target, int axis, const index_list& indices, const any_array& values) {
  std::vector<pick_item> items(static_cast<std::size_t>(axis), pick_item(slice()));
  items.emplace_back(indices);
  detail::write(detail::select(target, items), temporary(values));
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array insert(const any_array& a, const pick_item& where, const any_array& values,
                 slice_end axis_argument) {
  const any_array source = axis_argument.given ? a.eval() : ravel(a, order::C);
  const int axis = axis_argument.given ? normalize_axis(axis_argument.value, source.ndim()) : 0;
  const std::int64_t n = source.shape(axis);
  index_list indices = indices_of(where, n);
  for (std::int64_t& i : indices) {
    if (i < -n || i > n) fail<index_error>("index {} is out of bounds for axis {} with size {}", i, axis, n);
    if (i < 0) i += n;
  }
  any_array fresh = values;
  if (indices.size() == 1) {
    // One position takes as many as there are; a lone number is in front of an axis that the values need not
    // have.
    while (fresh.ndim() < source.ndim()) fresh = expand_dims(fresh, dims{0});
    const bool is_number =
        where.kind == pick_item::kind_type::basic && where.basic.kind == index_item::kind_type::integer;
    if (is_number && fresh.ndim() > 0) fresh = moveaxis(fresh, dims{0}, dims{axis});
  }
  dims shape = source.shape();
  const std::int64_t more =
      indices.size() == 1 ? fresh.shape(axis) : static_cast<std::int64_t>(indices.size());
  const std::int64_t length = shape[static_cast<std::size_t>(axis)] =
      checked_sum(n, more, "array is too big: the axis that is inserted into");
  const any_array result = allocate(source.dtype(), shape, source.device());
  if (indices.size() == 1 && more > 0) {
    // What is new lies side by side.
    const std::int64_t at = indices[0];
    assign(slice_along(result, axis, at, more), named(fresh));
    copy_around(result, source, axis, at, more, 0);
    return result;
  }
  if (indices.size() == 1) indices.resize(static_cast<std::size_t>(more), indices[0]);
  // In the order of the old elements, of equal ones in that of the arguments.
  std::vector<std::size_t> sorted(indices.size());
  std::iota(sorted.begin(), sorted.end(), std::size_t{0});
  std::ranges::stable_sort(sorted, {}, [&](std::size_t i) { return indices[i]; });
  for (std::size_t i = 0; i < sorted.size(); ++i) indices[sorted[i]] += static_cast<std::int64_t>(i);
  std::vector<bool> is_new(static_cast<std::size_t>(length));
  for (const std::int64_t i : indices) is_new[static_cast<std::size_t>(i)] = true;
  index_list old;
  for (std::int64_t i = 0; i < length; ++i)
    if (!is_new[static_cast<std::size_t>(i)]) old.push_back(i);
  write_along(result, axis, indices, fresh);
  write_along(result, axis, old, source);
  return result;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
