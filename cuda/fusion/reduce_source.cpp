#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include <cuda/device/loop_nest.hpp>
#include <cuda/fusion/reduce_source.hpp>
#include <support/sort_few.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core::cuda {
namespace {

/// Drops dimensions of size 1; orders by stride, if the order may change; joins neighbours that continue each
/// other.
void collapse(dimension_list& dimensions, bool reorder) {
  if (reorder)
    sort_few(dimensions.begin(), dimensions.end(), [](const reduce_dimension& a, const reduce_dimension& b) {
      return std::abs(a.in_stride) > std::abs(b.in_stride);
    });
  dimension_list joined;
  for (const reduce_dimension& d : dimensions) {
    if (d.size == 1) continue;
    if (!joined.empty() && joined.back().in_stride == d.size * d.in_stride &&
        joined.back().out_stride == d.size * d.out_stride)
      joined.back() = {joined.back().size * d.size, d.in_stride, d.out_stride};
    else joined.push_back(d);
  }
  dimensions = joined;
}

/// As they lie in memory; first those of one element.
dimension_order memory_order(const map_plan& map, const std::int64_t* strides) {
  dimension_order order;
  std::iota(order.at, order.at + map.ndim, 0);
  const auto stride = [&](int d) {
    return map.shape[d] == 1 ? std::numeric_limits<std::int64_t>::max() : std::abs(strides[d]);
  };
  sort_few(order.at, order.at + map.ndim, [&](int a, int b) { return stride(a) > stride(b); });
  return order;
}

/// The map in memory order, where its loads are side by side; `strides` are those that its values would have
/// in an array, by dimension of the plan.
void put_in_memory_order(const map_plan& map, const jump_list& jumping, dtype element, std::int64_t* strides,
                         jumping_plan& with_jumps) {
  map_plan& ordered = with_jumps.map;
  const dimension_order order = memory_order(map, map.out.strides);
  ordered.ndim = map.ndim;
  ordered.n_inputs = map.n_inputs;
  ordered.n_steps = map.n_steps;
  ordered.size = map.size;
  for (int i = 0; i < map.n_inputs; ++i) {
    const input& from = map.inputs[i];
    input& to = ordered.inputs[i];
    to.kind = from.kind;
    to.type = from.type;
    to.data = from.data;
    to.first = from.first;
    to.value = from.value;
    for (int d = 0; d < map.ndim; ++d) to.strides[d] = from.strides[order.at[d]];
  }
  std::copy_n(map.steps, map.n_steps, ordered.steps);
  for (int d = 0; d < map.ndim; ++d) ordered.shape[d] = map.shape[order.at[d]];
  for (const jump& j : jumping.all_jumps()) {
    jump& to = with_jumps.jumps[with_jumps.n_jumps++] = j;
    to.dim = static_cast<std::uint8_t>(std::find(order.at, order.at + map.ndim, int{j.dim}) - order.at);
  }
  std::int64_t contiguous[max_ndim];
  contiguous_strides(map.ndim, ordered.shape, itemsize(element), contiguous);
  for (int d = 0; d < map.ndim; ++d) strides[order.at[d]] = contiguous[d];
}

/// Whether the kernels that read the one array do so quickly: they convert what they load, so a cast costs no
/// pass over memory; but one that converts or skips gaps walks along the reduced dimensions, which is slow if
/// they are not the fastest in memory.
bool is_read_quickly(const reduce_plan& plan, const input& only) {
  const map_plan& map = plan.map;
  if (map.ndim == 0) return true;
  const int fastest = memory_order(map, only.strides).at[map.ndim - 1];
  const std::int64_t stride = only.strides[fastest];
  const bool side_by_side =
      map.shape[fastest] == 1 || stride == 0 || stride == static_cast<std::int64_t>(itemsize(plan.element));
  return (only.type == plan.element && side_by_side) || fastest >= plan.n_kept;
}

/// Whether the kernels of the plan's order read the one array where it lies as they do in C order: of rows
/// whose elements are an even distance apart, of columns that are side by side.
bool keeps_order(const reduce_plan& plan, const input& only) {
  const map_plan& map = plan.map;
  const auto* const strides = only.strides;
  if (plan.order == element_order::columns)
    return only.type == plan.element &&
           std::find(strides, strides + plan.n_kept, static_cast<std::int64_t>(itemsize(plan.element))) !=
               strides + plan.n_kept;
  for (int d = plan.n_kept; d + 1 < map.ndim; ++d)
    if (strides[d] != map.shape[d + 1] * strides[d + 1]) return false;
  return true;
}

/// Columns are along a dimension, even if there is but one.
void add_missing_columns(const reduce_plan& plan, dimension_list& kept) {
  const auto element = static_cast<std::int64_t>(itemsize(plan.element));
  const auto is_side_by_side = [&](const reduce_dimension& d) { return d.in_stride == element; };
  if (std::none_of(kept.begin(), kept.end(), is_side_by_side)) kept.push_back({1, element, 0});
}

}  // namespace

reduce_source make_source(const reduce_plan& plan, jumping_plan& ordered) {
  const map_plan& map = plan.map;
  reduce_source source;
  source.out = static_cast<char*>(plan.out.data);
  std::int64_t strides[max_ndim];
  const bool is_cast = map.n_steps == 1 && map.steps[0].op == ufunc::cast,
             is_any = plan.order == element_order::any;
  const input& only = map.inputs[is_cast ? map.steps[0].args[0] : 0];
  const bool direct = (map.n_steps == 0 || is_cast) && only.kind == input_kind::array &&
                      plan.jumping.n_jumps == 0 &&
                      (is_any ? is_read_quickly(plan, only) : keeps_order(plan, only));
  source.computed = nullptr;
  if (direct) {
    source.in = reinterpret_cast<std::uintptr_t>(only.data);
    source.type = only.type;
    std::copy_n(only.strides, map.ndim, strides);
  } else {
    put_in_memory_order(map, plan.jumping, plan.element, strides, ordered);
    source.computed = &ordered;
    source.in = 0;
    source.type = plan.element;
  }
  for (int d = 0; d < map.ndim; ++d) {
    if (d < plan.n_kept) source.kept.push_back({map.shape[d], strides[d], plan.out.strides[d]});
    else source.reduced.push_back({map.shape[d], strides[d], 0});
  }
  collapse(source.kept, true);
  // The order of the reduced dimensions is the order in which arg-reductions count.
  collapse(source.reduced, is_any && !returns_index(plan.op));
  if (plan.order == element_order::columns) add_missing_columns(plan, source.kept);
  return source;
}

dimension_order order_of(const reduce_plan& plan) {
  const dimension_order in_memory = memory_order(plan.map, plan.map.out.strides);
  dimension_order order;
  int* kept = order.at;
  int* reduced = order.at + plan.n_kept;
  for (int i = 0; i < plan.map.ndim; ++i)
    *(in_memory.at[i] < plan.n_kept ? kept : reduced)++ = in_memory.at[i];
  if (returns_index(plan.op)) std::sort(order.at + plan.n_kept, reduced);
  return order;
}

}  // namespace core::cuda
GPARRAY_END_NAMESPACE
