// Reshaping and permuting axes.
#include <core/array/evaluate.hpp>
#include <core/array/layout.hpp>
#include <core/array/pending_view.hpp>
#include <core/array/temporary.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>
#include <support/moved_axes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

dims normalize_axis_list(const dims& axes, int ndim, std::string_view argument) {
  dims result;
  for (std::int64_t axis : axes) {
    if (axis < -ndim || axis >= ndim)
      fail<axis_error>("{}{}axis {} is out of bounds for array of dimension {}", argument,
                       argument.empty() ? "" : ": ", axis, ndim);
    const std::int64_t normal = axis < 0 ? axis + ndim : axis;
    if (std::ranges::find(result, normal) != result.end()) {
      if (argument.empty()) throw value_error("repeated axis");
      fail<value_error>("repeated axis in `{}` argument", argument);
    }
    result.push_back(normal);
  }
  return result;
}

any_array slice_along(const any_array& a, int axis, std::int64_t start, std::int64_t count,
                      std::int64_t step) {
  const array_rep* rep = computed(a);
  const auto d = static_cast<std::size_t>(axis);
  dims shape = rep->shape, strides = rep->strides;
  shape[d] = count;
  strides[d] *= step;
  return make_view(rep, rep->type, shape, strides, count > 0 ? start * rep->strides[d] : 0);
}

any_array slice_later(const any_array& a, int axis, std::int64_t start, std::int64_t count) {
  index_map map(a.ndim());
  map.shape = a.shape();
  map.shape[static_cast<std::size_t>(axis)] = count;
  for (int d = 0; d < map.ndim; ++d) map.at[d] = {d, 1, d == axis ? start : 0};
  const any_array later = view_later(a, map);
  return later.rep() ? later : slice_along(a, axis, start, count);
}

void copy_around(const any_array& to, const any_array& from, int axis, std::int64_t at, std::int64_t n_to,
                 std::int64_t n_from) {
  const std::int64_t behind = from.shape(axis) - at - n_from;
  const auto copy = [&](std::int64_t begin_to, std::int64_t begin_from, std::int64_t count) {
    if (count == 0) return;
    const any_array source = slice_along(from, axis, begin_from, count);
    detail::assign(slice_along(to, axis, begin_to, count), named(source));
  };
  copy(0, 0, at);
  copy(at + n_to, at + n_from, behind);
}

any_array allocate_beside(const array_rep* source, const dims& shape) {
  checked_size(shape, itemsize(source->type));  // before strides are computed from it
  return allocate(source->type, shape, c_strides(shape, itemsize(source->type)), source->memory->space,
                  source->device_);
}

namespace {

any_array permuted(const array_rep* rep, const dims& axes) {
  dims shape = rep->shape, strides = rep->strides;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    shape[i] = rep->shape[static_cast<std::size_t>(axes[i])];
    strides[i] = rep->strides[static_cast<std::size_t>(axes[i])];
  }
  return make_view(rep, rep->type, shape, strides, 0);
}

dims reversed(const dims& axes) {
  dims result = axes;
  std::ranges::reverse(result);
  return result;
}

