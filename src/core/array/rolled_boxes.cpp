#include <algorithm>

#include <core/array/rolled_boxes.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

rolled_boxes::rolled_boxes(const pending_nodes& nodes, const dims& shape) : shape_(shape) {
  for (const std::int64_t n : shape) cuts_.push_back({0, n});
  for (const auto& f : nodes) {
    if (!f.rep->roll) continue;
    const dims& own = f.rep->shape;
    const std::size_t shift = shape.size() - own.size();
    std::int64_t copies = 1;
    for (std::size_t d = 0; d < own.size(); ++d) {
      const std::int64_t offset = (*f.rep->roll)[d];
      if (offset == 0) continue;
      copies *= 2;
      cuts_[d + shift].push_back(own[d] - offset);
    }
    copies_ += copies;
  }
  for (auto& cuts : cuts_) {
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  }
}

std::int64_t rolled_boxes::count() const {
  std::int64_t n = 1;
  for (const auto& cuts : cuts_) n *= static_cast<std::int64_t>(cuts.size()) - 1;
  return n;
}

bool rolled_boxes::are_few() const {
  // Of a large array only the boxes' number counts, for a pass over memory takes longer than to begin some
  // more.
  constexpr std::int64_t large = 1 << 18, most = 27;
  std::int64_t size = 1;
  for (const std::int64_t n : shape_) size *= n;
  return count() <= (size >= large ? std::max(most, copies_) : copies_ + 1);
}

}  // namespace core
GPARRAY_END_NAMESPACE
