// Windows: what stands between the parentheses of a(...).
#include <distributed/arrays/node.hpp>

#include <support/errors.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {

namespace gd = gparray::detail;

namespace {

using part = gd::index_item;

}  // namespace

node_ptr indexed(const node_ptr& a, std::span<const part> items) {
  const auto* here = dynamic_cast<const leaf*>(a.get());
  node_ptr kept = a;
  if (!here || !here->whole() || here->items().size() != here->of()->where()->axes.size() ||
      here->where.shape != here->of()->where()->shape) {
    kept = node_of(
        here ? std::make_shared<shard>(std::make_shared<const placement>(a->where), evaluated(*a, a->where))
             : stored(*a));
    here = dynamic_cast<const leaf*>(kept.get());
  }
  const placement& of = *here->of()->where();
  std::size_t used = 0;
  bool has_ellipsis = false;
  for (const part& i : items) {
    used += i.kind == part::kind_type::integer || i.kind == part::kind_type::slice;
    if (i.kind == part::kind_type::ellipsis && std::exchange(has_ellipsis, true))
      throw index_error("an index can only have a single ellipsis ('...')");
  }
  if (used > of.axes.size())
    core::fail<index_error>("too many indices for array: array is {}-dimensional, but {} were indexed",
                            of.axes.size(), used);
  std::vector<window_axis> window;
  std::size_t axis = 0;
  const auto whole_axes = [&](std::size_t count) {
    for (; count > 0; --count, ++axis)
      window.push_back({window_axis::kind_type::slice, 0, 1, of.shape[axis]});
  };
  for (const part& i : items) {
    switch (i.kind) {
      case part::kind_type::newaxis:
        window.push_back({window_axis::kind_type::newaxis, 0, 1, 1});
        break;
      case part::kind_type::ellipsis:
        whole_axes(of.axes.size() - used);
        break;
      case part::kind_type::integer: {
        const std::int64_t n = of.shape[axis];
        if (i.number < -n || i.number >= n)
          core::fail<index_error>("index {} is out of bounds for axis {} with size {}", i.number, axis, n);
        window.push_back({window_axis::kind_type::number, i.number < 0 ? i.number + n : i.number, 1, 1});
        ++axis;
        break;
      }
      case part::kind_type::slice: {
        const gd::resolved_slice cut = gd::resolve_slice(i.range, of.shape[axis]);
        if (cut.step != 1 && !of.axes[axis].whole())
          core::fail<value_error>(
              "axis {} is cut, and a window along it has step 1, not {}: reshard the array so that another "
              "axis is "
              "cut",
              axis, cut.step);
        window.push_back({window_axis::kind_type::slice, cut.start, cut.step, cut.count});
        ++axis;
        break;
      }
    }
  }
  whole_axes(of.axes.size() - axis);
  return std::make_shared<const leaf>(here->of(), std::move(window), 0);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
