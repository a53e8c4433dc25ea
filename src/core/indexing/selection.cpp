// Reading and writing what a(indices) or a(mask) selects.
#include <core/array/arguments.hpp>
#include <core/array/evaluate.hpp>
#include <core/array/generate.hpp>
#include <core/array/layout.hpp>
#include <core/array/loads.hpp>
#include <core/array/pending_list.hpp>
#include <core/array/replaced.hpp>
#include <core/array/unstored_names.hpp>
#include <core/indexing/gather.hpp>
#include <core/indexing/number_range.hpp>
#include <core/indexing/selection.hpp>
#include <core/manipulation/manipulation.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

namespace {

/// `inner` put in before position i of `outer`.
dims spliced(const dims& outer, std::size_t i, const dims& inner) {
  dims result = outer;
  for (std::size_t d = 0; d < inner.size(); ++d) result.insert(i + d, inner[d]);
  return result;
}

/// The index array of a selection, the mask's turned into one.
struct numbered {
  any_array index;
  index_range numbers;
};

numbered numbers_of(const selection& s, std::int64_t count) {
  if (s.index.rep()) return {s.index, {s.wrap, s.stride, s.first, s.count}};
  return {compact_indices(s.mask.rep(), count, s.mask_strides), {0, 1, 0, 0, true}};
}

any_array read_numbered(const selection& s, const numbered& n, std::int32_t* any_outside) {
  const array_rep *base = s.base.rep(), *index = n.index.rep();
  const dims shape = spliced(s.shape, s.position, index->shape);
  const any_array result = allocate(base->type, shape, base->device_);
  const dims none = dims::filled(index->shape.size(), 0);
  gather_elements(result.rep(), result.rep()->strides, base, s.offset, spliced(s.strides, s.position, none),
                  shape, index, spliced(dims::filled(s.shape.size(), 0), s.position, index->strides),
                  n.numbers, any_outside);
  return result;
}

}  // namespace

any_array read_elements(const selection& s) {
  const std::int64_t count = s.mask.rep() ? count_true(s.mask.rep()) : 0;
  if (s.mask.rep() && s.shape.empty())
    return compact_elements(s.mask.rep(), count, s.base.rep(), s.offset, s.mask_strides);
  return read_numbered(s, numbers_of(s, count), nullptr);
}

any_array read_checked_elements(const selection& s, int axis) {
  const array_rep* base = s.base.rep();
  any_array result;
  if (const auto range = known_range(s.index.rep()); range && is_inside(*range, s.count))
    return read_elements(s);
  // Elements are gathered and indices checked in one pass; with a bad index the result is dropped.
  if (base->size > 0 && s.index.size() > 0 &&
      finds_none_outside(base->device_, [&](std::int32_t* any_outside) {
        result = read_numbered(s, numbers_of(s, 0), any_outside);
      }))
    return result;
  check_indices(s.index, s.count, axis);
  return read_elements(s);
}

any_array values_for(const any_array& target, const detail::argument& source) {
  const array_rep* to = target.rep();
  if (!source.array) {
    const any_array value = allocate(to->type, {}, to->device_);
    fill(value.rep(), source.type, bits_of(source));
    return value;
  }
  if (rep_of(*source.array)->device_ != to->device_)
    throw_device_mismatch("assignment", to->device_, rep_of(*source.array)->device_);
  const bool copy = !rep_of(*source.array)->pending.load(std::memory_order_acquire) &&
                    computed(*source.array)->memory == to->memory;
  const any_array value = detail::astype(source, to->type, copy);
  computed(value);
  return value;
}

namespace {

/// a(mask) = value without counting: every element is written, with itself where the mask is false. The value
/// must not have an axis for the selected elements.
void write_where(const selection& s, const detail::argument& source) {
  const array_rep *base = s.base.rep(), *mask = s.mask.rep();
  const any_array target = make_view(base, base->type, spliced(s.shape, s.position, mask->shape),
                                     spliced(s.strides, s.position, s.mask_strides), s.offset);
  dims shape = mask->shape, strides = mask->strides;
  for (std::size_t d = s.position; d < s.shape.size(); ++d) {
    shape.push_back(1);
    strides.push_back(0);
  }
  detail::assign_where(target, source, make_view(mask, mask->type, shape, strides, 0));
}

[[noreturn]] void throw_misfit(const selection& s, const dims& have, const dims& want) {
  if (s.mask.rep() && s.shape.empty() && have.size() == 1)
    fail<value_error>(
        "boolean array indexing assignment cannot assign {} input values to the {} output values where "
        "the mask is true",
        have[0], want[0]);
  fail<value_error>(
      "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}",
      text(have), text(want));
}

}  // namespace

}  // namespace core

