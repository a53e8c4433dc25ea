// What masks select: read as arrays of their own, or written where it is.
#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

struct selected_elements {
  node_ptr target;  // a leaf
  node_ptr source;  // the same, which cannot be read once it has been written to
  node_ptr mask;
};

namespace {

/// This rank's part of the mask, for the elements that it has of the array.
any_array mask_here(const selected_elements& what) {
  const placement& at = what.target->where;
  const auto n = static_cast<std::ptrdiff_t>(what.mask->where.axes.size());
  return evaluated(*what.mask, {at.ranks, what.mask->where.shape, {at.axes.begin(), at.axes.begin() + n}});
}

gd::selection_handle selected_of(const any_array& a, const any_array& mask) {
  const gd::pick_item item{gd::typed<bool>(any_array(mask))};
  return gd::select(a, {&item, 1});
}

/// Only then what ranks select follows each other in C order.
void check_order(const selected_elements& what) {
  const placement& at = what.target->where;
  for (std::size_t a = 1; a < what.mask->where.axes.size(); ++a)
    if (is_cut(at, a))
      core::fail<value_error>(
          "what a mask selects lies in C order, but axis {} is cut: reshard so that the first axis is, or "
          "one "
          "that the mask does not have; numbers can be written as it is",
          a);
}

/// Where the selected elements are: `count` of them are here.
placement place_of(const selected_elements& what, std::int64_t count) {
  const placement& at = what.target->where;
  placement result{at.ranks, {count}, {axis_place{}}};
  if (is_cut(at, 0)) {
    const auto m = static_cast<std::size_t>(at.axes[0].mesh_axis);
    std::vector<std::int64_t> cuts{0};
    for (const std::int64_t each : all_gather_values(count, at.ranks->lines[m]))
      cuts.push_back(cuts.back() + each);
    result.shape[0] = cuts.back();
    result.axes[0].mesh_axis = at.axes[0].mesh_axis;
    result.axes[0].cuts = std::make_shared<const std::vector<std::int64_t>>(std::move(cuts));
  }
  for (std::size_t a = what.mask->where.axes.size(); a < at.axes.size(); ++a) {
    result.shape.push_back(at.shape[a]);
    result.axes.push_back(at.axes[a]);
  }
  return result;
}

void write_here(const selected_elements& what, const any_array& mask, const gd::argument& values) {
  const auto& to = dynamic_cast<const leaf&>(*what.target);
  if (to.has_pin()) gd::write(selected_of(to.own_view(), mask), values);
  to.of()->written();
}

}  // namespace

selected_ptr select(const node_ptr& a, const node_ptr& mask) {
  const dims &of_a = a->where.shape, &of_mask = mask->where.shape;
  if (of_mask.empty()) throw index_error("a mask of a sharded array has at least one dimension");
  if (of_mask.size() > of_a.size())
    core::fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed",
                            of_a.size(), of_mask.size());
  for (std::size_t axis = 0; axis < of_mask.size(); ++axis)
    if (of_mask[axis] != of_a[axis])
      core::fail<index_error>(
          "boolean index did not match indexed array along axis {}; size of axis is {} but size of "
          "corresponding boolean axis is {}",
          axis, of_a[axis], of_mask[axis]);
  check_mesh(a->where, *mask);
  const auto now = [](const node_ptr& x) -> node_ptr {
    const auto* const here = dynamic_cast<const leaf*>(x.get());
    return here ? here->as_it_is_now() : x;
  };
  const node_ptr target = dynamic_cast<const leaf*>(a.get()) ? a : node_of(stored(*a));
  return std::make_shared<const selected_elements>(selected_elements{target, now(target), now(mask)});
}

node_ptr read(const selected_ptr& what) {
  if (!what) throw value_error("a sharded array was moved from, and has no elements");
  check_order(*what);
  const any_array part = evaluated(*what->source, what->source->where);
  const any_array picked = gd::read(selected_of(part, mask_here(*what))).eval();
  return node_of(place_of(*what, picked.shape(0)), picked);
}

void write(const selected_ptr& what, const gd::argument& number) {
  write_here(*what, mask_here(*what), number);
}

void write(const selected_ptr& what, const node_ptr& values) {
  if (values->where.shape.empty()) {
    const any_array one = evaluated(*values, values->where);
    return write_here(*what, mask_here(*what), operand(one));
  }
  check_order(*what);
  const any_array mask = mask_here(*what);
  const std::int64_t count = gparray::count_nonzero(gd::typed<bool>(any_array(mask))).item();
  const placement wanted = place_of(*what, count);
  if (values->where.shape != wanted.shape)
    core::fail<value_error>(
        "shape mismatch: value array of shape {} cannot be written to what the mask selects, of shape {}",
        core::text(values->where.shape), core::text(wanted.shape));
  const bool moves = values->where.ranks && !values->where.replicated();
  const any_array here = evaluated(moves ? *resharded(values, wanted.layout()) : *values, wanted);
  write_here(*what, mask, operand(here));
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
