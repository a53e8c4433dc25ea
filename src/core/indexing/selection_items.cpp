// From the items of a(...) with arrays among them to a selection, by NumPy's rules of advanced indexing.
#include <algorithm>
#include <memory>

#include <core/array/arguments.hpp>
#include <core/array/layout.hpp>
#include <core/creation/creation.hpp>
#include <core/indexing/gather.hpp>
#include <core/indexing/index.hpp>
#include <core/indexing/number_range.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <core/reduction/reduction.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

using detail::argument;
using detail::pick_item;
using item_kind = pick_item::kind_type;
using basic_kind = detail::index_item::kind_type;

argument number(std::int64_t value) { return detail::constant(value); }

/// The numbers, which are indices when `shift` has been added to them.
any_array index_array(const any_array& a, device on_device, std::int64_t length, std::int64_t shift = 0) {
  const array_rep* rep = shaped(a);
  if (rep->device_ != on_device) throw_device_mismatch("an index array", on_device, rep->device_);
  if (rep->type != dtype::bool_ && length > 0)
    if (const auto range = known_range(rep)) {
      const auto places = shifted(*range, shift);
      if (places && is_inside(*places, length) && (shift == 0 || places->least >= 0)) return a;
    }
  if (rep->type == dtype::bool_ || rep->type == dtype::int64) return a.eval();
  return detail::astype(named(a), dtype::int64, false).eval();
}

/// An item that picks along the axes [axis, axis + covered) of the array.
struct picker {
  any_array
      array;  // on the array's device: a mask, computed, or integers, maybe pending if they need no check
  std::size_t axis;
  std::size_t covered;
  const pick_item* item;
  std::int64_t wrap = 0;  // what is added to negative numbers, if there may be some
  any_array given = {};   // if the numbers are those of `array` plus
  std::int64_t shift = 0;
};

std::size_t axes_used(const pick_item& item) {
  switch (item.kind) {
    case item_kind::basic:
      return item.basic.kind == basic_kind::integer || item.basic.kind == basic_kind::slice;
    case item_kind::flags:
      return item.shape.size();
    case item_kind::integers:
      return 1;
    default:
      return item.array.dtype() == dtype::bool_ ? item.array.shape().size() : 1;
  }
}

/// A size of 0 fits every axis, as in NumPy.
void check_mask(const dims& mask, const array_rep* base, std::size_t axis) {
  for (std::size_t d = 0; d < mask.size(); ++d)
    if (mask[d] != base->shape[axis + d] && mask[d] != 0)
      fail<index_error>(
          "boolean index did not match indexed array along axis {}; size of axis is {} but size of "
          "corresponding boolean axis is {}",
          axis + d, base->shape[axis + d], mask[d]);
}

/// The mask, or one of the array's own sizes that selects nothing either.
any_array fitting_mask(const any_array& mask, const array_rep* base, std::size_t axis) {
  check_mask(mask.shape(), base, axis);
  if (mask.size() > 0) return mask;
  dims sizes = mask.shape();
  for (std::size_t d = 0; d < sizes.size(); ++d) sizes[d] = base->shape[axis + d];
  return detail::create_zeros(sizes, dtype::bool_, {.device = base->device_});
}

/// Integers in host memory are looked at there.
number_range check_integers(const picker& p, const array_rep* base) {
  number_range range{0, 0};
  for (std::int64_t i : p.item->values) {
    range = {std::min(range.least, i), std::max(range.greatest, i)};
    resolve_index(i, base->shape[p.axis], static_cast<int>(p.axis));
  }
  return range;
}

