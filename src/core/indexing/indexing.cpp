// take, put and their relatives: selections along one axis or of the flattened array.
#include <memory>
#include <optional>

#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/temporary.hpp>
#include <core/indexing/gather.hpp>
#include <core/indexing/index.hpp>
#include <core/indexing/indexing.hpp>
#include <core/indexing/number_range.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

any_array valid_indices(const any_array& index, std::int64_t length, int axis, detail::index_mode mode) {
  using detail::index_mode;
  if (mode == index_mode::raise) {
    check_indices(index, length, axis);
    return index;
  }
  const detail::argument size = detail::constant(length), zero = detail::constant(std::int64_t{0}),
                         last = detail::constant(length - 1);
  const detail::argument wrapped[] = {temporary(index), size}, clipped[] = {temporary(index), zero, last};
  return (mode == index_mode::wrap ? detail::make_expression(ufunc::remainder, dtype::int64, wrapped)
                                   : detail::make_expression(ufunc::clip, dtype::int64, clipped))
      .eval();
}

namespace {

std::shared_ptr<selection> along_axis(const any_array& a, const any_array& index, int axis) {
  const array_rep* base = computed(a);
  computed(index);
  const auto d = static_cast<std::size_t>(axis);
  auto s = std::make_shared<selection>();
  s->base = a;
  s->shape = base->shape;
  s->strides = base->strides;
  s->shape.erase(d);
  s->strides.erase(d);
  s->position = d;
  s->index = index;
  s->wrap = s->count = base->shape[d];
  s->stride = base->strides[d];
  return s;
}

/// The shape of `along` with the other's size along the axis, if the two otherwise broadcast.
struct matched_axes {
  any_array array;
  int axis;
  dims shape;  // of the result
};

matched_axes match_axes(const any_array& a, const any_array& index, const detail::slice_end& axis) {
  if (!axis.given && index.ndim() != 1)
    throw value_error("when axis=None, `indices` must have a single dimension.");
  const any_array flat = axis.given ? a.eval() : detail::ravel(a, order::C);
  const int along = axis.given ? normalize_axis(axis.value, flat.ndim()) : 0;
  if (flat.ndim() != index.ndim())
    throw value_error("`indices` and `arr` must have the same number of dimensions");
  dims others = flat.shape();
  const auto d = static_cast<std::size_t>(along);
  others[d] = index.shape()[d];
  const dims* const shapes[] = {&others, &index.shape()};
  return {flat, along, broadcast_index_shapes(shapes)};
}

/// How the elements of `a` other than along the axis are read in the shape of a result.
dims other_strides(const array_rep* a, int axis, const dims& shape) {
  dims one = a->shape, strides = a->strides;
  one[static_cast<std::size_t>(axis)] = 1;
  strides[static_cast<std::size_t>(axis)] = 0;
  return broadcast_strides(one, strides, shape);
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

index_mode parse_index_mode(std::string_view text) {
  if (text == "raise") return index_mode::raise;
  if (text == "wrap") return index_mode::wrap;
  if (text == "clip") return index_mode::clip;
  fail<value_error>("clipmode must be one of 'clip', 'raise', or 'wrap' (got '{}')", text);
}

any_array to_indices(const pick_item& indices, const any_array& a) {
  if (indices.kind == pick_item::kind_type::basic)
    return from_host(&indices.basic.number, {}, gparray::dtype::int64, a.device());
  const any_array numbers = array_of(indices, a.device());
  return astype(named(numbers), gparray::dtype::int64, false).eval();
}

any_array take(const any_array& a, const any_array& indices, slice_end axis_argument, index_mode mode) {
  const any_array source = axis_argument.given ? at_least(a, 1) : ravel(a, order::C);
  const int axis = axis_argument.given ? normalize_axis(axis_argument.value, source.ndim()) : 0;
  const std::int64_t length = source.shape(axis);
  if (length == 0 && indices.size() > 0) throw index_error("cannot do a non-empty take from an empty axes.");
  if (mode == index_mode::raise) return read_checked_elements(*along_axis(source, indices, axis), axis);
  return read_elements(*along_axis(source, valid_indices(indices, length, axis, mode), axis));
}

any_array take_along_axis(const any_array& a, const any_array& indices, slice_end axis) {
  const matched_axes m = match_axes(a, indices, axis);
  const array_rep *from = computed(m.array), *index = computed(indices);
  const auto d = static_cast<std::size_t>(m.axis);
  const any_array result = allocate_beside(from, m.shape);
  const auto gather = [&](std::int32_t* any_outside) {
    gather_elements(result.rep(), result.rep()->strides, from, 0, other_strides(from, m.axis, m.shape),
                    m.shape, index, broadcast_strides(index->shape, index->strides, m.shape),
                    {from->shape[d], from->strides[d], 0, from->shape[d]}, any_outside);
  };
  const auto range = known_range(index);
  const bool is_known = range && is_inside(*range, from->shape[d]);
  if (!is_known && from->size > 0 && result.size() > 0 && finds_none_outside(from->device_, gather))
    return result;
  check_indices(indices, from->shape[d], m.axis);
  gather(nullptr);
  return result;
}

void put_along_axis(const any_array& a, const any_array& indices, const argument& values, slice_end axis) {
  if (!axis.given && !a.is_c_contiguous()) {
    const any_array packed = copy(a, order::C);
    put_along_axis(packed, indices, values, axis);
    return assign(a, temporary(packed));
  }
  const matched_axes m = match_axes(a, indices, axis);
  const array_rep* to = computed(m.array);
  const auto d = static_cast<std::size_t>(m.axis);
  check_indices(indices, to->shape[d], m.axis);
  if (to->shape.size() == 1) return write(along_axis(m.array, indices, 0), values);
  // The positions of all elements, in elements of an array of a's shape in C order.
  const dims units = c_strides(to->shape, 1);
  dims moving = units;
  moving[d] = 0;
  const any_array others = allocate(gparray::dtype::int64, m.shape, to->device_);
  generate(others, [&](plan_builder& b) { return b.iota(0, moving); });
  const any_array positions = indices_along(indices, to->shape[d], units[d]);
  const argument parts[] = {temporary(positions), temporary(others)};
  const any_array index = make_expression(ufunc::add, gparray::dtype::int64, parts).eval();
  // An array that does not lie so is written in a copy that does.
  const any_array target = to->c_contiguous ? m.array : copy(m.array, order::C);
  auto s = std::make_shared<core::selection>();
  s->base = target;
  s->index = index;
  s->count = target.size();
  s->stride = static_cast<std::int64_t>(itemsize(to->type));
  write(s, values);
  if (!to->c_contiguous) assign(m.array, temporary(target));
}

namespace {

/// Writes into the flattened array: through a view if there is one, else through a copy.
template<class Write>
void write_flat(const any_array& a, Write&& write) {
  if (a.is_c_contiguous()) return write(reshape(a, a.size(), order::C));
  const any_array packed = copy(a, order::C);
  write(reshape(packed, packed.size(), order::C));
  assign(a, temporary(packed));
}

/// So many values, one after the other, and from the first on again where there are fewer: not a copy where
/// there are enough.
any_array values_in_turn(const any_array& values, std::int64_t count) {
  if (values.size() < count) return resize(values, count);
  return slice_along(ravel(values, order::C), 0, 0, count);
}

}  // namespace

void put(const any_array& a, const any_array& indices, const any_array& values, index_mode mode) {
  check_writeable(computed(a));
  if (indices.size() == 0 || values.size() == 0) return;
  const any_array index = valid_indices(ravel(indices, order::C), a.size(), 0, mode);
  const any_array repeated =
      values.size() == 1 ? reshape(values, dims{}, order::C) : values_in_turn(values, index.size());
  write_flat(a, [&](const any_array& flat) { write(along_axis(flat, index, 0), temporary(repeated)); });
}

namespace {

any_array as_mask(const any_array& a) { return astype(named(a), gparray::dtype::bool_, false).eval(); }

}  // namespace

void putmask(const any_array& a, const any_array& mask, const any_array& values) {
  check_writeable(computed(a));
  if (mask.size() != a.size()) throw value_error("putmask: mask and data must be the same size");
  if (values.size() == 0) return;
  const any_array repeated = values.size() == 1
                                 ? reshape(values, dims{}, order::C)
                                 : reshape(values_in_turn(values, a.size()), a.shape(), order::C);
  assign_where(a, temporary(repeated), reshape(as_mask(mask), a.shape(), order::C));
}

void place(const any_array& a, const any_array& mask, const any_array& values) {
  check_writeable(computed(a));
  if (mask.size() != a.size()) throw value_error("place: mask and data must be the same size");
  const any_array flags = reshape(as_mask(mask), a.shape(), order::C);
  const std::int64_t count = count_true(computed(flags));
  if (count == 0) return;
  if (values.size() == 0) throw value_error("Cannot insert from an empty array!");
  const any_array repeated = values_in_turn(values, count);
  auto s = std::make_shared<core::selection>();
  s->base = a.eval();
  s->mask = flags;
  s->mask_strides = a.strides();
  write(s, temporary(repeated));
}

any_array compress(const any_array& condition, const any_array& a, slice_end axis) {
  if (condition.ndim() != 1) throw value_error("condition must be a 1-d array");
  if ((!axis.given || a.ndim() == 1) && condition.size() == a.size() && condition.device() == a.device()) {
    if (axis.given) normalize_axis(axis.value, 1);
    // The elements at once, without their numbers.
    const any_array mask = astype(named(condition), gparray::dtype::bool_, false),
                    source = ravel(a, order::C);
    const array_rep *const flags = computed(mask), *const elements = computed(source);
    return compact_elements(flags, count_true(flags), elements, 0, elements->strides);
  }
  return take(a, nonzero(condition)[0], axis, index_mode::raise);
}

namespace {

/// The elements of an axis that an item names, if they lie side by side.
struct run {
  std::int64_t begin, count;
};
std::optional<run> run_of(const pick_item& what, std::int64_t n) {
  if (what.kind != pick_item::kind_type::basic) return std::nullopt;
  if (what.basic.kind == index_item::kind_type::integer) {
    const std::int64_t i = what.basic.number;
    if (i < -n || i >= n) return std::nullopt;
    return run{i < 0 ? i + n : i, 1};
  }
  if (what.basic.kind != index_item::kind_type::slice) return std::nullopt;
  const resolved_slice r = resolve_slice(what.basic.range, n);
  if (r.step != 1 && r.step != -1) return std::nullopt;
  if (r.count == 0) return run{0, 0};
  return run{r.step == 1 ? r.start : r.start - r.count + 1, r.count};
}

}  // namespace

any_array without(const any_array& a, const pick_item& what, slice_end axis_argument) {
  using kind_type = pick_item::kind_type;
  const any_array source = axis_argument.given ? a.eval() : ravel(a, order::C);
  const int axis = axis_argument.given ? normalize_axis(axis_argument.value, source.ndim()) : 0;
  const std::int64_t n = source.shape(axis);
  if (const std::optional<run> gone = run_of(what, n)) {
    dims shape = source.shape();
    shape[static_cast<std::size_t>(axis)] = n - gone->count;
    const any_array result = allocate(source.dtype(), shape, source.device());
    copy_around(result, source, axis, gone->begin, 0, gone->count);
    return result;
  }
  // Flags of what stays, with the others written as any index is.
  const any_array stays = allocate(gparray::dtype::bool_, n, source.device());
  fill(stays.rep(), gparray::dtype::bool_, constant_bits(1.0, gparray::dtype::bool_));
  const argument gone = constant(false);
  const std::int64_t length =
      what.kind == kind_type::array ? what.array.size() : static_cast<std::int64_t>(what.values.size());
  if (is_mask(what) && length != n)
    fail<value_error>(
        "boolean array argument obj to delete must be one dimensional and match the axis length of {}", n);
  if (what.kind == kind_type::basic) assign(basic_index(stays, std::span(&what.basic, 1)), gone);
  else write(detail::select(stays, std::span(&what, 1)), gone);
  return compress(stays, source, axis);
}

}  // namespace detail
GPARRAY_END_NAMESPACE
