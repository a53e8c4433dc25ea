#include "reduce_source.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <memory>
#include <numeric>

#include "executor.hpp"

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Drops dimensions of size 1; orders by stride, if the order may change; joins neighbours that continue each
/// other.
std::vector<reduce_dimension> collapse(std::vector<reduce_dimension> dimensions, bool reorder) {
  std::erase_if(dimensions, [](const reduce_dimension& d) { return d.size == 1; });
  if (reorder)
    std::stable_sort(dimensions.begin(), dimensions.end(),
                     [](const reduce_dimension& a, const reduce_dimension& b) {
                       return std::abs(a.in_stride) > std::abs(b.in_stride);
                     });
  std::vector<reduce_dimension> joined;
  for (const reduce_dimension& d : dimensions) {
    if (!joined.empty() && joined.back().in_stride == d.size * d.in_stride &&
        joined.back().out_stride == d.size * d.out_stride)
      joined.back() = {joined.back().size * d.size, d.in_stride, d.out_stride};
    else joined.push_back(d);
  }
  return joined;
}

/// The dimensions from the slowest to the fastest in memory; first those of one element.
std::vector<int> memory_order(const map_plan& map, const std::int64_t* strides) {
  std::vector<int> order(static_cast<std::size_t>(map.ndim));
  std::iota(order.begin(), order.end(), 0);
  const auto stride = [&](int d) {
    return map.shape[d] == 1 ? std::numeric_limits<std::int64_t>::max() : std::abs(strides[d]);
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return stride(a) > stride(b); });
  return order;
}

/// The map in memory order, where its loads are side by side; `strides` are those that its values would have
/// in an array, by dimension of the plan.
std::unique_ptr<map_plan> in_memory_order(const map_plan& map, dtype element, std::int64_t* strides) {
  const std::vector<int> order = memory_order(map, map.out.strides);
  auto ordered = std::make_unique<map_plan>(map);
  for (int d = 0; d < map.ndim; ++d) {
    ordered->shape[d] = map.shape[order[d]];
    for (int i = 0; i < map.n_inputs; ++i) ordered->inputs[i].strides[d] = map.inputs[i].strides[order[d]];
  }
  std::int64_t contiguous[max_ndim];
  contiguous_strides(map.ndim, ordered->shape, itemsize(element), contiguous);
  for (int d = 0; d < map.ndim; ++d) strides[order[d]] = contiguous[d];
  return ordered;
}

}  // namespace

reduce_source make_source(const reduce_plan& plan, std::unique_ptr<map_plan>& ordered) {
  const map_plan& map = plan.map;
  reduce_source source;
  source.out = static_cast<char*>(plan.out.data);
  std::int64_t strides[max_ndim];
  // The kernels convert what they load, so a cast costs no pass over memory; but a kernel that converts or
  // skips gaps walks along the reduced dimensions, which is slow if they are not the fastest in memory.
  const bool is_cast = map.n_steps == 1 && map.steps[0].op == ufunc::cast;
  const input& only = map.inputs[is_cast ? map.steps[0].args[0] : 0];
  bool direct = (map.n_steps == 0 || is_cast) && only.kind == input_kind::array;
  if (direct && map.ndim > 0) {
    const int fastest = memory_order(map, only.strides).back();
    const std::int64_t stride = only.strides[fastest];
    const bool side_by_side =
        map.shape[fastest] == 1 || stride == 0 || stride == static_cast<std::int64_t>(itemsize(plan.element));
    if (only.type != plan.element || !side_by_side) direct = fastest >= plan.n_kept;
  }
  source.computed = nullptr;
  if (direct) {
    source.in = reinterpret_cast<std::uintptr_t>(only.data);
    source.type = only.type;
    std::copy_n(only.strides, map.ndim, strides);
  } else {
    ordered = in_memory_order(map, plan.element, strides);
    source.computed = ordered.get();
    source.in = 0;
    source.type = plan.element;
  }
  std::vector<reduce_dimension> kept, reduced;
  for (int d = 0; d < map.ndim; ++d) {
    if (d < plan.n_kept) kept.push_back({map.shape[d], strides[d], plan.out.strides[d]});
    else reduced.push_back({map.shape[d], strides[d], 0});
  }
  source.kept = collapse(std::move(kept), true);
  // The order of the reduced dimensions is the order in which arg-reductions count.
  source.reduced = collapse(std::move(reduced), !returns_index(plan.op));
  return source;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
