// Concatenation and stacking, splitting, and cyclic shifts: copies between slices.
#include <algorithm>
#include <new>

#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/operands.hpp>
#include <core/array/rolled.hpp>
#include <core/array/temporary.hpp>
#include <core/array/turns.hpp>
#include <core/array/unstored_names.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/runtime/stream_state.hpp>
#include <plan/row_copy.hpp>
#include <support/checked_numbers.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

void check_device(std::span<const any_array> arrays) {
  std::vector<detail::argument> arguments(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) arguments[i].array = &arrays[i];
  common_device("concatenate", arguments);
}

/// The arrays side by side along an axis of the result, in one step; false if they do not lie so that the
/// backend can, or gains by it. All are computed.
bool copy_together(const any_array& result, std::span<const any_array> arrays, std::size_t along) {
  const array_rep* const to = result.rep();
  if (to->device_.is_cpu() || !to->c_contiguous) return false;
  std::int64_t rows = 1, inner = static_cast<std::int64_t>(itemsize(to->type));
  for (std::size_t d = 0; d < along; ++d) rows *= to->shape[d];
  for (std::size_t d = along + 1; d < to->shape.size(); ++d) inner *= to->shape[d];
  std::vector<row_copy> copies;
  std::int64_t start = 0;
  for (const any_array& a : arrays) {
    const array_rep* const from = a.rep();
    if (from->type != to->type || !from->c_contiguous) return false;
    const std::int64_t bytes = from->shape[along] * inner;
    copies.push_back({from->data, to->data + start, rows, bytes, bytes, to->shape[along] * inner});
    start += bytes;
  }
  const queue q = current_queue(to->device_);
  if (!backend_of(to->device_).copy_rows(copies, q)) return false;
  record_use(to->memory, q);
  for (const any_array& a : arrays) record_use(a.rep()->memory, q);
  return true;
}

/// Computes each of some pending arrays by a kernel of its own where it is wanted, as far as it is one that
/// stays pending; the others are computed and copied.
void compute_each_into(std::span<const any_array> arrays, std::span<const any_array> targets, int handles) {
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    array_rep* const rep = arrays[k].rep();
    const array_rep* const to = targets[k].rep();
    const auto held = hold_expression(rep);
    if (!is_pending(rep) || rep->computed_by || !to->c_contiguous ||
        (handles_of(rep) > handles && !stays_pending(rep))) {
      copy_elements(to, computed(arrays[k]));
      continue;
    }
    enqueue_into(rep, to->data);
    record_use(to->memory, current_queue(to->device_));
  }
}

/// Whether it is rolled, or made of what is: no kernel of several results takes that.
bool reads_at_places(const any_array& a) {
  return is_pending(a.rep()) && (a.rep()->roll || a.rep()->operation.rolls);
}

/// Pending arrays of one shape, computed where they lie in the result, along an axis of it that is new or
/// theirs: none of them is stored anywhere else. No array if they cannot be.
any_array computed_in_place(std::span<const any_array> arrays, std::size_t along, bool is_new_axis,
                            dtype type) {
  // Each has a handle of the program, or of a list of its, and of those that list them here.
  constexpr int handles = 3;
  const array_rep* const first = arrays[0].rep();
  if (arrays.size() < 2 || !first || !is_pending(first) || first->device_.is_cpu() ||
      first->home != own_pending_list() || first->of_unknown_shape)
    return {};
  const dims in_order = c_strides(first->shape, itemsize(type));
  const auto is_like_first = [&](const any_array& a) {
    const array_rep* const rep = a.rep();
    return rep && is_pending(rep) && rep->home == first->home && !rep->of_unknown_shape &&
           rep->shape == first->shape && rep->type == type && rep->device_ == first->device_ &&
           (rep->operation.c_order || result_strides(rep) == in_order);
  };
  if (!std::ranges::all_of(arrays, is_like_first)) return {};
  if (is_new_axis && first->shape.size() == max_ndim) return {};
  dims shape = first->shape;
  const auto count = static_cast<std::int64_t>(arrays.size()), step = is_new_axis ? 1 : shape[along];
  if (is_new_axis) shape.insert(along, count);
  else shape[along] *= count;
  checked_size(shape, itemsize(type));
  const any_array result = allocate(type, shape, first->device_);
  std::vector<any_array> targets;
  const int axis = static_cast<int>(along);
  for (std::int64_t k = 0; k < count; ++k) {
    const any_array part = slice_along(result, axis, k * step, step);
    targets.push_back(is_new_axis ? detail::squeeze(part, axis) : part);
  }
  constexpr std::size_t at_once = usual_stores + 1;
  for (std::size_t k = 0; k < arrays.size(); k += at_once) {
    const std::size_t n = std::min(at_once, arrays.size() - k);
    const auto sources = arrays.subspan(k, n);
    const auto places = std::span(targets).subspan(k, n);
    if (compute_into(sources, places, handles)) continue;
    if (arrays.size() <= at_once && std::ranges::none_of(arrays, reads_at_places)) return {};
    compute_each_into(sources, places, handles);
  }
  return result;
}

