#include <algorithm>

#include <core/array/rolled.hpp>
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

any_array rolled_later(const any_array& source, const dims& offset) {
  rolled_index index(source.shape());
  for (std::size_t d = 0; d < offset.size(); ++d) {
    const std::int64_t n = source.shape()[d];
    rolled_index::axis& axis = index.axes[d];
    // A number near 0: so most of a short way round is even.
    if (offset[d] <= n / 2) axis = {1, offset[d], 0, n - offset[d], -n};
    else axis = {1, offset[d] - n, n - offset[d], n, n};
  }
  return rolled_later(source, index);
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