namespace detail {

using namespace core;

namespace {

void read_selected(array_rep* rep) { publish(rep, read_elements(*rep->selected)); }

constexpr computation reading_elements{
    &read_selected, nullptr,
    [](const array_rep* rep, const storage* s) {
      for (const any_array* a : {&rep->selected->base, &rep->selected->index, &rep->selected->mask})
        if (a->rep() && a->rep()->memory == s) return true;
      return false;
    },
    nullptr};

dims gathered_shape(const core::selection& s) { return spliced(s.shape, s.position, s.index.shape()); }

/// Whether rows that an index array picks had better be read by what reduces them.
bool may_wait_for_reduction(const core::selection& s) {
  return s.index.rep() && !s.shape.empty() && s.base.device().is_cuda() && may_load_later(s.base.device());
}

/// Smaller arrays stay in a CPU's cache.
constexpr std::int64_t fewest_bytes_to_wait = 1 << 16;

/// Index arrays of every axis, whose elements may be read where they are used: large, and in C order, as the
/// elements will lie.
bool may_wait(const core::selection& s, std::span<const index_part> parts) {
  const device where = s.base.device();
  if (!s.shape.empty() || (where.is_cpu() && s.parts.empty()) || !may_load_later(where)) return false;
  std::vector<const dims*> shapes;
  for (const index_part& p : parts) {
    const array_rep* const index = p.index.rep();
    const bool c_order = is_pending(index) ? index->operation.c_order : index->c_contiguous;
    const auto axes = std::ranges::count_if(index->shape, [](std::int64_t n) { return n > 1; });
    if (axes > 1 && !c_order) return false;
    shapes.push_back(&p.index.shape());
  }
  std::int64_t bytes = static_cast<std::int64_t>(itemsize(s.base.dtype()));
  for (const std::int64_t n : core::broadcast_shapes(shapes)) bytes *= n;
  return bytes > (where.is_cpu() ? fewest_bytes_to_wait : 0);
}

/// The elements at base + sum(index * stride), pending.
any_array read_later(const selection_handle& what, std::span<const index_part> parts) {
  const core::selection& s = *what;
  any_array addresses;
  for (const index_part& p : parts) {
    const any_array term = indices_along(p.index, p.wrap, p.stride);
    const argument before = addresses.rep()
                                ? temporary(addresses)
                                : constant(reinterpret_cast<std::int64_t>(s.base.rep()->data) + s.offset);
    addresses = apply(ufunc::add, gparray::dtype::int64, {temporary(term), before});
  }
  if (s.base.device().is_cuda() && !s.ends_inside) {
    // Threads of a GPU compute a few elements beyond an array's ends.
    const array_rep* const base = s.base.rep();
    const extent bytes = byte_extent(base->shape, base->strides, itemsize(base->type));
    const auto address = [&](std::int64_t offset) {
      return constant(reinterpret_cast<std::int64_t>(base->data) + offset);
    };
    addresses = apply(ufunc::clip, gparray::dtype::int64,
                      {temporary(addresses), address(bytes.begin),
                       address(bytes.end - static_cast<std::int64_t>(itemsize(base->type)))});
  }
  // One index array is read by the kernel of gathers, unless something is made of the elements.
  return s.index.rep() && is_combined(s) ? loaded_later(s.base, addresses, s.offset, &read_selected, what)
                                         : loaded_later(s.base, addresses, s.offset);
}

}  // namespace

any_array read(const selection_handle& selected) {
  if (selected->base.pending()) {
    if (may_wait(*selected, selected->parts))
      if (any_array elements = read_through(*selected); elements.rep()) return elements;
    selected->base.eval();
  }
  std::vector<index_part> parts;
  for (const index_part& p : selected->parts) parts.push_back({p.index, p.wrap, p.stride * selected->stride});
  if (selected->index.rep()) parts.push_back({selected->index, selected->wrap, selected->stride});
  if (!parts.empty() && may_wait(*selected, parts)) return read_later(selected, parts);
  const selection_handle what =
      is_combined(*selected) ? selected : std::make_shared<const core::selection>(combined(*selected));
  const array_rep* base = what->base.rep();
  const bool has_known_shape = may_wait_for_reduction(*what);
  array_rep* rep = new_rep(base->type, base->device_, has_known_shape ? gathered_shape(*what) : dims{});
  const any_array owner = any_array::adopt(rep);
  rep->computed_by = &reading_elements;
  rep->of_unknown_shape = !has_known_shape;
  rep->strides = c_strides(rep->shape, itemsize(rep->type));
  rep->selected = what;
  rep->pending.store(true, std::memory_order_relaxed);
  bool exposed = false;
  const auto each = [&](auto visit) {
    for (const any_array* a : {&what->base, &what->index, &what->mask})
      if (a->rep()) visit(a->rep()->memory);
  };
  each([own = own_pending_list()](storage* s) { note_reader(s, own); });
  enlist(rep);
  each([&](const storage* s) { exposed = exposed || is_exposed(s); });
  if (exposed) evaluate(rep);
  return owner;
}

namespace {

/// Writes values, whose shape broadcasts to what is selected, through an index array.
void scatter_values(const array_rep* to, const core::selection& s, const numbered& n,
                    const any_array& value) {
  const array_rep* const index = n.index.rep();
  const dims shape = spliced(s.shape, s.position, index->shape);
  const dims none = dims::filled(index->shape.size(), 0),
             steps = broadcast_strides(value.shape(), computed(value)->strides, shape);
  index_range numbers = n.numbers;
  // Whichever of several equal values is written last: to threads of a GPU that is nothing that counts.
  const auto* const picked = steps.begin() + s.position;
  numbers.unique =
      numbers.unique || (to->device_.is_cuda() && std::all_of(picked, picked + index->shape.size(),
                                                              [](auto stride) { return stride == 0; }));
  scatter_elements(to, s.offset, spliced(s.strides, s.position, none), value.rep(), steps, shape, index,
                   spliced(dims::filled(s.shape.size(), 0), s.position, index->strides), numbers);
}

/// The elements of a replaced array, into one in C order.
void replace_into(const array_rep* rep, const array_rep* to) {
  array_rep *const elements = rep->operation.arguments[0].array, *const values =
                                                                     rep->operation.arguments[1].array;
  // They stay pending, for others may be made of them, too.
  if (is_pending(elements)) enqueue_into(elements, to->data);
  else copy_elements(to, elements);
  retain(values);
  scatter_values(to, *rep->selected, numbers_of(*rep->selected, 0), any_array::adopt(values));
}

constexpr computation replacing_elements{
    [](array_rep* rep) {
      const any_array result = allocate(rep->type, rep->shape, rep->device_);
      replace_into(rep, result.rep());
      publish(rep, result);
    },
    [](array_rep* rep, std::byte* data) {
      any_array target = allocate(rep->type, rep->shape, rep->device_);
      replace_into(rep, target.rep());
      const queue q = current_queue(rep->device_);
      backend_of(rep->device_)
          .copy(data, target.rep()->data, static_cast<std::size_t>(rep->size) * itemsize(rep->type), q);
    },
    [](const array_rep* rep, const storage* s) { return rep->selected->index.rep()->memory == s; }, nullptr,
    true};

/// Whether a write through index arrays of all axes may wait until the array is wanted: it is an expression
/// that is as well computed again as stored, which a name and this selection alone refer to.
bool may_replace_later(const core::selection& s, const argument& source) {
  constexpr std::int64_t part_of_base = 4;
  array_rep* const base = s.base.rep();
  return is_pending(base) && !s.parts.empty() && s.shape.empty() && source.array && !base->read_only &&
         base->operation.c_order && base->references.load(std::memory_order_acquire) == 2 &&
         source.array->rep() != base && source.array->device() == base->device_ &&
         source.array->size() <= base->size / part_of_base && may_read_through(s.base) && stays_pending(base);
}

/// Leaves the write to whoever computes the array; false if that cannot be, and nothing has been done.
bool replace_later(const core::selection& s, const argument& source) {
  array_rep* const base = s.base.rep();
  pending_list* const own = own_pending_list();
  const auto steps = hold_steps(own);
  if (!is_pending(base) || base->computed_by || source.array->shape() != s.index.shape()) return false;
  const any_array value = astype(source, base->type, false);
  const auto is_safe = [&](const array_rep* rep) {
    if (is_pending(rep)) return !rep->computed_by && rep->home == own;
    note_reader(rep->memory, own);
    return !is_exposed(rep->memory);
  };
  if (!is_safe(value.rep()) || !is_safe(s.index.rep())) return false;
  auto where = std::make_shared<core::selection>(s);
  where->base = {};
  array_rep* const elements = new_rep(base->type, base->device_, base->shape);
  const any_array owner = any_array::adopt(elements);
  // Another thread's write to what they read finds this array before or after.
  const list_lock lock(*own);
  elements->operation = base->operation;
  elements->home = own;
  elements->birth = base->birth;
  elements->stream = base->stream;
  elements->pending.store(true, std::memory_order_relaxed);
  base->birth = ++own->births;
  become_replaced(base, owner, value, &replacing_elements, where);
  return true;
}

}  // namespace

void write(const selection_handle& what, const argument& source) {
  const bool may_wait = may_replace_later(*what, source);
  const selection_handle one_index =
      is_combined(*what) ? what : std::make_shared<const core::selection>(combined(*what));
  const core::selection& s = *one_index;
  if (may_wait && replace_later(s, source)) return;
  s.base.eval();
  const dims have = source.array ? source.array->shape() : dims{};
  if (s.mask.rep() && have.size() <= s.shape.size() - s.position) return write_where(s, source);
  if (source.array) computed(*source.array);
  const array_rep* base = s.base.rep();
  effect_on(base);
  check_target(base, {});
  numbered n = numbers_of(s, s.mask.rep() ? count_true(s.mask.rep()) : 0);
  const dims shape = spliced(s.shape, s.position, n.index.shape());
  const dims fitting = without_leading_ones(have, shape.size());
  if (!broadcasts_to(fitting, shape)) throw_misfit(s, have, shape);
  any_array value = values_for(s.base, source);
  if (fitting != have) value = reshape(value, fitting, order::C);
  if (n.index.rep()->memory == base->memory) n.index = copy(n.index, order::C);
  scatter_values(base, s, n, value);
}

}  // namespace detail

