#include <algorithm>

#include <core/array/program_order.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

std::vector<const array_rep*> in_program_order(const pending_nodes& nodes) {
  const auto count = static_cast<std::uint64_t>(nodes.end() - nodes.begin());
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const auto& f : nodes) {
    if (f.rep->birth == 0 || f.rep->view || f.rep->roll) return {};
    first = std::min(first, f.rep->birth);
    last = std::max(last, f.rep->birth);
  }
  std::vector<const array_rep*> order;
  if (last - first < 4 * count) {  // births are numbers one behind the other, with gaps
    order.resize(last - first + 1);
    for (const auto& f : nodes) order[f.rep->birth - first] = f.rep;
    order[nodes.expression()->birth - first] = nullptr;
    std::erase(order, nullptr);
  } else {
    for (const auto& f : nodes)
      if (f.rep != nodes.expression()) order.push_back(f.rep);
    std::ranges::sort(order, {}, &array_rep::birth);
  }
  return order;
}

}  // namespace core
GPARRAY_END_NAMESPACE
