#include <algorithm>

#include <core/array/evaluate.hpp>
#include <core/array/loads.hpp>
#include <core/array/rolled.hpp>
#include <core/array/same_steps.hpp>
#include <core/array/unstored_names.hpp>
#include <plan/jumping_plan.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

rolled_index::rolled_index(const dims& of) : shape(of), axes(of.size()) {
  for (std::size_t d = 0; d < of.size(); ++d) axes[d].end = of[d];
}

bool rolled_index::moves() const {
  for (std::size_t d = 0; d < axes.size(); ++d) {
    const axis& a = axes[d];
    if (a.step != 1 || a.offset != 0 || (a.jump != 0 && (a.begin > 0 || a.end < shape[d]))) return true;
  }
  return false;
}

namespace {

/// An index that begins at `distance`, less than n, and goes round an axis of n elements.
rolled_index::axis axis_round(std::int64_t distance, std::int64_t n) {
  // A number near 0: so most of a short way round is even.
  if (distance <= n / 2) return {1, distance, 0, n - distance, -n};
  return {1, distance - n, n - distance, n, n};
}

/// The distance of an axis that goes round n elements; -1 if it does not.
std::int64_t distance_round(const rolled_index::axis& a, std::int64_t n) {
  if (a.step == 1 && a.offset == 0 && a.jump == 0) return 0;
  const std::int64_t distance = a.offset < 0 ? a.offset + n : a.offset;
  return distance >= 0 && distance < n && a == axis_round(distance, n) ? distance : -1;
}

}  // namespace

rolled_array unrolled(const any_array& a) {
  rolled_array result{a, dims::filled(a.shape().size(), 0)};
  array_rep* const rep = a.rep();
  if (!rep || !is_pending(rep) || rep->home != own_pending_list()) return result;
  const auto held = hold_expression(rep);
  const node& n = rep->operation;
  if (!is_pending(rep) || n.op != ufunc::cast || n.count != 1 || rep->computed_by || rep->view ||
      rep->loads_from.rep())
    return result;
  array_rep* const from = n.arguments[0].array;
  if (!from || is_pending(from) || from->type != rep->type || from->shape != rep->shape) return result;
  dims offset = result.offset;
  for (std::size_t d = 0; rep->roll && d < offset.size(); ++d) {
    offset[d] = distance_round(rep->roll->axes[d], rep->shape[d]);
    if (offset[d] < 0) return result;
  }
  retain(from);
  return {any_array::adopt(from), offset};
}

any_array rolled_later(const any_array& source, const dims& offset) {
  rolled_index index(source.shape());
  for (std::size_t d = 0; d < offset.size(); ++d) index.axes[d] = axis_round(offset[d], source.shape()[d]);
  return rolled_later(source, index);
}

namespace {

/// Whether a pending rep is made of arrays of its shape by steps that can be taken at other places. Counts
/// the arrays, each as often as it is read.
bool are_even_steps(const array_rep* rep, const dims& shape, int& arrays) {
  const node& n = rep->operation;
  if (!is_plain_step(rep) || rep->shape != shape) return false;
  for (int i = 0; i < n.count; ++i) {
    const array_rep* const a = n.arguments[i].array;
    if (!a) continue;
    if (is_pending(a)) {
      if (!are_even_steps(a, shape, arrays)) return false;
    } else {
      ++arrays;
      if (!a->c_contiguous || a->shape != shape) return false;
    }
  }
  return true;
}

}  // namespace

any_array rolled_steps_later(const any_array& source, const dims& offset) {
  constexpr int most_arrays = 3, uses = 2;
  const array_rep* const rep = source.rep();
  if (!rep || !is_pending(rep) || rep->device_.is_cpu() || rep->home != own_pending_list() ||
      !may_load_later(rep->device_))
    return {};
  const auto held = hold_expression(rep);
  int arrays = 0;
  if (!is_pending(rep) || !are_even_steps(rep, rep->shape, arrays) || arrays > most_arrays ||
      !is_cheap_to_repeat(rep, uses * rep->size))
    return {};
  return same_steps(rep, [&](const any_array& a) { return rolled_later(a, offset); });
}

bool reads_rolled(const pending_nodes& nodes, const array_rep* expression) {
  const dims& shape = expression->shape;
  std::vector<std::vector<std::int64_t>> cuts(shape.size());
  int jumps = 0;
  std::int64_t copies = 0;  // that storing the rolled arrays would take
  for (const auto& f : nodes) {
    if (!f.rep->roll) continue;
    const auto& axes = f.rep->roll->axes;
    const std::size_t shift = shape.size() - axes.size();
    std::int64_t of_rep = 1;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const rolled_index::axis& axis = axes[d];
      if (axis.jump == 0 || (axis.begin == 0 && axis.end == f.rep->shape[d])) continue;
      ++jumps;
      of_rep *= 2;
      for (const std::int64_t cut : {axis.begin, axis.end})
        if (cut > 0 && cut < f.rep->shape[d]) cuts[d + shift].push_back(cut);
    }
    copies += of_rep;
  }
  if (jumps > max_jumps) return false;
  // One kernel of a GPU's.
  if (expression->device_.is_cuda() && shape.size() <= 4) return true;
  // Of a large array only the boxes' number counts, for a pass over memory takes longer than to begin some
  // more.
  constexpr std::int64_t large = 1 << 18, most = 27;
  std::int64_t boxes = 1;
  for (auto& of_axis : cuts) {
    std::ranges::sort(of_axis);
    boxes *= 1 + (std::unique(of_axis.begin(), of_axis.end()) - of_axis.begin());
  }
  return boxes <= (expression->size >= large ? std::max(most, copies) : copies + 1);
}

bool reads_rolled(const array_rep* expression) {
  const pending_nodes nodes(const_cast<array_rep*>(expression));
  return reads_rolled(nodes, expression);
}

}  // namespace core
GPARRAY_END_NAMESPACE