/// Where index arrays broadcast to nothing, NumPy looks at none but those that are one number.
void check_pickers(std::span<picker> pickers, const array_rep* base) {
  bool nothing = false;
  for (const picker& p : pickers) nothing = nothing || (!is_mask(*p.item) && p.array.size() == 0);
  // A GPU looks through all of them before the host waits for the first.
  std::vector<std::unique_ptr<range_search>> under_way(pickers.size());
  std::vector<std::optional<number_range>> ranges(pickers.size());
  const auto is_checked = [&](const picker& p) {
    return !is_mask(*p.item) && (!nothing || p.array.ndim() == 0);
  };
  for (std::size_t i = 0; i < pickers.size(); ++i) {
    const picker& p = pickers[i];
    if (!is_checked(p) || p.item->kind == item_kind::integers) continue;
    ranges[i] = known_range(described(p.array));
    if (const auto places = ranges[i] ? shifted(*ranges[i], p.shift) : std::nullopt;
        !places || !is_inside(*places, base->shape[p.axis]))
      ranges[i].reset();  // what is known may be more than there is
    if (!ranges[i]) under_way[i] = std::make_unique<range_search>(p.array);
  }
  for (std::size_t i = 0; i < pickers.size(); ++i) {
    picker& p = pickers[i];
    if (!is_checked(p)) continue;
    const std::int64_t length = base->shape[p.axis];
    std::optional<number_range> range = under_way[i] ? under_way[i]->take()
                                        : ranges[i]  ? *ranges[i]
                                                     : check_integers(p, base);
    if (p.given.rep()) range = shifted(*range, p.shift);
    if (p.given.rep() && !(range && range->least >= 0 && range->greatest < length)) {
      p.array = p.given.eval();  // numbers that count from the end, or mistakes
      p.shift = 0;
      if (!range) range = range_of(p.array);
    }
    if (!is_inside(*range, length)) throw_outside(p.array, length, static_cast<int>(p.axis));
    p.wrap = range->least < 0 ? length : 0;
  }
}

/// See selection::ends_inside. An index that is pending may be an array by the time that it is read.
bool has_ends_inside(const picker& p, const array_rep* base) {
  if (is_mask(*p.item)) return true;
  std::optional<number_range> ends = number_range{0, 0};
  if (p.array.pending()) ends = known_range_with_ends(p.array.rep());
  if (ends)
    ends =
        shifted({std::min<std::int64_t>(ends->least, 0), std::max<std::int64_t>(ends->greatest, 0)}, p.shift);
  return ends && ends->least >= -p.wrap && ends->greatest < base->shape[p.axis];
}

/// What the shapes of several index arrays broadcast to is left to what uses them; that they do is not.
void check_shapes(std::span<const index_part> parts) {
  std::vector<const dims*> shapes;
  for (const index_part& p : parts) shapes.push_back(&p.index.shape());
  broadcast_index_shapes(shapes);
}

/// Several index arrays, in units of elements where the strides allow it.
void set_parts(selection& s, std::span<const picker> pickers) {
  const array_rep* base = s.base.rep();
  const auto item = static_cast<std::int64_t>(itemsize(base->type));
  s.stride = item;
  for (std::int64_t stride : base->strides)
    if (stride % item != 0) s.stride = 1;
  s.count = 1;
  for (const picker& p : pickers) {
    dims units;
    for (std::size_t d = p.axis; d < p.axis + p.covered; ++d) {
      units.push_back(base->strides[d] / s.stride);
      const std::int64_t extent = std::max<std::int64_t>(base->shape[d] - 1, 0) * units.back();
      s.count += std::abs(extent);
      s.first += std::min<std::int64_t>(extent, 0);
    }
    if (p.shift != 0) {
      s.offset += p.shift * base->strides[p.axis];
      s.first -= p.shift * units[0];
    }
    if (!is_mask(*p.item)) {
      s.parts.push_back({p.array, p.wrap, units[0], p.shift});
    } else {
      const array_rep* const mask = computed(p.array);
      s.parts.push_back({compact_indices(mask, count_true(mask), units), 0, 1});
    }
  }
  check_shapes(s.parts);
}

/// Goes through the items of a(...) along the axes of the array, which each item keeps, whole or in part, or
/// picks from. Integers are index arrays of no dimensions. Where all indices are neighbours, their axes take
/// the place of those they pick from; else they come first.
class index_walk {
 public:
  /// An ellipsis stands for the `n_unnamed` axes that no other item takes.
  index_walk(const array_rep* base, selection& s, std::size_t n_unnamed)
      : base_(base), s_(s), n_unnamed_(n_unnamed) {}

  void take(const pick_item& item) {
    if (item.kind != item_kind::basic) return pick(item);
    switch (item.basic.kind) {
      case basic_kind::integer:
        return pick(item.basic.number);
      case basic_kind::slice:
        return keep(item.basic.range);
      case basic_kind::newaxis:
        return append(1, 0);
      case basic_kind::ellipsis:
        return keep_unnamed();
    }
  }

  /// Without an ellipsis the unnamed axes are the last ones.
  std::vector<picker> finish(bool has_ellipsis) {
    if (!has_ellipsis) keep_unnamed();
    if (n_groups_ > 1) s_.position = 0;
    return std::move(pickers_);
  }