namespace core {

bool is_gathered_along(const array_rep* rep, std::size_t axis) {
  if (!is_pending(rep) || rep->computed_by != &detail::reading_elements || rep->of_unknown_shape)
    return false;
  const selection& s = *rep->selected;
  // Numbers from the end take steps of their own, which are stored for each place.
  return s.wrap == 0 && axis >= s.position && axis < s.position + s.index.rep()->shape.size();
}

std::vector<any_array> gathered_along(const array_rep* rep, std::size_t axis, const dims& shape) {
  const selection& s = *rep->selected;
  const array_rep *const base = s.base.rep(), *const index = s.index.rep();
  const bool keeps_axis = shape.size() == rep->shape.size();
  const auto without_axis = [&](dims all, std::int64_t kept) {
    if (keeps_axis) all[axis] = kept;
    else all.erase(axis);
    return all;
  };
  const dims of_rows = dims::filled(s.shape.size(), 1), in_rows = dims::filled(s.shape.size(), 0),
             of_index = dims::filled(index->shape.size(), 0);
  const extent bytes = byte_extent(base->shape, base->strides, itemsize(base->type));
  const auto first = reinterpret_cast<std::int64_t>(base->data);
  const auto number = [](std::int64_t value) {
    return node_argument{nullptr, dtype::int64, bits_of(detail::constant(value))};
  };
  const auto places = std::make_shared<const row_places>(
      row_places{shape,
                 without_axis(spliced(s.strides, s.position, of_index), 0),
                 first + s.offset,
                 {number(first + bytes.begin),
                  number(first + bytes.end - static_cast<std::int64_t>(itemsize(base->type)))}});
  const dims index_shape = without_axis(spliced(of_rows, s.position, index->shape), 1),
             index_strides = without_axis(spliced(in_rows, s.position, index->strides), 0);
  const std::int64_t step = index->strides[axis - s.position];
  std::vector<any_array> result;
  for (std::int64_t k = 0; k < rep->shape[axis]; ++k) {
    const any_array picked = make_view(index, index->type, index_shape, index_strides, k * step);
    result.push_back(rows_loaded_later(s.base, indices_along(picked, s.wrap, s.stride), places));
  }
  return result;
}

any_array elements_at(const any_array& vector, const any_array& numbers, std::int64_t shift) {
  const auto s = std::make_shared<selection>();
  s->base = vector.eval();
  s->index = numbers.eval();
  s->stride = s->base.rep()->strides[0];
  s->offset = shift * s->stride;
  s->count = s->base.rep()->shape[0];
  s->ends_inside = shift >= 0 && shift < s->count;
  return detail::read(s);
}

}  // namespace core
GPARRAY_END_NAMESPACE