dims all_axes(std::size_t ndim) {
  dims axes;
  for (std::size_t i = 0; i < ndim; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return axes;
}

/// A view of the same elements without the axes for which `drop` says so.
template<class Drop>
any_array without_axes(const array_rep* rep, Drop drop) {
  dims shape, strides;
  for (std::size_t i = 0; i < rep->shape.size(); ++i) {
    if (drop(i)) continue;
    shape.push_back(rep->shape[i]);
    strides.push_back(rep->strides[i]);
  }
  return make_view(rep, rep->type, shape, strides, 0);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

any_array reshape(const any_array& a, const dims& shape, order layout) {
  if (layout == order::K) throw value_error("order 'K' is not permitted for reshaping");
  const array_rep* rep = computed(a);
  const dims target = resolve_reshape(shape, rep->size);
  // Fortran order is C order of the transposed array and shape.
  if (is_fortran(rep, layout)) return transpose(reshape(transpose(a), reversed(target), order::C));
  const std::optional<dims> strides = reshape_strides(rep->shape, rep->strides, itemsize(rep->type), target);
  if (strides) return make_view(rep, rep->type, target, *strides, 0);
  const any_array packed = copy(a, order::C);
  return make_view(packed.rep(), rep->type, target, c_strides(target, itemsize(rep->type)), 0);
}

any_array ravel(const any_array& a, order layout) {
  const array_rep* rep = computed(a);
  if (layout == order::K)
    return reshape(permuted(rep, memory_order(rep->shape, {&rep->strides, 1})), rep->size, order::C);
  return reshape(a, rep->size, layout);
}

any_array flatten(const any_array& a, order layout) {
  const any_array flat = ravel(a, layout);
  return computed(flat)->memory == computed(a)->memory ? copy(flat, order::C) : flat;
}

any_array transpose(const any_array& a) {
  const array_rep* rep = computed(a);
  return permuted(rep, reversed(all_axes(rep->shape.size())));
}

any_array transpose(const any_array& a, const dims& axes) {
  const array_rep* rep = computed(a);
  if (axes.size() != rep->shape.size()) throw value_error("axes don't match array");
  dims order;
  for (std::int64_t axis : axes) {
    order.push_back(normalize_axis(axis, static_cast<int>(axes.size())));
    if (std::ranges::count(order, order.back()) > 1) throw value_error("repeated axis in transpose");
  }
  return permuted(rep, order);
}

any_array matrix_transpose(const any_array& a) {
  if (a.ndim() < 2) fail<value_error>("Input array must be at least 2-dimensional, but it is {}", a.ndim());
  return swapaxes(a, -1, -2);
}

any_array swapaxes(const any_array& a, int axis1, int axis2) {
  const array_rep* rep = computed(a);
  const std::int64_t first = normalize_axis_list(axis1, a.ndim(), "axis1")[0],
                     second = normalize_axis_list(axis2, a.ndim(), "axis2")[0];
  dims order = all_axes(rep->shape.size());
  std::swap(order[static_cast<std::size_t>(first)], order[static_cast<std::size_t>(second)]);
  return permuted(rep, order);
}

any_array moveaxis(const any_array& a, const dims& source, const dims& destination) {
  const array_rep* rep = computed(a);
  const dims from = normalize_axis_list(source, a.ndim(), "source"),
             to = normalize_axis_list(destination, a.ndim(), "destination");
  return permuted(rep, moved_axes(from, to, a.ndim()));
}

any_array rollaxis(const any_array& a, int axis, int start) {
  const array_rep* rep = computed(a);
  const int n = a.ndim(), from = normalize_axis(axis, n);
  int to = start < 0 ? start + n : start;
  if (to < 0 || to > n)
    fail<axis_error>("'start' arg requires {} <= start < {}, but {} was passed in", -n, n + 1, start);
  if (from < to) --to;
  dims order = all_axes(rep->shape.size());
  order.erase(static_cast<std::size_t>(from));
  order.insert(static_cast<std::size_t>(to), from);
  return permuted(rep, order);
}

any_array squeeze(const any_array& a) {
  const array_rep* rep = computed(a);
  return without_axes(rep, [&](std::size_t i) { return rep->shape[i] == 1; });
}

any_array squeeze(const any_array& a, const dims& axes) {
  const array_rep* rep = computed(a);
  const dims dropped = normalize_axes(axes, a.ndim());
  for (std::int64_t axis : dropped)
    if (rep->shape[static_cast<std::size_t>(axis)] != 1)
      throw value_error("cannot select an axis to squeeze out which has size not equal to one");
  return without_axes(rep, [&](std::size_t i) {
    return std::ranges::find(dropped, static_cast<std::int64_t>(i)) != dropped.end();
  });
}

any_array expand_dims(const any_array& a, const dims& axes) {
  const array_rep* rep = computed(a);
  dims added = normalize_axis_list(axes, a.ndim() + static_cast<int>(axes.size()));
  std::ranges::sort(added);
  dims shape = rep->shape, strides = rep->strides;
  for (std::int64_t axis : added) {
    shape.insert(static_cast<std::size_t>(axis), 1);
    strides.insert(static_cast<std::size_t>(axis), 0);
  }
  return make_view(rep, rep->type, shape, strides, 0);
}

any_array at_least(const any_array& a, int ndim) {
  if (a.ndim() >= ndim) return a.eval();
  dims added;
  for (int i = a.ndim(); i < ndim; ++i) added.push_back(i);
  if (ndim == 2) added = a.ndim() == 0 ? dims{0, 1} : dims{0};  // a vector is a row ...
  if (ndim == 3 && a.ndim() == 1) added = {0, 2};               // ... and lies along the middle of three axes
  return expand_dims(a, added);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