 private:
  void pick(const pick_item& item) {
    begin_index();
    const std::int64_t length = axis_ < base_->shape.size() ? base_->shape[axis_] : 0;
    picker p{{}, axis_, axes_used(item), &item};
    if (const auto other = item.kind == item_kind::array ? without_shift(item.array) : std::nullopt) {
      p.given = item.array;
      p.shift = other->by;
      p.array = index_array(other->index, base_->device_, length, p.shift);
    } else {
      p.array = array_of(item, base_->device_, length);
    }
    if (is_mask(item)) p.array = fitting_mask(p.array, base_, axis_);
    axis_ += p.covered;
    pickers_.push_back(std::move(p));
  }
  void pick(std::int64_t number) {
    begin_index();
    s_.offset += resolve_index(number, base_->shape[axis_], static_cast<int>(axis_)) * base_->strides[axis_];
    ++axis_;
  }
  void begin_index() {
    if (in_group_) return;
    in_group_ = true;
    if (++n_groups_ == 1) s_.position = s_.shape.size();
  }

  void keep(const slice& range) {
    const resolved_slice r = resolve_slice(range, base_->shape[axis_]);
    const std::int64_t stride = base_->strides[axis_++];
    if (r.count > 0) s_.offset += r.start * stride;
    append(r.count, stride * (r.count > 1 ? r.step : 1));
  }
  /// Also none at all: indices on both sides of an ellipsis are no neighbours.
  void keep_unnamed() {
    in_group_ = false;
    for (std::size_t i = 0; i < n_unnamed_; ++i, ++axis_) append(base_->shape[axis_], base_->strides[axis_]);
  }
  void append(std::int64_t size, std::int64_t stride) {
    in_group_ = false;
    s_.shape.push_back(size);
    s_.strides.push_back(stride);
  }

  const array_rep* base_;
  selection& s_;
  std::size_t n_unnamed_, axis_ = 0;
  std::vector<picker> pickers_;
  std::size_t n_groups_ = 0;  // of indices that are neighbours
  bool in_group_ = false;     // the item before is an index
};

}  // namespace

bool is_mask(const pick_item& item) {
  return item.kind == item_kind::flags ||
         (item.kind == item_kind::array && item.array.dtype() == dtype::bool_);
}

any_array array_of(const pick_item& item, device on_device, std::int64_t length) {
  switch (item.kind) {
    case item_kind::integers:
      return detail::from_host(item.values.data(), item.shape, dtype::int64, on_device);
    case item_kind::flags: {
      const auto bytes = std::make_unique<bool[]>(item.values.size());
      for (std::size_t i = 0; i < item.values.size(); ++i) bytes[i] = item.values[i] != 0;
      return detail::from_host(bytes.get(), item.shape, dtype::bool_, on_device);
    }
    default:
      return index_array(item.array, on_device, length);
  }
}

void check_indices(const any_array& index, std::int64_t length, int axis) {
  if (index.size() == 0) return;
  if (const auto known = known_range(described(index)); known && is_inside(*known, length)) return;
  if (!is_inside(range_of(index), length)) throw_outside(index, length, axis);
}

void throw_outside(const any_array& index, std::int64_t length, int axis) {
  const argument x = named(index);
  const any_array below = apply(ufunc::less, dtype::int64, {x, number(-length)}),
                  above = apply(ufunc::greater_equal, dtype::int64, {x, number(length)}),
                  outside = apply(ufunc::logical_or, dtype::bool_, {temporary(below), temporary(above)});
  outside.eval();
  std::int64_t position, value;
  detail::item(detail::reduce(reduction::argmax, temporary(outside), dtype::bool_, nullptr, {}), &position);
  const any_array flat = detail::ravel(index, order::C);
  const detail::index_item at(position);
  detail::item(detail::basic_index(flat, std::span(&at, 1)), &value);
  resolve_index(value, length, axis);
  throw index_error("an index array has changed while it was read");
}

dims broadcast_index_shapes(std::span<const dims* const> shapes) {
  try {
    return broadcast_shapes(shapes);
  } catch (const value_error&) {
    std::string names;
    for (const dims* shape : shapes) names += " " + text(*shape);
    fail<index_error>("shape mismatch: indexing arrays could not be broadcast together with shapes{}", names);
  }
}