/// By one kernel, those that are made of the same values or arrays.
void compute_at_once(std::span<const any_array> arrays) {
  std::vector<const any_array*> all;
  for (const any_array& a : arrays) all.push_back(&a);
  detail::eval_together(all);
}

any_array concatenate(std::span<const any_array> arrays, std::int64_t axis_argument, dtype type) {
  if (arrays.empty()) throw value_error("need at least one array to concatenate");
  dims shape = arrays[0].shape();
  const int ndim = static_cast<int>(shape.size());
  if (ndim == 0) throw value_error("zero-dimensional arrays cannot be concatenated");
  const int axis = normalize_axis(axis_argument, ndim);
  const auto along = static_cast<std::size_t>(axis);
  for (std::size_t i = 1; i < arrays.size(); ++i) {
    const dims& other = arrays[i].shape();
    if (other.size() != shape.size())
      fail<value_error>(
          "all the input arrays must have same number of dimensions, but the array at index 0 has {} "
          "dimension(s) and the "
          "array at index {} has {} dimension(s)",
          ndim, i, other.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (d == along || other[d] == shape[d]) continue;
      fail<value_error>(
          "all the input array dimensions except for the concatenation axis must match exactly, but along "
          "dimension {}, "
          "the array at index 0 has size {} and the array at index {} has size {}",
          d, shape[d], i, other[d]);
    }
    shape[along] = checked_sum(shape[along], other[along], "array is too big: the joined axis");
  }
  check_device(arrays);
  checked_size(shape, itemsize(type));
  if (any_array result = computed_in_place(arrays, along, false, type); result.rep()) return result;
  compute_at_once(arrays);
  std::vector<dims> strides;
  for (const any_array& a : arrays) strides.push_back(computed(a)->strides);
  const array_rep* first = computed(arrays[0]);
  const any_array result =
      allocate(type, shape, strides_in_order(shape, itemsize(type), memory_order(shape, strides)),
               first->memory->space, first->device_);
  if (copy_together(result, arrays, along)) return result;
  std::int64_t start = 0;
  for (const any_array& a : arrays) {
    const std::int64_t count = a.shape()[along];
    copy_elements(slice_along(result, axis, start, count).rep(), computed(a));
    start += count;
  }
  return result;
}

