// Cumulative sums along an axis that ranks share, of the parts, and then what is before them; and
// differences.
#include <algorithm>

#include <distributed/arrays/merge.hpp>
#include <distributed/arrays/traveller.hpp>

#include <gparray/distributed/numeric.hpp>
#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

node_ptr differences(const node_ptr& a, int n, int wanted_axis) {
  if (n < 0) core::fail<value_error>("order must be non-negative but got {}", n);
  const int ndim = static_cast<int>(a->where.shape.size());
  if (ndim == 0) throw value_error("diff requires input that is at least one dimensional");
  const auto along = static_cast<std::size_t>(checked_axis(wanted_axis, ndim));
  const auto from = [&](const node_ptr& x, std::int64_t first) {
    std::vector<gd::index_item> items(along, gd::index_item(slice()));
    items.emplace_back(slice(first, first + std::max<std::int64_t>(x->where.shape[along] - 1, 0)));
    return indexed(x, items);
  };
  const ufunc f = a->type == dtype::bool_ ? ufunc::not_equal : ufunc::subtract;
  const auto difference = [f, type = a->type](std::span<any_array> x) -> any_array {
    const gd::argument two[] = {operand(x[0]), operand(x[1])};
    return gd::make_expression(f, type, two);
  };
  node_ptr result = n == 0 ? copied(a) : computed(a);
  for (int i = 0; i < n; ++i)
    result = computed(operate({from(result, 1), from(result, 0)}, a->type, difference));
  return result;
}

node_ptr cumulated(reduction r, const node_ptr& a, dtype type, int wanted_axis) {
  const int axis = checked_axis(wanted_axis, static_cast<int>(a->where.shape.size()));
  const auto along = static_cast<std::size_t>(axis);
  const auto s = shard_of(a);
  const placement& at = *s->where();
  const any_array own = s->own();
  any_array part = gd::cumulate(r, operand(own), type, axis);
  if (is_cut(at, along)) {
    const axis_place& place = at.axes[along];
    const auto m = static_cast<std::size_t>(place.mesh_axis);
    const std::int64_t n = part.shape(axis);
    // The totals of those ranks that have elements, one behind the other.
    const any_array totals = all_gather(part_of(part, axis, std::max<std::int64_t>(n - 1, 0), n),
                                        at.ranks->lines[m], {.axis = axis});
    const ufunc fold = r == reduction::sum || r == reduction::nansum ? ufunc::add : ufunc::multiply;
    any_array before;
    std::int64_t next = 0;
    for (std::int64_t c = 0; c < at.ranks->coordinates[m]; ++c) {
      if (place.own(c, at.shape[along]).size() == 0) continue;
      const any_array total = part_of(totals, axis, next, next + 1);
      const gd::argument two[] = {operand(before.rep() ? before : total), operand(total)};
      before = before.rep() ? gd::make_expression(fold, type, two) : total;
      ++next;
    }
    if (before.rep()) {
      const gd::argument two[] = {operand(before), operand(part)};
      part = gd::make_expression(fold, type, two);
    }
  }
  return node_of(s->where(), part);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