any_array indices_along(const any_array& index, std::int64_t length, std::int64_t stride) {
  const argument x = named(index);
  if (length == 0) return apply(ufunc::multiply, dtype::int64, {x, number(stride)});
  const any_array negative = apply(ufunc::less, dtype::int64, {x, number(0)}),
                  wrapped = apply(ufunc::add, dtype::int64, {x, number(length)});
  const argument choice[] = {temporary(negative), temporary(wrapped), x};
  const any_array normal = make_expression(ufunc::where, dtype::int64, choice);
  return apply(ufunc::multiply, dtype::int64, {temporary(normal), number(stride)});
}

namespace {

/// The parts added up on a CPU, where a loop over few numbers takes less than to plan it as steps; no array
/// if they are many, of several shapes or not in C order.
any_array sum_of_few(std::span<const index_part> parts) {
  constexpr std::int64_t few = 4096;
  const array_rep* const first = parts[0].index.rep();
  const auto is_plain = [&](const index_part& p) {
    const array_rep* const rep = p.index.rep();
    return !is_pending(rep) && rep->type == dtype::int64 && rep->shape == first->shape && rep->c_contiguous;
  };
  if (!first->device_.is_cpu() || first->size > few || !std::ranges::all_of(parts, is_plain)) return {};
  const any_array result = allocate(dtype::int64, first->shape, first->device_);
  auto* const sums = reinterpret_cast<std::int64_t*>(result.rep()->data);
  std::fill_n(sums, first->size, std::int64_t{0});
  for (const index_part& p : parts) {
    const auto* const numbers = reinterpret_cast<const std::int64_t*>(p.index.rep()->data);
    for (std::int64_t i = 0; i < first->size; ++i)
      sums[i] += (numbers[i] < 0 ? numbers[i] + p.wrap : numbers[i]) * p.stride;
  }
  return result;
}

}  // namespace

bool is_combined(const selection& s) {
  return s.parts.empty() && (!s.index.rep() || (s.index.dtype() == dtype::int64 && !s.index.pending()));
}

selection combined(const selection& s) {
  selection result = s;
  result.parts.clear();
  result.index = s.index.rep() ? detail::astype(named(s.index), dtype::int64, false) : sum_of_few(s.parts);
  if (!result.index.rep())
    for (const index_part& p : s.parts) {
      const any_array term = indices_along(p.index, p.wrap, p.stride);
      result.index = result.index.rep()
                         ? apply(ufunc::add, dtype::int64, {temporary(result.index), temporary(term)})
                         : term;
    }
  result.index.eval();
  return result;
}

}  // namespace core

namespace detail {

using namespace core;

selection_handle select(const any_array& a, std::span<const pick_item> items) {
  const auto is_index = [](const pick_item& item) { return item.kind != item_kind::basic && !is_mask(item); };
  const bool picks_elements =
      items.size() > 1 && static_cast<int>(items.size()) == a.ndim() && std::ranges::all_of(items, is_index);
  const array_rep* base = picks_elements && may_read_through(a) ? a.rep() : computed(a);
  const auto s = std::make_shared<core::selection>();
  s->base = base == a.rep() ? a : make_view(base, base->type, base->shape, base->strides, 0);
  std::size_t used = 0, ellipses = 0;
  for (const pick_item& item : items) {
    used += axes_used(item);
    ellipses += item.kind == item_kind::basic && item.basic.kind == basic_kind::ellipsis;
  }
  if (ellipses > 1) throw index_error("an index can only have a single ellipsis ('...')");
  if (used > base->shape.size())
    fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed",
                      base->shape.size(), used);

  index_walk walk(base, *s, base->shape.size() - used);
  for (const pick_item& item : items) walk.take(item);
  std::vector<picker> pickers = walk.finish(ellipses == 1);
  check_pickers(pickers, base);
  s->ends_inside = std::ranges::all_of(pickers, [&](const picker& p) { return has_ends_inside(p, base); });

  if (pickers.size() > 1) {
    set_parts(*s, pickers);
  } else if (const picker& p = pickers[0]; is_mask(*p.item)) {
    s->mask = p.array;
    for (std::size_t d = 0; d < p.covered; ++d) s->mask_strides.push_back(base->strides[p.axis + d]);
  } else {
    s->index = p.array;
    s->offset += p.shift * base->strides[p.axis];
    s->first = -p.shift;
    s->wrap = p.wrap;
    s->count = base->shape[p.axis];
    s->stride = base->strides[p.axis];
  }
  return s;
}

}  // namespace detail
GPARRAY_END_NAMESPACE