/// position + by modulo n, of a position in [0, n), whatever `by` is.
std::int64_t rolled(std::int64_t position, std::int64_t by, std::int64_t n) {
  by %= n;
  if (by < 0) by += n;
  return position >= n - by ? position - (n - by) : position + by;
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array join(joining how, std::span<const any_array> arrays, slice_end axis, gparray::dtype type) {
  std::vector<any_array> list(arrays.begin(), arrays.end());
  std::int64_t along = axis.value;
  switch (how) {
    case joining::concatenate:
      if (axis.given) break;
      for (any_array& a : list) a = ravel(a, order::C);
      break;
    case joining::stack: {
      if (list.empty()) throw value_error("need at least one array to stack");
      if (!axis.given) throw type_error("stack: the axis must be an integer, not none");
      for (const any_array& a : list)
        if (a.shape() != list[0].shape()) throw value_error("all input arrays must have the same shape");
      // Named as an axis of the result, as in NumPy, whose text counts the new dimension.
      along = normalize_axis(along, list[0].ndim() + 1);
      check_device(list);
      if (any_array result = computed_in_place(list, static_cast<std::size_t>(along), true, type);
          result.rep())
        return result;
      compute_at_once(list);  // views of them would be computed one by one
      for (any_array& a : list) a = expand_dims(a, along);
      break;
    }
    case joining::vstack:
      for (any_array& a : list) a = at_least(a, 2);
      break;
    case joining::hstack:
      for (any_array& a : list) a = at_least(a, 1);
      along = !list.empty() && list[0].ndim() > 1;
      break;
    case joining::dstack:
      for (any_array& a : list) a = at_least(a, 3);
      along = 2;
      break;
    case joining::column_stack:
      for (any_array& a : list)
        if (a.ndim() < 2) a = transpose(at_least(a, 2));
      along = 1;
  }
  return concatenate(list, along, type);
}

std::vector<any_array> array_split(const any_array& a, std::int64_t sections, int axis_argument, bool equal) {
  const int axis = normalize_axis(axis_argument, a.ndim());
  const std::int64_t n = a.shape(axis);
  if (sections <= 0) throw value_error("number sections must be larger than 0.");
  if (equal && n % sections != 0) throw value_error("array split does not result in an equal division");
  std::vector<any_array> parts;
  // Parts without elements are parts too, of any number.
  if (static_cast<std::uint64_t>(sections) > parts.max_size())
    fail<out_of_memory>("array_split: {} parts", sections);
  try {
    parts.reserve(static_cast<std::size_t>(sections));
  } catch (const std::bad_alloc&) {
    fail<out_of_memory>("array_split: no memory for {} parts", sections);
  }
  std::int64_t start = 0;
  for (std::int64_t i = 0; i < sections; ++i) {
    const std::int64_t count = n / sections + (i < n % sections);
    parts.push_back(slice_along(a, axis, start, count));
    start += count;
  }
  return parts;
}

std::vector<any_array> array_split(const any_array& a, std::span<const std::int64_t> indices,
                                   int axis_argument) {
  const int axis = normalize_axis(axis_argument, a.ndim());
  std::vector<index_item> items(static_cast<std::size_t>(axis), index_item(gparray::slice()));
  items.emplace_back(gparray::slice());
  std::vector<any_array> parts;
  std::int64_t start = 0;
  for (std::size_t i = 0; i <= indices.size(); ++i) {
    const slice_end stop = i < indices.size() ? slice_end(indices[i]) : slice_end(a.shape(axis));
    items.back() = gparray::slice(start, stop);
    parts.push_back(basic_index(a, items));
    start = stop.value;
  }
  return parts;
}

int split_axis(const any_array& a, char which) {
  const int needed = which == 'h' ? 1 : which == 'v' ? 2 : 3;
  if (a.ndim() < needed)
    fail<value_error>("{}split only works on arrays of {} or more dimensions", which, needed);
  return which == 'h' ? a.ndim() > 1 : which == 'v' ? 0 : 2;
}

std::vector<any_array> unstack(const any_array& a, int axis_argument) {
  if (a.ndim() == 0) throw value_error("Input array must be at least 1-d.");
  const int axis = normalize_axis(axis_argument, a.ndim());
  std::vector<any_array> parts;
  for (std::int64_t i = 0; i < a.shape(axis); ++i) parts.push_back(squeeze(slice_along(a, axis, i, 1), axis));
  return parts;
}

void throw_unpack(std::size_t wanted, std::size_t have) {
  if (have > wanted) fail<value_error>("too many values to unpack (expected {}, got {})", wanted, have);
  fail<value_error>("not enough values to unpack (expected {}, got {})", wanted, have);
}

any_array roll(const any_array& a, const dims& shift, const dims* axes) {
  if (!axes) {
    std::int64_t total = 0;
    for (std::int64_t s : shift)
      if (a.size() > 0) total = rolled(total, s, a.size());
    const dims first = 0;
    if (a.ndim() == 1) return roll(a, total, &first);
    return reshape(roll(ravel(a, order::C), total, &first), a.shape(), order::C);
  }
  const dims lengths[] = {static_cast<std::int64_t>(shift.size()), static_cast<std::int64_t>(axes->size())};
  const std::int64_t count = broadcast_shapes(lengths)[0];
  // Rolled along one axis and then along another one, elements come from places of their own in one step.
  auto [source, offset] = unrolled(a);
  const array_rep* rep = computed(source);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto d = static_cast<std::size_t>(
        normalize_axis((*axes)[axes->size() == 1 ? 0 : static_cast<std::size_t>(i)], a.ndim()));
    const std::int64_t n = std::max<std::int64_t>(rep->shape[d], 1);
    const std::int64_t by = rolled(0, shift[shift.size() == 1 ? 0 : static_cast<std::size_t>(i)], n);
    offset[d] = rolled(offset[d], n - by, n);
  }
  any_array result = rolled_later(source, offset);
  if (rep->memory->space != default_space(rep->device_)) {
    const any_array later = std::exchange(
        result,
        allocate(rep->type, rep->shape, result_strides(result.rep()), rep->memory->space, rep->device_));
    assign(result, temporary(later));
  }
  name_expression(result);
  return result;
}

any_array block(std::span<const any_array> arrays, std::span<const std::size_t> counts, int depth,
                gparray::dtype type) {
  int ndim = depth;
  for (const any_array& a : arrays) ndim = std::max(ndim, a.ndim());
  // Not at_least(), which puts the third axis last.
  const auto padded = [ndim](const any_array& a) {
    dims leading;
    for (int i = a.ndim(); i < ndim; ++i) leading.push_back(static_cast<std::int64_t>(leading.size()));
    return expand_dims(a, leading);
  };
  std::vector<any_array> rows;
  auto next = arrays.begin();
  for (std::size_t count : counts) {
    if (count == 0) throw value_error("List at arrays[" + std::to_string(rows.size()) + "] cannot be empty");
    std::vector<any_array> row;
    for (std::size_t i = 0; i < count; ++i) row.push_back(padded(*next++));
    rows.push_back(join(joining::concatenate, row, -1, type));
  }
  if (rows.empty()) throw value_error("List at arrays cannot be empty");
  return rows.size() == 1 ? rows[0] : join(joining::concatenate, rows, -2, type);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
